// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A Node dispatcher for the event layout that is woken by LISTEN/NOTIFY, as somebody would write it on pg and bullmq:
// it looks when it is notified, goes on while it finds rows, and looks once a second otherwise. Runs until SIGTERM.
// Installs the trigger it needs, which notifies once per statement.
//
//   --modules FOLDER   where node_modules is
// Servers: PG_URL, REDIS_HOST, REDIS_PORT. Prints "listening" once it is ready.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { modules: { type: 'string' } } });
const require = createRequire(`${options.modules}/package.json`);
const pg = require('pg');
const { Queue } = require('bullmq');

const now = `(now() AT TIME ZONE 'UTC')`;
const claim = `
    UPDATE "OutboxEvent" SET status = 'PROCESSING', "lockedUntil" = ${now} + interval '60 s', "updatedAt" = ${now}
    WHERE id IN (SELECT id FROM "OutboxEvent" WHERE status = 'PENDING' AND "scheduledAt" <= ${now}
                 ORDER BY "scheduledAt" LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id, "tenantId", "eventType", payload`;
const done = `
    UPDATE "OutboxEvent" SET status = 'DONE', "processedAt" = ${now}, "lockedUntil" = NULL, "updatedAt" = ${now}
    WHERE id = ANY($1::text[])`;

const client = new pg.Client({ connectionString: process.env.PG_URL });
const listener = new pg.Client({ connectionString: process.env.PG_URL });
await Promise.all([client.connect(), listener.connect()]);
await client.query(`
    CREATE OR REPLACE FUNCTION node_wakeup() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_notify('node_wakeup', ''); RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER node_wakeup AFTER INSERT ON "OutboxEvent"
        FOR EACH STATEMENT EXECUTE FUNCTION node_wakeup()`);
const queue = new Queue('email', {
    connection: { host: process.env.REDIS_HOST, port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null },
});
await queue.waitUntilReady();

let notified = false;
let wake = () => {};
listener.on('notification', () => {
    notified = true;
    wake();
});
await listener.query('LISTEN node_wakeup');
let stopping = false;
process.once('SIGTERM', () => {
    stopping = true;
    wake();
});
console.log('listening');

while (!stopping) {
    notified = false;
    const { rows } = await client.query({ name: 'claim', text: claim });
    if (rows.length > 0) {
        await queue.addBulk(rows.map(row => ({
            name: row.eventType,
            data: { outboxId: row.id, tenantId: row.tenantId, eventType: row.eventType, payload: row.payload },
            opts: { jobId: `outbox-${row.id}`, attempts: 5, backoff: { type: 'exponential', delay: 1000 } },
        })));
        await client.query({ name: 'done', text: done, values: [rows.map(row => row.id)] });
    } else if (!notified && !stopping) {
        await new Promise(resolve => {
            const timer = setTimeout(resolve, 1000);
            wake = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }
}
await Promise.all([client.end(), listener.end(), queue.close()]);
