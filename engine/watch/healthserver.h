// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QAbstractHttpServer>
#include <QHostAddress>

namespace engine::watch {

class HealthMonitor;

// Where to listen.
struct HealthAddress
{
    QHostAddress address{QHostAddress::LocalHost};
    quint16 port = 0; // 0: a free one

    bool operator==(const HealthAddress &) const = default;

    // [ADDRESS:]PORT, for instance 9464, 0.0.0.0:9464 or [::1]:9464; without an address only this machine can ask.
    // Errors: BadInput.
    [[nodiscard]] static Result<HealthAddress> parse(const QString &text);
    [[nodiscard]] QString display() const;
};

// Answers GET and HEAD for /metrics, /healthz and /readyz; nothing else, and nothing that changes anything. At most
// 32 connections at a time, each of at most two minutes and a megabyte. In the monitor's thread: that it answers
// says that this thread's loop turns.
class HealthServer final : public QAbstractHttpServer
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HealthServer)

public:
    // `monitor` outlives the server.
    explicit HealthServer(const HealthMonitor &monitor, QObject *parent = nullptr);

    // The address listened on, with the port that was taken. Errors: Failed, with the system's reason.
    [[nodiscard]] Result<HealthAddress> listenOn(const HealthAddress &address);

protected:
    bool handleRequest(const QHttpServerRequest &request, QTcpSocket *socket) override;
    void missingHandler(const QHttpServerRequest &request, QTcpSocket *socket) override;

private:
    [[nodiscard]] QByteArray aliveBody(bool alive) const;
    [[nodiscard]] QByteArray readyBody(bool ready) const;

    const HealthMonitor &m_monitor;
};

} // namespace engine::watch
