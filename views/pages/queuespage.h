// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/queuefiltermodel.h>
#include <models/queuemodel.h>
#include <models/workergroupmodel.h>
#include <models/workermodel.h>

#include <engine/watch/queuefeed.h>

#include <QElapsedTimer>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTabBar;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class PageState;

// The BullMQ queues, what lies in them, and who works on them; what is wrong comes first.
class QueuesPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueuesPage)

public:
    // `theme` and `actions` outlive the page.
    QueuesPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void forget(); // a new connection
    void setPrefix(const QString &prefix);
    void showWaiting(const QString &headline, const QStringList &steps = {});
    // `atMs`: when it was taken, by any steady clock; now, unless given.
    void showSnapshot(const engine::watch::QueueSnapshot &snapshot, std::optional<qint64> atMs = {});
    void showError(const engine::Error &error);

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;
    void reveal(const QString &queue) override;

signals:
    void retryWanted();
    void jobsWanted(const QByteArray &queue);

private:
    void buildGroups();
    void buildQueues();
    void buildWorkers();
    void updateSubtitle();
    void openChosen();

    models::QueueModel m_model;
    models::QueueFilterModel m_filtered;
    models::WorkerGroupModel m_groupModel;
    models::WorkerModel m_workerModel;
    QSortFilterProxyModel *m_filteredWorkers;
    QElapsedTimer m_clock; // of the trends
    bool m_complete = true;
    QString m_prefix;
    bool m_known = false; // queues were read at least once
    QLabel *m_subtitle;
    QLineEdit *m_filter;
    Banner *m_banner;
    ConsoleTable *m_groups;
    QTabBar *m_tabs;
    ConsoleTable *m_table;
    ConsoleTable *m_workers;
    PageState *m_workersState;
    PageState *m_state;
};

} // namespace views
