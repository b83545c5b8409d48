-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- The table of the event layout as Prisma would create it (quoted camelCase names, timestamp(3)), and `outbox_seed`:
-- template rows with a payload of about 500 bytes, 14 event types, 200 tenants, every second one with a dispatch key.
-- Each run copies the first of them into "OutboxEvent", see fill.sql.
--   psql -v rows=100000 -f schema.sql
CREATE TYPE "OutboxStatus" AS ENUM ('PENDING', 'PROCESSING', 'DONE', 'FAILED', 'CANCELLED');
CREATE TABLE "OutboxEvent" (
    id text NOT NULL CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY,
    "tenantId" text NOT NULL,
    "eventType" text NOT NULL,
    payload jsonb NOT NULL,
    status "OutboxStatus" NOT NULL DEFAULT 'PENDING',
    "dispatchKey" text,
    retries integer NOT NULL DEFAULT 0,
    "scheduledAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lockedUntil" timestamp(3),
    "processedAt" timestamp(3),
    "lastError" text,
    "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" timestamp(3) NOT NULL
);
CREATE UNIQUE INDEX "OutboxEvent_dispatchKey_key" ON "OutboxEvent"("dispatchKey");
CREATE INDEX "OutboxEvent_status_scheduledAt_idx" ON "OutboxEvent"(status, "scheduledAt");

CREATE UNLOGGED TABLE outbox_seed AS
SELECT i AS n,
       'c' || lpad(to_hex(i), 8, '0') || substr(md5(i::text), 1, 16) AS id,
       'tenant_' || (i * 7919 % 200) AS "tenantId",
       (ARRAY['email.welcome', 'email.reset', 'email.receipt', 'invoice.created', 'invoice.paid', 'invoice.overdue',
              'webhook.delivery', 'webhook.retry', 'user.created', 'user.deleted', 'report.daily', 'search.index',
              'audit.logged', 'billing.usage'])[1 + (i * 31 % 14)] AS "eventType",
       jsonb_build_object('orderId', md5('o' || i),
                          'customer', jsonb_build_object('id', md5('c' || (i % 5000)),
                                                         'email', 'user' || (i % 5000) || '@example.test'),
                          'amount', round((i * 37 % 100000)::numeric / 100, 2), 'currency', 'EUR',
                          'items', (i % 7) + 1, 'note', repeat(substr(md5('n' || i), 1, 32), 8),
                          'traceId', md5('t' || i)) AS payload,
       CASE WHEN i % 2 = 0 THEN 'k:' || md5('d' || i) END AS "dispatchKey"
FROM generate_series(1::bigint, :rows) i;
CREATE UNIQUE INDEX ON outbox_seed(n);
