// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The ready-made relay pg-transactional-outbox with its polling listener, set up as its own documentation says, in a
// schema `relay` of its own, filled from outbox_seed. Its handler adds one BullMQ job per message. Prints one line of
// JSON; neither set-up nor filling counts.
//
//   --rows N           messages
//   --batch N          messages per look, all of them handled at once (20)
//   --modules FOLDER   where node_modules is
// Servers: PG_URL, REDIS_HOST, REDIS_PORT.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
    options: {
        rows: { type: 'string', default: '5000' },
        batch: { type: 'string', default: '20' },
        modules: { type: 'string' },
    },
});
const require = createRequire(`${options.modules}/package.json`);
const pg = require('pg');
const { Queue } = require('bullmq');
const relay = require('pg-transactional-outbox');

const rows = Number(options.rows);
const batch = Number(options.batch);
const url = new URL(process.env.PG_URL);
const database = url.pathname.slice(1);
const pool = new pg.Pool({ connectionString: process.env.PG_URL });

const setup = {
    outboxOrInbox: 'outbox',
    database,
    schema: 'relay',
    table: 'outbox',
    listenerRole: url.username,
    handlerRole: url.username,
    nextMessagesSchema: 'relay',
    nextMessagesName: 'next_messages',
};
await pool.query('DROP SCHEMA IF EXISTS relay CASCADE; CREATE SCHEMA relay');
await pool.query(relay.DatabaseSetup.dropAndCreateTable(setup));
await pool.query(relay.DatabaseSetup.createPollingFunction(setup));
// It drops its indexes without naming their schema.
await pool.query('SET search_path = relay, public; ' + relay.DatabaseSetup.setupPollingIndexes(setup));
await pool.query(`
    INSERT INTO relay.outbox(id, aggregate_type, aggregate_id, message_type, concurrency, payload, created_at)
    SELECT gen_random_uuid(), 'order', id, "eventType", 'parallel', payload,
           now() - interval '10 min' + n * interval '1 ms'
    FROM outbox_seed WHERE n <= $1 ORDER BY n`, [rows]);
await pool.query('VACUUM (ANALYZE) relay.outbox');
await pool.query('CHECKPOINT');

const connection = { host: process.env.REDIS_HOST, port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const queues = {};
for (const name of ['email', 'invoice', 'webhook', 'user', 'default']) {
    queues[name] = new Queue(name, { connection });
    await queues[name].waitUntilReady();
}

let handled = 0;
let allHandled;
const finished = new Promise(resolve => (allHandled = resolve));
const handler = {
    async handle({ id, messageType, payload }) {
        const queue = queues[messageType.slice(0, messageType.indexOf('.'))] ?? queues.default;
        await queue.add(messageType, { outboxId: id, eventType: messageType, payload },
            { jobId: `outbox-${id}`, attempts: 5, backoff: { type: 'exponential', delay: 1000 } });
        if (++handled === rows) allHandled();
    },
};
const report = (...texts) => console.error(...texts.map(text => text?.message ?? text));
const logger = { trace() {}, debug() {}, info() {}, warn: report, error: report, fatal: report };

const cpuBefore = process.cpuUsage();
const from = performance.now();
const [stop] = relay.initializePollingMessageListener({
    outboxOrInbox: 'outbox',
    dbListenerConfig: { host: url.hostname, port: Number(url.port), user: url.username, database,
        max: Math.min(batch + 5, 40) },
    settings: {
        dbSchema: 'relay',
        dbTable: 'outbox',
        enableMaxAttemptsProtection: false,
        enablePoisonousMessageProtection: false,
        messageCleanupIntervalInMs: 0,
        nextMessagesFunctionSchema: 'relay',
        nextMessagesFunctionName: 'next_messages',
        nextMessagesBatchSize: batch,
        nextMessagesPollingIntervalInMs: 10,
        nextMessagesLockInMs: 5000,
    },
}, handler, logger, { batchSizeStrategy: async () => batch });
await finished;
while ((await pool.query('SELECT FROM relay.outbox WHERE processed_at IS NULL LIMIT 1')).rowCount > 0)
    await new Promise(resolve => setTimeout(resolve, 10));
const seconds = (performance.now() - from) / 1000;
const cpu = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ rows, seconds, rowsPerSecond: Math.round(rows / seconds),
    cpuOfRun: (cpu.user + cpu.system) / 1e6 }));
await stop();
await pool.end();
await Promise.all(Object.values(queues).map(queue => queue.close()));
process.exit(0); // the relay keeps connections of its own open for a while
