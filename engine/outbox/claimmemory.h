// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "claims.h"

#include <QElapsedTimer>

#include <optional>

namespace engine::outbox {

// When a look that can be dear is worth it again: such looks get one two-hundredth of the time, and are not due more
// often than every `least`.
class LookPace final
{
public:
    explicit LookPace(std::chrono::milliseconds least)
        : m_pause(least)
        , m_least(least)
    { }

    [[nodiscard]] bool isDue() const { return !m_since.isValid() || m_since.hasExpired(m_pause.count()); }
    void took(std::chrono::milliseconds duration)
    {
        m_pause = std::max(m_least, 200 * duration);
        m_since.start();
    }

private:
    std::chrono::milliseconds m_pause;
    const std::chrono::milliseconds m_least;
    QElapsedTimer m_since;
};

// Statements and experience of the claims on one table.
class ClaimMemory final
{
public:
    ClaimMemory(const Layout &layout, const ClaimOptions &options);

    // The waiting rows are looked at from here on; without a value from the beginning.
    [[nodiscard]] std::optional<qint64> begin() const;
    void claimedWaiting(const ClaimBatch &batch, int limit, bool fromTheBeginning);

    [[nodiscard]] QByteArray waitingFrom(std::optional<qint64> begin) const;
    // Keeps the rows that cannot be claimed out of a condition. Forgets them after five minutes.
    [[nodiscard]] QByteArray withoutUnclaimable(const QByteArray &condition);
    void leaveAlone(const QByteArray &id);

    const Layout layout;
    const ClaimOptions options;
    QByteArray waiting, retrying, expired; // conditions over the alias `row`; `retrying` is empty in the event layout
    QByteArray assignments, columns;

    LookPace wholePace{std::chrono::milliseconds(500)};
    LookPace expiredPace{std::chrono::seconds(5)};
    bool wholeNext = false; // the last look saw waiting rows before begin()
    bool expiredNext = false; // the last look saw rows past their lease
    bool retryingFirst = false; // alternates, so that neither kind starves the other

private:
    std::optional<qint64> m_newest; // schedule in microseconds
    bool m_lastWasFull = false;
    QByteArray m_unclaimable; // SQL list of literals
    int m_unclaimableCount = 0;
    QElapsedTimer m_unclaimableSince;
};

} // namespace engine::outbox
