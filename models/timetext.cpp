// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "timetext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

using namespace Qt::StringLiterals;

namespace models {

namespace {

QDateTime at(qint64 micros, Zone zone)
{
    // Floor, so that times before 1970 do not round towards the future.
    const qint64 ms = micros >= 0 ? micros / 1000 : (micros - 999) / 1000;
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
    return zone == Zone::Utc ? utc : utc.toLocalTime();
}

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(models::TimeText)
};

QString oneDecimal(double value)
{
    return QLocale().toString(value, 'f', 1);
}

} // namespace

QString clockText(qint64 micros, Zone zone, qint64 nowMicros)
{
    const QDateTime time = at(micros, zone);
    const QDateTime now = at(nowMicros, zone);
    if (!time.isValid())
        return u"–"_s;
    const QString clock = time.toString(u"HH:mm:ss");
    if (time.date() == now.date())
        return clock;
    if (time.date().year() == now.date().year())
        return QLocale().toString(time.date(), u"d MMM") + u' ' + clock;
    return time.toString(u"yyyy-MM-dd HH:mm:ss");
}

QString shortTimeText(qint64 micros, Zone zone, qint64 nowMicros)
{
    const QDateTime time = at(micros, zone);
    const QDateTime now = at(nowMicros, zone);
    if (!time.isValid())
        return u"–"_s;
    if (time.date() == now.date())
        return time.toString(u"HH:mm:ss");
    if (time.date().year() == now.date().year())
        return QLocale().toString(time.date(), u"d MMM") + u' ' + time.toString(u"HH:mm");
    return time.toString(u"yyyy-MM-dd");
}

QString fullTimeText(qint64 micros, Zone zone)
{
    const QDateTime time = at(micros, zone);
    if (!time.isValid())
        return u"–"_s;
    const QString text = time.toString(u"yyyy-MM-dd HH:mm:ss.zzz");
    if (zone == Zone::Utc)
        return text + u" UTC"_s;
    const int offset = time.offsetFromUtc() / 60;
    return text
        + u" %1%2:%3"_s.arg(QChar(offset < 0 ? u'−' : u'+'))
              .arg(qAbs(offset) / 60, 2, 10, QLatin1Char('0'))
              .arg(qAbs(offset) % 60, 2, 10, QLatin1Char('0'));
}

QString durationText(qint64 milliseconds)
{
    if (milliseconds < 0)
        return u'−' + durationText(milliseconds == std::numeric_limits<qint64>::min() ? 0 : -milliseconds);
    if (milliseconds < 1000)
        return Text::tr("%1 ms").arg(milliseconds);
    if (milliseconds < 9950)
        return Text::tr("%1 s").arg(oneDecimal(static_cast<double>(milliseconds) / 1000.0));
    const qint64 seconds = (milliseconds + 500) / 1000;
    if (seconds < 60)
        return Text::tr("%1 s").arg(seconds);
    const qint64 minutes = seconds / 60;
    if (minutes < 60)
        return seconds % 60 ? Text::tr("%1 min %2 s").arg(minutes).arg(seconds % 60) : Text::tr("%1 min").arg(minutes);
    const qint64 hours = minutes / 60;
    if (hours < 24)
        return minutes % 60 ? Text::tr("%1 h %2 min").arg(hours).arg(minutes % 60) : Text::tr("%1 h").arg(hours);
    const qint64 days = hours / 24;
    return hours % 24 && days < 100 ? Text::tr("%1 d %2 h").arg(days).arg(hours % 24)
                                    : Text::tr("%1 d").arg(QLocale().toString(days));
}

QString relativeText(qint64 micros, qint64 nowMicros)
{
    const qint64 ms = micros / 1000 - nowMicros / 1000;
    if (qAbs(ms) < 1000)
        return Text::tr("now");
    // Whole seconds: a list that shows tenths never comes to rest.
    const qint64 whole = qAbs(ms) / 1000 * 1000;
    const QString span = whole < 10000 ? Text::tr("%1 s").arg(whole / 1000) : durationText(whole);
    return ms > 0 ? Text::tr("in %1").arg(span) : Text::tr("%1 ago").arg(span);
}

QString latencyText(std::optional<qint64> micros)
{
    if (!micros)
        return u"–"_s;
    if (*micros < 1000000)
        return Text::tr("%1 ms").arg(oneDecimal(static_cast<double>(*micros) / 1000.0));
    return Text::tr("%1 s").arg(oneDecimal(static_cast<double>(*micros) / 1e6));
}

} // namespace models
