// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/jobmodel.h>

#include <engine/config/profile.h>
#include <engine/watch/jobfeed.h>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTabBar;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class JobDetailPane;
class JobPager;
class JobSearchLine;
class PageState;

// The jobs of one queue: by state, page by page, or those that a search finds, and one of them in full.
class JobsPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobsPage)

public:
    // `theme` and `actions` outlive the page.
    JobsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void forget(); // a new connection
    void setProfile(const engine::config::ConnectionProfile &profile);
    void setQueueNames(const std::vector<engine::bullmq::QueueState> &queues);
    // Shows this queue, in its most telling state unless one is named.
    void openQueue(const QByteArray &queue, std::optional<engine::bullmq::JobState> state = {});

    // In full beside the list.
    void openJob(const QByteArray &queue, const QByteArray &id)
    {
        openQueue(queue);
        openDetail(id);
    }

    // The page in view; nothing while no queue is chosen or search results are shown.
    [[nodiscard]] std::optional<engine::bullmq::JobPageRequest> request() const;
    void refresh(); // asks for the page and the detail again
    void refreshDetail(); // unless it is so large that reading it again and again would be felt
    void showPage(const engine::bullmq::JobPageRequest &request, const engine::watch::JobSnapshot &snapshot);
    void showPageError(const engine::bullmq::JobPageRequest &request, const engine::Error &error);
    void showNoQueues(const engine::Error &error); // the queues cannot be read, so that none can be chosen
    void showDetail(const engine::bullmq::JobDetail &detail);
    void showDetailError(const QByteArray &queue, const QByteArray &id, const engine::Error &error);
    void showSearch(const engine::watch::JobSearchProgress &progress);
    void showSearchError(const engine::Error &error);

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void pageWanted(const engine::bullmq::JobPageRequest &request);
    void detailWanted(const QByteArray &queue, const QByteArray &id);
    void searchWanted(const engine::bullmq::JobSearchRequest &request);
    void searchStopWanted();
    void searchResumeWanted();
    void retryWanted();

private:
    QWidget *buildHead();
    QWidget *buildList();
    void addActions(ActionRegistry &actions);
    void askToChoose();
    void ask(qint64 offset);
    void chooseState(engine::bullmq::JobState state);
    void rowChosen();
    void restoreSelection();
    void openDetail(const QByteArray &id);
    void openKey(const QByteArray &fullKey);
    void startSearch();
    void openTypedId();
    void endSearch();
    void updateCounts(const engine::bullmq::QueueState &queue);
    void updatePaging();
    void updateSubtitle();
    void copyCommand() const;
    void copyId() const;
    [[nodiscard]] QByteArray chosenId() const;

    const Theme &m_theme;
    models::JobModel m_model;
    engine::config::ConnectionProfile m_profile;
    engine::bullmq::JobPageRequest m_request;
    std::optional<engine::bullmq::JobPageRequest> m_shown;
    std::optional<engine::bullmq::QueueState> m_queue;
    engine::watch::JobSearchProgress m_search;
    bool m_showsSearch = false;
    bool m_applying = false; // rows come and go by themselves
    bool m_choosesState = false; // the next answer decides which state to show
    qint64 m_total = 0;
    QByteArray m_detailId; // the job in the pane; stays although its row may leave the list

    QComboBox *m_queues;
    QLabel *m_subtitle;
    QTabBar *m_states;
    QLineEdit *m_text;
    QPushButton *m_find;
    QPushButton *m_openId;
    JobSearchLine *m_searchLine;
    Banner *m_banner;
    ConsoleTable *m_table;
    JobPager *m_pager;
    JobDetailPane *m_detail;
    QSplitter *m_splitter;
    PageState *m_rowsState = nullptr;
    PageState *m_state = nullptr;
};

} // namespace views
