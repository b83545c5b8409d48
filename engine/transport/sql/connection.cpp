// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection.h"

#include "sqlerror.h"

#include <engine/base/logging.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QScopeGuard>

#include <poll.h>

#include <array>
#include <cerrno>

namespace engine::sql {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sql::Connection)
};

// The server options that the address itself brings, as ?options=-csearch_path%3Dname.
QByteArray optionsOf(const QByteArray &conninfo)
{
    QByteArray found;
    PQconninfoOption *all = PQconninfoParse(conninfo.constData(), nullptr);
    for (const PQconninfoOption *option = all; option && option->keyword; ++option) {
        if (qstrcmp(option->keyword, "options") == 0 && option->val)
            found = option->val;
    }
    PQconninfoFree(all);
    return found;
}

} // namespace

Connection::Connection(const ConnectOptions &options)
    : m_options(options)
    , m_interrupter(options.interrupter ? options.interrupter : std::make_shared<Interrupter>())
{ }

Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const ConnectOptions &options)
{
    std::unique_ptr<Connection> connection(new Connection(options));
    if (auto connected = connection->connect(); !connected)
        return fail(connected.error());
    return connection;
}

Result<void> Connection::connect()
{
    const QByteArray given = optionsOf(m_options.url.conninfo);
    if (m_options.settings.empty())
        return connectOnce(given);
    QByteArray wanted = given;
    for (const auto &[name, value] : m_options.settings)
        wanted += (wanted.isEmpty() ? "-c " : " -c ") + name + '=' + value;
    auto connected = connectOnce(wanted);
    m_hasSettings = connected.has_value();
    // PgBouncer's words for a start-up parameter that it does not pass on.
    if (connected || !connected.error().detail.contains(u"unsupported startup parameter"))
        return connected;
    m_broken = false;
    return connectOnce(given);
}

Result<void> Connection::connectOnce(const QByteArray &serverOptions)
{
    const QDeadlineTimer deadline(m_options.connectTimeout);
    // Later entries win, so the URL goes first and our own needs after it. Keep-alives and the user timeout
    // turn a silently dead peer into an error; the deadline of each call is the second net.
    const std::array keywords{"dbname",
                              "client_encoding",
                              "fallback_application_name",
                              "keepalives_idle",
                              "keepalives_interval",
                              "keepalives_count",
                              "tcp_user_timeout",
                              serverOptions.isEmpty() ? nullptr : "options",
                              static_cast<const char *>(nullptr)};
    const std::array values{m_options.url.conninfo.constData(),
                            "UTF8",
                            m_options.applicationName.constData(),
                            "10",
                            "5",
                            "3",
                            "30000",
                            serverOptions.constData(),
                            static_cast<const char *>(nullptr)};
    m_connection.reset(PQconnectStartParams(keywords.data(), values.data(), 1));
    if (!m_connection)
        return fail(ErrorCode::Failed, Text::tr("There is not enough memory for a database connection."));

    PostgresPollingStatusType status =
        PQstatus(m_connection.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (status != PGRES_POLLING_OK) {
        if (status == PGRES_POLLING_FAILED) {
            m_broken = true;
            return fail(connectError(m_connection.get(), m_options.url.display));
        }
        if (auto ready = wait(status == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline); !ready) {
            Error error = ready.error();
            if (error.code == ErrorCode::Timeout) {
                error.code = ErrorCode::CannotConnect;
                error.message = Text::tr("PostgreSQL at %1 did not answer within %2 s.")
                                    .arg(m_options.url.display)
                                    .arg(m_options.connectTimeout.count() / 1000);
                error.hint = Text::tr("Check host, port and firewall, and that the server runs.");
            }
            return fail(error);
        }
        status = PQconnectPoll(m_connection.get());
    }
    PQsetnonblocking(m_connection.get(), 1);
    PQsetNoticeProcessor(
        m_connection.get(), [](void *, const char *notice) { qCDebug(lcSql) << QByteArray(notice).trimmed(); },
        nullptr);
    return {};
}

Result<Rows> Connection::execute(const QByteArray &statement, const Params &params)
{
    if (m_options.access == Access::ReadWrite || isInTransaction())
        return send(statement, params);
    if (auto begun = sendScript("BEGIN READ ONLY"); !begun)
        return fail(begun.error());
    auto rows = send(statement, params);
    if (auto ended = sendScript("ROLLBACK"); rows && !ended)
        return fail(ended.error());
    return rows;
}

Result<void> Connection::executeScript(const QByteArray &statements)
{
    if (m_options.access == Access::ReadWrite || isInTransaction())
        return sendScript(statements);
    if (auto begun = sendScript("BEGIN READ ONLY"); !begun)
        return begun;
    auto done = sendScript(statements);
    if (auto ended = sendScript("ROLLBACK"); done && !ended)
        return ended;
    return done;
}

Result<Rows> Connection::send(const QByteArray &statement, const Params &params)
{
    if (m_broken)
        return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 is closed.")));
    const std::vector<const char *> values = params.pointers();
    if (!PQsendQueryParams(m_connection.get(), statement.constData(), params.count(), nullptr, values.data(), nullptr,
                           nullptr, 0))
        return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
    return finish(QDeadlineTimer(m_options.callTimeout));
}

Result<void> Connection::sendScript(const QByteArray &statements)
{
    if (m_broken)
        return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 is closed.")));
    if (!PQsendQuery(m_connection.get(), statements.constData()))
        return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
    if (auto rows = finish(QDeadlineTimer(m_options.callTimeout)); !rows)
        return fail(rows.error());
    return {};
}

Result<Rows> Connection::read(const QByteArray &statement, const Params &params,
                              std::chrono::milliseconds serverTimeout, const QByteArray &planner)
{
    // JIT costs more than it saves on statements bounded by LIMIT; both settings end with the transaction.
    if (auto begun = sendScript("BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL statement_timeout = "
                                + QByteArray::number(qlonglong(serverTimeout.count()))
                                + (planner.isEmpty() ? QByteArray() : "; " + planner));
        !begun)
        return fail(begun.error());
    auto rows = send(statement, params);
    if (auto ended = sendScript("ROLLBACK"); rows && !ended)
        return fail(ended.error());
    return rows;
}

Result<std::chrono::microseconds> Connection::roundTrip()
{
    QElapsedTimer timer;
    timer.start();
    if (auto answered = sendScript(""); !answered)
        return fail(answered.error());
    return std::chrono::microseconds(timer.nsecsElapsed() / 1000);
}

Result<bool> Connection::isDirect()
{
    auto served = execute("SELECT pg_backend_pid()");
    if (!served)
        return fail(served.error());
    // A pooler answers the start of a connection itself, with a number of its own.
    return served->integer(0, 0) == PQbackendPID(m_connection.get());
}

bool Connection::isInTransaction() const
{
    const PGTransactionStatusType status = PQtransactionStatus(m_connection.get());
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

Result<Rows> Connection::finish(const QDeadlineTimer &deadline)
{
    QElapsedTimer timer;
    timer.start();
    const auto counted = qScopeGuard([&] {
        if (!m_options.traffic)
            return;
        ++m_options.traffic->questions;
        m_options.traffic->waitedMicros += timer.nsecsElapsed() / 1000;
    });
    PGconn *connection = m_connection.get();
    for (int pending = PQflush(connection); pending != 0; pending = PQflush(connection)) {
        if (pending < 0)
            return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
        // The server may be sending while we are: reading keeps both sides from waiting for each other.
        if (auto ready = wait(POLLIN | POLLOUT, deadline); !ready)
            return fail(ready.error());
        if (!PQconsumeInput(connection))
            return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
    }

    Rows last;
    std::optional<Error> firstError;
    while (true) {
        while (PQisBusy(connection)) {
            if (auto ready = wait(POLLIN, deadline); !ready)
                return fail(ready.error());
            if (!PQconsumeInput(connection))
                return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
        }
        PGresult *result = PQgetResult(connection);
        if (!result)
            break;
        Rows rows(result);
        const ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) {
            last = std::move(rows);
        } else if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
            // Nobody here moves the data, and libpq would report the same state for ever.
            return fail(
                lost(ErrorCode::Failed, Text::tr("PostgreSQL at %1 started a COPY, which is not supported here.")));
        } else if (!firstError) {
            firstError = statementError(result, m_options.url.display);
        }
    }
    if (PQstatus(connection) == CONNECTION_BAD)
        m_broken = true;
    if (firstError)
        return fail(*firstError);
    return last;
}

