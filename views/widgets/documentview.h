// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/documentrows.h>
#include <models/documentsearch.h>

#include <QAbstractScrollArea>

#include <atomic>
#include <memory>
#include <optional>

class QTextLayout;

namespace views {

class Theme;

// A document of any size to read, select from and search in. Only the rows on screen are ever made into text; the first
// of a large document are there at once, the rest is laid out in the background.
class DocumentView final : public QAbstractScrollArea
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DocumentView)

public:
    static constexpr qint64 laidOutAtOnce = 64 * 1024; // bytes; more is left to the background

    // `theme` outlives the widget.
    explicit DocumentView(const Theme &theme, QWidget *parent = nullptr);
    ~DocumentView() override;

    // The same again leaves scrolling and selection alone.
    void setDocument(const QByteArray &document, models::DocumentRows::Mode mode);
    void setPlaceholderText(const QString &text); // instead of an empty document
    // As high as the document, between one row and `most`, instead of as high as there is room; down to three rows where
    // there is little.
    void setFittedRows(int most);

    [[nodiscard]] const QByteArray &document() const { return m_document; }
    [[nodiscard]] const models::DocumentRows &rows() const { return m_rows; }
    [[nodiscard]] bool isLaidOut() const; // to the end, for the present width
    [[nodiscard]] QString visibleText() const; // the rows on screen

    // Marked wherever they are on screen; `current` is shown and stands out.
    void setMatches(std::vector<models::DocumentMatch> matches, std::optional<size_t> current);
    void showByte(qint64 byte); // scrolls to it
    [[nodiscard]] qint64 firstByteShown() const;

    [[nodiscard]] bool hasSelection() const { return m_caret != m_anchor; }
    // The stored bytes of what is selected; in hex, its digits.
    [[nodiscard]] QByteArray selectedBytes() const;
    void selectAll();
    void copySelection();

signals:
    void laidOut(); // to the end
    void findWanted(); // Ctrl+F
    void findNextWanted(bool backwards); // F3
    void saveWanted(); // Ctrl+S
    void notCopied(); // the selection is no text

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    struct DrawnPiece;
    using DrawnRow = std::vector<DrawnPiece>;

    void layOut();
    void accept(models::DocumentRows rows);
    void updateScrollBar();
    [[nodiscard]] int columnsThatFit() const;
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int rowsOnScreen() const;
    [[nodiscard]] int charWidth() const;
    [[nodiscard]] DrawnRow drawnRow(const models::DocumentRows::Row &row) const;
    [[nodiscard]] qint64 byteAt(QPoint place) const;
    void moveCaret(qint64 byte, bool select);
    [[nodiscard]] qint64 caretAfter(const QKeyEvent &event) const;
    [[nodiscard]] std::pair<qint64, qint64> selection() const;

    const Theme &m_theme;
    QByteArray m_document;
    models::DocumentRows::Mode m_mode = models::DocumentRows::Mode::Text;
    models::DocumentRows m_rows;
    bool m_fresh = false; // m_rows are of another document
    QString m_placeholder;
    int m_fittedRows = 0;
    quint64 m_generation = 0; // of the layout; late ones are dropped
    std::shared_ptr<std::atomic_bool> m_stop; // of the layout that is being made
    std::vector<models::DocumentMatch> m_matches;
    std::optional<size_t> m_current;
    qint64 m_wantedByte = -1; // to scroll to once it is laid out
    qint64 m_caret = 0;
    qint64 m_anchor = 0;
    QPoint m_dragged;
    int m_scrollTimer = 0;
};

} // namespace views
