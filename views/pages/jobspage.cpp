// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobspage.h"

#include "jobdetailpane.h"
#include "jobpager.h"
#include "jobsearchline.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>

#include <models/commandline.h>
#include <models/counttext.h>
#include <models/jobtext.h>

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::bullmq::JobPageRequest;
using engine::bullmq::JobState;
using engine::bullmq::QueueState;
using models::JobModel;

namespace views {

namespace {

constexpr int jobsPerPage = JobPager::jobsPerPage;

// What somebody who looks into a queue wants to see first, and the tabs' order.
const QList<JobState> &tabStates()
{
    static const QList<JobState> states{JobState::Failed,   JobState::Waiting, JobState::Prioritized,
                                        JobState::Active,   JobState::Delayed, JobState::WaitingChildren,
                                        JobState::Completed};
    return states;
}

qint64 countOf(const QueueState &queue, JobState state)
{
    switch (state) {
    case JobState::Waiting:
        return queue.waiting;
    case JobState::Active:
        return queue.active;
    case JobState::Delayed:
        return queue.delayed;
    case JobState::Prioritized:
        return queue.prioritized;
    case JobState::Failed:
        return queue.failed;
    case JobState::Completed:
        return queue.completed;
    case JobState::WaitingChildren:
        return queue.waitingChildren;
    case JobState::Unknown:
        break;
    }
    return 0;
}

} // namespace

JobsPage::JobsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_queues(new QComboBox)
    , m_subtitle(build::label({}, "muted"))
    , m_states(new QTabBar)
    , m_text(new QLineEdit)
    , m_find(build::button(tr("Search")))
    , m_openId(build::button(tr("Open id")))
    , m_searchLine(new JobSearchLine)
    , m_banner(new Banner(theme))
    , m_table(new ConsoleTable(theme, tr("Jobs")))
    , m_pager(new JobPager)
    , m_detail(new JobDetailPane(theme))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    m_splitter->addWidget(buildList());
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(12);
    m_splitter->setSizes({690, 400});
    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 10);
    bodyLayout->addWidget(m_states);
    bodyLayout->addWidget(m_splitter, 1);
    m_state = new PageState(theme, body);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addWidget(buildHead());
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    for (const JobState state : tabStates())
        m_states->addTab(models::jobStateText(state));
    m_states->setObjectName(u"jobStates"_s);
    m_states->setAccessibleName(tr("State of the jobs"));
    m_states->setDrawBase(false);
    m_states->setExpanding(false);

    addActions(actions);
    connect(m_queues, &QComboBox::activated, this,
            [this](int index) { openQueue(m_queues->itemData(index).toByteArray()); });
    connect(m_states, &QTabBar::currentChanged, this, [this](int index) { chooseState(tabStates().value(index)); });
    connect(m_text, &QLineEdit::returnPressed, this, &JobsPage::startSearch);
    connect(m_find, &QPushButton::clicked, this, &JobsPage::startSearch);
    connect(m_openId, &QPushButton::clicked, this, &JobsPage::openTypedId);
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_find->setEnabled(!text.isEmpty());
        m_openId->setEnabled(!text.isEmpty());
    });
    connect(m_searchLine, &JobSearchLine::stopWanted, this, &JobsPage::searchStopWanted);
    connect(m_searchLine, &JobSearchLine::resumeWanted, this, &JobsPage::searchResumeWanted);
    connect(m_pager, &JobPager::offsetWanted, this, &JobsPage::ask);
    connect(m_pager, &JobPager::orderChanged, this, [this](bool oldestFirst) {
        m_request.oldestFirst = oldestFirst;
        endSearch();
        ask(0);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &JobsPage::rowChosen);
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this, &JobsPage::retryWanted);
    connect(m_rowsState, &PageState::activated, this, &JobsPage::endSearch);
    connect(m_banner, &Banner::activated, this, &JobsPage::retryWanted);
    connect(m_detail, &JobDetailPane::copyCommandWanted, this, &JobsPage::copyCommand);
    connect(m_detail, &JobDetailPane::jobWanted, this, &JobsPage::openKey);
    forget();
}

QWidget *JobsPage::buildHead()
{
    m_queues->setObjectName(u"queueChoice"_s);
    m_queues->setAccessibleName(tr("Queue"));
    m_queues->view()->setAccessibleName(tr("Queue"));
    m_queues->setPlaceholderText(tr("no queue chosen"));
    m_queues->setMinimumWidth(240);
    m_queues->setMaximumWidth(420);
    m_queues->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_text->setObjectName(u"jobSearch"_s);
    m_text->setPlaceholderText(tr("in id, name, data or error…"));
    m_text->setAccessibleName(tr("Search in id, name, data or error"));
    m_text->setClearButtonEnabled(true);
    m_text->setFixedWidth(230);
    m_find->setObjectName(u"jobFind"_s);
    auto *head = new QWidget;
    auto *top = new QHBoxLayout(head);
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Jobs"), "title"));
    top->addWidget(m_queues);
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_text);
    top->addWidget(m_find);
    top->addWidget(m_openId);
    return head;
}