Result<bool> Connection::waitForNotification(std::chrono::milliseconds timeout)
{
    if (m_broken)
        return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 is closed.")));
    const QDeadlineTimer deadline(timeout);
    bool notified = false;
    while (!notified) {
        if (!PQconsumeInput(m_connection.get()))
            return fail(lost(ErrorCode::Unavailable, Text::tr("The connection to PostgreSQL at %1 was lost.")));
        while (PGnotify *notification = PQnotifies(m_connection.get())) {
            PQfreemem(notification);
            notified = true;
        }
        if (notified || deadline.hasExpired())
            break;
        if (auto ready = wait(POLLIN, deadline); !ready) {
            if (ready.error().code != ErrorCode::Timeout)
                return fail(ready.error());
            m_broken = false; // nothing was asked, so silence is no fault
            break;
        }
    }
    return notified;
}

Result<void> Connection::wait(short events, const QDeadlineTimer &deadline)
{
    while (true) {
        std::array<pollfd, 2> waitFor{
            {{PQsocket(m_connection.get()), events, 0}, {m_interrupter->descriptor(), POLLIN, 0}}};
        const int timeout = deadline.isForever() ? -1 : static_cast<int>(deadline.remainingTime());
        const int ready = poll(waitFor.data(), waitFor.size(), timeout);
        if (ready < 0 && errno == EINTR)
            continue;
        if (waitFor[1].revents != 0)
            return fail(lost(ErrorCode::Cancelled, {}));
        if (ready == 0) {
            Error error = lost(ErrorCode::Timeout, Text::tr("PostgreSQL at %1 did not answer in time."));
            error.hint = Text::tr("The server may be overloaded or a lock may be held; the outcome is unknown.");
            return fail(error);
        }
        return {};
    }
}

int Connection::serverVersion() const
{
    return PQserverVersion(m_connection.get());
}

Error Connection::lost(ErrorCode code, const QString &message)
{
    m_broken = true;
    // Whatever else is wrong with an interrupted connection, its owner asked for the end.
    if (m_interrupter->isInterrupted())
        return {ErrorCode::Cancelled,
                Text::tr("The work on PostgreSQL at %1 was stopped.").arg(m_options.url.display),
                {},
                false,
                {}};
    return {code,
            message.arg(m_options.url.display),
            {},
            code != ErrorCode::Failed,
            QString::fromUtf8(PQerrorMessage(m_connection.get())).trimmed()};
}

} // namespace engine::sql
