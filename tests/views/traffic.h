// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QLocalSocket>
#include <QSet>
#include <QStringList>

#include <vector>

// What the servers themselves say they were asked. Both recorders see every client, not the console alone.

// A statement of PostgreSQL's log under `log_statement = all` and `log_line_prefix = '%p|%a|'`.
struct Statement
{
    int pid = 0; // of its session
    QByteArray application;
    QByteArray text;
};
inline constexpr char statementPrefix[] = "%p|%a|";

class StatementLog final
{
public:
    explicit StatementLog(QString file)
        : m_file(std::move(file))
    { }

    // Statements of programs whose application name begins with `application`, logged since mark().
    [[nodiscard]] std::vector<Statement> statements(const QByteArray &application) const;
    void mark(); // begins anew here

private:
    const QString m_file;
    qint64 m_from = 0;
};

// Every reason to think that one of these statements wrote, or could have run for ever: a verb that is not one of
// reading, a call that changes something, a row lock, a transaction that is not READ ONLY, a query of a session that
// had set no statement_timeout for its transaction. Empty: nothing of the kind.
[[nodiscard]] QStringList faultsOf(const std::vector<Statement> &statements);

// Redis' MONITOR on a connection of its own; needs the event loop.
class RedisMonitor final
{
public:
    // Returns once the server has said OK.
    [[nodiscard]] bool start(const QString &socketPath);
    [[nodiscard]] QList<QList<QByteArray>> commands(); // so far, as words
    void mark() { m_commands.clear(); }

private:
    void read();

    QLocalSocket m_socket;
    QByteArray m_rest;
    QList<QList<QByteArray>> m_commands;
};

// Every command that is not among `readOnly` (lower case, by the server's own flags) nor about the connection itself.
[[nodiscard]] QStringList faultsOf(const QList<QList<QByteArray>> &commands, const QSet<QByteArray> &readOnly);
