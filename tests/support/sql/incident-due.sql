-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Events that are due now, for the dispatcher to hand over: 420 of them, written over the last seconds.
INSERT INTO "OutboxEvent" ("id", "tenantId", "eventType", "payload", "dispatchKey", "scheduledAt", "createdAt", "updatedAt")
SELECT 'evt_' || lpad(n::text, 5, '0'),
       (ARRAY['acme', 'globex', 'initech', 'umbrella'])[1 + n % 4],
       types.type,
       jsonb_build_object('number', n, 'order', 9007199254740993 + n, 'total', n * 1.25, 'name', 'Jana Nováková'),
       CASE WHEN n % 3 = 0 THEN 'key:' || n END,
       clock.now - interval '20 ms' * (420 - n), clock.now - interval '20 ms' * (420 - n), clock.now
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
     generate_series(1, 420) AS n,
     LATERAL (SELECT (ARRAY['mail.invoice.send', 'billing.subscription.updated', 'audit.user.signed-in', 'webhook.order.created',
                            'search.index.upsert', 'ai.cost.recorded', 'notification.comment.added', 'plugin.hook.order.created',
                            'mail.welcome.send', 'audit.role.granted', 'workflow.trigger.event', 'marketing.lead.created']
                     )[1 + n % 12] AS type) AS types;
