// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alertrules.h"
#include "sample.h"

namespace engine::watch {

// What one rule sees of one thing in one sample.
struct AlertReading
{
    QString subject; // the queue; empty where the rule is about the whole table
    std::optional<qint64> value; // absent: this sample does not know, so the alert stays as it is
    // For how long the sample by itself proves that the value has been above the rule's limit: when the 1,001st oldest
    // row has been due for ten minutes, more than 1,000 rows have been due all that time.
    qint64 provenMs = 0;
    QString headline, detail, advice; // translated; for people
};

// One reading per subject. Nothing where the sample knows of no subject at all (no connection): all alerts of the rule
// stay as they are.
[[nodiscard]] std::optional<QList<AlertReading>> readingsOf(const AlertRule &rule, const Sample &sample);

// What to ask of the outbox so that the first backlog rule can be judged.
[[nodiscard]] outbox::VitalsRequest vitalsRequestFor(const AlertRules &rules);

} // namespace engine::watch
