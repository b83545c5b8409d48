// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "historystore.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

using namespace Qt::StringLiterals;

namespace engine::history {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::history::HistoryStore)
};

constexpr int schemaVersion = 1;

// Each list brings the file from the version of its index to the next one.
const QList<QStringList> &migrations()
{
    static const QList<QStringList> all{{
        u"CREATE TABLE series (id INTEGER PRIMARY KEY, connection TEXT NOT NULL, name TEXT NOT NULL, "
        "UNIQUE (connection, name))"_s,
        u"CREATE TABLE point (tier INTEGER NOT NULL, series INTEGER NOT NULL, at INTEGER NOT NULL, value REAL NOT "
        u"NULL, "
        "peak REAL NOT NULL, PRIMARY KEY (tier, series, at)) WITHOUT ROWID"_s,
        u"CREATE TABLE state (connection TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, "
        "PRIMARY KEY (connection, name)) WITHOUT ROWID"_s,
    }};
    return all;
}

bool isDamage(const QSqlError &error)
{
    const QString code = error.nativeErrorCode();
    return code == u"11" || code == u"26" || code.toInt() % 256 == 11; // SQLITE_CORRUPT, SQLITE_NOTADB
}

qint64 floorTo(qint64 value, qint64 step)
{
    return value / step * step;
}

} // namespace

