// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxpage.h"

#include "outboxdetailpane.h"
#include "outboxfilterbar.h"
#include "outboxlist.h"

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
using engine::outbox::PageRequest;

namespace views {

OutboxPage::OutboxPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_title(build::label(tr("Outbox"), "title"))
    , m_subtitle(build::label({}, "muted"))
    , m_compose(build::button(tr("Compose event…")))
    , m_banner(new Banner(theme))
    , m_filters(new OutboxFilterBar(theme))
    , m_list(new OutboxList(theme))
    , m_detail(new OutboxDetailPane(theme))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    m_splitter->addWidget(m_list);
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
    connect(m_filters, &OutboxFilterBar::changed, this, [this] { m_list->setFilter(m_filters->filter()); });
    connect(m_list, &OutboxList::pageWanted, this, &OutboxPage::pageWanted);
    connect(m_list, &OutboxList::spreadWanted, this, &OutboxPage::spreadWanted);
    connect(m_list, &OutboxList::searchWanted, this, &OutboxPage::searchWanted);
    connect(m_list, &OutboxList::searchStopWanted, this, &OutboxPage::searchStopWanted);
    connect(m_list, &OutboxList::searchResumeWanted, this, &OutboxPage::searchResumeWanted);
    connect(m_list, &OutboxList::chosen, this, &OutboxPage::chooseRow);
    connect(&m_list->table(), &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this,
            [this] { m_choosesTable ? emit connectionWanted() : emit retryWanted(); });
    connect(&m_list->state(), &PageState::activated, this, [this] {
        if (m_filters->isEmpty())
            emit composeWanted();
        else
            m_filters->clear();
    });
    connect(m_banner, &Banner::activated, this, &OutboxPage::retryWanted);
    connect(m_detail, &OutboxDetailPane::copyCommandWanted, this, &OutboxPage::copyCommand);
    connect(m_detail, &OutboxDetailPane::traceWanted, this, [this] { emit traceWanted(m_list->chosenId()); });
    connect(m_detail, &OutboxDetailPane::composeSimilarWanted, this, [this] {
        if (m_detail->detail())
            emit composeSimilarWanted(*m_detail->detail());
    });
}

