// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rateseries.h"

namespace models {

namespace {

// Readings closer together than this are merged: a rate over a few milliseconds is noise.
constexpr qint64 shortestStepMs = 400;

} // namespace

RateSeries::RateSeries(qint64 spanMs)
    : m_span(spanMs)
{ }

void RateSeries::add(qint64 total, qint64 nowMs)
{
    if (!m_last) {
        m_last = {total, nowMs};
        return;
    }
    const qint64 elapsed = nowMs - m_last->second;
    if (elapsed < shortestStepMs)
        return;
    const qint64 grown = total >= m_last->first ? total - m_last->first : total;
    m_points.push_back({nowMs, static_cast<double>(grown) * 1000.0 / static_cast<double>(elapsed)});
    m_last = {total, nowMs};
    while (!m_points.empty() && m_points.front().atMs < nowMs - m_span)
        m_points.pop_front();
}

void RateSeries::clear()
{
    m_last.reset();
    m_points.clear();
}

std::optional<double> RateSeries::latest() const
{
    return m_points.empty() ? std::nullopt : std::optional(m_points.back().perSecond);
}

} // namespace models
