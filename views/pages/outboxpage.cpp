// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxpage.h"

#include "outboxdetailpane.h"
#include "outboxfilterbar.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>

#include <models/counttext.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::outbox::PageDirection;
using engine::outbox::PageKey;
using engine::outbox::PageRequest;
using models::OutboxModel;

namespace views {

namespace {

bool isSameQuestion(const PageRequest &one, const PageRequest &other)
{
    return one.filter == other.filter && one.from == other.from && one.direction == other.direction;
}

} // namespace

OutboxPage::OutboxPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_title(build::label(tr("Outbox"), "title"))
    , m_subtitle(build::label({}, "muted"))
    , m_compose(build::button(tr("Compose event…")))
    , m_banner(new Banner(theme))
    , m_filters(new OutboxFilterBar(theme))
    , m_table(new ConsoleTable(theme, tr("Outbox rows")))
    , m_newest(build::button(tr("Newest")))
    , m_newer(build::button(tr("Newer")))
    , m_older(build::button(tr("Older")))
    , m_position(build::label({}, "muted"))
    , m_detail(new OutboxDetailPane(theme))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    m_rowsState = new PageState(theme, m_table);
    m_splitter->addWidget(buildTable());
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(12);
    m_splitter->setSizes({756, 312});

    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 10);
    bodyLayout->addWidget(m_filters);
    bodyLayout->addWidget(m_splitter, 1);
    m_state = new PageState(theme, body);
    m_state->showLoading(tr("Connecting…"));

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(m_title);
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_compose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    m_compose->setObjectName(u"composeButton"_s);
    addActions(actions);
    connect(m_compose, &QPushButton::clicked, this, &OutboxPage::composeWanted);
    connect(m_filters, &OutboxFilterBar::changed, this, [this] { ask({}, PageDirection::Older); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &OutboxPage::rowChosen);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &OutboxPage::rowChosen);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &OutboxPage::rowChosen);
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this,
            [this] { m_choosesTable ? emit connectionWanted() : emit retryWanted(); });
    connect(m_rowsState, &PageState::activated, this, [this] {
        if (m_filters->isEmpty())
            emit composeWanted();
        else
            m_filters->clear();
    });
    connect(m_banner, &Banner::activated, this, &OutboxPage::retryWanted);
    connect(m_detail, &OutboxDetailPane::copyCommandWanted, this, &OutboxPage::copyCommand);
    connect(m_detail, &OutboxDetailPane::traceWanted, this, [this] { emit traceWanted(chosenId()); });
    connect(m_detail, &OutboxDetailPane::composeSimilarWanted, this, [this] {
        if (m_detail->detail())
            emit composeSimilarWanted(*m_detail->detail());
    });
    updatePaging();
}

QWidget *OutboxPage::buildTable()
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

    auto *paging = new QHBoxLayout;
    build::tighten(paging, 8);
    paging->addWidget(m_newest);
    paging->addWidget(m_newer);
    paging->addWidget(m_older);
    paging->addSpacing(4);
    paging->addWidget(m_position, 1);
    auto *side = new QWidget;
    auto *layout = new QVBoxLayout(side);
    build::tighten(layout, 8);
    layout->addWidget(m_rowsState, 1);
    layout->addLayout(paging);
    return side;
}

void OutboxPage::addActions(ActionRegistry &actions)
{
    const QString group = tr("Outbox");
    const auto scope = Qt::WidgetWithChildrenShortcut;
    const auto bind = [&](const QString &id, const QString &text, const QString &key, QPushButton *button,
                          auto function) {
        QAction *action = actions.add(id, group, text, {QKeySequence(key)}, this, scope);
        connect(action, &QAction::triggered, this, function);
        if (button) {
            button->setToolTip(action->toolTip());
            connect(button, &QPushButton::clicked, action, &QAction::trigger);
        }
    };
    bind(u"outbox-newest"_s, tr("Newest rows"), u"Alt+Home"_s, m_newest, [this] { ask({}, PageDirection::Older); });
    bind(u"outbox-newer"_s, tr("Newer rows"), u"Alt+Left"_s, m_newer, &OutboxPage::goNewer);
    bind(u"outbox-older"_s, tr("Older rows"), u"Alt+Right"_s, m_older, &OutboxPage::goOlder);
    bind(u"outbox-filter"_s, tr("Filter by type"), u"Ctrl+F"_s, nullptr, [this] { m_filters->focusText(); });
    bind(u"outbox-clear-filter"_s, tr("Clear all filters"), u"Ctrl+Backspace"_s, nullptr,
         [this] { m_filters->clear(); });
    bind(u"outbox-copy-id"_s, tr("Copy the row's id"), u"Ctrl+I"_s, nullptr, &OutboxPage::copyId);
    bind(u"outbox-copy-command"_s, tr("Copy the row as command line"), u"Ctrl+Shift+C"_s, nullptr,
         &OutboxPage::copyCommand);
    bind(u"outbox-trace"_s, tr("Trace the row"), u"Ctrl+T"_s, nullptr, [this] {
        if (const QByteArray id = chosenId(); !id.isEmpty())
            emit traceWanted(id);
    });
    actions.describe(tr("Lists"), tr("Pause or resume refreshing"), tr("Space", "key"));
    actions.describe(tr("Lists"), tr("Copy the chosen rows"),
                     QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
}

void OutboxPage::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    m_tableName.reset();
    m_stats.reset();
    m_shown.reset();
    m_request = {};
    m_request.filter = m_filters->filter();
    m_model.applyPage({}, false);
    m_ends = {};
    m_banner->clear();
    m_detail->setProfile(profile);
    m_detail->clear();
    m_filters->clearCounts();
    m_compose->setEnabled(!profile.readOnly);
    m_compose->setToolTip(profile.readOnly
                              ? tr("This connection is read-only. Allow writing in its settings (Ctrl+O) first.")
                              : tr("Write a new event (Ctrl+N)"));
    updateTitle();
    updatePaging();
    m_state->showLoading(tr("Connecting…"));
}

