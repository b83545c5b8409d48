-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- A table with a long past: copies of outbox_seed over the last 30 days, all of them DONE but for `dead` FAILED ones
-- spread among them. Indexes are built after the rows are there. Logged like any table.
--   psql -v seed=100000 -v copies=100 -v dead=200000 -f full.sql
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';
TRUNCATE "OutboxEvent";
ALTER TABLE "OutboxEvent" DROP CONSTRAINT "OutboxEvent_pkey";
DROP INDEX "OutboxEvent_dispatchKey_key", "OutboxEvent_status_scheduledAt_idx";
INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "dispatchKey", status, retries, "scheduledAt",
                          "processedAt", "lastError", "createdAt", "updatedAt")
SELECT id || '-' || copy, "tenantId", "eventType", payload, "dispatchKey" || '-' || copy,
       CASE WHEN is_dead THEN 'FAILED' ELSE 'DONE' END::"OutboxStatus", CASE WHEN is_dead THEN 7 ELSE 0 END,
       due, CASE WHEN NOT is_dead THEN due END, CASE WHEN is_dead THEN 'connect ECONNREFUSED 10.0.0.1:6379' END, due, due
FROM (SELECT seed.*, copy,
             :dead > 0 AND position % greatest(1, :seed::bigint * :copies / greatest(1, :dead)) = 0 AS is_dead,
             (now() AT TIME ZONE 'UTC') - interval '1 min'
                 - interval '30 days' * (1 - position / (:seed::float8 * :copies)) AS due
      FROM generate_series(1, :copies) copy,
           LATERAL (SELECT *, (copy - 1) * :seed::bigint + n AS position FROM outbox_seed ORDER BY n) seed) rows;
ALTER TABLE "OutboxEvent" ADD CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY (id);
CREATE UNIQUE INDEX "OutboxEvent_dispatchKey_key" ON "OutboxEvent"("dispatchKey");
CREATE INDEX "OutboxEvent_status_scheduledAt_idx" ON "OutboxEvent"(status, "scheduledAt");
VACUUM (ANALYZE) "OutboxEvent";
CHECKPOINT;
