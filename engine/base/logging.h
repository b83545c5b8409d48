// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLoggingCategory>

// One category per area of the engine; QT_LOGGING_RULES selects. Messages never hold secrets or payloads.
Q_DECLARE_LOGGING_CATEGORY(lcSql)
Q_DECLARE_LOGGING_CATEGORY(lcRedis)
Q_DECLARE_LOGGING_CATEGORY(lcOutbox)
Q_DECLARE_LOGGING_CATEGORY(lcQueues)
Q_DECLARE_LOGGING_CATEGORY(lcDispatch)
Q_DECLARE_LOGGING_CATEGORY(lcSandbox)
