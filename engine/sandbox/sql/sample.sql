-- Sample events over the last two days, as three small companies would have written them. Ages are relative to now, in
-- UTC. All identifiers are fixed, so that texts and screenshots can name them.
--
-- due: when the event is (or was) due, relative to now. took: from due to done or to the last failure.

INSERT INTO "OutboxEvent" ("id", "tenantId", "eventType", "payload", "dispatchKey", "status", "retries", "scheduledAt",
                           "lockedUntil", "processedAt", "lastError", "createdAt", "updatedAt")
SELECT 'evt_' || lpad(n::text, 4, '0'), tenant, type, payload::jsonb, key, status::"OutboxStatus", retries,
       clock.now + due::interval,
       CASE WHEN status = 'PROCESSING' THEN clock.now + due::interval + interval '5 minutes' END,
       CASE WHEN status = 'DONE' THEN clock.now + due::interval + took::interval END,
       error,
       clock.now + coalesce(written, due)::interval,
       CASE WHEN status = 'PENDING' AND retries = 0 THEN clock.now + coalesce(written, due)::interval
            WHEN status = 'PENDING' THEN clock.now + due::interval - interval '1 minute' * pow(2, retries - 1)
            ELSE clock.now + due::interval + coalesce(took, '0 s')::interval END
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(VALUES
-- Due now
( 1, 'acme', 'mail.invoice.send', '{"to":"ap@acme.example","template":"invoice","invoice":{"number":"2026-00417","total":"1249.90","currency":"EUR"}}', 'invoice:2026-00417:mail', 'PENDING', 0, '-42 s', NULL, NULL, NULL),
( 2, 'acme', 'mail.welcome.send', '{"to":"jana.novak@acme.example","template":"welcome","locale":"cs","name":"Jana Nováková"}', NULL, 'PENDING', 0, '-41 s', NULL, NULL, NULL),
( 3, 'globex', 'mail.password-reset.send', '{"to":"hiro@globex.example","template":"password-reset","name":"山田 太郎","expiresInMinutes":30}', 'reset:usr_8812', 'PENDING', 0, '-39 s', NULL, NULL, NULL),
( 4, 'acme', 'webhook.order.created', '{"orderId":9007199254740993,"lines":[{"sku":"BRK-220","quantity":4,"price":"18.50"}],"total":"74.00"}', 'order:9007199254740993:created', 'PENDING', 0, '-37 s', NULL, NULL, NULL),
( 5, 'globex', 'webhook.invoice.paid', '{"invoice":"G-3391","amount":98765432109876543210.55,"currency":"JPY"}', 'invoice:G-3391:paid', 'PENDING', 0, '-36 s', NULL, NULL, NULL),
( 6, 'globex', 'notification.comment.added', '{"recipient":"usr_8812","actor":"usr_2040","document":"doc_77","excerpt":"Looks good 👍, merge it"}', NULL, 'PENDING', 0, '-34 s', NULL, NULL, NULL),
( 7, 'initech', 'notification.task.assigned', '{"recipient":"usr_11","task":"TPS-1042","title":"Cover sheet for the TPS report"}', NULL, 'PENDING', 0, '-33 s', NULL, NULL, NULL),
( 8, 'acme', 'audit.user.signed-in', '{"user":"usr_301","ip":"203.0.113.24","agent":"Firefox/128","mfa":true}', NULL, 'PENDING', 0, '-31 s', NULL, NULL, NULL),
( 9, 'acme', 'audit.role.granted', '{"actor":"usr_301","user":"usr_322","role":"billing-admin"}', NULL, 'PENDING', 0, '-30 s', NULL, NULL, NULL),
(10, 'initech', 'audit.export.created', '{"actor":"usr_11","rows":120394,"format":"csv"}', NULL, 'PENDING', 0, '-28 s', NULL, NULL, NULL),
(11, 'acme', 'workflow.trigger.event', '{"event":"order.created","entity":"order","entityId":"9007199254740993","data":{"total":"74.00"}}', 'trigger:order:9007199254740993', 'PENDING', 0, '-27 s', NULL, NULL, NULL),
(12, 'globex', 'workflow.execution.requested', '{"executionId":"exe_0001","workflowId":"wfl_0003","requestedBy":"usr_8812"}', 'execution:exe_0001', 'PENDING', 0, '-25 s', NULL, NULL, NULL),
(13, 'acme', 'search.index.upsert', '{"entity":"product","id":"BRK-220","version":19}', NULL, 'PENDING', 0, '-24 s', NULL, NULL, NULL),
(14, 'globex', 'search.index.delete', '{"entity":"document","id":"doc_12"}', NULL, 'PENDING', 0, '-22 s', NULL, NULL, NULL),
(15, 'globex', 'rag.index.upsert', '{"document":"doc_77","chunks":42,"model":"embed-3","language":"ja"}', 'rag:doc_77:v5', 'PENDING', 0, '-21 s', NULL, NULL, NULL),
(16, 'globex', 'rag.index.delete', '{"document":"doc_12"}', 'rag:doc_12:delete', 'PENDING', 0, '-19 s', NULL, NULL, NULL),
(17, 'globex', 'ai.cost.recorded', '{"request":"req_5521","tokens":{"input":18342,"output":911},"costMicros":48211}', 'ai-cost:req_5521', 'PENDING', 0, '-18 s', NULL, NULL, NULL),
(18, 'acme', 'marketing.lead.created', '{"lead":"led_906","source":"trade-fair","name":"Łukasz Żółć","score":0.82}', 'lead:led_906', 'PENDING', 0, '-16 s', NULL, NULL, NULL),
(19, 'initech', 'form.submission.received', '{"form":"frm_contact","answers":{"subject":"Printer","message":"PC LOAD LETTER?"}}', 'submission:sub_2207', 'PENDING', 0, '-15 s', NULL, NULL, NULL),
(20, 'acme', 'billing.subscription.updated', '{"subscription":"sub_acme","plan":"team","seats":25,"previousSeats":20}', 'subscription:sub_acme:v8', 'PENDING', 0, '-13 s', NULL, NULL, NULL),
(21, 'initech', 'billing.payment.failed', '{"invoice":"I-0098","attempt":2,"decline":"insufficient_funds"}', 'payment:I-0098:2', 'PENDING', 0, '-11 s', NULL, NULL, NULL),
(22, 'acme', 'plugin.hook.order.created', '{"plugin":"shipping-labels","hook":"order.created","entityId":"9007199254740993"}', 'hook:shipping-labels:9007199254740993', 'PENDING', 0, '-9 s', NULL, NULL, NULL),
(23, 'globex', 'plugin.capability-use.recorded', '{"plugin":"translator","capability":"text.translate","units":1204}', NULL, 'PENDING', 0, '-6 s', NULL, NULL, NULL),
(24, 'initech', 'tenant.subscription.trial-ending', '{"tenant":"initech","endsInDays":3}', 'trial:initech:3', 'PENDING', 0, '-3 s', NULL, NULL, NULL),
-- Scheduled for later
(25, 'acme', 'mail.reminder.send', '{"to":"ap@acme.example","template":"payment-reminder","invoice":"2026-00398"}', 'invoice:2026-00398:reminder', 'PENDING', 0, '3 hours', NULL, NULL, '-2 hours'),
(26, 'globex', 'notification.digest.weekly', '{"recipients":214}', 'digest:globex:weekly', 'PENDING', 0, '18 hours', NULL, NULL, '-6 hours'),
(27, 'initech', 'billing.subscription.cancel-at-period-end', '{"subscription":"sub_initech"}', 'subscription:sub_initech:cancel', 'PENDING', 0, '9 days', NULL, NULL, '-1 day'),
(28, 'acme', 'workflow.trigger.event', '{"event":"lead.follow-up","entity":"lead","entityId":"led_871"}', 'trigger:lead:led_871', 'PENDING', 0, '45 minutes', NULL, NULL, '-15 minutes'),
-- Failed before, waiting for the next attempt
(29, 'acme', 'webhook.order.updated', '{"orderId":9007199254740881,"status":"shipped"}', NULL, 'PENDING', 1, '40 s', NULL, 'Connection to Redis at 127.0.0.1:6379 was lost: the remote host closed the connection', '-20 s'),
(30, 'globex', 'rag.index.upsert', '{"document":"doc_78","chunks":1900,"model":"embed-3"}', 'rag:doc_78:v1', 'PENDING', 2, '80 s', NULL, 'OOM command not allowed when used memory > ''maxmemory''.', '-4 minutes'),
(31, 'globex', 'ai.cost.recorded', '{"request":"req_5498","tokens":{"input":120,"output":15},"costMicros":311}', 'ai-cost:req_5498', 'PENDING', 3, '150 s', NULL, 'READONLY You can''t write against a read only replica.', '-9 minutes'),
(32, 'initech', 'mail.report.send', '{"to":"bill@initech.example","template":"weekly-report"}', NULL, 'PENDING', 4, '6 minutes', NULL, 'Redis at 127.0.0.1:6379 did not answer in time', '-20 minutes'),
(33, 'acme', 'search.index.rebuild', '{"entity":"product","reason":"schema change"}', 'reindex:product:19', 'PENDING', 5, '12 minutes', NULL, 'LOADING Redis is loading the dataset in memory', '-40 minutes'),
-- Claimed by a dispatcher that never came back; the lease is over
(34, 'acme', 'webhook.stock.low', '{"sku":"BRK-220","left":3}', 'stock:BRK-220:3', 'PROCESSING', 0, '-11 minutes', NULL, NULL, NULL),
-- Handed over
(35, 'acme', 'mail.invoice.send', '{"to":"ap@acme.example","template":"invoice","invoice":{"number":"2026-00416","total":"89.00","currency":"EUR"}}', 'invoice:2026-00416:mail', 'DONE', 0, '-47 hours', '640 ms', NULL, NULL),
(36, 'globex', 'webhook.invoice.paid', '{"invoice":"G-3390","amount":12000,"currency":"JPY"}', 'invoice:G-3390:paid', 'DONE', 0, '-44 hours', '410 ms', NULL, NULL),
(37, 'initech', 'audit.user.signed-in', '{"user":"usr_11","ip":"198.51.100.7","mfa":false}', NULL, 'DONE', 0, '-40 hours', '820 ms', NULL, NULL),
(38, 'globex', 'rag.index.upsert', '{"document":"doc_71","chunks":12,"model":"embed-3"}', 'rag:doc_71:v2', 'DONE', 2, '-33 hours', '1.2 s', NULL, '-33 hours 4 minutes'),
(39, 'acme', 'workflow.trigger.event', '{"event":"order.created","entity":"order","entityId":"9007199254740771"}', 'trigger:order:9007199254740771', 'DONE', 0, '-29 hours', '530 ms', NULL, NULL),
(40, 'acme', 'plugin.hook.workflow.executed', '{"workflow":"wfl_0001","execution":"exe_0004"}', 'hook:exe_0004', 'DONE', 0, '-28 hours 59 minutes', '470 ms', NULL, NULL),
(41, 'initech', 'form.submission.received', '{"form":"frm_contact","answers":{"subject":"Red stapler"}}', 'submission:sub_2199', 'DONE', 0, '-25 hours', '610 ms', NULL, NULL),
(42, 'globex', 'ai.cost.recorded', '{"request":"req_5402","tokens":{"input":900,"output":80},"costMicros":2200}', 'ai-cost:req_5402', 'DONE', 0, '-19 hours', '390 ms', NULL, NULL),
(43, 'acme', 'billing.subscription.updated', '{"subscription":"sub_acme","plan":"team","seats":20}', 'subscription:sub_acme:v7', 'DONE', 0, '-14 hours', '450 ms', NULL, NULL),
(44, 'acme', 'marketing.lead.created', '{"lead":"led_871","source":"newsletter","name":"Zoë Müller"}', 'lead:led_871', 'DONE', 1, '-10 hours', '900 ms', NULL, '-10 hours 1 minute'),
(45, 'globex', 'notification.comment.added', '{"recipient":"usr_2040","actor":"usr_8812","document":"doc_77"}', NULL, 'DONE', 0, '-7 hours', '520 ms', NULL, NULL),
(46, 'acme', 'search.index.upsert', '{"entity":"product","id":"BRK-200","version":18}', NULL, 'DONE', 0, '-5 hours', '330 ms', NULL, NULL),
(47, 'globex', 'workflow.execution.requested', '{"executionId":"exe_0005","workflowId":"wfl_0003","requestedBy":"usr_8812"}', 'execution:exe_0005', 'DONE', 0, '-3 hours', '480 ms', NULL, NULL),
(48, 'acme', 'workflow.execution.continue.requested', '{"executionId":"exe_0003","input":{"approved":true}}', 'continue:exe_0003:1', 'DONE', 0, '-90 minutes', '510 ms', NULL, NULL),
(49, 'initech', 'mail.welcome.send', '{"to":"milton@initech.example","template":"welcome","name":"Milton"}', NULL, 'DONE', 0, '-35 minutes', '620 ms', NULL, NULL),
(50, 'acme', 'audit.role.revoked', '{"actor":"usr_301","user":"usr_298","role":"owner"}', NULL, 'DONE', 0, '-8 minutes', '440 ms', NULL, NULL),
-- Dead
(51, 'acme', 'webhook.order.created', '{"orderId":9007199254740665,"total":"310.00"}', 'order:9007199254740665:created', 'FAILED', 7, '-26 hours', '1 s', 'Redis at 127.0.0.1:6379 did not answer in time', '-27 hours'),
(52, 'acme', 'webhook.order.created', '{"orderId":9007199254740666,"total":"12.50"}', 'order:9007199254740666:created', 'FAILED', 7, '-26 hours', '2 s', 'Redis at 127.0.0.1:6379 did not answer in time', '-27 hours'),
(53, 'acme', 'webhook.order.created', '{"orderId":9007199254740669,"total":"99.99"}', 'order:9007199254740669:created', 'FAILED', 7, '-25 hours 50 minutes', '1 s', 'Redis at 127.0.0.1:6379 did not answer in time', '-27 hours'),
(54, 'globex', 'rag.index.upsert', '{"document":"doc_60","chunks":250000,"model":"embed-3"}', 'rag:doc_60:v1', 'FAILED', 7, '-21 hours', '1 s', 'OOM command not allowed when used memory > ''maxmemory''.', '-22 hours'),
(55, 'globex', 'rag.index.upsert', '{"document":"doc_61","chunks":180000,"model":"embed-3"}', 'rag:doc_61:v1', 'FAILED', 7, '-20 hours', '1 s', 'OOM command not allowed when used memory > ''maxmemory''.', '-21 hours'),
(56, 'initech', 'crm.contact.merged', '{"kept":"con_1","merged":["con_7","con_9"]}', NULL, 'FAILED', 0, '-12 hours', '300 ms', 'no route for event type crm.contact.merged', NULL),
(57, 'initech', 'mail.report.send', '{"to":"bill@initech.example","template":"weekly-report","attachment":"report-2026-07.pdf"}', NULL, 'FAILED', 7, '-9 hours', '1 s', 'NOAUTH Authentication required.', '-10 hours'),
(58, 'acme', 'plugin.hook.order.created', '{"plugin":"erp-sync","hook":"order.created","entityId":"9007199254740701"}', 'hook:erp-sync:9007199254740701', 'FAILED', 7, '-2 hours', '1 s', 'READONLY You can''t write against a read only replica.', '-3 hours'),
(59, 'globex', 'billing.payment.failed', '{"invoice":"G-3377","attempt":3,"decline":"expired_card","note":"Karte ungültig – Kunde anrufen"}', 'payment:G-3377:3', 'FAILED', 7, '-50 minutes', '1 s', 'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.', '-2 hours'),
-- Cancelled by an operator
(60, 'acme', 'mail.campaign.send', '{"campaign":"cmp_14","recipients":18044}', 'campaign:cmp_14', 'CANCELLED', 0, '-16 hours', '1 hour', 'cancelled: wrong audience selected', NULL),
(61, 'initech', 'webhook.customer.deleted', '{"customer":"cus_404"}', 'customer:cus_404:deleted', 'CANCELLED', 3, '-6 hours', '5 minutes', 'cancelled: the endpoint was shut down last month', '-7 hours')
) AS sample (n, tenant, type, payload, key, status, retries, due, took, error, written);

