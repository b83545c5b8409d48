// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentdesk.h"

#include "session.h"

#include <views/shell/mainwindow.h>
#include <views/widgets/jsonview.h>

using engine::watch::DocumentFeed;
using engine::watch::DocumentRef;
using views::JsonView;

namespace app {

DocumentDesk::DocumentDesk(views::MainWindow &window, QObject *parent)
    : QObject(parent)
    , m_views(window.findChildren<JsonView *>())
{
    for (JsonView *view : m_views) {
        connect(view, &JsonView::wholeWanted, this, [this](const DocumentRef &ref) {
            if (m_session)
                m_session->documents().request(ref);
        });
        connect(view, &JsonView::saveWanted, this, [this, view](const DocumentRef &ref, const QString &path) {
            if (m_session)
                m_session->documents().save(ref, path);
            else
                view->showSaveFailed(ref,
                                     {engine::ErrorCode::Unavailable,
                                      tr("There is no connection to read it from."),
                                      tr("Connect, then save again."),
                                      true,
                                      {}});
        });
    }
}

void DocumentDesk::setSession(Session *session)
{
    if (m_session) {
        for (JsonView *view : m_views)
            m_session->documents().disconnect(view);
    }
    m_session = session;
    if (!m_session)
        return;
    DocumentFeed *documents = &m_session->documents();
    // Each view knows by the reference which answers are its own.
    for (JsonView *view : m_views) {
        connect(documents, &DocumentFeed::ready, view, &JsonView::showWhole);
        connect(documents, &DocumentFeed::failed, view, &JsonView::showWholeFailed);
        connect(documents, &DocumentFeed::saved, view, &JsonView::showSaved);
        connect(documents, &DocumentFeed::saveFailed, view, &JsonView::showSaveFailed);
    }
}

} // namespace app
