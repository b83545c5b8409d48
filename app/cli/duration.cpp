// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration.h"

#include <QRegularExpression>

namespace cli {

using namespace Qt::StringLiterals;

engine::Result<std::chrono::milliseconds> parseDuration(const QString &text)
{
    static const QRegularExpression form(QRegularExpression::anchoredPattern(u"(\\d{1,9})(ms|s|m|h|d)"_s));
    const QRegularExpressionMatch match = form.match(text.trimmed());
    if (!match.hasMatch())
        return engine::fail(engine::ErrorCode::BadInput, u"\"%1\" is no length of time."_s.arg(text),
                            u"Write it as 250ms, 30s, 5m, 2h or 1d."_s);
    const qint64 number = match.captured(1).toLongLong();
    const QString unit = match.captured(2);
    const qint64 factor = unit == u"ms" ? 1
        : unit == u"s"                  ? 1000
        : unit == u"m"                  ? 60'000
        : unit == u"h"                  ? 3'600'000
                                        : 86'400'000;
    return std::chrono::milliseconds(number * factor);
}

QString shortDuration(qint64 milliseconds)
{
    const qint64 seconds = milliseconds / 1000;
    if (seconds < 1)
        return u"%1ms"_s.arg(milliseconds);
    if (seconds < 60)
        return u"%1s"_s.arg(seconds);
    if (seconds < 3600)
        return u"%1m%2s"_s.arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    if (seconds < 86400)
        return u"%1h%2m"_s.arg(seconds / 3600).arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'));
    return u"%1d%2h"_s.arg(seconds / 86400).arg(seconds / 3600 % 24);
}

} // namespace cli
