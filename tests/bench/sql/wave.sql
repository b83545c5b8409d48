-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Adds so many due rows to a table with others:   psql -v rows=20000 -v wave=1 -f wave.sql
INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "dispatchKey", "scheduledAt", "createdAt", "updatedAt")
SELECT id || '-wave' || :wave, "tenantId", "eventType", payload, "dispatchKey" || '-wave' || :wave, due, due, due
FROM (SELECT seed.*, (now() AT TIME ZONE 'UTC') - (:rows - n) * interval '1 ms' AS due
      FROM outbox_seed seed WHERE n <= :rows ORDER BY n) rows;