void OutboxPage::setRouter(const engine::dispatch::Router &router)
{
    m_router = router;
    m_model.setRouter(router);
}

void OutboxPage::showWaiting(const QString &headline, const QStringList &steps)
{
    m_state->showLoading(headline, steps);
}

void OutboxPage::showTable(const engine::outbox::Layout &layout)
{
    m_tableName = layout.displayName();
    m_filters->setLayoutOfTable(layout);
    m_request.filter = m_filters->filter();
    updateTitle();
    if (!m_shown)
        m_state->showLoading(tr("Reading %1…").arg(*m_tableName));
}

void OutboxPage::showPage(const PageRequest &request, const engine::outbox::RowPage &page)
{
    // An answer to a question nobody asks any more.
    if (!isSameQuestion(request, m_request))
        return;
    m_banner->clear();
    m_state->showContent();
    const bool again = m_shown && isSameQuestion(*m_shown, request);
    const QByteArray top = again ? m_table->topRow() : QByteArray();
    const QByteArray chosen = chosenId();
    m_shown = request;
    m_ends.hasNewer = page.hasNewer;
    m_ends.hasOlder = page.hasOlder;
    m_model.applyPage(page.rows, again);
    if (again)
        m_table->scrollBackTo(top);
    else if (const int row = m_model.rowOf(chosen); row >= 0)
        m_table->setCurrentIndex(m_model.index(row, 0));
    // Paged up to the newest rows: from now on the page follows them.
    if (request.direction == PageDirection::Newer && !page.hasNewer) {
        m_request.from.reset();
        m_request.direction = PageDirection::Older;
    }
    if (!page.rows.empty())
        m_rowsState->showContent();
    else if (!m_filters->isEmpty())
        m_rowsState->showEmpty(tr("No row matches the filter"),
                               tr("Counts on the buttons above are of the whole table."), tr("Clear the filter"));
    else
        m_rowsState->showEmpty(tr("The table is empty"),
                               tr("Events appear here as soon as an application writes them."),
                               m_profile.readOnly ? QString() : tr("Compose an event…"));
    updatePaging();
    if (std::exchange(m_wantsFocus, false) && m_table->isVisible())
        m_table->setFocus(Qt::OtherFocusReason);
}

void OutboxPage::showStats(const engine::outbox::Stats &stats)
{
    m_stats = stats;
    m_now = stats.databaseTime;
    m_model.setNow(m_now);
    m_filters->setCounts(stats);
    updateTitle();
}

void OutboxPage::showDetail(const engine::outbox::RowDetail &detail)
{
    if (detail.row.id == chosenId())
        m_detail->showDetail(detail, destinationOf(detail.row.eventType), m_now);
}

void OutboxPage::showDetailError(const QByteArray &id, const engine::Error &error)
{
    if (id == chosenId())
        m_detail->showProblem(error);
}

void OutboxPage::showError(const engine::Error &error)
{
    m_choosesTable = error.code == engine::ErrorCode::Ambiguous;
    if (!m_shown || !m_state->showsContent()) {
        engine::Error shown = error;
        if (m_choosesTable)
            shown.hint = tr("Name the one you mean in the connection's Table field.");
        m_state->showError(shown, m_choosesTable ? tr("Open connection…") : QString());
        return;
    }
    m_banner->say(models::Severity::Critical, error.message,
                  (error.hint + u' ' + tr("The rows below are from the last answer.")).trimmed(), tr("Try again"));
}

void OutboxPage::refresh()
{
    emit pageWanted(m_request);
    if (const QByteArray id = chosenId(); !id.isEmpty())
        emit detailWanted(id);
}

void OutboxPage::ask(std::optional<PageKey> from, PageDirection direction)
{
    m_request.filter = m_filters->filter();
    m_request.from = std::move(from);
    m_request.direction = direction;
    if (m_tableName)
        emit pageWanted(m_request);
}

void OutboxPage::goOlder()
{
    if (!m_ends.hasOlder || m_model.rows().empty())
        return;
    const auto &last = m_model.rows().back();
    ask(PageKey{last.scheduledAt, last.id}, PageDirection::Older);
}