QWidget *JobsPage::buildList()
{
    m_table->setModel(&m_model);
    m_table->setObjectName(u"jobTable"_s);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnPlan({{JobModel::Id, 168, 330},
                            {JobModel::Name, 140, 220},
                            {JobModel::Attempts, 70, 130},
                            {JobModel::Added, 0, 110},
                            {JobModel::Moment, 92, 110},
                            {JobModel::Took, 0, 90}},
                           660, 1240);
    m_rowsState = new PageState(m_theme, m_table);
    auto *side = new QWidget;
    auto *layout = new QVBoxLayout(side);
    build::tighten(layout, 8);
    layout->addWidget(m_searchLine);
    layout->addWidget(m_rowsState, 1);
    layout->addWidget(m_pager);
    return side;
}

void JobsPage::addActions(ActionRegistry &actions)
{
    const QString group = tr("Jobs");
    m_pager->addActions(actions, group, this);
    const auto scope = Qt::WidgetWithChildrenShortcut;
    const auto bind = [&](const QString &id, const QString &text, const QString &key, auto function) {
        connect(actions.add(id, group, text, {QKeySequence(key)}, this, scope), &QAction::triggered, this, function);
    };
    bind(u"jobs-search"_s, tr("Search jobs"), u"Ctrl+F"_s, [this] {
        m_text->setFocus(Qt::ShortcutFocusReason);
        m_text->selectAll();
    });
    bind(u"jobs-open-id"_s, tr("Open the job whose id is typed"), u"Ctrl+Return"_s, &JobsPage::openTypedId);
    m_openId->setToolTip(tr("Open the job with exactly this id, in whatever state (Ctrl+Return)"));
    bind(u"jobs-back"_s, tr("Stop searching, back to the list"), u"Ctrl+Backspace"_s, &JobsPage::endSearch);
    bind(u"jobs-queue"_s, tr("Choose the queue"), u"Ctrl+J"_s, [this] { m_queues->showPopup(); });
    bind(u"jobs-copy-id"_s, tr("Copy the job's id"), u"Ctrl+I"_s, &JobsPage::copyId);
    bind(u"jobs-copy-command"_s, tr("Copy the job as command line"), u"Ctrl+Shift+C"_s, &JobsPage::copyCommand);
    const std::pair<const char *, QString> tabs[] = {{"data", tr("Show the job's data")},
                                                     {"error", tr("Show the job's errors")},
                                                     {"options", tr("Show the job's options")},
                                                     {"logs", tr("Show the job's logs")},
                                                     {"times", tr("Show the job's times")}};
    for (int tab = 0; tab < 5; ++tab)
        bind(u"jobs-tab-"_s + QString::fromLatin1(tabs[tab].first), tabs[tab].second, u"Alt+%1"_s.arg(tab + 1),
             [this, tab] { m_detail->setTab(tab); });
}

void JobsPage::forget()
{
    m_request = {};
    m_request.state = tabStates().front();
    {
        const QSignalBlocker quiet(m_states);
        m_states->setCurrentIndex(0);
    }
    m_request.limit = jobsPerPage;
    m_request.oldestFirst = m_pager->oldestFirst();
    m_shown.reset();
    m_queue.reset();
    m_total = 0;
    m_detailId.clear();
    m_queues->clear();
    m_detail->clear();
    m_banner->clear();
    m_model.applyPage(m_request.state, {}, 0, true);
    endSearch();
    askToChoose();
    m_find->setEnabled(false);
    m_openId->setEnabled(false);
    m_text->setEnabled(false);
    updatePaging();
    updateSubtitle();
}

void JobsPage::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    forget();
}

void JobsPage::askToChoose()
{
    m_state->showEmpty(tr("Choose a queue"), tr("Open one on the Queues page, or choose it above (Ctrl+J)."));
}

void JobsPage::showNoQueues(const engine::Error &error)
{
    if (m_request.queue.isEmpty())
        m_state->showError(error);
}

