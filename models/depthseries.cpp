// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "depthseries.h"

namespace models {

DepthSeries::DepthSeries(qint64 spanMs)
    : m_span(spanMs)
{ }

void DepthSeries::add(qint64 depth, qint64 nowMs)
{
    // Compared with the last but one: the newest reading moves along until it is far enough from it.
    const qsizetype count = m_readings.size();
    if (count >= 2 && nowMs - m_readings[count - 2].first < m_span / mostPoints)
        m_readings.last() = {nowMs, qMax(depth, m_readings.last().second)};
    else
        m_readings.append({nowMs, depth});
    while (m_readings.size() > mostPoints || m_readings.first().first < nowMs - m_span)
        m_readings.removeFirst();
}

QList<QPointF> DepthSeries::points() const
{
    QList<QPointF> points;
    for (const auto &[at, depth] : m_readings)
        points << QPointF(static_cast<double>(at - m_readings.last().first) / 1000.0, static_cast<double>(depth));
    return points;
}

} // namespace models