HistoryStore::HistoryStore(QString file, qint64 mostBytes)
    : m_file(std::move(file))
    , m_mostBytes(mostBytes)
    , m_name(u"history-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces))
{ }

HistoryStore::~HistoryStore()
{
    close();
}

Result<void> HistoryStore::open()
{
    return guarded([]() -> Result<void> { return {}; });
}

// Runs `work` on the open file; if it turns out to be damaged, once more on a fresh one.
template <typename Work>
auto HistoryStore::guarded(Work work) -> decltype(work())
{
    for (int attempt = 0;; ++attempt) {
        m_damaged = false;
        if (!m_database.isOpen()) {
            if (auto opened = openFile(); !opened) {
                close();
                if (attempt == 0 && m_damaged && setAside())
                    continue;
                return fail(opened.error());
            }
        }
        auto result = work();
        if (result || !m_damaged)
            return result;
        close();
        if (attempt > 0 || !setAside())
            return result;
    }
}

Result<void> HistoryStore::openFile()
{
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    m_database = QSqlDatabase::addDatabase(u"QSQLITE"_s, m_name);
    m_database.setDatabaseName(m_file);
    m_database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=3000"_s);
    if (!m_database.open()) {
        m_damaged = isDamage(m_database.lastError());
        return fail(ErrorCode::Failed,
                    Text::tr("The local history %1 cannot be opened: %2").arg(m_file, m_database.lastError().text()),
                    Text::tr("Charts will not survive a restart until the file can be written."));
    }
    QFile::setPermissions(m_file, QFile::ReadOwner | QFile::WriteOwner);
    for (const QString &pragma : {u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = NORMAL"_s,
                                  u"PRAGMA temp_store = MEMORY"_s, u"PRAGMA cache_size = -4000"_s}) {
        if (auto done = run(pragma); !done)
            return done;
    }
    return migrate();
}

Result<void> HistoryStore::migrate()
{
    QSqlQuery version(m_database);
    if (!version.exec(u"PRAGMA user_version"_s) || !version.next()) {
        m_damaged = isDamage(version.lastError());
        return fail(ErrorCode::Failed,
                    Text::tr("The local history %1 cannot be read: %2").arg(m_file, version.lastError().text()));
    }
    int found = version.value(0).toInt();
    version.finish();
    if (found > schemaVersion)
        return fail(ErrorCode::Refused,
                    Text::tr("A newer version of the console made the local history %1; this one leaves it alone.")
                        .arg(m_file));
    if (found == schemaVersion)
        return {};
    // Another console may be doing the same: look again under the write lock.
    if (auto begun = run(u"BEGIN IMMEDIATE"_s); !begun)
        return begun;
    if (version.exec(u"PRAGMA user_version"_s) && version.next())
        found = version.value(0).toInt();
    version.finish();
    for (; found < schemaVersion; ++found) {
        for (const QString &statement : migrations()[found]) {
            if (auto done = run(statement); !done) {
                (void)run(u"ROLLBACK"_s);
                return done;
            }
        }
    }
    if (auto done = run(u"PRAGMA user_version = %1"_s.arg(schemaVersion)); !done)
        return done;
    return run(u"COMMIT"_s);
}

void HistoryStore::close()
{
    m_ids.clear();
    m_database = QSqlDatabase();
    if (QSqlDatabase::contains(m_name))
        QSqlDatabase::removeDatabase(m_name);
}

bool HistoryStore::setAside()
{
    // One console moves it; the others find a good file again, or none.
    QLockFile lock(m_file + u".lock"_s);
    if (!lock.tryLock(3000))
        return false;
    const QString stamp = QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmsszzz"_s);
    const QString target = m_file + u".damaged-"_s + stamp;
    for (const QString &part : {u"-wal"_s, u"-shm"_s})
        QFile::remove(m_file + part);
    if (!QFile::rename(m_file, target) && QFile::exists(m_file))
        return false;
    m_setAside = target;
    return true;
}

Result<void> HistoryStore::run(const QString &statement, const QVariantList &values)
{
    QSqlQuery query(m_database);
    bool good = query.prepare(statement);
    for (qsizetype i = 0; good && i < values.size(); ++i)
        query.bindValue(static_cast<int>(i), values[i]);
    if (good && query.exec())
        return {};
    m_damaged = isDamage(query.lastError());
    return fail(ErrorCode::Failed,
                Text::tr("The local history %1 cannot be written: %2").arg(m_file, query.lastError().text()));
}

Result<qint64> HistoryStore::seriesId(const QByteArray &connection, const QByteArray &name)
{
    const QByteArray key = connection + '/' + name;
    if (const auto known = m_ids.constFind(key); known != m_ids.cend())
        return *known;
    if (auto added = run(u"INSERT OR IGNORE INTO series (connection, name) VALUES (?, ?)"_s,
                         {QString::fromUtf8(connection), QString::fromUtf8(name)});
        !added)
        return fail(added.error());
    QSqlQuery query(m_database);
    query.prepare(u"SELECT id FROM series WHERE connection = ? AND name = ?"_s);
    query.addBindValue(QString::fromUtf8(connection));
    query.addBindValue(QString::fromUtf8(name));
    if (!query.exec() || !query.next()) {
        m_damaged = isDamage(query.lastError());
        return fail(ErrorCode::Failed,
                    Text::tr("The local history %1 cannot be read: %2").arg(m_file, query.lastError().text()));
    }
    const qint64 id = query.value(0).toLongLong();
    m_ids.insert(key, id);
    return id;
}

Result<void> HistoryStore::record(const QByteArray &connection, qint64 atMs, const Figures &figures)
{
    return guarded([&]() -> Result<void> {
        if (auto begun = run(u"BEGIN IMMEDIATE"_s); !begun)
            return begun;
        for (const auto &[name, value] : figures) {
            const auto id = seriesId(connection, name);
            auto written = id
                ? run(u"INSERT OR REPLACE INTO point (tier, series, at, value, peak) VALUES (0, ?, ?, ?, ?)"_s,
                      {*id, floorTo(atMs, tiers[0].stepMs), value, value})
                : Result<void>(fail(id.error()));
            if (!written) {
                (void)run(u"ROLLBACK"_s);
                m_ids.clear(); // ids of the rolled-back transaction
                return written;
            }
        }
        return run(u"COMMIT"_s);
    });
}

Result<void> HistoryStore::tidy(qint64 nowMs)
{
    return guarded([&]() -> Result<void> {
        if (auto begun = run(u"BEGIN IMMEDIATE"_s); !begun)
            return begun;
        // From the last time on, whichever console it was: what was recorded just before a crash is rolled up too.
        QSqlQuery last(m_database);
        const bool known =
            last.exec(u"SELECT content FROM state WHERE connection = '' AND name = 'tidied'"_s) && last.next();
        const qint64 since = qMin(nowMs, known ? last.value(0).toLongLong() : 0);
        last.finish();
        const auto all = [&]() -> Result<void> {
            for (int tier = 1; tier < int(std::size(tiers)); ++tier) {
                const qint64 step = tiers[tier].stepMs;
                const qint64 from = floorTo(qMax(since, nowMs - tiers[tier - 1].keptMs), step) - step;
                if (auto done =
                        run(u"INSERT OR REPLACE INTO point (tier, series, at, value, peak) SELECT ?, series, "
                            "at / ? * ?, avg(value), max(peak) FROM point WHERE tier = ? AND series IN (SELECT id "
                            "FROM series) AND at >= ? AND at < ? GROUP BY series, at / ?"_s,
                            {tier, step, step, tier - 1, from, nowMs + step, step});
                    !done)
                    return done;
            }
            for (int tier = 0; tier < int(std::size(tiers)); ++tier) {
                if (auto done =
                        run(u"DELETE FROM point WHERE tier = ? AND series IN (SELECT id FROM series) AND at < ?"_s,
                            {tier, nowMs - tiers[tier].keptMs});
                    !done)
                    return done;
            }
            return run(u"INSERT OR REPLACE INTO state (connection, name, content) VALUES ('', 'tidied', ?)"_s, {nowMs});
        };
        if (auto done = all(); !done) {
            (void)run(u"ROLLBACK"_s);
            return done;
        }
        if (auto done = run(u"COMMIT"_s); !done)
            return done;
        return shrink();
    });
}

// Keeps the file below its limit: the oldest half of the finest tier that has the most goes first.
Result<void> HistoryStore::shrink()
{
    const auto number = [&](const QString &statement) -> qint64 {
        QSqlQuery query(m_database);
        return query.exec(statement) && query.next() ? query.value(0).toLongLong() : 0;
    };
    const qint64 used =
        (number(u"PRAGMA page_count"_s) - number(u"PRAGMA freelist_count"_s)) * number(u"PRAGMA page_size"_s);
    if (used <= m_mostBytes)
        return {};
    for (int tier = 0; tier < int(std::size(tiers)); ++tier) {
        const QString range = u"SELECT %1(at) FROM point WHERE tier = %2"_s;
        const qint64 first = number(range.arg(u"min"_s).arg(tier));
        const qint64 last = number(range.arg(u"max"_s).arg(tier));
        if (last - first < 10 * tiers[tier].stepMs)
            continue; // hardly anything there
        if (auto done = run(u"DELETE FROM point WHERE tier = ? AND at < ?"_s, {tier, first + (last - first) / 2});
            !done)
            return done;
        break;
    }
    return run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s);
}

