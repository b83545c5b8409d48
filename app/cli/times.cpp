// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "times.h"

#include <QDateTime>

namespace cli {

QString isoTime(std::optional<qint64> micros)
{
    if (!micros)
        return {};
    return QDateTime::fromMSecsSinceEpoch(*micros / 1000, Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace cli
