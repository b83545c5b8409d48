-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Makes the table anew with so many due rows:   psql -v rows=100000 -f fill.sql
TRUNCATE "OutboxEvent";
INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "dispatchKey", "scheduledAt", "createdAt", "updatedAt")
SELECT id, "tenantId", "eventType", payload, "dispatchKey", due, due, due
FROM (SELECT seed.*, (now() AT TIME ZONE 'UTC') - interval '1 hour' + n * interval '1 ms' AS due
      FROM outbox_seed seed WHERE n <= :rows ORDER BY n) rows;
VACUUM (ANALYZE) "OutboxEvent";
CHECKPOINT;
