// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeaxis.h"

#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace models {

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr qint64 steps[]{minute,   2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour,    2 * hour,
                         3 * hour, 4 * hour,   6 * hour,   12 * hour,   day,         2 * day,     5 * day, 10 * day};

QDateTime at(qint64 ms, Zone zone)
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
    return zone == Zone::Utc ? utc : utc.toLocalTime();
}

} // namespace

QList<Tick> timeTicks(qint64 fromMs, qint64 toMs, Zone zone, int most)
{
    QList<Tick> ticks;
    if (toMs <= fromMs || most < 1)
        return ticks;
    qint64 step = steps[std::size(steps) - 1];
    for (const qint64 candidate : steps) {
        if ((toMs - fromMs) / candidate <= most - 1) {
            step = candidate;
            break;
        }
    }
    // From midnight of the zone on, so that the times are round there; a day with a clock change has its own length,
    // so every day is counted anew.
    QDate date = at(fromMs, zone).date();
    while (true) {
        const QDateTime midnight = zone == Zone::Utc ? date.startOfDay(Qt::UTC) : date.startOfDay(Qt::LocalTime);
        if (midnight.toMSecsSinceEpoch() > toMs)
            return ticks;
        const QDateTime next =
            zone == Zone::Utc ? date.addDays(1).startOfDay(Qt::UTC) : date.addDays(1).startOfDay(Qt::LocalTime);
        const bool whole = step >= day;
        for (qint64 ms = midnight.toMSecsSinceEpoch(); ms < next.toMSecsSinceEpoch(); ms += whole ? 2 * day : step) {
            if (ms < fromMs || ms > toMs || (whole && date.toJulianDay() % (step / day) != 0))
                continue;
            const QDateTime time = at(ms, zone);
            ticks << Tick{
                ms, time.time() == QTime(0, 0) ? QLocale().toString(time.date(), u"d MMM") : time.toString(u"HH:mm")};
        }
        date = date.addDays(1);
    }
}

double roundedUp(double highest, double least)
{
    double step = 1;
    while (step > least && step > 1e-6)
        step /= 10;
    for (; step < 1e18; step *= 10) {
        for (const double factor : {1.0, 2.0, 4.0}) {
            if (step * factor >= qMax(highest, least))
                return step * factor;
        }
    }
    return highest;
}

double roundedUpDuration(double highest)
{
    constexpr double sec = 1000;
    constexpr double rounds[]{10,         20,         50,          100,         200,        500,
                              sec,        2 * sec,    4 * sec,     10 * sec,    20 * sec,   40 * sec,
                              60 * sec,   120 * sec,  240 * sec,   600 * sec,   1200 * sec, 2400 * sec,
                              3600 * sec, 7200 * sec, 14400 * sec, 43200 * sec, 86400 * sec};
    for (const double round : rounds) {
        if (round >= highest)
            return round;
    }
    return roundedUp(highest / 86'400'000, 2) * 86'400'000;
}

QString pointTimeText(qint64 atMs, Zone zone, qint64 spanMs)
{
    const QDateTime time = at(atMs, zone);
    if (spanMs <= day)
        return time.toString(u"HH:mm:ss");
    return QLocale().toString(time.date(), u"d MMM") + u' ' + time.toString(u"HH:mm");
}

} // namespace models
