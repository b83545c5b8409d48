// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Opens a queue with BullMQ and does one thing to it, as an application or an operator would.
//
//   node queue.mjs --redis URL --bullmq ALIAS --queue NAME pause|resume|counts
//
// Prints one line of JSON: {"version": "...", "paused": true, "counts": {...}}.
import { parseArgs } from 'node:util';
import { load, parseRedis } from './lib.mjs';

const { values: options, positionals: [action] } = parseArgs({
    allowPositionals: true,
    options: { redis: { type: 'string' }, bullmq: { type: 'string' }, queue: { type: 'string' } },
});
const { Queue, version } = load(options.bullmq);
const queue = new Queue(options.queue, { connection: parseRedis(options.redis) });
await queue.waitUntilReady();
if (action === 'pause') await queue.pause();
if (action === 'resume') await queue.resume();
console.log(JSON.stringify({ version, paused: await queue.isPaused(), counts: await queue.getJobCounts() }));
await queue.close();
