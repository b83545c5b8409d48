// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retentionpanel.h"

#include <views/widgets/build.h>

#include <models/counttext.h>

#include <QHBoxLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace views {

RetentionPanel::RetentionPanel(QWidget *parent)
    : QFrame(parent)
    , m_ruleWords(build::label({}, "plain"))
    , m_runWords(build::label({}, "muted"))
    , m_preview(build::button(tr("Preview…")))
{
    setProperty("panel", true);
    m_preview->setObjectName(u"retentionPreview"_s);
    m_runWords->setObjectName(u"retentionRuns"_s);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(12);
    layout->addWidget(build::label(tr("Retention"), "section"));
    layout->addWidget(m_ruleWords);
    layout->addWidget(m_runWords, 1);
    layout->addWidget(m_preview);
    connect(m_preview, &QPushButton::clicked, this, &RetentionPanel::previewWanted);
    update();
}

void RetentionPanel::setRule(const std::optional<engine::outbox::RetentionRule> &rule)
{
    m_rule = rule;
    update();
}

void RetentionPanel::setStatus(const engine::dispatch::RetentionStatus &status)
{
    m_status = status;
    update();
}

void RetentionPanel::setObstacle(const QString &reason)
{
    m_obstacle = reason;
    update();
}

void RetentionPanel::setZone(models::Zone zone)
{
    m_zone = zone;
    update();
}

void RetentionPanel::update()
{
    m_preview->setEnabled(m_rule && m_obstacle.isEmpty());
    m_preview->setToolTip(!m_rule                     ? tr("A setting in the environment cannot be used.")
                              : !m_obstacle.isEmpty() ? m_obstacle
                                                      : tr("See what would go, and remove it"));
    if (!m_rule) {
        m_ruleWords->setText(u"–"_s);
        m_runWords->clear();
        return;
    }
    m_ruleWords->setText(
        tr("rows handed over more than %1 ago, at most %2 a run")
            .arg(models::durationText(m_rule->olderThan.count() * 1000), models::numberText(m_rule->batchSize)));
    m_ruleWords->setToolTip(u"OUTBOX_DONE_RETENTION_HOURS, OUTBOX_DONE_RETENTION_BATCH_SIZE"_s);

    const qint64 now = QDateTime::currentMSecsSinceEpoch() * 1000;
    const auto when = [&](const QDateTime &time) {
        return models::shortTimeText(time.toMSecsSinceEpoch() * 1000, m_zone, now);
    };
    QStringList runs;
    if (m_status.lastRun)
        runs << tr("last run %1, %2 rows removed")
                    .arg(when(*m_status.lastRun), models::numberText(m_status.lastRemoved));
    if (!m_status.trouble.isEmpty())
        runs << tr("the last try failed");
    runs << (m_status.nextRun ? tr("next run %1").arg(when(*m_status.nextRun))
                              : tr("daily while the dispatcher runs here"));
    m_runWords->setText(u"· "_s + runs.join(u" · "_s));
    m_runWords->setToolTip(m_status.trouble);
    build::restyle(m_runWords, "severity", m_status.trouble.isEmpty() ? u"muted"_s : u"warning"_s);
}

} // namespace views
