// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "faultproxy.h"

#include <QElapsedTimer>
#include <QLocalSocket>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <deque>
#include <functional>

#include <sys/socket.h>

using namespace Qt::StringLiterals;

namespace test {

namespace {

constexpr qsizetype firstBytesKept = 2048;

// One direction of one connection: bytes that wait until they may move on.
struct Stream
{
    struct Chunk
    {
        qint64 due;
        QByteArray bytes;
    };
    std::deque<Chunk> waiting;
};

void drop(QIODevice *device)
{
    if (auto *tcp = qobject_cast<QAbstractSocket *>(device))
        tcp->abort();
    else if (auto *local = qobject_cast<QLocalSocket *>(device))
        local->abort();
}

// With a reset instead of an orderly end, so that nothing under way arrives.
void reset(QTcpSocket *socket)
{
    const linger none{1, 0};
    setsockopt(static_cast<int>(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    socket->abort();
}

} // namespace

class FaultProxy::Worker final : public QObject
{
public:
    explicit Worker(QString upstream)
        : m_upstream(std::move(upstream))
        , m_server(this)
    {
        m_clock.start();
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *client = m_server.nextPendingConnection())
                accept(client);
        });
    }

    [[nodiscard]] bool listen() { return m_server.listen(QHostAddress::LocalHost); }
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }

    void set(NetworkFault fault, const QByteArray &marker)
    {
        m_fault = fault;
        m_marker = marker;
        for (Link *link : links()) {
            if (fault == NetworkFault::Refuse && matches(*link, marker))
                end(link);
            else
                pump(link);
        }
    }

    void setDelay(std::chrono::milliseconds delay) { m_delay = delay; }

    void dropNextReply(const QByteArray &marker)
    {
        m_dropNext = true;
        m_dropped = false;
        m_dropMarker = marker;
    }
    [[nodiscard]] bool hasDroppedReply() const { return m_dropped; }

    void forgetServer(const QByteArray &marker)
    {
        for (Link *link : links()) {
            if (!matches(*link, marker) || link->forgotten)
                continue;
            link->forgotten = true;
            link->server->disconnect(link);
            drop(link->server);
            link->requests.waiting.clear();
            link->replies.waiting.clear();
        }
    }

    void resetAll(const QByteArray &marker)
    {
        for (Link *link : links()) {
            if (matches(*link, marker))
                end(link);
        }
    }

    [[nodiscard]] QList<Opening> takeOpenings() { return std::exchange(m_openings, {}); }
    [[nodiscard]] int liveConnections() const { return static_cast<int>(m_links.size()); }
    [[nodiscard]] bool isHolding() const
    {
        return std::ranges::any_of(m_links, [this](const Link *link) {
            return matches(*link, m_marker) && (!link->requests.waiting.empty() || !link->replies.waiting.empty());
        });
    }

