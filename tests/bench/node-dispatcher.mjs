// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Two Node dispatchers for the event layout, as somebody would write them on pg and bullmq. Each drains every due row
// and prints one line of JSON.
//
//   --mode reference   Queue.add per event (ten at once) and one UPDATE per row; claims by one statement with OR
//   --mode best        Queue.addBulk per queue and one UPDATE per batch; claims waiting rows, expired ones now and then
//   --batch ROWS       rows per claim (100)
//   --modules FOLDER   where node_modules is
// Servers: PG_URL, REDIS_HOST, REDIS_PORT.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
    options: {
        mode: { type: 'string', default: 'reference' },
        batch: { type: 'string', default: '100' },
        modules: { type: 'string' },
    },
});
const require = createRequire(`${options.modules}/package.json`);
const pg = require('pg');
const { Queue } = require('bullmq');

const concurrency = 10;
const expiredEvery = 50; // batches
const perRow = options.mode === 'reference';
const batch = Number(options.batch);

const now = `(now() AT TIME ZONE 'UTC')`;
const waiting = `status = 'PENDING' AND "scheduledAt" <= ${now}`;
const expired = `status = 'PROCESSING' AND "lockedUntil" < ${now}`;
const claim = condition => `
    UPDATE "OutboxEvent" SET status = 'PROCESSING', "lockedUntil" = ${now} + interval '60 s', "updatedAt" = ${now}
    WHERE id IN (SELECT id FROM "OutboxEvent" WHERE ${condition}
                 ORDER BY "scheduledAt" LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING id, "tenantId", "eventType", payload, retries`;
const done = condition => `
    UPDATE "OutboxEvent" SET status = 'DONE', "processedAt" = ${now}, "lockedUntil" = NULL, "updatedAt" = ${now}
    WHERE ${condition}`;
const claimText = claim(perRow ? `(${waiting}) OR (${expired})` : waiting);

const pool = new pg.Pool({ connectionString: process.env.PG_URL, max: concurrency + 2 });
const connection = { host: process.env.REDIS_HOST, port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const queues = {};
for (const name of ['email', 'invoice', 'webhook', 'user', 'default']) {
    queues[name] = new Queue(name, { connection });
    await queues[name].waitUntilReady();
}
await Promise.all(Array.from({ length: concurrency }, () => pool.query('SELECT 1')));

const queueOf = type => queues[type.slice(0, type.indexOf('.'))] ?? queues.default;
const jobOf = row => [
    row.eventType,
    { outboxId: row.id, tenantId: row.tenantId, eventType: row.eventType, payload: row.payload },
    { jobId: `outbox-${row.id}`, attempts: 5, backoff: { type: 'exponential', delay: 1000 } },
];

async function handOverOneByOne(rows) {
    let next = 0;
    const worker = async () => {
        while (next < rows.length) {
            const row = rows[next++];
            await queueOf(row.eventType).add(...jobOf(row));
            await pool.query({ name: 'done one', text: done('id = $1'), values: [row.id] });
        }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
}

async function handOverTogether(rows) {
    const jobs = new Map();
    for (const row of rows) {
        const queue = queueOf(row.eventType);
        const [name, data, opts] = jobOf(row);
        if (!jobs.has(queue)) jobs.set(queue, []);
        jobs.get(queue).push({ name, data, opts });
    }
    await Promise.all([...jobs].map(([queue, list]) => queue.addBulk(list)));
    const ids = rows.map(row => row.id);
    await pool.query({ name: 'done all', text: done('id = ANY($1::text[])'), values: [ids] });
}

let count = 0;
const from = performance.now();
for (let batches = 1; ; batches++) {
    if (!perRow && batches % expiredEvery === 0)
        await pool.query({ name: 'expired', text: claim(expired), values: [batch] });
    const { rows } = await pool.query({ name: 'claim', text: claimText, values: [batch] });
    if (rows.length === 0) break;
    await (perRow ? handOverOneByOne(rows) : handOverTogether(rows));
    count += rows.length;
}
const seconds = (performance.now() - from) / 1000;
console.log(JSON.stringify({ rows: count, seconds, rowsPerSecond: Math.round(count / seconds) }));
await pool.end();
await Promise.all(Object.values(queues).map(queue => queue.close()));
