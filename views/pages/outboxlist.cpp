// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxlist.h"

#include "rowsearchline.h"

#include <views/shell/actions.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>
#include <views/widgets/wholescrollbar.h>

#include <models/counttext.h>

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::PageDirection;
using engine::outbox::PageRequest;
using engine::outbox::RowPage;
using models::OutboxModel;
using models::RowWindow;

namespace views {

namespace {

constexpr int rowsAtFirst = 200;
constexpr int rowsAhead = 400; // fetched at once where the scrolling comes near an end
constexpr int nearTheEnd = 80; // rows
constexpr qint64 spreadLifeMs = 60'000;

} // namespace

struct OutboxList::View
{
    std::vector<QByteArray> ids; // of the rows in view
    bool atTop = true;
};

OutboxList::OutboxList(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_table(new ConsoleTable(theme, tr("Outbox rows")))
    , m_bar(new WholeScrollBar(*m_table))
    , m_searchLine(new RowSearchLine)
    , m_newest(build::button(tr("Newest")))
    , m_newer(build::button(tr("Newer")))
    , m_older(build::button(tr("Older")))
    , m_oldest(build::button(tr("Oldest")))
    , m_position(build::label({}, "muted"))
{
    m_table->setModel(&m_model);
    m_table->setObjectName(u"outboxTable"_s);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnPlan({{OutboxModel::Scheduled, 96, 100},
                            {OutboxModel::Created, 96, 100},
                            {OutboxModel::Status, 128, 136},
                            {OutboxModel::Type, 158, 280},
                            {OutboxModel::Tenant, 68, 140},
                            {OutboxModel::Retries, 58, 76},
                            {OutboxModel::Destination, 130, 210}},
                           740, 1340);
    m_table->setColumnHidden(OutboxModel::Created, true);
    m_position->setObjectName(u"rowPosition"_s);
    m_bar->setObjectName(u"rowScroll"_s);
    m_searchLine->hide();

    auto *rows = new QWidget;
    auto *rowsLayout = new QHBoxLayout(rows);
    build::tighten(rowsLayout, 2);
    rowsLayout->addWidget(m_table, 1);
    rowsLayout->addWidget(m_bar);
    m_state = new PageState(theme, rows);
    auto *paging = new QHBoxLayout;
    build::tighten(paging, 8);
    for (QPushButton *button : {m_newest, m_newer, m_older, m_oldest})
        paging->addWidget(button);
    paging->addSpacing(4);
    paging->addWidget(m_position, 1);
    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 8);
    layout->addWidget(m_searchLine);
    layout->addWidget(m_state, 1);
    layout->addLayout(paging);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &OutboxList::currentChanged);
    connect(m_bar, &WholeScrollBar::beginWanted, this, &OutboxList::goToNewest);
    connect(m_bar, &WholeScrollBar::endWanted, this, &OutboxList::goToOldest);
    connect(m_bar, &WholeScrollBar::jumpWanted, this, &OutboxList::jumpTo);
    connect(m_bar, &WholeScrollBar::dragged, this, [this](qint64 row) {
        m_position->setText(models::positionText({row + 1, row + m_bar->rowsInView(), false, total()}));
    });
    connect(m_bar, &WholeScrollBar::viewMoved, this, [this] {
        if (m_applying)
            return;
        updatePosition();
        fill();
    });
    connect(m_searchLine, &RowSearchLine::stopWanted, this, &OutboxList::stopSearch);
    connect(m_searchLine, &RowSearchLine::resumeWanted, this, &OutboxList::resumeSearch);
    updatePosition();
}

