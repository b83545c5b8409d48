// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/workflow/executionreader.h>

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace views {

// Which executions the page shows: statuses with their counts, the late ones, and texts. What is being typed is asked
// for after a short rest, and no refresh ever touches it.
class ExecutionFilterBar final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecutionFilterBar)

public:
    // `theme` outlives the widget.
    explicit ExecutionFilterBar(const Theme &theme, QWidget *parent = nullptr);

    // The statuses of the table with their counts; those chosen before stay chosen.
    void setStats(const engine::workflow::ExecutionStats &stats);
    void clearCounts();

    // `now` is the database's clock in microseconds, which a chosen time range is counted back from.
    [[nodiscard]] engine::workflow::ExecutionFilter filter(qint64 now) const;
    [[nodiscard]] bool isEmpty() const;
    void clear();
    void focusText();
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

signals:
    void changed(); // once, after the last key

private:
    struct Chip
    {
        QByteArray status;
        QToolButton *button;
    };
    QToolButton *addChip(const QString &name);
    void showCount(const Chip &chip, const engine::outbox::Count &count);
    void dress();
    void announce();

    const Theme &m_theme;
    QList<QByteArray> m_wanted; // chosen before the statuses were known
    std::vector<Chip> m_chips;
    QHBoxLayout *m_chipLayout;
    QToolButton *m_late = nullptr;
    QLineEdit *m_workflow;
    QLineEdit *m_tenant;
    QLineEdit *m_error;
    QComboBox *m_range;
    QToolButton *m_clear;
    QTimer m_rest;
    engine::workflow::ExecutionFilter m_announced;
};

} // namespace views