INSERT INTO "message_outbox" ("id", "tenantId", "messageType", "aggregateId", "aggregateType", "eventVersion", "eventData",
                              "metadata", "status", "scheduledAt", "processedAt", "retryCount", "nextRetryAt", "lastError",
                              "createdAt", "updatedAt")
SELECT '5e1fb0c8-0000-4000-8000-' || lpad(n::text, 12, '0'), tenant, type, aggregate_id, aggregate_type, version, data::jsonb,
       jsonb_build_object('correlationId', 'cor_' || lpad((1000 + n)::text, 6, '0'), 'userId', 'usr_301',
                          'traceId', md5('trace' || n), 'timestamp', to_char(clock.now + due::interval, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       status, clock.now + due::interval,
       CASE WHEN status IN ('sent', 'dead_letter') THEN clock.now + due::interval + took::interval END,
       retries, clock.now + retry::interval, error, clock.now + due::interval,
       clock.now + due::interval + coalesce(took, '0 s')::interval
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(VALUES
( 1, 'acme', 'email.order.confirmation', '9007199254740993', 'order', 1, '{"to":"mira@customer.example","template":"order-confirmation","order":9007199254740993}', 'pending', 0, '-38 s', NULL, NULL, NULL),
( 2, 'acme', 'webhook.order.created', '9007199254740993', 'order', 2, '{"order":9007199254740993,"total":"74.00"}', 'pending', 0, '-38 s', NULL, NULL, NULL),
( 3, 'globex', 'email.user.invited', 'usr_2041', 'user', 1, '{"to":"aiko@globex.example","template":"invitation","name":"佐藤 愛子"}', 'pending', 0, '-29 s', NULL, NULL, NULL),
( 4, 'globex', 'webhook.document.published', 'doc_77', 'document', 1, '{"document":"doc_77","title":"Über uns"}', 'pending', 0, '-23 s', NULL, NULL, NULL),
( 5, 'initech', 'email.ticket.opened', 'TPS-1042', 'ticket', 1, '{"to":"peter@initech.example","template":"ticket-opened"}', 'pending', 0, '-17 s', NULL, NULL, NULL),
( 6, 'initech', 'webhook.ticket.opened', 'TPS-1042', 'ticket', 1, '{"ticket":"TPS-1042","priority":"high"}', 'pending', 0, '-17 s', NULL, NULL, NULL),
( 7, 'acme', 'email.cart.abandoned', 'crt_551', 'cart', 1, '{"to":"mira@customer.example","template":"cart-reminder"}', 'pending', 0, '4 hours', NULL, NULL, NULL),
( 8, 'acme', 'email.invoice.issued', '2026-00417', 'invoice', 3, '{"to":"ap@acme.example","template":"invoice","total":"1249.90"}', 'failed', 1, '-3 minutes', '4 s', '25 minutes', '421 4.7.0 Try again later, closing connection'),
( 9, 'globex', 'webhook.invoice.paid', 'G-3391', 'invoice', 1, '{"invoice":"G-3391","amount":98765432109876543210.55}', 'failed', 2, '-10 minutes', '31 s', '50 minutes', 'The endpoint answered 503 Service Unavailable'),
(10, 'acme', 'webhook.stock.low', 'BRK-220', 'product', 1, '{"sku":"BRK-220","left":3}', 'processing', 0, '-12 minutes', '1 s', NULL, NULL),
(11, 'acme', 'email.order.confirmation', '9007199254740771', 'order', 1, '{"to":"leo@customer.example","template":"order-confirmation"}', 'sent', 0, '-29 hours', '1.8 s', NULL, NULL),
(12, 'acme', 'webhook.order.created', '9007199254740771', 'order', 2, '{"order":9007199254740771,"total":"18.50"}', 'sent', 0, '-29 hours', '700 ms', NULL, NULL),
(13, 'globex', 'email.user.invited', 'usr_2040', 'user', 1, '{"to":"ken@globex.example","template":"invitation"}', 'sent', 1, '-22 hours', '9 s', NULL, NULL),
(14, 'initech', 'webhook.ticket.closed', 'TPS-1007', 'ticket', 1, '{"ticket":"TPS-1007"}', 'sent', 0, '-11 hours', '600 ms', NULL, NULL),
(15, 'globex', 'webhook.document.published', 'doc_71', 'document', 1, '{"document":"doc_71"}', 'sent', 0, '-4 hours', '900 ms', NULL, NULL),
(16, 'acme', 'email.invoice.issued', '2026-00416', 'invoice', 3, '{"to":"ap@acme.example","template":"invoice","total":"89.00"}', 'sent', 0, '-20 minutes', '2.1 s', NULL, NULL),
(17, 'initech', 'webhook.customer.deleted', 'cus_404', 'customer', 1, '{"customer":"cus_404"}', 'dead_letter', 3, '-30 hours', '16 s', NULL, 'The endpoint answered 410 Gone'),
(18, 'globex', 'email.report.monthly', 'rep_07', 'report', 1, '{"to":"nobody@old-domain.example","template":"monthly-report"}', 'dead_letter', 3, '-18 hours', '14 s', NULL, '550 5.1.1 <nobody@old-domain.example>: Recipient address rejected: User unknown'),
(19, 'acme', 'webhook.order.cancelled', '9007199254740512', 'order', 1, '{"order":9007199254740512,"reason":"Kunde hat storniert"}', 'dead_letter', 3, '-8 hours', '93 s', NULL, 'The endpoint did not answer within 30 s'),
(20, 'acme', 'sms.delivery.scheduled', 'dlv_77', 'delivery', 1, '{"to":"+420 555 0100"}', 'dead_letter', 3, '-5 hours', '15 s', NULL, 'no handler or route for message type sms.delivery.scheduled')
) AS sample (n, tenant, type, aggregate_id, aggregate_type, version, data, status, retries, due, took, retry, error);

INSERT INTO "Workflow" ("id", "tenantId", "name", "status", "triggerEvent", "definition", "createdAt", "updatedAt")
SELECT id, tenant, name, status::"WorkflowStatus", event, definition::jsonb, clock.now - interval '40 days', clock.now - interval '6 days'
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(VALUES
('wfl_0001', 'acme', 'Confirm a new order', 'LIVE', 'order.created',
 '{"blocks":[{"id":"large","type":"if","condition":{"left":"{{event.data.total}}","operator":">","right":1000},"then":"ask","else":"confirm"},{"id":"ask","type":"waitForInput","input":"approval","next":"confirm"},{"id":"confirm","type":"email","to":"orders@acme.example","template":"order-confirmation"}]}'),
('wfl_0002', 'acme', 'Follow up a lead', 'LIVE', 'lead.follow-up',
 '{"blocks":[{"id":"score","type":"switch","value":"{{event.data.source}}","cases":{"trade-fair":"call","newsletter":"mail"}},{"id":"call","type":"rowCreate","table":"task","values":{"title":"Call {{event.entityId}}"}},{"id":"mail","type":"email","to":"sales@acme.example","template":"lead"}]}'),
('wfl_0003', 'globex', 'Publish a document', 'LIVE', NULL,
 '{"blocks":[{"id":"notify","type":"httpRequest","method":"POST","url":"https://hooks.globex.example/published","body":{"document":"{{input.document}}"}},{"id":"stamp","type":"rowUpdate","table":"document","where":{"id":"{{input.document}}"},"values":{"published":true}}]}'),
('wfl_0004', 'initech', 'Weekly report', 'DRAFT', 'report.due',
 '{"blocks":[{"id":"mail","type":"email","to":"bill@initech.example","template":"weekly-report"}]}'),
('wfl_0005', 'initech', 'Sort incoming forms', 'PAUSED', 'form.received',
 '{"blocks":[{"id":"label","type":"classify","model":"text-small","next":"store"},{"id":"store","type":"rowCreate","table":"ticket","values":{}}]}')
) AS sample (id, tenant, name, status, event, definition);

INSERT INTO "WorkflowExecution" ("id", "tenantId", "workflowId", "status", "trigger", "waitingFor", "steps", "error",
                                 "outboxEventId", "queuedAt", "startedAt", "finishedAt", "createdAt", "updatedAt")
SELECT id, tenant, workflow, status::"WorkflowExecutionStatus", started_by, waiting, steps::jsonb, error, event,
       clock.now + queued::interval, clock.now + started::interval, clock.now + finished::interval,
       clock.now + queued::interval, clock.now + coalesce(finished, started, queued)::interval
FROM (SELECT (now() AT TIME ZONE 'UTC')::timestamp(3) AS now) AS clock,
(VALUES
('exe_0001', 'globex', 'wfl_0003', 'QUEUED', 'manual', NULL, '[]', NULL, 'evt_0012', '-25 s', NULL, NULL),
('exe_0002', 'globex', 'wfl_0003', 'RUNNING', 'stream', NULL, '[{"block":"notify","status":"RUNNING"}]', NULL, NULL, '-70 minutes', '-70 minutes', NULL),
('exe_0003', 'acme', 'wfl_0001', 'COMPLETED', 'event', NULL, '[{"block":"large","status":"COMPLETED","result":true},{"block":"ask","status":"COMPLETED","input":{"approved":true}},{"block":"confirm","status":"COMPLETED"}]', NULL, NULL, '-5 hours', '-5 hours', '-89 minutes'),
('exe_0004', 'acme', 'wfl_0001', 'COMPLETED', 'event', NULL, '[{"block":"large","status":"COMPLETED","result":false},{"block":"confirm","status":"COMPLETED"}]', NULL, 'evt_0039', '-29 hours', '-29 hours', '-28 hours 59 minutes'),
('exe_0005', 'globex', 'wfl_0003', 'FAILED', 'manual', NULL, '[{"block":"notify","status":"FAILED"}]', 'Block "notify": the endpoint answered 502 Bad Gateway', 'evt_0047', '-3 hours', '-3 hours', '-179 minutes'),
('exe_0006', 'acme', 'wfl_0001', 'WAITING', 'event', 'approval', '[{"block":"large","status":"COMPLETED","result":true},{"block":"ask","status":"WAITING"}]', NULL, NULL, '-4 hours', '-4 hours', NULL),
('exe_0007', 'initech', 'wfl_0005', 'FAILED', 'event', NULL, '[]', 'Rejected before the start: block "label" has the type "classify", which this executor does not know', NULL, '-13 hours', '-13 hours', '-13 hours'),
('exe_0008', 'acme', 'wfl_0002', 'CANCELLED', 'manual', NULL, '[]', 'cancelled: started for the wrong lead', NULL, '-20 hours', NULL, '-19 hours')
) AS sample (id, tenant, workflow, status, started_by, waiting, steps, error, event, queued, started, finished);