void OutboxList::addActions(ActionRegistry &actions, const QString &group, QWidget *owner)
{
    const auto bind = [&](const QString &id, const QString &text, const QString &key, QPushButton *button,
                          auto function) {
        QAction *action = actions.add(id, group, text, {QKeySequence(key)}, owner, Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, function);
        if (button) {
            button->setToolTip(action->toolTip());
            connect(button, &QPushButton::clicked, action, &QAction::trigger);
        }
        return action;
    };
    bind(u"outbox-newest"_s, tr("Newest rows"), u"Alt+Home"_s, m_newest, [this] { goToNewest(false); });
    bind(u"outbox-newer"_s, tr("Newer rows"), u"Alt+Left"_s, m_newer, [this] { turn(-1); });
    bind(u"outbox-older"_s, tr("Older rows"), u"Alt+Right"_s, m_older, [this] { turn(1); });
    bind(u"outbox-oldest"_s, tr("Oldest rows"), u"Alt+End"_s, m_oldest, [this] { goToOldest(false); });
    m_stop = bind(u"outbox-stop"_s, tr("Stop the search"), u"Esc"_s, nullptr, [this] { stopSearch(); });
    m_stop->setEnabled(false);
    actions.describe(group, tr("Newest and oldest row"), tr("Home, End", "keys"));
}

void OutboxList::forget()
{
    endSearch();
    m_window = {};
    m_stats.reset();
    m_spread = {};
    m_spreadAge.invalidate();
    m_ready = false;
    m_answered = false;
    m_pending = false;
    m_jump = -1;
    m_chosen.clear();
    showRows({}, false);
}

void OutboxList::setReady(const engine::outbox::RowFilter &filter)
{
    m_ready = true;
    m_filter = filter;
}

void OutboxList::setFilter(const engine::outbox::RowFilter &filter)
{
    if (m_search && !m_search->progress.done)
        emit searchStopWanted();
    endSearch();
    m_filter = filter;
    m_answered = false;
    m_spread = {};
    m_spreadAge.invalidate();
    ask({}, Goal::Top);
}

void OutboxList::setStats(const engine::outbox::Stats &stats)
{
    m_stats = stats;
    m_model.setNow(stats.databaseTime);
    updatePosition();
}

void OutboxList::setZone(models::Zone zone)
{
    m_zone = zone;
    m_model.setZone(zone);
}

// ---- questions ----

void OutboxList::ask(PageRequest request, Goal goal)
{
    request.filter = m_filter;
    m_request = std::move(request);
    m_goal = goal;
    m_again = false;
    m_choosing = false;
    m_pending = m_ready;
    if (m_ready)
        emit pageWanted(m_request);
}

PageRequest OutboxList::refreshRequest() const
{
    PageRequest request;
    request.filter = m_filter;
    request.limit = rowsAtFirst;
    const int top = m_bar->topRow();
    if (m_window.isEmpty() || m_search || (!m_window.hasNewer() && top < rowsAtFirst / 2))
        return request; // the newest ones
    // Those in view and some around them.
    const int anchor = std::clamp(top - nearTheEnd / 2, 0, static_cast<int>(m_window.rows().size()) - 1);
    request.from = engine::outbox::keyOf(m_window.rows()[static_cast<size_t>(anchor)]);
    return request;
}

PageRequest OutboxList::request() const
{
    return m_pending ? m_request : refreshRequest();
}

void OutboxList::refresh()
{
    if (m_search && !m_search->progress.done)
        return; // it runs, or waits to go on
    if (m_search || !m_answered) {
        ask({}, m_answered ? Goal::Keep : Goal::Top);
        return;
    }
    ask(refreshRequest());
    m_again = true;
}

void OutboxList::refreshQuietly()
{
    if (m_pending || m_search || m_bar->isSliderDown())
        return; // what a search found is of its time; reading it anew would cost as much again
    if (m_spreadAge.isValid() && m_spreadAge.elapsed() > spreadLifeMs)
        askSpread();
    refresh();
}

void OutboxList::showFailure()
{
    m_pending = false;
    if (m_search)
        m_searchLine->showBroken();
}

void OutboxList::goToNewest(bool choosing)
{
    if (m_search || !m_window.hasNewer()) {
        m_table->scrollToTop();
        if (choosing && !isEmpty())
            m_table->selectRow(0);
        return;
    }
    ask({}, Goal::Top);
    m_choosing = choosing;
}