private:
    struct Link final : QObject
    {
        QTcpSocket *client = nullptr; // children of this
        QIODevice *server = nullptr;
        Stream requests;
        Stream replies;
        QByteArray firstBytes;
        qint64 openedAt = 0;
        bool serverStands = false;
        bool forgotten = false;
        bool clientEnded = false; // once what it sent has moved on, the server is told
        bool serverEnded = false;
    };

    [[nodiscard]] QList<Link *> links() const { return m_links; } // a copy: ending one takes it out

    static bool matches(const Link &link, const QByteArray &marker)
    {
        return marker.isEmpty() || link.firstBytes.contains(marker);
    }

    void accept(QTcpSocket *client)
    {
        auto *link = new Link;
        link->setParent(this);
        link->client = client;
        link->openedAt = m_clock.elapsed();
        client->setParent(link);
        client->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_links.append(link);
        m_openings.append(Opening{link->openedAt, {}});
        if (m_fault == NetworkFault::Refuse && m_marker.isEmpty()) {
            end(link);
            return;
        }
        connect(client, &QTcpSocket::readyRead, link, [this, link] { fromClient(link); });
        connect(client, &QTcpSocket::disconnected, link, [this, link] {
            link->clientEnded = true;
            pump(link);
        });
        connectUpstream(link);
        if (client->bytesAvailable() > 0)
            fromClient(link);
    }

    void connectUpstream(Link *link)
    {
        const auto stands = [this, link] {
            link->serverStands = true;
            pump(link);
        };
        const auto gone = [this, link] {
            link->serverEnded = true;
            pump(link);
        };
        if (m_upstream.startsWith(u'/')) {
            auto *socket = new QLocalSocket(link);
            link->server = socket;
            connect(socket, &QLocalSocket::connected, link, stands);
            connect(socket, &QLocalSocket::disconnected, link, gone);
            connect(socket, &QLocalSocket::errorOccurred, link, gone);
            connect(socket, &QIODevice::readyRead, link, [this, link] { fromServer(link); });
            socket->connectToServer(m_upstream);
        } else {
            auto *socket = new QTcpSocket(link);
            link->server = socket;
            connect(socket, &QTcpSocket::connected, link, stands);
            connect(socket, &QTcpSocket::disconnected, link, gone);
            connect(socket, &QTcpSocket::errorOccurred, link, gone);
            connect(socket, &QIODevice::readyRead, link, [this, link] { fromServer(link); });
            socket->connectToHost(m_upstream.section(u':', 0, 0),
                                  static_cast<quint16>(m_upstream.section(u':', 1).toUInt()));
        }
    }

    void fromClient(Link *link)
    {
        const QByteArray bytes = link->client->readAll();
        if (link->firstBytes.size() < firstBytesKept) {
            link->firstBytes += bytes.first(std::min(bytes.size(), firstBytesKept - link->firstBytes.size()));
            for (Opening &opening : m_openings) {
                if (opening.at == link->openedAt && link->firstBytes.startsWith(opening.firstBytes))
                    opening.firstBytes = link->firstBytes;
            }
            if (m_fault == NetworkFault::Refuse && matches(*link, m_marker)) {
                end(link);
                return;
            }
        }
        if (link->forgotten)
            return;
        link->requests.waiting.push_back({m_clock.elapsed() + m_delay.count(), bytes});
        pump(link);
    }

    void fromServer(Link *link)
    {
        const QByteArray bytes = link->server->readAll();
        if (m_dropNext && matches(*link, m_dropMarker)) {
            m_dropNext = false;
            m_dropped = true;
            end(link);
            return;
        }
        link->replies.waiting.push_back({m_clock.elapsed() + m_delay.count(), bytes});
        pump(link);
    }

    // Moves on what may move, and ends the connection when one side has ended and nothing is left.
    void pump(Link *link)
    {
        const bool concerned = matches(*link, m_marker);
        const bool holdRequests =
            concerned && (m_fault == NetworkFault::Stall || m_fault == NetworkFault::HoldRequests);
        const bool holdReplies = concerned && (m_fault == NetworkFault::Stall || m_fault == NetworkFault::HoldReplies);
        if (!holdRequests && link->serverStands && !link->forgotten)
            move(link, link->requests, link->server);
        if (!holdReplies)
            move(link, link->replies, link->client);
        if (link->clientEnded && (link->forgotten || !link->serverStands || link->requests.waiting.empty()))
            end(link);
        else if (link->serverEnded && !link->forgotten && !holdReplies && link->replies.waiting.empty())
            end(link);
    }

    void move(Link *link, Stream &stream, QIODevice *target)
    {
        while (!stream.waiting.empty()) {
            const qint64 wait = stream.waiting.front().due - m_clock.elapsed();
            if (wait > 0) {
                QTimer::singleShot(static_cast<int>(wait), link, [this, link] { pump(link); });
                return;
            }
            target->write(stream.waiting.front().bytes);
            stream.waiting.pop_front();
        }
    }

    void end(Link *link)
    {
        if (!m_links.removeOne(link))
            return;
        link->client->disconnect(link);
        if (link->serverEnded || link->clientEnded) {
            link->client->flush();
            drop(link->client);
        } else {
            reset(link->client);
        }
        if (link->server) {
            link->server->disconnect(link);
            drop(link->server);
        }
        link->deleteLater();
    }

    const QString m_upstream;
    QTcpServer m_server;
    QElapsedTimer m_clock;
    QList<Link *> m_links;
    QList<Opening> m_openings;
    NetworkFault m_fault = NetworkFault::None;
    QByteArray m_marker;
    std::chrono::milliseconds m_delay{0};
    bool m_dropNext = false;
    bool m_dropped = false;
    QByteArray m_dropMarker;
};

namespace {

// Runs `function` in the object's thread and waits for it.
template <typename Function>
auto in(QObject *object, Function function)
{
    std::invoke_result_t<Function> result{};
    QMetaObject::invokeMethod(
        object, [&] { result = function(); }, Qt::BlockingQueuedConnection);
    return result;
}

} // namespace

FaultProxy::FaultProxy(Worker *worker)
    : m_worker(worker)
{
    m_thread.setObjectName(u"fault proxy"_s);
    m_worker->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

FaultProxy::~FaultProxy()
{
    m_thread.quit();
    m_thread.wait();
}

engine::Result<std::unique_ptr<FaultProxy>> FaultProxy::start(const QString &upstream)
{
    std::unique_ptr<FaultProxy> proxy(new FaultProxy(new Worker(upstream)));
    Worker *worker = proxy->m_worker;
    if (!in(worker, [=] { return worker->listen(); }))
        return engine::fail(engine::ErrorCode::Failed, u"The fault proxy finds no free port."_s);
    proxy->m_port = in(worker, [=] { return worker->port(); });
    return proxy;
}

void FaultProxy::set(NetworkFault fault, const QByteArray &marker)
{
    in(m_worker, [&] { return m_worker->set(fault, marker), true; });
}

void FaultProxy::setDelay(std::chrono::milliseconds delay)
{
    in(m_worker, [&] { return m_worker->setDelay(delay), true; });
}

void FaultProxy::dropNextReply(const QByteArray &marker)
{
    in(m_worker, [&] { return m_worker->dropNextReply(marker), true; });
}

bool FaultProxy::hasDroppedReply() const
{
    return in(m_worker, [&] { return m_worker->hasDroppedReply(); });
}

void FaultProxy::forgetServer(const QByteArray &marker)
{
    in(m_worker, [&] { return m_worker->forgetServer(marker), true; });
}

void FaultProxy::resetAll(const QByteArray &marker)
{
    in(m_worker, [&] { return m_worker->resetAll(marker), true; });
}

QList<Opening> FaultProxy::takeOpenings()
{
    return in(m_worker, [&] { return m_worker->takeOpenings(); });
}

int FaultProxy::liveConnections() const
{
    return in(m_worker, [&] { return m_worker->liveConnections(); });
}

bool FaultProxy::isHolding() const
{
    return in(m_worker, [&] { return m_worker->isHolding(); });
}

} // namespace test
