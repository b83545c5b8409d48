// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "httppost.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace engine::notify {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::notify::HttpPost)
};

constexpr std::chrono::milliseconds longestRetryAfter{120'000};

// The host alone: path and query of a webhook may hold a token.
QString placeOf(const QUrl &url)
{
    return url.port() < 0 ? url.host() : u"%1:%2"_s.arg(url.host()).arg(url.port());
}

} // namespace

HttpPost::HttpPost(QNetworkAccessManager &network, QNetworkRequest request, QByteArray body, PostOptions options,
                   Done done, QObject *parent)
    : QObject(parent)
    , m_network(network)
    , m_request(std::move(request))
    , m_body(std::move(body))
    , m_options(std::move(options))
    , m_done(std::move(done))
{
    m_request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    m_request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    m_request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    m_request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    m_request.setTransferTimeout(static_cast<int>(m_options.timeout.count()));
    m_request.setHeader(QNetworkRequest::UserAgentHeader, QByteArrayLiteral("outbox-console"));
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &HttpPost::attempt);
    attempt();
}

HttpPost::~HttpPost()
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
    }
}

void HttpPost::attempt()
{
    ++m_attempts;
    m_reply = m_network.post(m_request, m_body);
    connect(m_reply, &QNetworkReply::finished, this, &HttpPost::answered);
}

void HttpPost::answered()
{
    QNetworkReply *reply = std::exchange(m_reply, nullptr);
    reply->deleteLater();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QString place = placeOf(m_request.url());
    if (status >= 200 && status < 300) {
        m_done(status, m_attempts);
        deleteLater();
        return;
    }
    const bool transient = status == 0 || status == 408 || status == 429 || status >= 500;
    if (transient && m_attempts <= m_options.pauses.size()) {
        std::chrono::milliseconds pause = m_options.pauses[m_attempts - 1];
        bool isNumber = false;
        const int floor = reply->rawHeader("Retry-After").toInt(&isNumber);
        if (isNumber && floor > 0)
            pause =
                std::max(pause, std::min<std::chrono::milliseconds>(std::chrono::seconds(floor), longestRetryAfter));
        m_again.start(pause);
        return;
    }
    if (status == 0)
        m_done(fail(ErrorCode::CannotConnect, Text::tr("%1 cannot be reached: %2").arg(place, reply->errorString()),
                    Text::tr("Check the address, and whether this machine may connect to it.")),
               m_attempts);
    else
        m_done(fail(ErrorCode::Failed, Text::tr("%1 answered with status %2.").arg(place).arg(status),
                    status >= 300 && status < 400 ? Text::tr("It wants to redirect; give the final address.")
                                                  : Text::tr("Check the address and its key.")),
               m_attempts);
    deleteLater();
}

} // namespace engine::notify
