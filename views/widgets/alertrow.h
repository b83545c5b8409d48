// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/timetext.h>

#include <engine/watch/alertengine.h>

#include <QFrame>

class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace views {

class ElidedLabel;

// How long an alert may be silenced for, as entries of a menu; `chosen` gets the time until which.
void fillSnoozeMenu(QMenu *menu, const std::function<void(qint64 untilMs)> &chosen);

// One alert: what is wrong, since when, for whom, the way there, and silence.
class AlertRow final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlertRow)

public:
    // `theme` outlives the widget.
    explicit AlertRow(const Theme &theme, QWidget *parent = nullptr);

    void setAlert(const engine::watch::Alert &alert, models::Zone zone, qint64 nowMs);
    [[nodiscard]] const engine::watch::Alert &alert() const { return m_alert; }

signals:
    void opened(const engine::watch::Alert &alert);
    void snoozed(const QString &alertId, qint64 untilMs);
    void woken(const QString &alertId);

private:
    void paintNow();

    const Theme &m_theme;
    engine::watch::Alert m_alert;
    QLabel *m_icon;
    ElidedLabel *m_headline;
    ElidedLabel *m_detail;
    QPushButton *m_open;
    QToolButton *m_snooze;
    QPushButton *m_wake;
};

} // namespace views
