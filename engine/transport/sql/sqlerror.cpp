// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlerror.h"

#include <QByteArray>
#include <QCoreApplication>

namespace engine::sql {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sql::SqlError)
};

} // namespace

Error connectError(PGconn *connection, const QString &server)
{
    const QString detail = QString::fromUtf8(PQerrorMessage(connection)).trimmed();
    Error error{
        ErrorCode::CannotConnect, Text::tr("Cannot connect to PostgreSQL at %1.").arg(server), {}, true, detail};
    // Before a session exists libpq reports no SQLSTATE, only the server's words.
    if (PQconnectionNeedsPassword(connection)) {
        error.message = Text::tr("PostgreSQL at %1 asks for a password and none was given.").arg(server);
        error.hint = Text::tr("Put it into the URL, or into ~/.pgpass.");
        error.retryable = false;
    } else if (detail.contains(u"password authentication failed")) {
        error.message = Text::tr("PostgreSQL at %1 refused user name or password.").arg(server);
        error.hint = Text::tr("Check both in the database URL; special characters are written as %XX.");
        error.retryable = false;
    } else if (detail.contains(u"does not exist")) {
        error.hint = Text::tr("The server says: %1").arg(detail.section(u'\n', -1));
        error.retryable = false;
    } else if (detail.contains(u"Connection refused") || detail.contains(u"No such file")) {
        error.hint = Text::tr("Nothing listens there: check host and port, and that the server runs.");
    } else if (detail.contains(u"could not translate host name")) {
        error.hint = Text::tr("The host name is not known: check its spelling.");
    } else {
        error.hint = Text::tr("The server says: %1").arg(detail.section(u'\n', -1));
    }
    return error;
}

Error statementError(const PGresult *result, const QString &server)
{
    const QByteArray state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const QString primary = QString::fromUtf8(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    const QString serverHint = QString::fromUtf8(PQresultErrorField(result, PG_DIAG_MESSAGE_HINT));
    const QString detail = QString::fromUtf8(PQresultErrorMessage(result)).trimmed();
    Error error{ErrorCode::Failed, Text::tr("PostgreSQL at %1: %2.").arg(server, primary), serverHint, false, detail};

    const QByteArray stateClass = state.left(2);
    if (state.isEmpty() || stateClass == "08" || stateClass == "57") {
        // Connection exceptions, shutdown, cancelled statements.
        const bool cancelled = state == "57014";
        error.code = cancelled ? ErrorCode::Timeout : ErrorCode::Unavailable;
        error.retryable = true;
        if (cancelled)
            error.hint =
                Text::tr("The statement ran into its time limit; narrow the filter or try when the server is quieter.");
    } else if (stateClass == "53") { // insufficient resources
        error.code = ErrorCode::Unavailable;
        error.retryable = true;
    } else if (stateClass == "40" || stateClass == "55") { // serialisation, deadlock, lock not available
        error.code = ErrorCode::Conflict;
        error.retryable = true;
    } else if (stateClass == "23") {
        error.code = ErrorCode::Conflict;
    } else if (state == "25006") {
        error.code = ErrorCode::Refused;
        error.retryable = true; // a standby may be promoted
        error.hint = Text::tr("This server or transaction only reads; connect to the primary.");
    } else if (state == "42501") {
        error.code = ErrorCode::Refused;
        error.hint = Text::tr("Ask the database's owner for the missing right.");
    } else if (state == "42P01" || state == "42703" || state == "3F000") {
        error.code = ErrorCode::NotFound;
    } else if (stateClass == "22") {
        error.code = ErrorCode::BadInput;
    }
    return error;
}

bool blamesTheRow(const Error &error)
{
    return !error.retryable
        && (error.code == ErrorCode::BadInput || error.code == ErrorCode::Conflict || error.code == ErrorCode::Failed);
}

} // namespace engine::sql
