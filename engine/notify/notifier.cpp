// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "notifier.h"

#include "sentry.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace engine::notify {

namespace {

constexpr qsizetype mostUnderWay = 50;

} // namespace

Notifier::Notifier(QObject *parent)
    : QObject(parent)
{
    connect(&m_desktop, &DesktopChannel::activated, this, &Notifier::activated);
}

Notifier::~Notifier()
{
    for (const auto &posts : m_posts) {
        for (const QPointer<HttpPost> &post : posts)
            delete post;
    }
}

void Notifier::setSettings(const NotifierSettings &settings)
{
    m_settings = settings;
}

void Notifier::send(const Notice &notice)
{
    if (m_settings.desktop)
        sendTo(Channel::Desktop, m_settings, notice);
    if (m_settings.webhook)
        sendTo(Channel::Webhook, m_settings, notice);
    if (m_settings.sentry)
        sendTo(Channel::Sentry, m_settings, notice);
}

void Notifier::sendTest(Channel channel, const NotifierSettings &settings, const Notice &notice)
{
    sendTo(channel, settings, notice);
}

void Notifier::sendTo(Channel channel, const NotifierSettings &settings, const Notice &notice)
{
    switch (channel) {
    case Channel::Desktop:
        m_desktop.show(notice, [this, notice](const Result<void> &shown) {
            if (!shown)
                emit desktopWanted(notice);
            say(Channel::Desktop, shown.has_value(),
                shown ? tr("Shown by the desktop.")
                      : tr("The desktop's notification service is absent; shown in the system tray if there is one."));
        });
        break;
    case Channel::Webhook: {
        const QUrl url(settings.webhookUrl.trimmed(), QUrl::StrictMode);
        if (!url.isValid() || (url.scheme() != u"https" && url.scheme() != u"http") || url.host().isEmpty()) {
            say(channel, false, tr("The webhook's address has to begin with https:// or http://."));
            return;
        }
        QNetworkRequest request(url);
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        post(channel, request, webhookBody(notice), settings.post);
        break;
    }
    case Channel::Sentry:
        if (const auto dsn = SentryDsn::parse(settings.sentryDsn))
            post(channel, dsn->request(), sentryEnvelope(notice, settings.release), settings.post);
        else
            say(channel, false, dsn.error().text());
        break;
    }
}

void Notifier::post(Channel channel, const QNetworkRequest &request, const QByteArray &body, const PostOptions &options)
{
    auto &posts = m_posts[static_cast<size_t>(channel)];
    posts.removeIf([](const QPointer<HttpPost> &post) { return post.isNull(); });
    while (posts.size() >= mostUnderWay)
        delete posts.takeFirst();
    posts << new HttpPost(
        m_network, request, body, options,
        [this, channel](const Result<int> &status, int attempts) {
            const QString tries = attempts > 1 ? u' ' + tr("(%1 attempts)").arg(attempts) : QString();
            if (status)
                say(channel, true, tr("Taken with status %1.").arg(*status) + tries);
            else
                say(channel, false, status.error().text() + tries);
        },
        this);
}

void Notifier::say(Channel channel, bool good, const QString &words)
{
    emit delivered({channel, QDateTime::currentMSecsSinceEpoch(), good, words});
}

} // namespace engine::notify
