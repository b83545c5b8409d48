// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>
#include <engine/outbox/publisher.h>

#include <QString>

// The same thing in a terminal: command lines to copy.
namespace models::commandline {

// One word for a POSIX shell, quoted only where it must be.
[[nodiscard]] QString shellWord(const QString &text);
// `outbox-console jobs QUEUE --id ID` on that connection.
[[nodiscard]] QString job(const engine::config::ConnectionProfile &profile, const QByteArray &queue,
                          const QByteArray &id);
// `outbox-console rows --id ID` on that connection.
[[nodiscard]] QString rows(const engine::config::ConnectionProfile &profile, const QByteArray &id);
// `outbox-console retention --yes`, or `--dry-run` where the connection only reads.
[[nodiscard]] QString retention(const engine::config::ConnectionProfile &profile, bool all);
// `outbox-console trace ID`, and `outbox-console executions --id ID`.
[[nodiscard]] QString trace(const engine::config::ConnectionProfile &profile, const QByteArray &id);
[[nodiscard]] QString execution(const engine::config::ConnectionProfile &profile, const QByteArray &id);
// `outbox-console reconcile`, from a token on if there is one.
[[nodiscard]] QString reconcile(const engine::config::ConnectionProfile &profile, const QByteArray &token);
[[nodiscard]] QString publish(const engine::config::ConnectionProfile &profile, const engine::outbox::NewEvent &event);

} // namespace models::commandline
