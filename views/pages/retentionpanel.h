// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/timetext.h>

#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/retention.h>

#include <QFrame>

#include <optional>

class QLabel;
class QPushButton;

namespace views {

// The dispatcher page's line about retention: the rule in force, the last and the next daily run, and the way to the
// preview.
class RetentionPanel final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RetentionPanel)

public:
    explicit RetentionPanel(QWidget *parent = nullptr);

    // Absent: the settings cannot be used.
    void setRule(const std::optional<engine::outbox::RetentionRule> &rule);
    void setStatus(const engine::dispatch::RetentionStatus &status);
    // Why there is no preview now; empty: there is one.
    void setObstacle(const QString &reason);
    void setZone(models::Zone zone);

signals:
    void previewWanted();

private:
    void update();

    std::optional<engine::outbox::RetentionRule> m_rule;
    engine::dispatch::RetentionStatus m_status;
    QString m_obstacle;
    models::Zone m_zone = models::Zone::Utc;
    QLabel *m_ruleWords;
    QLabel *m_runWords;
    QPushButton *m_preview;
};

} // namespace views
