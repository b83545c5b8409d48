// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxcontrol.h"

#include "session.h"

#include <views/pages/outboxpage.h>

using engine::watch::OutboxFeed;
using engine::watch::RowSearchFeed;
using views::OutboxPage;

namespace app {

OutboxControl::OutboxControl(OutboxPage &page, QObject *parent)
    : QObject(parent)
    , m_page(page)
{
    connect(&m_page, &OutboxPage::pageWanted, this, [this](const engine::outbox::PageRequest &request) {
        if (m_session)
            m_session->outbox().requestPage(request);
    });
    connect(&m_page, &OutboxPage::spreadWanted, this, [this](const QList<QByteArray> &statuses) {
        if (m_session)
            m_session->outbox().requestSpread(statuses);
    });
    connect(&m_page, &OutboxPage::detailWanted, this, [this](const QByteArray &id) {
        if (m_session)
            m_session->outbox().requestDetail(id);
    });
    connect(&m_page, &OutboxPage::searchWanted, this,
            [this](const engine::outbox::RowFilter &filter, const engine::outbox::FilterCost &cost) {
                if (m_session)
                    m_session->rowSearch().start(filter, cost);
            });
    connect(&m_page, &OutboxPage::searchStopWanted, this, [this] {
        if (m_session)
            m_session->rowSearch().stop();
    });
    connect(&m_page, &OutboxPage::searchResumeWanted, this, [this] {
        if (m_session)
            m_session->rowSearch().resume();
    });
}

void OutboxControl::setSession(Session *session)
{
    if (m_session) {
        m_session->outbox().disconnect(&m_page);
        m_session->rowSearch().disconnect(&m_page);
    }
    m_session = session;
    if (!m_session)
        return;
    OutboxFeed *outbox = &m_session->outbox();
    connect(outbox, &OutboxFeed::pageReady, &m_page, &OutboxPage::showPage);
    connect(outbox, &OutboxFeed::searchNeeded, &m_page, &OutboxPage::showSearchNeeded);
    connect(outbox, &OutboxFeed::spreadReady, &m_page, &OutboxPage::showSpread);
    connect(outbox, &OutboxFeed::detailReady, &m_page, &OutboxPage::showDetail);
    connect(outbox, &OutboxFeed::detailFailed, &m_page, &OutboxPage::showDetailError);
    connect(&m_session->rowSearch(), &RowSearchFeed::progressed, &m_page, &OutboxPage::showSearch);
    connect(&m_session->rowSearch(), &RowSearchFeed::failed, &m_page, &OutboxPage::showSearchError);
}

void OutboxControl::rest()
{
    m_page.stopSearch();
}

} // namespace app
