// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs real BullMQ workers of one version against a queue that somebody else has filled, or fills meanwhile, and
// prints one line of JSON about what they saw.
//
//   node interop-check.mjs --redis URL --queue NAME --bullmq bullmq6 --expect 100
//
//   --bullmq ALIAS            bullmq3 | bullmq4 | bullmq5mid | bullmq5 | bullmq6
//   --expect N                ends once N different ids are finished (completed, or failed for good)
//   --workers N               so many workers (1)        --concurrency N      jobs at once in each (10)
//   --work-ms N               time that each job takes (0)
//   --fail-rate F             share of ids, picked by a hash of the id, whose first attempt throws (0)
//   --fail-always-rate F      share of ids that throw at every attempt (0)
//   --timeout N               gives up after so many milliseconds (30000)
//   --settle N                watches for duplicates so many milliseconds longer (500)
//   --ready-file PATH         written once all workers are idle and blocking, so that a producer can be started then
//   --no-exercise             without the checks of getJob, retry, remove and duplicate add at the end
//   --keep                    removes nothing
//   --max-ids N               lists so many ids at most (1000)
//   --prefix P                key prefix (bull)
// Exit status: 0 when N ids finished, none ran twice and every check passed; 1 otherwise.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { IORedis, load, parseRedis, sleep, waitFor } from './lib.mjs';

const text = fallback => ({ type: 'string', default: fallback });
const { values: options } = parseArgs({
    options: {
        redis: text('redis://127.0.0.1:6379'), queue: text(), bullmq: text('bullmq6'), prefix: text('bull'),
        expect: text('1'), timeout: text('30000'), settle: text('500'), workers: text('1'), concurrency: text('10'),
        'work-ms': text('0'), 'fail-rate': text('0'), 'fail-always-rate': text('0'), 'max-ids': text('1000'),
        'ready-file': text(), 'no-exercise': { type: 'boolean' }, keep: { type: 'boolean' },
    },
});
const number = name => Number(options[name]);
const expected = number('expect');

const bullmq = load(options.bullmq);
const connection = parseRedis(options.redis);
const redis = new IORedis(connection);
const key = name => `${options.prefix}:${options.queue}:${name}`;

const jobs = new Map(); // id -> what happened to it
const duplicates = new Map(); // id -> why
const running = new Set();
const errors = new Set();
const stalled = new Set();
let exercising = false; // the checks at the end run jobs again on purpose

function record(id) {
    if (!jobs.has(id)) jobs.set(id, { starts: 0, failures: 0, completions: 0 });
    return jobs.get(id);
}

function reportDuplicate(id, why) {
    if (!exercising) duplicates.set(id, [...(duplicates.get(id) ?? []), why]);
}

// A number between 0 and 1 that belongs to the id.
function shareOf(id) {
    return crypto.createHash('sha1').update(id).digest().readUInt32BE(0) / 2 ** 32;
}

async function processor(job, worker) {
    const id = String(job.id);
    const entry = record(id);
    if (running.has(id)) reportDuplicate(id, 'two attempts at the same time');
    if (entry.completions > 0) reportDuplicate(id, 'processed again after completion');
    else if (entry.starts > entry.failures) reportDuplicate(id, 'started again without a failed attempt');
    running.add(id);
    entry.starts++;
    try {
        if (entry.starts === 1) {
            const { timestamp, opts } = job;
            Object.assign(entry, { worker, due: timestamp + (opts?.delay ?? 0), processedOn: job.processedOn });
            entry.raw = await redis.hget(key(id), 'data');
        }
        if (number('work-ms') > 0) await sleep(number('work-ms'));
        if (!exercising) {
            const share = shareOf(id);
            const always = share < number('fail-always-rate');
            if (always || (entry.starts === 1 && share < number('fail-always-rate') + number('fail-rate'))) {
                entry.failures++;
                throw new Error(always ? 'interop: always fails' : 'interop: first attempt fails');
            }
        }
        return { checkedBy: options.bullmq, attempt: entry.starts };
    } finally {
        running.delete(id);
    }
}

function startWorker(index) {
    const worker = new bullmq.Worker(options.queue, job => processor(job, index), {
        connection,
        prefix: options.prefix,
        concurrency: number('concurrency'),
        ...(bullmq.major >= 5 ? { name: `interop${index}` } : {}),
    });
    worker.on('error', error => errors.add(`worker: ${error.message}`));
    worker.on('stalled', id => stalled.add(id));
    worker.on('completed', job => {
        const entry = record(String(job.id));
        entry.completions++;
        Object.assign(entry, { attemptsMade: job.attemptsMade, final: 'completed' });
    });
    worker.on('failed', async job => {
        if (!job) return;
        const id = String(job.id);
        record(id).attemptsMade = job.attemptsMade;
        const isFinal = (await redis.zscore(key('failed'), id)) !== null || !(await redis.exists(key(id)));
        if (isFinal) record(id).final = 'failed';
    });
    return worker;
}

// The workers' blocking connections are the named ones, and a blocked client says so in its flags.
async function allIdle() {
    const name = `${options.prefix}:${Buffer.from(options.queue).toString('base64')}`;
    const clients = (await redis.client('LIST')).split('\n');
    const waiting = clients.filter(line => line.includes(`name=${name}`) && / flags=\S*b/.test(line));
    return waiting.length === number('workers');
}

