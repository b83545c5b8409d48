// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/bullmq/inspector.h>
#include <engine/config/profile.h>
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/reader.h>
#include <engine/watch/doctor.h>
#include <engine/watch/queuefeed.h>

// Snapshots as a busy day would give them, at a fixed time.
namespace samples {

inline constexpr qint64 now = 1'769'871'731'000'000; // 2026-01-31 15:02:11 UTC

[[nodiscard]] engine::config::ConnectionProfile sandbox();
[[nodiscard]] engine::config::ConnectionProfile production();
[[nodiscard]] engine::outbox::Layout eventLayout();
[[nodiscard]] engine::outbox::Layout messageLayout();
[[nodiscard]] std::vector<engine::outbox::RowSummary> rows(int count);
[[nodiscard]] std::vector<engine::outbox::RowSummary> longRows(int count);
[[nodiscard]] engine::outbox::Stats stats();
[[nodiscard]] engine::outbox::RowDetail detail(const engine::outbox::RowSummary &row);
[[nodiscard]] std::vector<engine::bullmq::QueueState> queues();
[[nodiscard]] engine::watch::QueueSnapshot queueSnapshot();
[[nodiscard]] QList<engine::watch::Finding> findings();
[[nodiscard]] engine::Error cannotConnect();

} // namespace samples
