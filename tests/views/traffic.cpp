// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr int longestTimeoutMs = 60'000; // that a reading statement may ask for

// The single statements of a text, without comments; what stands in quotes is replaced by spaces.
QList<QByteArray> partsOf(const QByteArray &text)
{
    static const QRegularExpression noise(uR"(--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*")"_s,
                                          QRegularExpression::DotMatchesEverythingOption);
    QList<QByteArray> parts;
    for (const QString &part : QString::fromUtf8(text).replace(noise, u" "_s).split(u';')) {
        if (const QString statement = part.simplified(); !statement.isEmpty())
            parts << statement.toUtf8();
    }
    return parts;
}

// Why a single statement, free of quotes, is not one that only reads; empty: it is.
QString writesBecause(const QByteArray &statement)
{
    const QString text = QString::fromUtf8(statement);
    const auto has = [&text](const char *pattern) {
        return QRegularExpression(QString::fromLatin1(pattern), QRegularExpression::CaseInsensitiveOption)
            .match(text)
            .hasMatch();
    };
    if (has("^(ROLLBACK|COMMIT)$") || has("^BEGIN( TRANSACTION)? READ ONLY$"))
        return {};
    if (has("^SET LOCAL "
            "(jit|statement_timeout|lock_timeout|enable_\\w+|work_mem|plan_cache_mode|cpu_\\w+|random_page_cost) "
            "(=|TO) "))
        return {};
    if (has("^SHOW "))
        return {};
    if (!has("^(SELECT|WITH|EXPLAIN)\\b"))
        return u"verb"_s;
    if (has("\\b(INSERT|UPDATE|DELETE|MERGE|TRUNCATE|CREATE|DROP|ALTER|COPY|LOCK|NOTIFY|LISTEN)\\b"))
        return u"a verb of writing inside"_s;
    if (has("\\bFOR (NO KEY )?(UPDATE|SHARE|KEY SHARE)\\b"))
        return u"row lock"_s;
    if (has("\\b(nextval|setval|set_config|pg_notify|pg_(try_)?advisory\\w*|pg_(terminate|cancel)_backend|lo_\\w+|"
            "txid_current|pg_current_xact_id|dblink\\w*|pg_stat_reset\\w*)\\s*\\("))
        return u"a call that changes something"_s;
    if (has("\\bINTO\\b"))
        return u"makes a table"_s;
    return {};
}

} // namespace

std::vector<Statement> StatementLog::statements(const QByteArray &application) const
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(m_from))
        return {};
    static const QRegularExpression line(uR"(^(\d+)\|([^|]*)\|LOG:  (?:statement|execute [^:]*): (.*)$)"_s,
                                         QRegularExpression::DotMatchesEverythingOption);
    std::vector<Statement> found;
    bool last = false; // later lines of one text begin with a tab
    for (QByteArray &text : file.readAll().split('\n')) {
        if (text.startsWith('\t')) {
            if (last)
                found.back().text += '\n' + text.mid(1);
            continue;
        }
        const auto match = line.match(QString::fromUtf8(text));
        last = match.hasMatch() && match.captured(2).startsWith(QString::fromUtf8(application));
        if (last)
            found.push_back({match.captured(1).toInt(), match.captured(2).toUtf8(), match.captured(3).toUtf8()});
    }
    return found;
}

void StatementLog::mark()
{
    m_from = QFile(m_file).size();
}

QStringList faultsOf(const std::vector<Statement> &statements)
{
    struct Session
    {
        bool reading = false; // in a READ ONLY transaction
        bool bounded = false; // under a statement_timeout
    };
    QHash<int, Session> sessions;
    QStringList faults;
    for (const Statement &statement : statements) {
        Session &session = sessions[statement.pid];
        const auto fault = [&](const QString &why) {
            faults << why + u": "_s + QString::fromUtf8(statement.text.simplified().left(300));
        };
        for (const QByteArray &part : partsOf(statement.text)) {
            if (const QString why = writesBecause(part); !why.isEmpty())
                fault(why);
            const QByteArray verb = part.left(part.indexOf(' ')).toUpper();
            if (verb == "BEGIN") {
                session = {.reading = true};
            } else if (part == "ROLLBACK" || part == "COMMIT") {
                session = {};
            } else if (part.startsWith("SET LOCAL statement_timeout")) {
                const int limit = part.mid(part.indexOf('=') + 1).trimmed().toInt();
                session.bounded = limit > 0 && limit <= longestTimeoutMs;
            } else if (verb != "SET") {
                if (!session.reading)
                    fault(u"outside a READ ONLY transaction"_s);
                if (!session.bounded)
                    fault(u"without a time limit"_s);
            }
        }
    }
    return faults;
}

bool RedisMonitor::start(const QString &socketPath)
{
    m_socket.connectToServer(socketPath);
    if (!m_socket.waitForConnected(5000))
        return false;
    m_socket.write("*1\r\n$7\r\nMONITOR\r\n");
    return QTest::qWaitFor(
        [this] {
            m_rest += m_socket.readAll();
            if (!m_rest.startsWith("+OK\r\n"))
                return false;
            m_rest.remove(0, 5);
            return true;
        },
        5000);
}

QList<QList<QByteArray>> RedisMonitor::commands()
{
    read();
    return m_commands;
}

// +1700000000.123456 [0 unix:/path] "scan" "0" "MATCH" "bull:*"
void RedisMonitor::read()
{
    m_rest += m_socket.readAll();
    for (qsizetype end = m_rest.indexOf("\r\n"); end >= 0; end = m_rest.indexOf("\r\n")) {
        const QByteArray line = m_rest.left(end);
        m_rest.remove(0, end + 2);
        QList<QByteArray> words;
        QByteArray word;
        bool quoted = false;
        for (qsizetype i = line.indexOf("] ") + 2; i < line.size(); ++i) {
            if (line[i] == '"') {
                if (quoted)
                    words << word;
                word.clear();
                quoted = !quoted;
            } else if (quoted) {
                if (line[i] == '\\' && i + 1 < line.size())
                    word += line[i++];
                word += line[i];
            }
        }
        if (!words.isEmpty())
            m_commands << words;
    }
}

QStringList faultsOf(const QList<QList<QByteArray>> &commands, const QSet<QByteArray> &readOnly)
{
    // About the connection or the server, without a key.
    static const QSet<QByteArray> harmless{"ping", "auth", "select", "time", "info", "client|list", "client|setname"};
    QStringList faults;
    for (const QList<QByteArray> &words : commands) {
        const QByteArray name = words.first().toLower();
        const QByteArray sub = words.size() > 1 ? name + '|' + words[1].toLower() : name;
        if (name == "keys" || name == "eval" || name == "evalsha" || name == "fcall" || name == "script"
            || !(readOnly.contains(name) || harmless.contains(name) || harmless.contains(sub)))
            faults << QString::fromUtf8(words.join(' ').left(200));
    }
    return faults;
}
