// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobspage.h"

#include "jobdetailpane.h"
#include "jobsearchline.h"

#include <views/widgets/banner.h>
#include <views/widgets/pagestate.h>

#include <QLineEdit>

using namespace Qt::StringLiterals;
using models::JobModel;

// The search in the jobs of one state.
namespace views {

void JobsPage::startSearch()
{
    const QString text = m_text->text().trimmed();
    if (text.isEmpty() || m_request.queue.isEmpty())
        return;
    m_showsSearch = true;
    m_search = {};
    m_search.request.queue = m_request.queue;
    m_search.request.states = {m_request.state};
    m_search.request.text = text;
    m_search.request.oldestFirst = m_request.oldestFirst;
    m_applying = true;
    m_model.applyPage(m_request.state, {}, m_detail->detail() ? m_detail->detail()->serverTime : 0, true);
    m_applying = false;
    m_state->showContent();
    m_rowsState->showLoading(tr("Searching…"));
    m_searchLine->begin();
    m_searchLine->show();
    updatePaging();
    emit searchWanted(m_search.request);
}

void JobsPage::endSearch()
{
    m_searchLine->hide();
    if (!std::exchange(m_showsSearch, false))
        return;
    emit searchStopWanted();
    m_shown.reset();
    ask(m_request.offset);
}

void JobsPage::showSearch(const engine::watch::JobSearchProgress &progress)
{
    if (!m_showsSearch || progress.request.text != m_search.request.text
        || progress.request.queue != m_search.request.queue)
        return;
    m_search = progress;
    m_applying = true;
    const int found = m_model.append(progress.found);
    restoreSelection();
    m_applying = false;
    const bool full = found >= JobModel::mostFound;
    if (full && progress.running)
        emit searchStopWanted();
    m_searchLine->showProgress(progress, found, full);
    if (found > 0)
        m_rowsState->showContent();
    else if (progress.running)
        m_rowsState->showLoading(tr("Searching…"));
    else
        m_rowsState->showEmpty(progress.done ? tr("No job in this state holds “%1”").arg(progress.request.text)
                                             : tr("Nothing found so far"),
                               tr("Searched are id, name, data and error, whatever the case; stack traces are not."),
                               tr("Back to the list"));
}

void JobsPage::showSearchError(const engine::Error &error)
{
    if (!m_showsSearch)
        return;
    m_search.running = false;
    m_searchLine->showBroken();
    m_banner->say(models::Severity::Critical, error.message, error.hint, {});
}

} // namespace views
