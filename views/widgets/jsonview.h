// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QTabBar;
class QToolButton;

namespace views {

class JsonHighlighter;

// A payload to read: laid out as text, or as stored. Copy and Save give the stored bytes, whatever is shown.
// Large payloads are shown in part, so that the window never waits for them.
class JsonView final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JsonView)

public:
    static constexpr qsizetype formattedLimit = 256 * 1024; // beyond: only as stored
    static constexpr qsizetype shownLimit = 64 * 1024; // of the bytes as stored

    // `theme` outlives the widget.
    explicit JsonView(const Theme &theme, QWidget *parent = nullptr);

    // `fullSize`: what the database holds, where `bytes` was cut.
    void setPayload(const QByteArray &bytes, qint64 fullSize, const QString &type);
    void clear();
    void setHeading(const QString &text); // instead of "Payload"

private:
    void render();
    void save();

    const Theme &m_theme;
    QByteArray m_bytes;
    qint64 m_fullSize = 0;
    QLabel *m_heading;
    QLabel *m_size;
    QTabBar *m_tabs;
    QToolButton *m_copy;
    QToolButton *m_save;
    QLabel *m_note;
    QPlainTextEdit *m_text;
    JsonHighlighter *m_highlighter;
};

} // namespace views
