// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "logging.h"

Q_LOGGING_CATEGORY(lcSql, "outbox.sql", QtInfoMsg)
Q_LOGGING_CATEGORY(lcRedis, "outbox.redis", QtInfoMsg)
Q_LOGGING_CATEGORY(lcOutbox, "outbox.table", QtInfoMsg)
Q_LOGGING_CATEGORY(lcQueues, "outbox.queues", QtInfoMsg)
Q_LOGGING_CATEGORY(lcDispatch, "outbox.dispatch", QtInfoMsg)
Q_LOGGING_CATEGORY(lcSandbox, "outbox.sandbox", QtInfoMsg)
