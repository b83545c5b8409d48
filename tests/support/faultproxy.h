// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QThread>

#include <chrono>
#include <memory>

namespace test {

// What goes wrong between a client and its server.
enum class NetworkFault {
    None,
    Stall, // nothing moves either way, on new connections neither; what was held moves on when the fault ends
    HoldRequests, // only what the client sends stands still
    HoldReplies, // only what the server sends stands still
    Refuse, // connections end at once, and so do new ones
};

// A connection that a client opened.
struct Opening
{
    qint64 at = 0; // milliseconds since the proxy's start
    QByteArray firstBytes; // as far as they came: holds PostgreSQL's application_name
};

// A TCP proxy before one server, on a free port of 127.0.0.1, that lets the network fail on command. It runs in a
// thread of its own. All calls are blocking and take effect before they return; use them from one thread.
class FaultProxy final
{
public:
    // `upstream` is the path of a unix socket, or HOST:PORT.
    [[nodiscard]] static engine::Result<std::unique_ptr<FaultProxy>> start(const QString &upstream);
    ~FaultProxy(); // resets everything
    Q_DISABLE_COPY_MOVE(FaultProxy)

    [[nodiscard]] quint16 port() const { return m_port; }

    // For connections, present and to come, whose first bytes hold `marker`; empty: for all. One fault at a time.
    void set(NetworkFault fault, const QByteArray &marker = {});
    // Every byte of every connection arrives this much later.
    void setDelay(std::chrono::milliseconds delay);
    // The next reply that would pass (to a connection with this marker) is thrown away and its connection reset: the
    // server did what was asked and the client never hears of it.
    void dropNextReply(const QByteArray &marker = {});
    [[nodiscard]] bool hasDroppedReply() const;
    // The server's side of the connections is gone and nobody tells the client: what it sends vanishes. New
    // connections are not concerned.
    void forgetServer(const QByteArray &marker = {});
    void resetAll(const QByteArray &marker = {});

    // Connections that were opened since the last take.
    [[nodiscard]] QList<Opening> takeOpenings();
    [[nodiscard]] int liveConnections() const;
    // Whether the fault keeps bytes from moving on right now.
    [[nodiscard]] bool isHolding() const;

private:
    class Worker;
    explicit FaultProxy(Worker *worker);

    QThread m_thread;
    Worker *m_worker; // lives in m_thread
    quint16 m_port = 0;
};

} // namespace test
