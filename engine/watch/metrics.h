// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/duelook.h>

#include <QByteArray>

#include <memory>

namespace engine::watch {

// What one dispatcher tells Prometheus, in its text format. Every sample has the labels `layout` and `table`. A value
// that is not known is absent, never 0. Belongs to one thread.
class Metrics final
{
public:
    explicit Metrics(const outbox::Layout &layout);
    ~Metrics();
    Q_DISABLE_COPY_MOVE(Metrics)

    // Totals may start over (a new run of the dispatcher); the counters go on.
    void setProgress(const dispatch::Progress &progress);
    void setRetention(const dispatch::RetentionStatus &status);
    void setDue(const Result<outbox::DueLook> &look); // an error: not known now

    [[nodiscard]] QByteArray text() const;
    static constexpr auto contentType = "text/plain; version=0.0.4; charset=utf-8";

private:
    struct Families;
    std::unique_ptr<Families> m_families;
};

// The word for a state in metrics and health answers: stopped, starting, running, recovering, stopping.
[[nodiscard]] QByteArray stateWord(dispatch::DispatcherState state);

} // namespace engine::watch
