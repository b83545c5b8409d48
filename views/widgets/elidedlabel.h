// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace views {

// One line of text that is shortened where it does not fit; the tool tip has it in full.
class ElidedLabel final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ElidedLabel)

public:
    explicit ElidedLabel(QWidget *parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }
    void setInk(const QColor &color); // invalid: the palette's

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Qt::TextElideMode m_mode;
    QString m_text;
    QString m_line; // as much of it as can be seen
    QColor m_ink;
};

} // namespace views