void OutboxList::goToOldest(bool choosing)
{
    if (m_search || !m_window.hasOlder()) {
        m_table->scrollToBottom();
        if (choosing && !isEmpty())
            m_table->selectRow(m_model.rowCount() - 1);
        return;
    }
    PageRequest request;
    request.direction = PageDirection::Newer;
    ask(std::move(request), Goal::Bottom);
    m_choosing = choosing;
}

void OutboxList::jumpTo(qint64 row)
{
    if (m_search)
        return;
    const qint64 all = m_bar->maximum();
    if (row <= 0) {
        goToNewest(false);
        return;
    }
    if (row >= all) {
        goToOldest(false);
        return;
    }
    m_jump = row;
    const auto at = m_spread.timeAt(static_cast<double>(row) / static_cast<double>(all));
    if (!at) {
        askSpread(); // goes on when it is known
        return;
    }
    PageRequest request;
    request.at = at;
    ask(std::move(request), Goal::Top);
}

void OutboxList::turn(int pages)
{
    m_table->verticalScrollBar()->setValue(m_bar->topRow() + pages * m_bar->rowsInView());
}

void OutboxList::fill()
{
    if (!isVisible() || !m_answered)
        return;
    const int rows = m_model.rowCount();
    const int behind = rows - 1 - m_bar->lastRowInView();
    if (m_search) {
        if (behind < nearTheEnd && !m_search->progress.running && !m_search->progress.done && !m_search->stopped
            && rows > 0 && rows < RowWindow::mostRows)
            resumeSearch();
        return;
    }
    if (m_pending || m_window.isEmpty())
        return;
    PageRequest request;
    request.limit = rowsAhead;
    if (m_window.hasOlder() && behind < nearTheEnd) {
        request.from = engine::outbox::keyOf(m_window.rows().back());
        ask(std::move(request));
    } else if (m_window.hasNewer() && m_bar->topRow() < nearTheEnd) {
        request.from = engine::outbox::keyOf(m_window.rows().front());
        request.direction = PageDirection::Newer;
        ask(std::move(request));
    }
}

// ---- answers ----

bool OutboxList::showPage(const PageRequest &request, const RowPage &page)
{
    if (request != this->request())
        return false;
    const bool isRefresh = !m_pending || m_again;
    m_pending = false;
    endSearch();
    const View before = view();
    if (isRefresh && !request.from && !before.atTop && !m_window.joins(page)) {
        // So much has arrived that nothing connects any more: the rows in view stay, newer ones are known of.
        m_window.noteNewer(static_cast<qint64>(page.rows.size()));
        m_answered = true;
        updatePosition();
        refresh();
        return true;
    }
    const RowWindow::Outcome outcome = m_window.apply(request, page);
    if (outcome == RowWindow::Outcome::Anew)
        m_window.setBefore(estimatedBefore(request));
    const bool other = !m_answered;
    m_answered = true;
    if (other && m_window.indexOf(m_chosen) < 0 && m_table->currentIndex().isValid()) {
        m_chosen.clear(); // another filter, which the chosen row does not fit
        emit chosen({});
    }
    showRows(before, outcome == RowWindow::Outcome::Joined && !other);
    if (!m_spreadAge.isValid())
        askSpread();
    fill();
    return true;
}

bool OutboxList::showSearchNeeded(const PageRequest &request, const engine::outbox::FilterCost &cost)
{
    if (request != this->request())
        return false;
    m_pending = false;
    m_window = {};
    m_search.emplace();
    m_search->progress.filter = m_filter;
    m_search->progress.cost = cost;
    m_search->progress.running = true;
    m_answered = true;
    m_searchLine->beginWith(cost);
    m_searchLine->show();
    if (m_stop)
        m_stop->setEnabled(true);
    showRows({}, false);
    emit searchWanted(m_filter, cost);
    return true;
}

