-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- What a dispatcher would not leave alone: rows in every other state, some of them broken, and workflow executions.
INSERT INTO "OutboxEvent" ("id", "tenantId", "eventType", "payload", "status", "retries", "scheduledAt", "lockedUntil",
                           "processedAt", "lastError", "createdAt", "updatedAt")
SELECT id, tenant, type, payload::jsonb, status::"OutboxStatus", retries, clock.now + due::interval,
       CASE WHEN status = 'PROCESSING' THEN clock.now + due::interval + interval '5 minutes' END,
       CASE WHEN status = 'FAILED' THEN clock.now + due::interval + interval '2 s' END,
       error, clock.now + due::interval - interval '3 s', clock.now + least(due::interval, '0 s'::interval)
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(
    SELECT 'due_' || lpad(n::text, 4, '0') AS id, 'acme' AS tenant, 'mail.reminder.send' AS type,
           '{"to":"ap@acme.example"}' AS payload, 'PENDING' AS status, 0 AS retries,
           '-' || (430 - n) || ' s' AS due, NULL AS error
    FROM generate_series(1, 160) n
    UNION ALL
    SELECT 'try_' || lpad(n::text, 4, '0'), 'globex', 'rag.index.upsert', '{"document":"doc_78","chunks":1900}', 'PENDING',
           1 + n % 5, (n * 20) || ' s', 'Redis at 10.20.0.9:6379 did not answer in time'
    FROM generate_series(1, 24) n
    UNION ALL
    SELECT 'dead_' || lpad(n::text, 4, '0'), (ARRAY['acme', 'globex', 'initech'])[1 + n % 3],
           (ARRAY['webhook.order.created', 'rag.index.upsert', 'billing.payment.failed'])[1 + n % 3],
           '{"orderId":9007199254740665,"total":310.00}', 'FAILED', 7, '-' || (n * 11) || ' minutes',
           (ARRAY['Redis at 10.20.0.9:6379 did not answer in time',
                  'OOM command not allowed when used memory > ''maxmemory''.',
                  'READONLY You can''t write against a read only replica.'])[1 + n % 3]
    FROM generate_series(1, 41) n
    UNION ALL
    SELECT 'stuck_' || n, 'acme', 'webhook.stock.low', '{"sku":"BRK-220","left":3}', 'PROCESSING', 0,
           '-' || (9 + n) || ' minutes', NULL
    FROM generate_series(1, 3) n
    UNION ALL
    SELECT 'off_' || n, 'initech', 'webhook.customer.deleted', '{"customer":"cus_404"}', 'CANCELLED', 3,
           '-' || n || ' hours', 'cancelled: the endpoint was shut down last month'
    FROM generate_series(1, 5) n
    UNION ALL
    VALUES
        ('later_1', 'acme', 'notification.digest.weekly', '{"recipients":214}', 'PENDING', 0, '18 hours', NULL),
        ('unrouted_1', 'initech', 'crm.contact.merged', '{"kept":"con_1"}', 'FAILED', 0, '-12 minutes',
         'no route for event type crm.contact.merged'),
        ('odd_digits', 'acme', 'audit.export.created',
         '{"id":123456789012345678901234567890,"ratio":0.2345678901234568,"huge":1e300,"":"empty key","rtl":"שלום"}',
         'FAILED', 7, '-3 minutes', 'value out of range'),
        ('odd_long', repeat('tenant-', 20), 'audit.' || repeat('very-long-segment.', 10) || 'created', '[]', 'FAILED', 7,
         '-5 minutes', repeat('a long error without an end ', 200)),
        ('odd_null', '', 'mail.empty.send', 'null', 'FAILED', 7, '-6 minutes', '')
) AS sample (id, tenant, type, payload, status, retries, due, error);

-- Dates nobody meant.
UPDATE "OutboxEvent" SET "createdAt" = 'infinity', "processedAt" = '40000-01-01' WHERE id = 'odd_digits';
UPDATE "OutboxEvent" SET "createdAt" = '-infinity', "processedAt" = '0044-03-15 BC' WHERE id = 'odd_null';

INSERT INTO "Workflow" ("id", "tenantId", "name", "status", "triggerEvent", "definition", "updatedAt") VALUES
    ('wfl_confirm', 'acme', 'Confirm a new order', 'LIVE', 'order.created', '{"blocks":[]}', now()),
    ('wfl_publish', 'globex', 'Publish a document', 'LIVE', NULL, '{"blocks":[]}', now());

INSERT INTO "WorkflowExecution" ("id", "tenantId", "workflowId", "status", "trigger", "waitingFor", "steps", "error",
                                 "outboxEventId", "queuedAt", "startedAt", "finishedAt", "createdAt", "updatedAt")
SELECT id, tenant, workflow, status::"WorkflowExecutionStatus", started_by, waiting, steps::jsonb, error, event,
       clock.now + queued::interval, clock.now + started::interval, clock.now + finished::interval,
       clock.now + queued::interval, clock.now + coalesce(finished, started, queued)::interval
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(
    SELECT 'exe_' || lpad(n::text, 4, '0') AS id, 'acme' AS tenant, 'wfl_confirm' AS workflow, 'COMPLETED' AS status,
           'event' AS started_by, NULL AS waiting,
           '[{"block":"large","status":"COMPLETED","result":false},{"block":"confirm","status":"COMPLETED"}]' AS steps,
           NULL AS error, 'evt_' || lpad((n * 12 - 2)::text, 5, '0') AS event,
           '-' || (n * 7) || ' minutes' AS queued, '-' || (n * 7 * 60 - 1) || ' s' AS started,
           '-' || (n * 7 * 60 - 4) || ' s' AS finished
    FROM generate_series(1, 35) n
    UNION ALL
    SELECT 'exe_late_' || n, 'acme', 'wfl_confirm', 'RUNNING', 'event', NULL,
           '[{"block":"large","status":"COMPLETED"},{"block":"confirm","status":"RUNNING"}]', NULL,
           'evt_' || lpad((n * 12 - 2)::text, 5, '0'), '-19 minutes', '-18 minutes', NULL
    FROM generate_series(1, 4) n
    UNION ALL
    VALUES
        ('exe_queued', 'globex', 'wfl_publish', 'QUEUED', 'manual', NULL, '[]', NULL, 'evt_00010', '-25 minutes', NULL, NULL),
        ('exe_stream', 'globex', 'wfl_publish', 'RUNNING', 'stream', NULL, '[{"block":"notify","status":"RUNNING"}]', NULL,
         NULL, '-70 minutes', '-70 minutes', NULL),
        ('exe_waits', 'acme', 'wfl_confirm', 'WAITING', 'event', 'approval',
         '[{"block":"large","status":"COMPLETED"},{"block":"ask","status":"WAITING"}]', NULL, NULL, '-4 hours', '-4 hours', NULL),
        ('exe_failed', 'globex', 'wfl_publish', 'FAILED', 'manual', NULL, '[{"block":"notify","status":"FAILED"}]',
         'Block "notify": the endpoint answered 502 Bad Gateway', 'evt_00022', '-30 minutes', '-30 minutes', '-29 minutes'),
        ('exe_broken', 'globex', 'wfl_publish', 'FAILED', 'manual', NULL, '{"steps":"not a list"}', 'broken', NULL,
         '-3 hours', '-3 hours', '-179 minutes')
) AS sample (id, tenant, workflow, status, started_by, waiting, steps, error, event, queued, started, finished);
