// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QSqlDatabase>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace engine::history {

using Figures = std::vector<std::pair<QByteArray, double>>; // name and value

struct Point
{
    qint64 atMs = 0; // begin of the step it stands for, since 1970 UTC
    double value = 0; // the mean of the step
    double peak = 0; // the highest of the step

    bool operator==(const Point &) const = default;
};

struct Series
{
    QByteArray name;
    std::vector<Point> points; // in order; a step without a sample has no point
};

// How finely the history keeps its samples, and for how long.
struct Tier
{
    qint64 stepMs;
    qint64 keptMs;
};
inline constexpr Tier tiers[]{{10'000, 2 * 86'400'000LL}, {60'000, 8 * 86'400'000LL}, {900'000, 31 * 86'400'000LL}};

// The samples of all connections in one SQLite file of the user's own. Bounded in time by the tiers and in size by
// `mostBytes`; WAL and short transactions, so that several consoles share it and a crash loses seconds at most. A file
// that is damaged is set aside under another name and begun anew. Blocking; belongs to one thread.
class HistoryStore final
{
public:
    static constexpr qint64 defaultMostBytes = 96LL * 1024 * 1024;

    explicit HistoryStore(QString file, qint64 mostBytes = defaultMostBytes);
    ~HistoryStore();
    Q_DISABLE_COPY_MOVE(HistoryStore)

    // Creates file and folder if need be; every other call opens by itself. Errors: Refused when a newer version of
    // the console made the file, Failed (disk, rights).
    [[nodiscard]] Result<void> open();
    // Where a damaged file was moved to since the last call; empty: none was.
    [[nodiscard]] QString takeSetAside() { return std::exchange(m_setAside, {}); }

    // Figures of one moment. A second record of the same step of 10 s replaces the first.
    [[nodiscard]] Result<void> record(const QByteArray &connection, qint64 atMs, const Figures &figures);
    // Builds the coarser tiers from the finer ones and drops what is too old. Any console may do it, at any time.
    [[nodiscard]] Result<void> tidy(qint64 nowMs);
    // The series whose names equal `name`, or begin with it if it ends in '/', from `fromMs` to `toMs`, by the finest
    // tier that has it in at most `mostPoints` steps.
    struct Answer
    {
        std::vector<Series> series; // by name
        qint64 stepMs = 0;
    };
    [[nodiscard]] Result<Answer> series(const QByteArray &connection, const QList<QByteArray> &names, qint64 fromMs,
                                        qint64 toMs, int mostPoints);

    // Small texts beside the samples, such as which alerts have been told.
    [[nodiscard]] Result<void> saveState(const QByteArray &connection, const QByteArray &name, const QByteArray &state);
    [[nodiscard]] Result<QByteArray> state(const QByteArray &connection, const QByteArray &name); // empty: none

private:
    template <typename Work>
    auto guarded(Work work) -> decltype(work());
    Result<void> openFile();
    Result<void> migrate();
    void close();
    bool setAside(); // true: there is a fresh file now
    [[nodiscard]] Result<void> run(const QString &statement, const QVariantList &values = {});
    [[nodiscard]] Result<qint64> seriesId(const QByteArray &connection, const QByteArray &name);
    Result<void> shrink();

    const QString m_file;
    const qint64 m_mostBytes;
    const QString m_name; // of the QSqlDatabase
    QSqlDatabase m_database;
    QHash<QByteArray, qint64> m_ids; // by connection and series name
    bool m_damaged = false;
    QString m_setAside;
};

} // namespace engine::history
