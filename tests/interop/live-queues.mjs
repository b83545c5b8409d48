// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Puts real BullMQ queues into every state and holds them there, with live workers, until standard input ends.
//
//   node live-queues.mjs --redis URL --bullmq ALIAS
//
// Prints one line of JSON with what the library itself says about them.
import { parseArgs } from 'node:util';
import { load, parseRedis, waitFor } from './lib.mjs';

const { values: options } = parseArgs({ options: { redis: { type: 'string' }, bullmq: { type: 'string' } } });
const { Queue, Worker, FlowProducer, version, major } = load(options.bullmq);
const connection = parseRedis(options.redis);
const names = { busy: 'live busy/1#? 🎉', paused: 'live paused', kids: 'live kids' };
const open = name => new Queue(name, { connection });
const busy = open(names.busy);
const paused = open(names.paused);

let release;
const released = new Promise(resolve => { release = resolve; });
const worker = new Worker(names.busy, async job => {
    if (job.name === 'bad') {
        await job.log(`attempt for ${job.data.n}`);
        throw new Error(`broken ${job.data.n}`);
    }
    if (job.name === 'hold') await released;
    await job.updateProgress(50);
    return { done: job.data.n };
}, { connection, concurrency: 2, name: 'holder', lockDuration: 30_000 });
worker.on('error', () => {});
await worker.waitUntilReady();

for (let n = 1; n <= 3; ++n) await busy.add('ok', { n }, { jobId: `ok-${n}` });
for (let n = 1; n <= 2; ++n) await busy.add('bad', { n }, { jobId: `bad-${n}`, attempts: 2 });
await waitFor(async () => (await busy.getCompletedCount()) === 3 && (await busy.getFailedCount()) === 2,
    { timeout: 20_000, what: 'finished jobs' });
for (let n = 1; n <= 2; ++n) await busy.add('hold', { n }, { jobId: `hold-${n}` });
await waitFor(async () => (await busy.getActiveCount()) === 2, { timeout: 20_000, what: 'active jobs' });
for (let n = 1; n <= 4; ++n) await busy.add('later', { n }, { jobId: `later-${n}` });
for (let n = 1; n <= 2; ++n) await busy.add('urgent', { n }, { jobId: `urgent-${n}`, priority: n });
for (let n = 1; n <= 2; ++n) await busy.add('delayed', { n }, { jobId: `delayed-${n}`, delay: n * 3_600_000 });
const flows = new FlowProducer({ connection });
await flows.add({
    name: 'parent', queueName: names.busy, opts: { jobId: 'parent' },
    children: [{ name: 'child', queueName: names.kids, opts: { jobId: 'child', delay: 3_600_000 } }],
});
if (busy.upsertJobScheduler) await busy.upsertJobScheduler('hourly', { pattern: '0 * * * *' }, { name: 'tick' });
else await busy.add('tick', {}, { repeat: { pattern: '0 * * * *' } });
await paused.pause();
for (let n = 1; n <= 3; ++n) await paused.add('held', { n }, { jobId: `held-${n}` });

const ids = jobs => jobs.map(job => job.id);
const job = await busy.getJob('bad-1');
console.log(JSON.stringify({
    version, major, names,
    busy: {
        counts: await busy.getJobCounts(), workers: (await busy.getWorkers()).length, isPaused: await busy.isPaused(),
        ids: {
            failed: ids(await busy.getFailed(0, -1)), completed: ids(await busy.getCompleted(0, -1)),
            waiting: ids(await busy.getWaiting(0, -1)), delayed: ids(await busy.getDelayed(0, -1)),
            prioritized: major > 3 ? ids(await busy.getJobs(['prioritized'], 0, -1, true)) : [],
            active: ids(await busy.getActive(0, -1)),
        },
    },
    paused: { counts: await paused.getJobCounts(), workers: (await paused.getWorkers()).length,
        isPaused: await paused.isPaused() },
    bad: { attemptsMade: job.attemptsMade, failedReason: job.failedReason, stacktrace: job.stacktrace,
        timestamp: job.timestamp, finishedOn: job.finishedOn, logs: (await busy.getJobLogs('bad-1')).logs },
}));

await new Promise(resolve => process.stdin.on('end', resolve).resume());
release();
await worker.close();
process.exit(0); // the connections end with it
