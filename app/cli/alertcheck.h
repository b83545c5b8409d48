// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "target.h"

#include <engine/watch/alertengine.h>

namespace cli {

// What one look at database and queues says by the alert rules.
struct AlertCheck
{
    QList<engine::watch::Alert> alerts;
    QStringList notLookedAt; // and why; rules about it could not be judged
};

// Those of --rules if it is given, else those that the window saved, else the built-in ones.
[[nodiscard]] engine::Result<engine::watch::AlertRules> alertRulesFor(const CommandLine &line);
// Errors: those of Redis if one is named.
[[nodiscard]] engine::Result<AlertCheck> checkAlerts(const CommandLine &line, const Target &target,
                                                     engine::sql::Connection &connection,
                                                     const engine::outbox::Layout &layout,
                                                     const engine::outbox::Vitals &vitals,
                                                     const engine::watch::AlertRules &rules);

void writeAlerts(JsonWriter &json, const AlertCheck &check); // members "alerts" and "notLookedAt"
void printAlerts(const AlertCheck &check);

} // namespace cli
