-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- The table as it looks in normal operation: so many rows handed over in the last day, statistics fresh.
--   psql -v rows=100000 -f done.sql     (at most as many as outbox_seed has)
TRUNCATE "OutboxEvent";
INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "dispatchKey", status, "scheduledAt", "processedAt",
                          "createdAt", "updatedAt")
SELECT id, "tenantId", "eventType", payload, "dispatchKey", 'DONE', due, due, due, due
FROM (SELECT seed.*, (now() AT TIME ZONE 'UTC') - interval '1 day' * n / :rows AS due
      FROM outbox_seed seed WHERE n <= :rows ORDER BY n DESC) rows;
VACUUM (ANALYZE) "OutboxEvent";
CHECKPOINT;