void OutboxList::showSearch(const engine::watch::RowSearchProgress &progress)
{
    if (!m_search || progress.filter != m_filter)
        return;
    const View before = view();
    m_search->found.insert(m_search->found.end(), progress.found.begin(), progress.found.end());
    const bool full = m_search->found.size() >= static_cast<size_t>(RowWindow::mostRows);
    if (full)
        m_search->found.resize(static_cast<size_t>(RowWindow::mostRows));
    m_search->progress = progress;
    m_search->progress.found.clear();
    m_searchLine->showProgress(progress, static_cast<int>(m_search->found.size()), full, m_search->stopped);
    if (full && progress.running)
        emit searchStopWanted();
    if (m_stop)
        m_stop->setEnabled(progress.running);
    if (!progress.found.empty())
        showRows(before, true);
    updatePosition();
    fill();
}

void OutboxList::stopSearch()
{
    if (!m_search || !m_search->progress.running)
        return;
    m_search->stopped = true;
    emit searchStopWanted();
}

void OutboxList::resumeSearch()
{
    if (!m_search)
        return;
    // From now on it can be stopped, though nothing has come of it yet.
    m_search->stopped = false;
    m_search->progress.running = true;
    m_searchLine->showProgress(m_search->progress, static_cast<int>(m_search->found.size()), false, false);
    if (m_stop)
        m_stop->setEnabled(true);
    emit searchResumeWanted();
}

void OutboxList::endSearch()
{
    m_search.reset();
    m_searchLine->hide();
    if (m_stop)
        m_stop->setEnabled(false);
}

void OutboxList::askSpread()
{
    m_spreadAge.start();
    if (m_ready)
        emit spreadWanted(m_filter.statuses);
}

void OutboxList::showSpread(const QList<QByteArray> &statuses, const engine::outbox::Spread &spread)
{
    if (statuses != m_filter.statuses)
        return;
    const bool wasKnown = m_spread.isKnown();
    m_spread = spread;
    if (!wasKnown && spread.isKnown() && m_jump >= 0)
        jumpTo(std::exchange(m_jump, -1));
}

// ---- the view ----

OutboxList::View OutboxList::view() const
{
    View view;
    const int top = m_bar->topRow();
    view.atTop = top == 0;
    for (int row = top; row <= m_bar->lastRowInView(); ++row)
        view.ids.push_back(m_model.rows()[static_cast<size_t>(row)].id);
    return view;
}

void OutboxList::showRows(const View &before, bool joined)
{
    m_applying = true;
    // The first row in view that is still there, and how far down it stood.
    const RowWindow::Rows &rows = m_search ? m_search->found : m_window.rows();
    const auto place = [&before, this]() -> std::pair<int, int> {
        for (size_t i = 0; i < before.ids.size(); ++i) {
            if (const int row = m_search ? m_model.rowOf(before.ids[i]) : m_window.indexOf(before.ids[i]); row >= 0)
                return {row, static_cast<int>(i)};
        }
        return {-1, 0};
    };
    const bool follows = m_goal == Goal::Keep && before.atTop && !m_window.hasNewer() && !m_search;
    if (!m_search && joined) {
        const int first = follows ? 0 : std::max(0, place().first);
        m_window.trim(first, first + m_bar->rowsInView());
    }
    m_model.applyPage(rows, joined);
    m_table->doItemsLayout(); // the scroll bar's range is of the new rows from here on
    if (m_goal == Goal::Bottom && !m_search) {
        m_table->scrollToBottom();
    } else if (m_goal == Goal::Top && !m_search) {
        m_table->verticalScrollBar()->setValue(0);
    } else if (!follows) {
        if (const auto [row, offset] = place(); row >= 0)
            m_table->verticalScrollBar()->setValue(row - offset);
    } else {
        m_table->verticalScrollBar()->setValue(0);
    }
    const bool chooses = std::exchange(m_choosing, false) && !isEmpty();
    if (chooses)
        m_chosen = m_model.rows()[m_goal == Goal::Bottom ? m_model.rows().size() - 1 : 0].id;
    m_goal = Goal::Keep;
    // The chosen row keeps its mark, and without a row in the list it stays chosen all the same.
    const int chosenRow = m_chosen.isEmpty() ? -1 : m_model.rowOf(m_chosen);
    const QByteArray marked = m_table->currentIndex().data(models::IdRole).toByteArray();
    if (chosenRow < 0) {
        m_table->setCurrentIndex({});
        m_table->clearSelection();
    } else if (marked != m_chosen) {
        m_table->setAutoScroll(false);
        m_table->setCurrentIndex(m_model.index(chosenRow, 0));
        m_table->setAutoScroll(true);
    }
    m_applying = false;
    updatePosition();
    if (chooses)
        emit chosen(m_chosen);
}

