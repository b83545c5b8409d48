// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "desktopchannel.h"
#include "httppost.h"
#include "notice.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QPointer>

namespace engine::notify {

enum class Channel { Desktop, Webhook, Sentry };

struct NotifierSettings
{
    bool desktop = true;
    bool webhook = false;
    bool sentry = false;
    QString webhookUrl; // a secret: it may hold a token
    QString sentryDsn; // a secret
    QString release; // of this console, for Sentry
    PostOptions post;
};

// How the last message of a channel went.
struct Delivery
{
    Channel channel = Channel::Desktop;
    qint64 atMs = 0;
    bool good = false;
    QString words; // translated, without secrets
};

// Carries notices to the channels that are on. Nothing waits; every outcome comes as a signal. At most 50 messages of
// a channel are under way, the oldest of those that wait for another attempt give way to newer ones.
class Notifier final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Notifier)

public:
    explicit Notifier(QObject *parent = nullptr);
    ~Notifier() override; // what is still under way is given up

    void setSettings(const NotifierSettings &settings);
    [[nodiscard]] const NotifierSettings &settings() const { return m_settings; }

    void send(const Notice &notice);
    // To one channel, on or off, with settings that need not be those in force.
    void sendTest(Channel channel, const NotifierSettings &settings, const Notice &notice);

signals:
    void delivered(const engine::notify::Delivery &delivery);
    void desktopWanted(const engine::notify::Notice &notice); // the notification service is absent: show it otherwise
    void activated(const QString &alertId);

private:
    void sendTo(Channel channel, const NotifierSettings &settings, const Notice &notice);
    void post(Channel channel, const QNetworkRequest &request, const QByteArray &body, const PostOptions &options);
    void say(Channel channel, bool good, const QString &words);

    NotifierSettings m_settings;
    QNetworkAccessManager m_network;
    DesktopChannel m_desktop;
    QList<QPointer<HttpPost>> m_posts[3]; // by channel
};

} // namespace engine::notify