void OutboxPage::goNewer()
{
    if (!m_ends.hasNewer || m_model.rows().empty())
        return;
    const auto &first = m_model.rows().front();
    ask(PageKey{first.scheduledAt, first.id}, PageDirection::Newer);
}

void OutboxPage::updatePaging()
{
    m_newest->setEnabled(m_ends.hasNewer);
    m_newer->setEnabled(m_ends.hasNewer);
    m_older->setEnabled(m_ends.hasOlder);
    const auto rows = static_cast<qint64>(m_model.rows().size());
    if (rows == 0)
        m_position->clear();
    else if (!m_ends.hasNewer)
        m_position->setText(m_ends.hasOlder ? tr("The newest %1 rows").arg(models::numberText(rows))
                                            : tr("All %1 rows").arg(models::numberText(rows)));
    else
        m_position->setText(m_ends.hasOlder ? tr("%1 rows, older and newer ones exist").arg(models::numberText(rows))
                                            : tr("The oldest %1 rows").arg(models::numberText(rows)));
}

void OutboxPage::updateTitle()
{
    if (!m_tableName) {
        m_subtitle->clear();
        return;
    }
    QString words = *m_tableName;
    if (m_stats) {
        using Kind = engine::outbox::Count::Kind;
        engine::outbox::Count all{0, Kind::Exact};
        for (const auto &[status, count] : m_stats->counts) {
            all.value += count.value;
            // The sum is as sure as its least sure part.
            if (count.kind == Kind::Unavailable || all.kind == Kind::Unavailable)
                all.kind = Kind::Unavailable;
            else if (count.kind == Kind::Estimated || all.kind == Kind::Estimated)
                all.kind = Kind::Estimated;
            else if (count.kind == Kind::AtLeast)
                all.kind = Kind::AtLeast;
        }
        words += u" · "_s
            + (all.kind == Kind::Unavailable ? tr("number of rows unavailable")
                                             : tr("%1 rows").arg(models::countText(all)));
    }
    m_subtitle->setText(words);
}

QByteArray OutboxPage::chosenId() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.data(models::IdRole).toByteArray() : m_revealed;
}

void OutboxPage::reveal(const QString &id)
{
    const int row = m_model.rowOf(id.toUtf8());
    m_table->setCurrentIndex(row >= 0 ? m_model.index(row, 0) : QModelIndex());
    m_revealed = row >= 0 ? QByteArray() : id.toUtf8();
    rowChosen();
    m_table->setFocus(Qt::OtherFocusReason);
}

void OutboxPage::rowChosen()
{
    if (m_table->currentIndex().isValid())
        m_revealed.clear();
    const QByteArray id = chosenId();
    if (id == m_askedDetail && !id.isEmpty())
        return;
    m_askedDetail = id;
    if (id.isEmpty()) {
        m_detail->clear();
        return;
    }
    m_detail->showLoading();
    emit detailWanted(id);
}

QString OutboxPage::destinationOf(const QByteArray &type) const
{
    const auto queue = m_router.queueFor(type);
    return queue ? QString::fromUtf8(*queue) : QString();
}

void OutboxPage::copyId()
{
    if (const QByteArray id = chosenId(); !id.isEmpty())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(id));
}

void OutboxPage::copyCommand()
{
    if (const QString line = m_detail->commandLine(); !line.isEmpty())
        QGuiApplication::clipboard()->setText(line);
}

void OutboxPage::setZone(models::Zone zone)
{
    m_model.setZone(zone);
    m_detail->setZone(zone);
}

QJsonObject OutboxPage::saveState() const
{
    const engine::outbox::RowFilter filter = m_filters->filter();
    QJsonArray statuses;
    for (const QByteArray &status : filter.statuses)
        statuses << QString::fromUtf8(status);
    return {{u"splitter"_s, QString::fromLatin1(m_splitter->saveState().toBase64())},
            {u"columns"_s, m_table->saveColumns()},
            {u"statuses"_s, statuses},
            {u"type"_s, filter.typePrefix},
            {u"tenant"_s, filter.tenant},
            {u"error"_s, filter.errorText}};
}

void OutboxPage::restoreState(const QJsonObject &state)
{
    m_splitter->restoreState(QByteArray::fromBase64(state.value(u"splitter"_s).toString().toLatin1()));
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    engine::outbox::RowFilter filter;
    const QJsonArray statuses = state.value(u"statuses"_s).toArray();
    for (const QJsonValue &status : statuses)
        filter.statuses << status.toString().toUtf8();
    filter.typePrefix = state.value(u"type"_s).toString();
    filter.tenant = state.value(u"tenant"_s).toString();
    filter.errorText = state.value(u"error"_s).toString();
    m_filters->setFilter(filter);
}

void OutboxPage::focusContent()
{
    m_wantsFocus = !m_table->isVisible();
    m_table->setFocus(Qt::OtherFocusReason);
}

} // namespace views
