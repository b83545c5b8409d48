// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/outbox/reader.h>

#include <QTimer>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace views {

// Which rows the outbox page shows: statuses with their counts, and three texts. What is being typed is asked for
// after a short rest, and no refresh ever touches it.
class OutboxFilterBar final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxFilterBar)

public:
    // `theme` outlives the widget.
    explicit OutboxFilterBar(const Theme &theme, QWidget *parent = nullptr);

    // The statuses of the table; those chosen before stay chosen where they still exist.
    void setLayoutOfTable(const engine::outbox::Layout &layout);
    void setCounts(const engine::outbox::Stats &stats);
    void clearCounts();

    [[nodiscard]] engine::outbox::RowFilter filter() const;
    void setFilter(const engine::outbox::RowFilter &filter);
    [[nodiscard]] bool isEmpty() const { return filter() == engine::outbox::RowFilter(); }
    void clear();
    void focusText();

signals:
    void changed(); // once, after the last key

private:
    struct Chip
    {
        QByteArray status;
        engine::outbox::Phase phase;
        QToolButton *button;
    };
    void addChip(const QByteArray &status, engine::outbox::Phase phase);
    void showCount(const Chip &chip, const engine::outbox::Count &count);
    void dress();
    void announce();

    const Theme &m_theme;
    engine::outbox::RowFilter m_announced;
    QList<QByteArray> m_wanted; // chosen before the table was known
    std::vector<Chip> m_chips;
    QHBoxLayout *m_chipLayout;
    QLineEdit *m_type;
    QLineEdit *m_tenant;
    QLineEdit *m_error;
    QToolButton *m_clear;
    QTimer m_rest;
};

} // namespace views
