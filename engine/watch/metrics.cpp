// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <chrono>
#include <optional>
#include <sstream>

namespace engine::watch {

using dispatch::DispatcherState;
using dispatch::Progress;

namespace {

struct TotalOfProgress
{
    const char *name;
    const char *help;
    qint64 Progress::*field;
};

constexpr TotalOfProgress totals[]{
    {"outbox_claimed_total", "Rows taken from the table.", &Progress::claimed},
    {"outbox_handed_over_total", "Rows settled as handed over, duplicates included.", &Progress::handedOver},
    {"outbox_duplicates_total", "Rows handed over whose job was there already.", &Progress::duplicates},
    {"outbox_retried_total", "Failed attempts that will be made again.", &Progress::retried},
    {"outbox_dead_total", "Rows that became dead letters.", &Progress::dead},
    {"outbox_released_total", "Rows given back without an attempt.", &Progress::released},
    {"outbox_unclaimable_total", "Sightings of due rows that the database refuses to let be claimed.",
     &Progress::unclaimable},
    {"outbox_lease_lost_total", "Rows settled too late, so that nothing was changed.", &Progress::leaseLost},
};

constexpr DispatcherState states[]{DispatcherState::Stopped, DispatcherState::Starting, DispatcherState::Running,
                                   DispatcherState::Recovering, DispatcherState::Stopping};

} // namespace

QByteArray stateWord(DispatcherState state)
{
    switch (state) {
    case DispatcherState::Stopped:
        break;
    case DispatcherState::Starting:
        return "starting";
    case DispatcherState::Running:
        return "running";
    case DispatcherState::Recovering:
        return "recovering";
    case DispatcherState::Stopping:
        return "stopping";
    }
    return "stopped";
}

struct Metrics::Families
{
    // A counter that follows a total: it grows by what the total grew.
    struct Following
    {
        prometheus::Counter *counter = nullptr;
        qint64 seen = 0;

        void follow(qint64 total)
        {
            counter->Increment(static_cast<double>(total < seen ? total : total - seen));
            seen = total;
        }
    };
    // A gauge that is there while its value is known.
    struct Known
    {
        prometheus::Family<prometheus::Gauge> *family = nullptr;
        prometheus::Gauge *gauge = nullptr;

        void set(std::optional<double> value)
        {
            if (value) {
                if (!gauge)
                    gauge = &family->Add({});
                gauge->Set(*value);
            } else if (gauge) {
                family->Remove(std::exchange(gauge, nullptr));
            }
        }
    };

    explicit Families(const outbox::Layout &layout)
        : labels{{"layout", layout.kindName().toStdString()}, {"table", layout.displayName().toStdString()}}
    {
        for (size_t i = 0; i < std::size(totals); ++i)
            progress[i] = counter(totals[i].name, totals[i].help);
        auto &stateFamily = prometheus::BuildGauge()
                                .Name("outbox_dispatcher_state")
                                .Help("1 for the state the dispatcher is in, 0 for the others.")
                                .Labels(labels)
                                .Register(registry);
        for (size_t i = 0; i < std::size(states); ++i)
            state[i] = &stateFamily.Add({{"state", stateWord(states[i]).toStdString()}});
        state[0]->Set(1);
    }

    Following counter(const char *name, const char *help)
    {
        return {&prometheus::BuildCounter().Name(name).Help(help).Labels(labels).Register(registry).Add({})};
    }
    Known gauge(const char *name, const char *help)
    {
        return {&prometheus::BuildGauge().Name(name).Help(help).Labels(labels).Register(registry)};
    }

    const prometheus::Labels labels;
    prometheus::Registry registry;
    std::array<Following, std::size(totals)> progress;
    std::array<prometheus::Gauge *, std::size(states)> state{};
    Known inFlight = gauge("outbox_in_flight", "Rows claimed and not settled yet.");
    Known lookAge = gauge("outbox_last_look_age_seconds", "Since the database last answered the dispatcher.");
    Known due = gauge("outbox_due_rows", "Rows that could be claimed now; stops counting at 100000.");
    Known oldest = gauge("outbox_oldest_due_age_seconds",
                         "Since the schedule of the oldest row that is due; absent while none is.");
    Known sampleTime = gauge("outbox_due_sample_timestamp_seconds", "When the table was last asked for due rows.");
    Following removed = counter("outbox_retention_removed_total", "Old handed-over rows removed.");
    Following retentionFailures = counter("outbox_retention_failures_total", "Retention runs that failed.");
    Known retentionTime =
        gauge("outbox_retention_last_run_timestamp_seconds", "When retention last ran to its end; absent: not yet.");
    std::optional<std::chrono::steady_clock::time_point> lastLook;
};

Metrics::Metrics(const outbox::Layout &layout)
    : m_families(std::make_unique<Families>(layout))
{ }

Metrics::~Metrics() = default;

void Metrics::setProgress(const Progress &progress)
{
    for (size_t i = 0; i < std::size(totals); ++i)
        m_families->progress[i].follow(progress.*totals[i].field);
    for (size_t i = 0; i < std::size(states); ++i)
        m_families->state[i]->Set(states[i] == progress.state ? 1 : 0);
    m_families->inFlight.set(progress.inFlight);
    m_families->lastLook.reset();
    if (progress.lastLook >= 0)
        m_families->lastLook = std::chrono::steady_clock::now()
            - std::chrono::milliseconds(static_cast<qint64>(progress.seconds * 1000) - progress.lastLook);
}

void Metrics::setRetention(const dispatch::RetentionStatus &status)
{
    m_families->removed.follow(status.removed);
    m_families->retentionFailures.follow(status.failures);
    if (status.lastRun)
        m_families->retentionTime.set(static_cast<double>(status.lastRun->toMSecsSinceEpoch()) / 1000);
}

void Metrics::setDue(const Result<outbox::DueLook> &look)
{
    if (!look) {
        m_families->due.set({});
        m_families->oldest.set({});
        return;
    }
    m_families->due.set(static_cast<double>(look->due.value));
    m_families->oldest.set(look->oldestAgeMs ? std::optional(static_cast<double>(*look->oldestAgeMs) / 1000)
                                             : std::nullopt);
    m_families->sampleTime.set(static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000);
}

QByteArray Metrics::text() const
{
    // An age is as old as the moment it is asked for.
    const auto &lastLook = m_families->lastLook;
    using Seconds = std::chrono::duration<double>;
    m_families->lookAge.set(lastLook ? std::optional(Seconds(std::chrono::steady_clock::now() - *lastLook).count())
                                     : std::nullopt);
    std::ostringstream stream;
    prometheus::TextSerializer().Serialize(stream, m_families->registry.Collect());
    return QByteArray::fromStdString(stream.str());
}

} // namespace engine::watch
