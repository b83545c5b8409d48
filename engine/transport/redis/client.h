// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "endpoint.h"
#include "reply.h"

#include <engine/base/error.h>
#include <engine/base/traffic.h>

#include <QIODevice>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <span>

struct redisReader;

namespace engine::redis {

using Command = QList<QByteArray>;

// One pipelined Redis connection (RESP2) on Qt sockets, parsed by hiredis. Never blocks in send(); replies
// come in the order of the commands. Belongs to the thread it lives in, which runs an event loop, or which
// calls exchange() only. It does not reconnect by itself: after closed() call open() again when it suits.
class Client final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Client)

public:
    using Callback = std::function<void(const Result<Reply> &)>;

    explicit Client(Endpoint endpoint, QObject *parent = nullptr);
    ~Client() override;

    // Connects, authenticates and selects the database; then ready() or closed().
    void open();
    // Drops the connection at once; commands without a reply fail with Unavailable.
    void close();
    [[nodiscard]] bool isReady() const { return m_ready; }
    [[nodiscard]] const Endpoint &endpoint() const { return m_endpoint; }
    // Counts the commands from now on; of those sent by exchange() also the time until they were answered.
    void countIn(std::shared_ptr<Traffic> traffic) { m_traffic = std::move(traffic); }

    // Queues one command. The callback runs exactly once, in this thread, unless the client is destroyed before.
    // An Error result means there is no reply: whether the server ran the command is unknown.
    void send(const Command &command, Callback callback);

    // Blocking use in a worker thread: opens if need be, sends all commands in one go, returns all replies.
    // Errors: CannotConnect, Unavailable, Timeout, Refused (authentication).
    [[nodiscard]] Result<std::vector<Reply>> exchange(std::span<const Command> commands,
                                                      std::chrono::milliseconds timeout);
    [[nodiscard]] Result<Reply> exchange(const Command &command, std::chrono::milliseconds timeout);

    // How long a connection attempt may take, and how long a sent command may stay unanswered, before the
    // connection is given up. 0 switches the second off.
    void setTimeouts(std::chrono::milliseconds connect, std::chrono::milliseconds reply);

signals:
    void ready();
    // The connection ended or could not be made. Not emitted by close().
    void closed(const engine::Error &error);

private:
    void onConnected();
    void onReadyRead();
    void handshake();
    void write(const Command &command);
    void fail(const Error &error);
    void dropSocket();
    [[nodiscard]] Error connectionError(ErrorCode code, const QString &reason) const;

    struct FreeReader
    {
        void operator()(redisReader *reader) const;
    };
    const Endpoint m_endpoint;
    std::unique_ptr<redisReader, FreeReader> m_reader;
    QPointer<QIODevice> m_socket; // owned; a QTcpSocket, QSslSocket or QLocalSocket
    std::deque<Callback> m_waiting; // one per command without a reply, oldest first
    QTimer m_connectTimer;
    QTimer m_replyTimer;
    std::shared_ptr<Traffic> m_traffic; // or null
    bool m_ready = false;
    bool m_opening = false;
};

// What a Redis error reply means for the caller: Unavailable and retryable while the server cannot take writes
// (OOM, READONLY, LOADING, MASTERDOWN ...), Refused for authentication and rights, else Failed.
[[nodiscard]] Error replyError(const Reply &reply, const QString &server);

} // namespace engine::redis
