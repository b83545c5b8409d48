// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A plain BullMQ worker, as an application has it: takes jobs until so many have completed, then ends.
//
//   node worker.mjs --redis URL --bullmq ALIAS --queue NAME --expect N [--fail-first] [--remove]
//
// --fail-first: every job's first attempt fails. --remove: the worker removes the jobs that it completes.
import { parseArgs } from 'node:util';
import { load, parseRedis, waitFor } from './lib.mjs';

const { values: options } = parseArgs({
    options: {
        redis: { type: 'string' }, bullmq: { type: 'string' }, queue: { type: 'string' }, expect: { type: 'string' },
        'fail-first': { type: 'boolean', default: false }, remove: { type: 'boolean', default: false },
    },
});
const { Worker, version } = load(options.bullmq);
const seen = new Set();
let completed = 0;
const worker = new Worker(options.queue, async job => {
    const first = !seen.has(job.id);
    seen.add(job.id);
    if (options['fail-first'] && first) throw new Error('the first attempt fails');
    return { delivered: job.data.outboxEventId };
}, { connection: parseRedis(options.redis), removeOnComplete: options.remove ? { count: 0 } : undefined });
worker.on('completed', () => ++completed);
worker.on('error', error => console.error(error.message));
await waitFor(() => completed >= Number(options.expect), { timeout: 40_000, what: `${options.expect} completed jobs` });
await worker.close();
console.log(JSON.stringify({ version, completed }));
