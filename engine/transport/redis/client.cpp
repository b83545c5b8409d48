// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "client.h"

#include <engine/base/logging.h>

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QLocalSocket>
#include <QSslSocket>
#include <QTcpSocket>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <charconv>

namespace engine::redis {

namespace {

Reply toReply(const redisReply &raw)
{
    Reply reply;
    switch (raw.type) {
    case REDIS_REPLY_INTEGER:
        reply.kind = Reply::Kind::Integer;
        reply.integer = raw.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
        reply.kind = raw.type == REDIS_REPLY_STRING ? Reply::Kind::Text
            : raw.type == REDIS_REPLY_STATUS        ? Reply::Kind::Status
                                                    : Reply::Kind::Error;
        reply.text = QByteArray(raw.str, static_cast<qsizetype>(raw.len));
        break;
    case REDIS_REPLY_ARRAY:
        reply.kind = Reply::Kind::Array;
        reply.items.reserve(raw.elements);
        for (size_t i = 0; i < raw.elements; ++i)
            reply.items.push_back(toReply(*raw.element[i]));
        break;
    default:
        break;
    }
    return reply;
}

} // namespace

void Client::FreeReader::operator()(redisReader *reader) const
{
    redisReaderFree(reader);
}

Client::Client(Endpoint endpoint, QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_connectTimer(this)
    , m_replyTimer(this)
{
    m_connectTimer.setSingleShot(true);
    m_replyTimer.setSingleShot(true);
    setTimeouts(std::chrono::seconds(5), std::chrono::seconds(15));
    connect(&m_connectTimer, &QTimer::timeout, this,
            [this] { fail(connectionError(ErrorCode::CannotConnect, tr("It did not answer in time."))); });
    connect(&m_replyTimer, &QTimer::timeout, this,
            [this] { fail(connectionError(ErrorCode::Timeout, tr("It did not answer in time."))); });
}

Client::~Client()
{
    dropSocket();
}

void Client::setTimeouts(std::chrono::milliseconds connect, std::chrono::milliseconds reply)
{
    m_connectTimer.setInterval(connect);
    m_replyTimer.setInterval(reply);
}

void Client::open()
{
    if (m_opening || m_ready)
        return;
    dropSocket();
    m_reader.reset(redisReaderCreate());
    m_opening = true;
    m_connectTimer.start();

    // A time-out on a socket that stands is only the end of one waitForReadyRead() in exchange(), which has its own
    // deadline.
    const auto failed = [this](const QString &reason) {
        fail(connectionError(m_ready ? ErrorCode::Unavailable : ErrorCode::CannotConnect, reason));
    };
    if (m_endpoint.transport == Endpoint::Transport::UnixSocket) {
        auto *socket = new QLocalSocket(this);
        m_socket = socket;
        connect(socket, &QLocalSocket::connected, this, &Client::onConnected);
        connect(socket, &QLocalSocket::errorOccurred, this, [socket, failed](QLocalSocket::LocalSocketError error) {
            if (error != QLocalSocket::SocketTimeoutError || socket->state() == QLocalSocket::UnconnectedState)
                failed(socket->errorString());
        });
        connect(socket, &QIODevice::readyRead, this, &Client::onReadyRead);
        socket->connectToServer(m_endpoint.host);
        return;
    }
    const bool encrypted = m_endpoint.transport == Endpoint::Transport::Tls;
    auto *socket = encrypted ? new QSslSocket(this) : new QTcpSocket(this);
    m_socket = socket;
    connect(socket, &QAbstractSocket::errorOccurred, this, [socket, failed](QAbstractSocket::SocketError error) {
        if (error != QAbstractSocket::SocketTimeoutError || socket->state() == QAbstractSocket::UnconnectedState)
            failed(socket->errorString());
    });
    connect(socket, &QIODevice::readyRead, this, &Client::onReadyRead);
    if (encrypted) {
        auto *tls = static_cast<QSslSocket *>(socket);
        connect(tls, &QSslSocket::encrypted, this, &Client::onConnected);
        tls->connectToHostEncrypted(m_endpoint.host, m_endpoint.port);
    } else {
        connect(socket, &QAbstractSocket::connected, this, &Client::onConnected);
        socket->connectToHost(m_endpoint.host, m_endpoint.port);
    }
}

void Client::close()
{
    const Error error = connectionError(ErrorCode::Unavailable, tr("The connection was closed."));
    dropSocket();
    for (std::deque<Callback> waiting = std::exchange(m_waiting, {}); const Callback &callback : waiting)
        callback(engine::fail(error));
}

void Client::onConnected()
{
    if (auto *tcp = qobject_cast<QTcpSocket *>(m_socket)) {
        tcp->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        tcp->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    }
    handshake();
}

void Client::handshake()
{
    const auto check = [this](const Result<Reply> &reply) {
        if (reply && reply->isError())
            fail(replyError(*reply, m_endpoint.display));
    };
    // The handshake goes out ahead of commands that were queued before the connection stood.
    std::deque<Callback> queued = std::exchange(m_waiting, {});
    Q_ASSERT(queued.empty());
    if (!m_endpoint.password.isEmpty()) {
        Command auth{"AUTH"};
        if (!m_endpoint.user.isEmpty())
            auth << m_endpoint.user.toUtf8();
        auth << m_endpoint.password.toUtf8();
        m_waiting.emplace_back(check);
        write(auth);
    }
    if (m_endpoint.database != 0) {
        m_waiting.emplace_back(check);
        write({"SELECT", QByteArray::number(m_endpoint.database)});
    }
    m_waiting.emplace_back([this](const Result<Reply> &reply) {
        if (!reply)
            return;
        if (reply->isError()) {
            fail(replyError(*reply, m_endpoint.display));
            return;
        }
        m_connectTimer.stop();
        m_opening = false;
        m_ready = true;
        emit ready();
    });
    write({"PING"});
}

void Client::send(const Command &command, Callback callback)
{
    if (!m_ready) {
        callback(engine::fail(connectionError(ErrorCode::Unavailable, tr("There is no connection."))));
        return;
    }
    m_waiting.push_back(std::move(callback));
    if (m_replyTimer.interval() > 0 && !m_replyTimer.isActive())
        m_replyTimer.start();
    write(command);
}

void Client::write(const Command &command)
{
    if (!m_socket)
        return;
    if (m_traffic)
        ++m_traffic->questions;
    // The protocol's array of bulk strings, written into one buffer: a command may carry hundreds of jobs.
    constexpr qsizetype numberRoom = 24; // a sign, 19 digits and a line end, with some to spare
    qsizetype room = numberRoom;
    for (const QByteArray &argument : command)
        room += numberRoom + argument.size() + 2;
    QByteArray text(room, Qt::Uninitialized);
    char *end = text.data();
    const auto putNumber = [&](char kind, qsizetype number) {
        *end++ = kind;
        end = std::to_chars(end, end + numberRoom, number).ptr;
        *end++ = '\r';
        *end++ = '\n';
    };
    putNumber('*', command.size());
    for (const QByteArray &argument : command) {
        putNumber('$', argument.size());
        end = std::copy_n(argument.constData(), argument.size(), end);
        *end++ = '\r';
        *end++ = '\n';
    }
    text.truncate(end - text.constData());
    m_socket->write(text);
}

void Client::onReadyRead()
{
    const QByteArray bytes = m_socket->readAll();
    if (m_replyTimer.isActive())
        m_replyTimer.start(); // the server is answering: the clock starts anew
    redisReaderFeed(m_reader.get(), bytes.constData(), static_cast<size_t>(bytes.size()));
    const QPointer<QIODevice> socket = m_socket;
    while (socket && socket == m_socket) {
        void *raw = nullptr;
        if (redisReaderGetReply(m_reader.get(), &raw) != REDIS_OK) {
            fail(connectionError(ErrorCode::Unavailable, tr("It does not speak Redis' protocol.")));
            return;
        }
        if (!raw)
            break;
        const Reply reply = toReply(*static_cast<redisReply *>(raw));
        freeReplyObject(raw);
        if (m_waiting.empty())
            continue; // nothing asked for it: a push message, which this client never subscribes to
        const Callback callback = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (m_waiting.empty())
            m_replyTimer.stop();
        callback(reply);
    }
}

void Client::fail(const Error &error)
{
    if (!m_socket && !m_opening)
        return;
    dropSocket();
    for (std::deque<Callback> waiting = std::exchange(m_waiting, {}); const Callback &callback : waiting)
        callback(engine::fail(error));
    emit closed(error);
}

void Client::dropSocket()
{
    m_connectTimer.stop();
    m_replyTimer.stop();
    m_opening = false;
    m_ready = false;
    if (!m_socket)
        return;
    QIODevice *socket = m_socket;
    m_socket = nullptr;
    socket->disconnect(this);
    if (auto *tcp = qobject_cast<QAbstractSocket *>(socket))
        tcp->abort();
    else if (auto *local = qobject_cast<QLocalSocket *>(socket))
        local->abort();
    socket->deleteLater();
}

Result<std::vector<Reply>> Client::exchange(std::span<const Command> commands, std::chrono::milliseconds timeout)
{
    const QDeadlineTimer deadline(timeout);
    std::optional<Error> failure;
    const QMetaObject::Connection watch =
        connect(this, &Client::closed, this, [&failure](const Error &error) { failure = error; });
    const auto waitUntil = [&](const auto &done) {
        while (!done() && !failure) {
            if (deadline.hasExpired())
                fail(connectionError(m_ready ? ErrorCode::Timeout : ErrorCode::CannotConnect,
                                     tr("It did not answer in time.")));
            else if (m_socket)
                m_socket->waitForReadyRead(static_cast<int>(qMin<qint64>(deadline.remainingTime(), 1000)));
        }
    };

    if (!m_ready) {
        open();
        if (auto *tls = qobject_cast<QSslSocket *>(m_socket); tls && m_endpoint.transport == Endpoint::Transport::Tls)
            tls->waitForEncrypted(static_cast<int>(deadline.remainingTime()));
        else if (auto *tcp = qobject_cast<QTcpSocket *>(m_socket))
            tcp->waitForConnected(static_cast<int>(deadline.remainingTime()));
        waitUntil([this] { return m_ready; });
    }
    std::vector<Reply> replies;
    if (!failure) {
        replies.reserve(commands.size());
        for (const Command &command : commands) {
            send(command, [&replies](const Result<Reply> &reply) {
                if (reply)
                    replies.push_back(*reply);
            });
        }
        QElapsedTimer timer;
        timer.start();
        waitUntil([&] { return replies.size() == commands.size(); });
        if (m_traffic)
            m_traffic->waitedMicros += timer.nsecsElapsed() / 1000;
    }
    disconnect(watch);
    if (failure)
        return engine::fail(*failure);
    return replies;
}

Result<Reply> Client::exchange(const Command &command, std::chrono::milliseconds timeout)
{
    auto replies = exchange(std::span(&command, 1), timeout);
    if (!replies)
        return engine::fail(replies.error());
    return std::move(replies->front());
}

Error Client::connectionError(ErrorCode code, const QString &reason) const
{
    if (code == ErrorCode::CannotConnect)
        return {code, tr("Cannot connect to Redis at %1: %2").arg(m_endpoint.display, reason),
                tr("Check host, port and password, and that the server runs."), true, reason};
    return {code, tr("The connection to Redis at %1 was lost: %2").arg(m_endpoint.display, reason), {}, true, reason};
}

Error replyError(const Reply &reply, const QString &server)
{
    const QString text = QString::fromUtf8(reply.text);
    const QByteArray word = reply.text.left(reply.text.indexOf(' '));
    if (word == "WRONGPASS" || word == "NOAUTH" || reply.text.startsWith("ERR invalid password")
        || reply.text.startsWith("ERR AUTH <password> called without"))
        return {ErrorCode::CannotConnect, Client::tr("Redis at %1 refused user name or password.").arg(server),
                Client::tr("Check both in the Redis URL; special characters are written as %XX."), false, text};
    if (word == "NOPERM")
        return {ErrorCode::Refused, Client::tr("Redis at %1 does not permit this: %2").arg(server, text),
                Client::tr("Ask for the missing right in the server's ACL."), false, text};
    static const QList<QByteArray> passing{"OOM",      "READONLY",    "LOADING", "MASTERDOWN", "BUSY",
                                           "TRYAGAIN", "CLUSTERDOWN", "MISCONF", "NOREPLICAS", "UNBLOCKED"};
    if (passing.contains(word))
        return {ErrorCode::Unavailable,
                Client::tr("Redis at %1 cannot take this now: %2").arg(server, text),
                {},
                true,
                text};
    return {ErrorCode::Failed, Client::tr("Redis at %1 answered with an error: %2").arg(server, text), {}, false, text};
}

} // namespace engine::redis
