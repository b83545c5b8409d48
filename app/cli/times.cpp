// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "times.h"

#include <QDateTime>

namespace cli {

QString isoTime(std::optional<qint64> micros)
{
    if (!micros)
        return {};
    const qint64 ms = *micros >= 0 ? *micros / 1000 : (*micros - 999) / 1000;
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
    const int year = time.date().year();
    if (year > 0 && year <= 9999)
        return time.toString(Qt::ISODateWithMs);
    // Other years have a sign and six digits, and there is a year 0: ISO 8601 as JavaScript writes and reads it.
    const int astronomical = year < 0 ? year + 1 : year;
    return (astronomical < 0 ? u'-' : u'+') + QString::number(qAbs(astronomical)).rightJustified(6, u'0')
        + time.toString(u"-MM-ddTHH:mm:ss.zzzZ");
}

} // namespace cli
