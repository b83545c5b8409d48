// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/duelook.h>

#include <QList>

#include <chrono>
#include <optional>

namespace engine::watch {

// Why a dispatcher is not ready. The codes are part of the interface: not-started, starting, recovering, stopping,
// nothing-drains, redis-may-evict, table-unknown, loop-stuck.
struct HealthReason
{
    QByteArray code;
    QString message; // English, without secrets

    bool operator==(const HealthReason &) const = default;
};

// Judges a dispatcher by what is seen of it. Values in, reasons out; the time is given in milliseconds of any steady
// clock. Belongs to one thread.
class Readiness final
{
public:
    // Twice a second the dispatcher tells how it is; this long without a word and its loop is stuck.
    static constexpr std::chrono::seconds silenceLimit{15};
    // How long the table may be out of sight.
    static constexpr std::chrono::seconds sightLimit{45};

    // `drainLimit`: rows claimable for this long while nothing was handed over for as long are not being drained.
    explicit Readiness(std::chrono::milliseconds drainLimit);

    void setProgress(const dispatch::Progress &progress, qint64 now);
    void setDue(const Result<outbox::DueLook> &look, qint64 now);
    void setEviction(const Result<void> &policy); // Refused: Redis may evict keys; other errors say nothing

    [[nodiscard]] QList<HealthReason> reasons(qint64 now) const; // empty: ready
    // Whether the dispatcher's own loop still turns.
    [[nodiscard]] bool isAlive(qint64 now) const;
    [[nodiscard]] dispatch::DispatcherState state() const { return m_progress.state; }

private:
    const qint64 m_drainLimit;
    dispatch::Progress m_progress;
    bool m_everStarted = false;
    std::optional<qint64> m_heardAt; // the last progress
    std::optional<qint64> m_drainedAt; // the last time something was handed over, or it began to run
    std::optional<outbox::DueLook> m_look; // the last one that worked
    std::optional<qint64> m_unseenSince; // looks have failed since then
    QString m_lookTrouble;
    std::optional<Error> m_eviction;
};

} // namespace engine::watch
