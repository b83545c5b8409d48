// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "healthserver.h"

#include "healthmonitor.h"

#include <QCoreApplication>
#include <QHttpServerRequest>
#include <QHttpServerResponder>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

namespace engine::watch {

using namespace Qt::StringLiterals;
using Status = QHttpServerResponder::StatusCode;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::watch::HealthServer)
};

constexpr int mostConnections = 32;
constexpr std::chrono::minutes connectionLife{2};
constexpr qint64 mostBytes = 1024 * 1024;

// Keeps strangers from holding the process's memory and file descriptors.
class BoundedServer final : public QTcpServer
{
protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *socket = new QTcpSocket(this);
        if (!socket->setSocketDescriptor(descriptor) || m_open >= mostConnections) {
            socket->abort();
            socket->deleteLater();
            return;
        }
        ++m_open;
        connect(socket, &QObject::destroyed, this, [this] { --m_open; });
        QTimer::singleShot(connectionLife, socket, [socket] { socket->abort(); });
        // First of the slots: sees what arrived before the parser takes it. The abort waits until that is done.
        connect(socket, &QTcpSocket::readyRead, socket, [socket, received = qint64(0)]() mutable {
            received += socket->bytesAvailable();
            if (received > mostBytes)
                QMetaObject::invokeMethod(
                    socket, [socket] { socket->abort(); }, Qt::QueuedConnection);
        });
        addPendingConnection(socket);
    }

private:
    int m_open = 0;
};

} // namespace

Result<HealthAddress> HealthAddress::parse(const QString &text)
{
    const auto wrong = [&] {
        return fail(ErrorCode::BadInput, Text::tr("\"%1\" is no address to listen on.").arg(text),
                    Text::tr("Write it as PORT or ADDRESS:PORT, for instance 9464 or 0.0.0.0:9464; port 0 takes a free "
                             "one."));
    };
    HealthAddress parsed;
    const qsizetype colon = text.lastIndexOf(u':');
    bool isNumber = false;
    const uint port = text.mid(colon + 1).toUInt(&isNumber);
    if (!isNumber || port > 65'535)
        return wrong();
    parsed.port = static_cast<quint16>(port);
    if (colon < 0)
        return parsed;
    QString host = text.left(colon);
    if (host == u"localhost"_s)
        return parsed;
    const bool bracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (bracketed)
        host = host.mid(1, host.size() - 2);
    // Four numbers: QHostAddress takes 1.2.3 for 1.2.0.3 too.
    const bool six = parsed.address.setAddress(host) && parsed.address.protocol() == QAbstractSocket::IPv6Protocol;
    if (parsed.address.isNull() || bracketed != six || (!six && host.count(u'.') != 3))
        return wrong();
    return parsed;
}

QString HealthAddress::display() const
{
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    return (six ? u"[%1]:%2"_s : u"%1:%2"_s).arg(address.toString()).arg(port);
}

HealthServer::HealthServer(const HealthMonitor &monitor, QObject *parent)
    : QAbstractHttpServer(parent)
    , m_monitor(monitor)
{ }

Result<HealthAddress> HealthServer::listenOn(const HealthAddress &address)
{
    auto server = std::make_unique<BoundedServer>();
    if (!server->listen(address.address, address.port))
        return fail(ErrorCode::Failed,
                    Text::tr("Cannot listen on %1: %2.").arg(address.display(), server->errorString()),
                    Text::tr("Choose another port, or 0 for a free one."));
    const HealthAddress taken{server->serverAddress(), server->serverPort()};
    bind(server.release()); // takes ownership
    return taken;
}

QByteArray HealthServer::aliveBody(bool alive) const
{
    return QJsonDocument(
               QJsonObject{{u"alive"_s, alive}, {u"state"_s, QString::fromLatin1(stateWord(m_monitor.state()))}})
        .toJson(QJsonDocument::Compact);
}

QByteArray HealthServer::readyBody(bool ready) const
{
    QJsonArray reasons;
    for (const HealthReason &reason : m_monitor.reasons())
        reasons << QJsonObject{{u"code"_s, QString::fromLatin1(reason.code)}, {u"message"_s, reason.message}};
    return QJsonDocument(QJsonObject{{u"ready"_s, ready},
                                     {u"state"_s, QString::fromLatin1(stateWord(m_monitor.state()))},
                                     {u"table"_s, m_monitor.table()},
                                     {u"reasons"_s, reasons}})
        .toJson(QJsonDocument::Compact);
}

bool HealthServer::handleRequest(const QHttpServerRequest &request, QTcpSocket *socket)
{
    const QString path = request.url().path();
    const bool isHead = request.method() == QHttpServerRequest::Method::Head;
    Status status = Status::Ok;
    QByteArray body;
    QByteArray type = "application/json";
    if (!isHead && request.method() != QHttpServerRequest::Method::Get) {
        status = Status::MethodNotAllowed;
        body = R"({"error":"only GET and HEAD are answered"})";
    } else if (path == u"/metrics"_s) {
        type = Metrics::contentType;
        body = m_monitor.metrics();
    } else if (path == u"/healthz"_s) {
        const bool alive = m_monitor.isAlive();
        status = alive ? Status::Ok : Status::ServiceUnavailable;
        body = aliveBody(alive);
    } else if (path == u"/readyz"_s) {
        const bool ready = m_monitor.reasons().isEmpty();
        status = ready ? Status::Ok : Status::ServiceUnavailable;
        body = readyBody(ready);
    } else {
        status = Status::NotFound;
        body = R"({"error":"there are /metrics, /healthz and /readyz"})";
    }
    // Written piece by piece, because the whole-answer calls send a body for HEAD too.
    QHttpServerResponder responder = makeResponder(request, socket);
    responder.writeStatusLine(status);
    responder.writeHeader("Content-Type", type);
    responder.writeHeader("Content-Length", QByteArray::number(body.size()));
    responder.writeHeader("Cache-Control", "no-store");
    if (status == Status::MethodNotAllowed)
        responder.writeHeader("Allow", "GET, HEAD");
    responder.writeBody(isHead ? QByteArray() : body);
    return true;
}

void HealthServer::missingHandler(const QHttpServerRequest &, QTcpSocket *socket)
{
    socket->disconnectFromHost(); // not reached: handleRequest() answers everything
}

} // namespace engine::watch
