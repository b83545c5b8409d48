-- The jobs that the sample's handed-over events became, as their queues would have kept them: finished a little after
-- the handover. Two are left out, as if somebody had removed them, so that a comparison has something to find.
-- queue: as the built-in routes have it.

WITH routes (prefix, queue) AS (VALUES
    ('tenant.subscription.', 'outbox.notification'), ('mail.', 'outbox.mail'), ('webhook.', 'outbox.webhook'),
    ('notification.', 'outbox.notification'), ('audit.', 'outbox.audit'), ('workflow.', 'outbox.workflow'),
    ('search.index.', 'outbox.search-index'), ('rag.index.', 'outbox.rag-index'), ('ai.cost.', 'outbox.ai-cost'),
    ('marketing.lead.', 'outbox.marketing'), ('form.submission.', 'outbox.form-submission-route'),
    ('billing.', 'outbox.notification'), ('plugin.hook.', 'outbox.plugin-hook'),
    ('plugin.capability-use.', 'outbox.plugin-capability-use'), ('email.', 'outbox.mail')),
events (id, tenant, type, payload, handed) AS (
    SELECT "id", "tenantId", "eventType", "payload", "processedAt" FROM "OutboxEvent"
    WHERE "status" = 'DONE' AND "id" NOT IN ('evt_0043', 'evt_0050')
    UNION ALL
    SELECT "id"::text, "tenantId", "messageType", "eventData"::jsonb, "processedAt" FROM "message_outbox" WHERE "status" = 'sent')
SELECT routes.queue, 'outbox:' || events.id, events.type,
       jsonb_build_object('outboxEventId', events.id, 'tenantId', events.tenant, 'eventType', events.type,
                          'payload', events.payload)::text,
       floor(extract(epoch FROM events.handed) * 1000)::bigint
FROM events JOIN routes ON starts_with(events.type, routes.prefix)