void OutboxList::currentChanged()
{
    if (m_applying)
        return;
    const QByteArray id = m_table->currentIndex().data(models::IdRole).toByteArray();
    if (id == m_chosen)
        return;
    m_choosing = false;
    m_chosen = id;
    emit chosen(id);
}

void OutboxList::choose(const QByteArray &id)
{
    const int row = m_model.rowOf(id);
    m_choosing = false; // an end of the list that is still on its way does not take this one's place
    m_chosen = id;
    m_applying = true;
    m_table->setCurrentIndex(row >= 0 ? m_model.index(row, 0) : QModelIndex());
    if (row < 0)
        m_table->clearSelection();
    m_applying = false;
    emit chosen(id);
}

Count OutboxList::total() const
{
    const auto here = static_cast<qint64>(m_model.rows().size());
    if (m_search)
        return {here, m_search->progress.done ? Count::Kind::Exact : Count::Kind::AtLeast};
    if (!m_window.hasNewer() && !m_window.hasOlder())
        return {here, Count::Kind::Exact};
    if (m_filter.hasTexts())
        return {m_window.before() + here, Count::Kind::AtLeast};
    if (!m_stats)
        return {};
    std::vector<Count> parts;
    for (const auto &[status, count] : m_stats->counts) {
        if (m_filter.statuses.isEmpty() || m_filter.statuses.contains(status))
            parts.push_back(count);
    }
    return models::sumOf(parts);
}

qint64 OutboxList::estimatedBefore(const PageRequest &request) const
{
    const qint64 all = total().value;
    if (request.at && m_jump >= 0)
        return m_jump;
    if (!request.from && !request.at)
        return request.direction == PageDirection::Older ? 0 : all - static_cast<qint64>(m_window.rows().size());
    if (m_window.isEmpty() || !m_window.rows().front().orderAt)
        return 0;
    return qRound64(m_spread.shareAt(*m_window.rows().front().orderAt).value_or(0) * static_cast<double>(all));
}

void OutboxList::updatePosition()
{
    const int rows = m_model.rowCount();
    const qint64 before = m_search ? 0 : m_window.before();
    const bool hasNewer = !m_search && m_window.hasNewer();
    const bool hasOlder = !m_search && m_window.hasOlder();
    const Count all = total();
    m_bar->setPlace(before, all.value, !hasOlder);
    const int top = m_bar->topRow();
    const int last = qMin(rows, top + m_bar->rowsInView());
    m_newest->setEnabled(hasNewer || top > 0);
    m_newer->setEnabled(hasNewer || top > 0);
    m_older->setEnabled(hasOlder || last < rows);
    m_oldest->setEnabled(hasOlder || last < rows);
    if (!m_bar->isSliderDown())
        m_position->setText(models::positionText({before + top + 1, before + last, !hasNewer, all}));
    m_position->setVisible(rows > 0);
    QString why = models::countExplanation(all);
    if (hasNewer)
        why += u'\n'
            + (m_spread.isFromStatistics()
                   ? tr("The position is estimated from the database's statistics; rows are read by their place in the "
                        "order.")
                   : tr("The position is estimated as if rows were spread evenly over time; rows are read by their "
                        "place "
                        "in the order."));
    m_position->setToolTip(why);
}

} // namespace views