void JobsPage::setQueueNames(const std::vector<QueueState> &queues)
{
    if (m_request.queue.isEmpty())
        askToChoose();
    bool same = m_queues->count() == static_cast<int>(queues.size());
    for (int i = 0; same && i < m_queues->count(); ++i)
        same = m_queues->itemData(i).toByteArray() == queues[static_cast<size_t>(i)].name;
    if (same || m_queues->view()->isVisible())
        return; // nothing is taken away from under an open list
    m_queues->clear();
    for (const QueueState &queue : queues)
        m_queues->addItem(QString::fromUtf8(queue.name), queue.name);
    m_queues->setCurrentIndex(m_queues->findData(m_request.queue));
}

void JobsPage::openQueue(const QByteArray &queue, std::optional<JobState> state)
{
    if (queue.isEmpty())
        return;
    endSearch();
    const bool other = queue != m_request.queue;
    m_request.queue = queue;
    m_choosesState = !state;
    if (other) {
        m_queue.reset();
        m_shown.reset();
        m_detailId.clear();
        m_detail->clear();
        m_model.applyPage(m_request.state, {}, 0, true);
        m_state->showLoading(tr("Reading %1…").arg(QString::fromUtf8(queue)));
    }
    if (m_queues->findData(queue) < 0)
        m_queues->addItem(QString::fromUtf8(queue), queue);
    m_queues->setCurrentIndex(m_queues->findData(queue));
    m_text->setEnabled(true);
    if (state) {
        const QSignalBlocker quiet(m_states);
        m_states->setCurrentIndex(static_cast<int>(tabStates().indexOf(*state)));
        m_request.state = *state;
    }
    ask(0);
}

void JobsPage::chooseState(JobState state)
{
    endSearch();
    m_request.state = state;
    m_choosesState = false;
    ask(0);
}

void JobsPage::ask(qint64 offset)
{
    m_request.offset = qMax<qint64>(0, offset);
    if (!m_request.queue.isEmpty())
        emit pageWanted(m_request);
}

std::optional<JobPageRequest> JobsPage::request() const
{
    return m_request.queue.isEmpty() || m_showsSearch ? std::nullopt : std::optional(m_request);
}

void JobsPage::refresh()
{
    if (const auto wanted = request())
        emit pageWanted(*wanted);
    if (!m_detailId.isEmpty())
        emit detailWanted(m_request.queue, m_detailId);
}

void JobsPage::refreshDetail()
{
    constexpr qsizetype mostData = 256 * 1024;
    const auto &shown = m_detail->detail();
    if (shown && shown->job.id == m_detailId && shown->job.data.size() <= mostData)
        emit detailWanted(m_request.queue, m_detailId);
}

void JobsPage::showPage(const JobPageRequest &request, const engine::watch::JobSnapshot &snapshot)
{
    if (!(request == m_request) || m_showsSearch)
        return;
    m_banner->clear();
    updateCounts(snapshot.queue);
    if (std::exchange(m_choosesState, false) && countOf(snapshot.queue, m_request.state) == 0) {
        for (const JobState state : tabStates()) {
            if (countOf(snapshot.queue, state) > 0) {
                m_states->setCurrentIndex(static_cast<int>(tabStates().indexOf(state))); // asks
                return;
            }
        }
    }
    m_total = snapshot.page.total;
    if (snapshot.page.jobs.empty() && m_total > 0 && request.offset > 0) {
        ask((m_total - 1) / jobsPerPage * jobsPerPage); // the list has become shorter than that
        return;
    }
    m_state->showContent();
    const bool fresh = !m_shown || !(*m_shown == request);
    const QByteArray top = fresh ? QByteArray() : m_table->topRow();
    m_shown = request;
    m_applying = true;
    m_model.applyPage(request.state, snapshot.page.jobs, snapshot.page.serverTime, fresh);
    restoreSelection();
    m_applying = false;
    if (!fresh)
        m_table->scrollBackTo(top);
    if (snapshot.page.jobs.empty())
        m_rowsState->showEmpty(tr("No job of %1 is in this state").arg(QString::fromUtf8(request.queue)),
                               tr("The figures on the tabs above are of this moment."));
    else
        m_rowsState->showContent();
    updatePaging();
    updateSubtitle();
}

void JobsPage::showPageError(const JobPageRequest &request, const engine::Error &error)
{
    if (!(request == m_request))
        return;
    if (!m_shown) {
        m_state->showError(error);
        return;
    }
    m_banner->say(models::Severity::Critical, error.message,
                  (error.hint + u' ' + tr("The jobs below are from the last answer.")).trimmed(), tr("Try again"));
}

void JobsPage::updateCounts(const QueueState &queue)
{
    m_queue = queue;
    for (int i = 0; i < m_states->count(); ++i) {
        const JobState state = tabStates()[i];
        const QString text = queue.problem.isEmpty()
            ? u"%1  %2"_s.arg(models::jobStateText(state), models::numberText(countOf(queue, state)))
            : models::jobStateText(state);
        if (m_states->tabText(i) != text)
            m_states->setTabText(i, text);
    }
}