void OutboxPage::addActions(ActionRegistry &actions)
{
    const QString group = tr("Outbox");
    const auto scope = Qt::WidgetWithChildrenShortcut;
    const auto bind = [&](const QString &id, const QString &text, const QString &key, auto function) {
        QAction *action = actions.add(id, group, text, {QKeySequence(key)}, this, scope);
        connect(action, &QAction::triggered, this, function);
    };
    m_list->addActions(actions, group, this);
    bind(u"outbox-filter"_s, tr("Filter by type"), u"Ctrl+F"_s, [this] { m_filters->focusText(); });
    bind(u"outbox-clear-filter"_s, tr("Clear all filters"), u"Ctrl+Backspace"_s, [this] { m_filters->clear(); });
    bind(u"outbox-copy-id"_s, tr("Copy the row's id"), u"Ctrl+I"_s, &OutboxPage::copyId);
    bind(u"outbox-copy-command"_s, tr("Copy the row as command line"), u"Ctrl+Shift+C"_s, &OutboxPage::copyCommand);
    bind(u"outbox-trace"_s, tr("Trace the row"), u"Ctrl+T"_s, [this] {
        if (const QByteArray id = m_list->chosenId(); !id.isEmpty())
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
    m_list->forget();
    m_banner->clear();
    m_detail->setProfile(profile);
    m_detail->clear();
    m_filters->clearCounts();
    m_compose->setEnabled(!profile.readOnly);
    m_compose->setToolTip(profile.readOnly
                              ? tr("This connection is read-only. Allow writing in its settings (Ctrl+O) first.")
                              : tr("Write a new event (Ctrl+N)"));
    updateTitle();
    m_state->showLoading(tr("Connecting…"));
}

void OutboxPage::setRouter(const engine::dispatch::Router &router)
{
    m_router = router;
    m_list->setRouter(router);
}

void OutboxPage::showWaiting(const QString &headline, const QStringList &steps)
{
    m_state->showLoading(headline, steps);
}

void OutboxPage::showTable(const engine::outbox::Layout &layout)
{
    m_tableName = layout.displayName();
    m_filters->setLayoutOfTable(layout);
    m_list->setReady(m_filters->filter());
    updateTitle();
    if (!m_list->hasAnswer())
        m_state->showLoading(tr("Reading %1…").arg(*m_tableName));
}

void OutboxPage::showPage(const PageRequest &request, const engine::outbox::RowPage &page)
{
    if (m_list->showPage(request, page))
        answered();
}

void OutboxPage::showSearchNeeded(const PageRequest &request, const engine::outbox::FilterCost &cost)
{
    if (m_list->showSearchNeeded(request, cost))
        answered();
}

void OutboxPage::showSearch(const engine::watch::RowSearchProgress &progress)
{
    m_list->showSearch(progress);
    answered();
}

void OutboxPage::stopSearch()
{
    m_list->stopSearch();
}

void OutboxPage::showSearchError(const engine::Error &error)
{
    showError(error);
}

void OutboxPage::showSpread(const QList<QByteArray> &statuses, const engine::outbox::Spread &spread)
{
    m_list->showSpread(statuses, spread);
}

void OutboxPage::answered()
{
    m_banner->clear();
    m_state->showContent();
    if (!m_list->isEmpty() || m_list->isSearching())
        m_list->state().showContent();
    else if (!m_filters->isEmpty())
        m_list->state().showEmpty(tr("No row matches the filter"),
                                  tr("Counts on the buttons above are of the whole table."), tr("Clear the filter"));
    else
        m_list->state().showEmpty(tr("The table is empty"),
                                  tr("Events appear here as soon as an application writes them."),
                                  m_profile.readOnly ? QString() : tr("Compose an event…"));
    if (std::exchange(m_wantsFocus, false) && m_list->table().isVisible())
        m_list->table().setFocus(Qt::OtherFocusReason);
}

void OutboxPage::showStats(const engine::outbox::Stats &stats)
{
    m_stats = stats;
    m_now = stats.databaseTime;
    m_list->setStats(stats);
    m_filters->setCounts(stats);
    updateTitle();
}

void OutboxPage::showDetail(const engine::outbox::RowDetail &detail)
{
    if (detail.row.id == m_list->chosenId())
        m_detail->showDetail(detail, destinationOf(detail.row.eventType), m_now);
}

void OutboxPage::showDetailError(const QByteArray &id, const engine::Error &error)
{
    if (id == m_list->chosenId())
        m_detail->showProblem(error);
}

void OutboxPage::showError(const engine::Error &error)
{
    m_choosesTable = error.code == engine::ErrorCode::Ambiguous;
    m_list->showFailure();
    if (!m_list->hasAnswer() || !m_state->showsContent()) {
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
    m_list->refresh();
    if (const QByteArray id = m_list->chosenId(); !id.isEmpty())
        emit detailWanted(id);
}

void OutboxPage::refreshQuietly()
{
    m_list->refreshQuietly();
}

PageRequest OutboxPage::request() const
{
    return m_list->request();
}

void OutboxPage::updateTitle()
{
    if (!m_tableName) {
        m_subtitle->clear();
        return;
    }
    QString words = *m_tableName;
    if (m_stats) {
        std::vector<engine::outbox::Count> parts;
        for (const auto &[status, count] : m_stats->counts)
            parts.push_back(count);
        const engine::outbox::Count all = models::sumOf(parts);
        words += u" · "_s
            + (all.kind == engine::outbox::Count::Kind::Unavailable ? tr("number of rows unavailable")
                                                                    : tr("%1 rows").arg(models::countText(all)));
    }
    m_subtitle->setText(words);
}

void OutboxPage::reveal(const QString &id)
{
    m_list->choose(id.toUtf8());
    m_list->table().setFocus(Qt::OtherFocusReason);
}

void OutboxPage::chooseRow(const QByteArray &id)
{
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
    if (const QByteArray id = m_list->chosenId(); !id.isEmpty())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(id));
}

void OutboxPage::copyCommand()
{
    if (const QString line = m_detail->commandLine(); !line.isEmpty())
        QGuiApplication::clipboard()->setText(line);
}

void OutboxPage::setZone(models::Zone zone)
{
    m_list->setZone(zone);
    m_detail->setZone(zone);
}

QJsonObject OutboxPage::saveState() const
{
    const engine::outbox::RowFilter filter = m_filters->filter();
    QJsonArray statuses;
    for (const QByteArray &status : filter.statuses)
        statuses << QString::fromUtf8(status);
    return {{u"splitter"_s, QString::fromLatin1(m_splitter->saveState().toBase64())},
            {u"columns"_s, m_list->table().saveColumns()},
            {u"statuses"_s, statuses},
            {u"type"_s, filter.typePrefix},
            {u"tenant"_s, filter.tenant},
            {u"error"_s, filter.errorText}};
}

void OutboxPage::restoreState(const QJsonObject &state)
{
    m_splitter->restoreState(QByteArray::fromBase64(state.value(u"splitter"_s).toString().toLatin1()));
    m_list->table().restoreColumns(state.value(u"columns"_s).toString());
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
    m_wantsFocus = !m_list->table().isVisible();
    m_list->table().setFocus(Qt::OtherFocusReason);
}

} // namespace views