const began = Date.now();
const workers = Array.from({ length: number('workers') }, (_, index) => startWorker(index));
const queue = new bullmq.Queue(options.queue, { connection, prefix: options.prefix, skipMetasUpdate: true });
queue.on('error', error => errors.add(`queue: ${error.message}`));
await Promise.all([...workers, queue].map(each => each.waitUntilReady()));
if (options['ready-file']) {
    await waitFor(allIdle, { what: 'idle workers' });
    fs.writeFileSync(options['ready-file'], JSON.stringify({ at: Date.now() }) + '\n');
}

const finished = () => [...jobs.values()].filter(entry => entry.final).length;
const timedOut = await waitFor(() => finished() >= expected, { timeout: number('timeout'), step: 10 })
    .then(() => false, () => true);
await sleep(number('settle'));
const elapsedMs = Date.now() - began;
const counts = await queue.getJobCounts();
const ids = [...jobs.keys()].sort();
const withFinal = final => [...jobs.values()].filter(entry => entry.final === final).length;
const outcome = { completed: withFinal('completed'), failed: withFinal('failed') };

// ---- what a user of the library may do with such jobs ----

const exists = async id => (await redis.exists(key(id))) === 1;

async function checkGetJob() {
    const missing = [];
    const changed = [];
    for (const id of ids) {
        const job = await queue.getJob(id);
        if (!job) missing.push(id);
        else if (JSON.stringify(job.data) !== JSON.stringify(JSON.parse(jobs.get(id).raw ?? '{}'))) changed.push(id);
    }
    return { ok: changed.length === 0, missing: missing.length, changed };
}

async function checkRetry(id, state) {
    const before = jobs.get(id).starts;
    await (await queue.getJob(id)).retry(state);
    await waitFor(() => jobs.get(id).starts > before && !running.has(id), { what: 'the retried job to run' });
    const completed = async () => !(await exists(id)) || (await redis.zscore(key('completed'), id)) !== null;
    await waitFor(completed, { what: 'the retried job to complete' });
    return { ok: true, id, from: state };
}

async function checkDuplicateAdd(id) {
    const data = await redis.hget(key(id), 'data');
    const { starts } = jobs.get(id);
    const how = await queue.add('interop', { duplicate: true }, { jobId: id }).then(() => 'ignored', e => e.message);
    await sleep(250);
    return { ok: (await redis.hget(key(id), 'data')) === data && jobs.get(id).starts === starts, id, how };
}

async function checkRemove(id) {
    await (await queue.getJob(id)).remove();
    const lists = ['completed', 'failed', 'delayed', 'prioritized', 'waiting-children'];
    const scores = await Promise.all(lists.map(name => redis.zscore(key(name), id)));
    return { ok: !(await exists(id)) && scores.every(score => score === null), id };
}

async function checkState(id) {
    const state = await (await queue.getJob(id)).getState();
    return { ok: state === 'completed' || state === 'failed', id, state };
}

const checks = {};
if (!options['no-exercise'] && ids.length > 0) {
    exercising = true;
    const kept = [];
    for (const id of ids) if (await exists(id)) kept.push(id);
    const retryId = kept.find(id => jobs.get(id).final === 'failed') ?? kept[0];
    const otherId = kept.find(id => id !== retryId) ?? retryId;
    const lastId = kept.findLast(id => id !== otherId) ?? retryId;
    const check = async (name, id, run) => {
        if (id === undefined) checks[name] = { ok: null, reason: 'no job was kept' };
        else checks[name] = await run().catch(error => ({ ok: false, error: error.message }));
    };
    await check('getJob', ids[0], checkGetJob);
    await check('retry', retryId, () => checkRetry(retryId, jobs.get(retryId).final));
    await check('duplicateAdd', otherId, () => checkDuplicateAdd(otherId));
    if (!options.keep) await check('remove', otherId, () => checkRemove(otherId));
    await check('getState', lastId === otherId ? undefined : lastId, () => checkState(lastId));
}

// ---- the report ----

const hash = crypto.createHash('sha256');
for (const id of ids) hash.update(`${id}\t${jobs.get(id).raw ?? '<missing>'}\n`);
const latencies = [...jobs.values()].filter(entry => entry.processedOn).map(entry => entry.processedOn - entry.due)
    .sort((a, b) => a - b);
const quantile = share => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? null;
const tally = values => values.reduce((sums, value) => ({ ...sums, [value]: (sums[value] ?? 0) + 1 }), {});
const ok = !timedOut && duplicates.size === 0 && Object.values(checks).every(check => check.ok !== false);
console.log(JSON.stringify({
    ok,
    version: bullmq.version,
    finished: finished(),
    ...outcome,
    timedOut,
    distinctIds: ids.length,
    ids: ids.slice(0, number('max-ids')),
    duplicatesSeen: duplicates.size,
    duplicates: Object.fromEntries([...duplicates].slice(0, 20)),
    dataHash: hash.digest('hex'), // over "id TAB data NEWLINE" in the order of the ids
    jobsPerWorker: tally([...jobs.values()].map(entry => entry.worker)),
    attemptsMade: tally([...jobs.values()].map(entry => entry.attemptsMade ?? 'unknown')),
    stalled: stalled.size,
    wakeLatencyMs: { p50: quantile(0.5), p99: quantile(0.99), max: latencies.at(-1) ?? null },
    counts,
    checks,
    errors: [...errors].slice(0, 10),
    elapsedMs,
}));
const closing = [...workers.map(worker => worker.close(true)), queue.close()];
await Promise.race([Promise.allSettled(closing), sleep(2000)]);
process.exit(ok ? 0 : 1);