void JobsPage::updateSubtitle()
{
    QStringList words;
    if (m_queue && m_queue->paused)
        words << tr("paused");
    if (m_queue && m_queue->workers)
        words << (*m_queue->workers == 0       ? tr("no worker")
                      : *m_queue->workers == 1 ? tr("1 worker")
                                               : tr("%1 workers").arg(*m_queue->workers));
    if (m_queue && m_queue->stalled > 0)
        words << tr("%1 stalled").arg(models::numberText(m_queue->stalled));
    m_subtitle->setText(words.join(u" · "_s));
}

void JobsPage::updatePaging()
{
    if (m_showsSearch || !m_shown)
        m_pager->setOff(!m_showsSearch);
    else
        m_pager->setPosition(m_request.offset, m_model.rowCount(), m_total);
}

QByteArray JobsPage::chosenId() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.data(models::IdRole).toByteArray() : QByteArray();
}

void JobsPage::rowChosen()
{
    // When the chosen job leaves the list, Qt moves on to its neighbour; the job being read stays.
    const QByteArray id = chosenId();
    if (!m_applying && !id.isEmpty())
        openDetail(id);
}

void JobsPage::restoreSelection()
{
    const int row = m_detailId.isEmpty() ? -1 : m_model.rowOf(m_detailId);
    if (row < 0) {
        m_table->clearSelection();
        m_table->selectionModel()->clearCurrentIndex();
    } else if (m_table->currentIndex().row() != row) {
        m_table->setCurrentIndex(m_model.index(row, 0));
    }
}

void JobsPage::openDetail(const QByteArray &id)
{
    if (id != m_detailId) {
        m_detailId = id;
        m_detail->showLoading(id);
    }
    emit detailWanted(m_request.queue, id);
}

void JobsPage::openKey(const QByteArray &fullKey)
{
    // Names and ids may hold colons themselves: the longest queue that is known decides, else the last colon.
    const QByteArray rest = fullKey.mid(m_profile.queuePrefix.toUtf8().size() + 1);
    QByteArray queue = rest.left(rest.lastIndexOf(':'));
    qsizetype longest = 0;
    for (int i = 0; i < m_queues->count(); ++i) {
        const QByteArray name = m_queues->itemData(i).toByteArray();
        if (name.size() > longest && rest.startsWith(name + ':')) {
            longest = name.size();
            queue = name;
        }
    }
    openJob(queue, rest.mid(queue.size() + 1));
}

void JobsPage::openTypedId()
{
    if (const QByteArray id = m_text->text().trimmed().toUtf8(); !id.isEmpty() && !m_request.queue.isEmpty())
        openDetail(id);
}

void JobsPage::showDetail(const engine::bullmq::JobDetail &detail)
{
    if (detail.queue == m_request.queue && detail.job.id == m_detailId)
        m_detail->showDetail(detail);
}

void JobsPage::showDetailError(const QByteArray &queue, const QByteArray &id, const engine::Error &error)
{
    if (queue == m_request.queue && id == m_detailId)
        m_detail->showProblem(id, error);
}

void JobsPage::copyId() const
{
    if (!m_detailId.isEmpty())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(m_detailId));
}

void JobsPage::copyCommand() const
{
    if (!m_detailId.isEmpty())
        QGuiApplication::clipboard()->setText(models::commandline::job(m_profile, m_request.queue, m_detailId));
}

void JobsPage::setZone(models::Zone zone)
{
    m_model.setZone(zone);
    m_detail->setZone(zone);
}

QJsonObject JobsPage::saveState() const
{
    return {{u"splitter"_s, QString::fromLatin1(m_splitter->saveState().toBase64())},
            {u"columns"_s, m_table->saveColumns()},
            {u"tab"_s, m_detail->tab()},
            {u"oldestFirst"_s, m_pager->oldestFirst()}};
}

void JobsPage::restoreState(const QJsonObject &state)
{
    m_splitter->restoreState(QByteArray::fromBase64(state.value(u"splitter"_s).toString().toLatin1()));
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    m_detail->setTab(state.value(u"tab"_s).toInt());
    m_pager->setOldestFirst(state.value(u"oldestFirst"_s).toBool());
}

void JobsPage::focusContent()
{
    if (m_table->isVisible())
        m_table->setFocus(Qt::OtherFocusReason);
    else
        m_queues->setFocus(Qt::OtherFocusReason);
}

} // namespace views
