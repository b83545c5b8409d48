// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A morning on which a mail server is down, the webhook worker is not running and one worker has died: works real
// BullMQ queues off as far as that goes, and adds a few that are odd by themselves. What the dispatcher has handed
// over has to be there before.
//
//   node incident.mjs --redis URL --bullmq ALIAS
//
// Prints one line of JSON when everything stands; live workers stay until standard input ends. Nothing that stands
// then changes by itself but the retries of the live workers.
import { parseArgs } from 'node:util';
import { IORedis, load, parseRedis, waitFor } from './lib.mjs';

const { values: options } = parseArgs({ options: { redis: { type: 'string' }, bullmq: { type: 'string' } } });
const { Queue, Worker, FlowProducer, UnrecoverableError, version } = load(options.bullmq);
const connection = parseRedis(options.redis);
const redis = new IORedis(connection);
const workers = [];
const work = (name, process, more = {}) => {
    const worker = new Worker(name, process, { connection, name: `${name.split('.').at(-1)}-1`, ...more });
    worker.on('error', () => {});
    workers.push(worker);
    return worker;
};
const open = name => new Queue(name, { connection });
const settled = queue => waitFor(async () => {
    const { waiting, active } = await queue.getJobCounts('waiting', 'active');
    return waiting + active === 0;
}, { timeout: 60_000, what: `an empty ${queue.name}` });

// Those that work.
for (const name of ['notification', 'audit', 'search-index', 'ai-cost', 'plugin-hook'])
    work(`outbox.${name}`, async job => {
        await job.log(`took ${job.data.eventType}`);
        await job.updateProgress(100);
        return { delivered: job.data.outboxEventId };
    }, { concurrency: 8 });

// The mail server refuses every third invoice for good, and for every third it is not there at all.
work('outbox.mail', async job => {
    const n = Number(job.data.outboxEventId.match(/\d+$/)?.[0] ?? 0);
    await job.log('connecting to smtp.internal:587');
    if (n % 36 === 0) {
        await job.log('550 5.1.1 rejected');
        throw new UnrecoverableError('550 5.1.1 Recipient address rejected: User unknown');
    }
    if (n % 36 === 12) throw new Error('connect ECONNREFUSED 10.20.0.14:587');
    return { messageId: `<${job.data.outboxEventId}@mail.example>` };
}, { concurrency: 4 });

// Workflows hang on something that never answers: their jobs stay active, with a lock that lives.
const held = new Worker('outbox.workflow', null, { connection, lockDuration: 3_600_000, name: 'workflow-1' });
workers.push(held);
for (const token of ['held-1', 'held-2']) await held.getNextJob(token);

// A worker that died: its job is active, and nobody renews the lock.
const dead = new Worker('outbox.marketing', null, { connection, lockDuration: 200, name: 'marketing-1' });
await dead.getNextJob('dead-1');
await dead.close();

// Odd ones.
const odd = open('imports / nightly #1? 🎉');
await odd.addBulk([1, 2, 3].map(n => ({ name: 'import', data: { file: `customers-${n}.csv` } })));
await odd.add('import', { file: 'urgent.csv' }, { priority: 1 });
await odd.add('import', { file: 'tomorrow.csv' }, { delay: 86_400_000 });
if (odd.upsertJobScheduler) await odd.upsertJobScheduler('nightly', { pattern: '0 2 * * *' }, { name: 'import' });
await new FlowProducer({ connection }).add({
    name: 'merge', queueName: odd.name, data: { of: 2 },
    children: [1, 2].map(n => ({ name: 'part', queueName: 'parts', data: { n }, opts: { delay: 86_400_000 } })),
});
const paused = open('toolctrl.email');
await paused.pause();
for (let n = 1; n <= 12; ++n) await paused.add('send', { to: `user${n}@example.com` });
await redis.set('bull:legacy-report:wait', 'not a list');
await redis.hset('bull:legacy-report:meta', 'opts.maxLenEvents', '10000');

for (const name of ['notification', 'audit', 'search-index', 'ai-cost', 'plugin-hook', 'mail'])
    await settled(open(`outbox.${name}`));
await waitFor(async () => !(await redis.exists(...(await open('outbox.marketing').getActive()).map(
    job => `bull:outbox.marketing:${job.id}:lock`))), { what: 'the end of a lock' });

// Somebody cleaned up by hand: jobs that a comparison has to miss.
const removed = (await open('outbox.audit').getCompleted(0, 3)).map(job => job.id);
for (const id of removed) await redis.del(`bull:outbox.audit:${id}`);
if (removed.length) await redis.zrem('bull:outbox.audit:completed', ...removed);
await redis.del('bull:outbox.audit:events');

const failed = await open('outbox.mail').getFailed(0, 0);
console.log(JSON.stringify({ version, removed, failed: failed.map(job => job.id) }));
await new Promise(resolve => process.stdin.on('end', resolve).resume());
await Promise.all(workers.map(worker => worker.close(true)));
process.exit(0); // the other connections end with it
