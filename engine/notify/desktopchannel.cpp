// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktopchannel.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

using namespace Qt::StringLiterals;

namespace engine::notify {

namespace {

constexpr int callLimitMs = 5000;
const auto service = u"org.freedesktop.Notifications"_s;
const auto path = u"/org/freedesktop/Notifications"_s;

} // namespace

DesktopChannel::DesktopChannel(QObject *parent)
    : QObject(parent)
{ }

void DesktopChannel::show(const Notice &notice, std::function<void(const Result<void> &)> done)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    const auto unavailable = [](const QString &detail) -> Result<void> {
        Error error{ErrorCode::Unavailable, tr("This desktop shows no notifications."), {}, false, detail};
        return fail(std::move(error));
    };
    if (!bus.isConnected()) {
        done(unavailable(bus.lastError().message()));
        return;
    }
    if (!std::exchange(m_listening, true)) {
        bus.connect(service, path, service, u"ActionInvoked"_s, this, SLOT(onActionInvoked(uint, QString)));
        bus.connect(service, path, service, u"NotificationClosed"_s, this, SLOT(onClosed(uint, uint)));
    }
    const bool urgent = notice.alert.level == watch::AlertLevel::Critical
        && (notice.kind == Notice::Kind::Fired || notice.kind == Notice::Kind::Worsened);
    // Servers may take the body for markup.
    const QVariantMap hints{{u"urgency"_s, QVariant::fromValue(uchar(urgent ? 2 : 1))},
                            {u"desktop-entry"_s, u"io.github.outbox_console.OutboxConsole"_s},
                            {u"category"_s, u"network"_s}};
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, service, u"Notify"_s);
    call << tr("Outbox Console") << m_shown.value(notice.alert.id, 0U) << u"outbox-console"_s << notice.title()
         << notice.text().toHtmlEscaped() << QStringList{u"default"_s, tr("Open")} << hints << -1;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, callLimitMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this,
            [this, id = notice.alert.id, done = std::move(done), unavailable](QDBusPendingCallWatcher *finished) {
                finished->deleteLater();
                const QDBusPendingReply<uint> reply = *finished;
                if (reply.isError()) {
                    done(unavailable(reply.error().message()));
                    return;
                }
                m_shown.insert(id, reply.value());
                done({});
            });
}

void DesktopChannel::onActionInvoked(uint id, const QString &)
{
    if (const QString alert = m_shown.key(id); !alert.isEmpty())
        emit activated(alert);
}

void DesktopChannel::onClosed(uint id, uint)
{
    if (const QString alert = m_shown.key(id); !alert.isEmpty())
        m_shown.remove(alert);
}

} // namespace engine::notify