Result<HistoryStore::Answer> HistoryStore::series(const QByteArray &connection, const QList<QByteArray> &names,
                                                  qint64 fromMs, qint64 toMs, int mostPoints)
{
    return guarded([&]() -> Result<Answer> {
        int tier = 0;
        while (tier + 1 < int(std::size(tiers)) && (toMs - fromMs) / tiers[tier].stepMs > mostPoints)
            ++tier;
        Answer answer;
        answer.stepMs = tiers[tier].stepMs;
        QString where;
        QVariantList values{tier, QString::fromUtf8(connection)};
        for (const QByteArray &name : names) {
            const bool prefix = name.endsWith('/');
            where += (where.isEmpty() ? u""_s : u" OR "_s) + (prefix ? u"substr(name, 1, ?) = ?"_s : u"name = ?"_s);
            if (prefix)
                values << QString::fromUtf8(name).size();
            values << QString::fromUtf8(name);
        }
        values << floorTo(fromMs, answer.stepMs) << toMs;
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        bool good = query.prepare(
            u"SELECT name, at, value, peak FROM series JOIN point ON point.series = series.id AND tier = ? "
            "WHERE connection = ? AND (%1) AND at >= ? AND at <= ? ORDER BY name, at"_s.arg(where));
        for (qsizetype i = 0; good && i < values.size(); ++i)
            query.bindValue(static_cast<int>(i), values[i]);
        if (!good || !query.exec()) {
            m_damaged = isDamage(query.lastError());
            return fail(ErrorCode::Failed,
                        Text::tr("The local history %1 cannot be read: %2").arg(m_file, query.lastError().text()));
        }
        while (query.next()) {
            const QByteArray name = query.value(0).toString().toUtf8();
            if (answer.series.empty() || answer.series.back().name != name)
                answer.series.push_back({name, {}});
            answer.series.back().points.push_back(
                {query.value(1).toLongLong(), query.value(2).toDouble(), query.value(3).toDouble()});
        }
        if (query.lastError().isValid()) {
            m_damaged = isDamage(query.lastError());
            return fail(ErrorCode::Failed,
                        Text::tr("The local history %1 cannot be read: %2").arg(m_file, query.lastError().text()));
        }
        return answer;
    });
}

Result<void> HistoryStore::saveState(const QByteArray &connection, const QByteArray &name, const QByteArray &state)
{
    return guarded([&]() -> Result<void> {
        return run(u"INSERT OR REPLACE INTO state (connection, name, content) VALUES (?, ?, ?)"_s,
                   {QString::fromUtf8(connection), QString::fromUtf8(name), state});
    });
}

Result<QByteArray> HistoryStore::state(const QByteArray &connection, const QByteArray &name)
{
    return guarded([&]() -> Result<QByteArray> {
        QSqlQuery query(m_database);
        query.prepare(u"SELECT content FROM state WHERE connection = ? AND name = ?"_s);
        query.addBindValue(QString::fromUtf8(connection));
        query.addBindValue(QString::fromUtf8(name));
        if (!query.exec()) {
            m_damaged = isDamage(query.lastError());
            return fail(ErrorCode::Failed,
                        Text::tr("The local history %1 cannot be read: %2").arg(m_file, query.lastError().text()));
        }
        return query.next() ? query.value(0).toByteArray() : QByteArray();
    });
}

} // namespace engine::history
