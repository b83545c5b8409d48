#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How many rows a second the dispatcher hands over, next to what this machine allows (the floor) and to dispatchers
// written for Node. All of them run in turn on the same private servers, once per repetition, on freshly filled tables.
// The machine drifts from one repetition to the next, so the ratios are taken within one repetition.
//
//   tests/bench/dispatch.mjs [--rows 100000] [--reps 3] [--only TEXT]... [--build FOLDER] [--json FILE]
//
// Needs a build (cmake --build build) and Node; fetches BullMQ and pg from npm into the build folder.
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startServers } from './servers.mjs';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const { values: options } = parseArgs({
    options: {
        rows: { type: 'string', default: '100000' },
        reps: { type: 'string', default: '3' },
        only: { type: 'string', multiple: true, default: [] },
        build: { type: 'string', default: path.join(here, '../../build') },
        json: { type: 'string' },
    },
});
const rows = Number(options.rows);
const reps = Number(options.reps);
const build = path.resolve(options.build);
const work = path.join(build, 'bench');
const referenceRows = Math.min(rows, 20_000); // one row at a time is slow, and slower the larger the table

execFileSync(path.join(here, '../interop/npm-ci'), [here, work], { stdio: ['ignore', process.stderr, process.stderr] });
const require = createRequire(path.join(work, 'package.json'));
const bullmqScript = path.join(work, 'addStandardJob.lua');
fs.writeFileSync(bullmqScript, require(path.join(work, 'node_modules/bullmq/dist/cjs/scripts/addStandardJob-9.js'))
    .addStandardJob.content);
const routesFile = path.join(work, 'routes.json');
const queueOf = { email: 'email', invoice: 'invoice', webhook: 'webhook', user: 'user' };
fs.writeFileSync(routesFile, JSON.stringify({
    routes: ['email', 'invoice', 'webhook', 'user', 'report', 'search', 'audit', 'billing']
        .map(first => ({ prefix: `${first}.`, queue: queueOf[first] ?? 'default' })),
}));

const servers = await startServers();
let child;
for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
        child?.kill('SIGKILL');
        await servers.stop();
        process.exit(1);
    });
}

const dispatcher = batch => ({
    command: [path.join(build, 'outbox-console'), 'dispatch', '--drain', '--json', '--database',
        servers.environment.PG_URL, '--redis', servers.redisUrl, '--routes', routesFile],
    // The floor has up to ten batches on their way; the dispatcher gets the same.
    environment: { OUTBOX_DISPATCH_BATCH_SIZE: String(batch),
        OUTBOX_DISPATCH_CONCURRENCY: String(Math.min(10_000, 10 * batch)) },
});
const floor = (batch, script, file) => ({
    command: [path.join(build, 'tests/bench/bench_floor'), 'e2e', '-m', 'overlap', '-b', batch, '-s', script,
        '-f', file],
});
const node = (mode, batch) => ({
    command: [process.execPath, path.join(here, 'node-dispatcher.mjs'), '--mode', mode, '--batch', batch,
        '--modules', work],
});
const batchScript = path.join(here, 'lua/batch.lua');
const contenders = {
    'dispatcher b1000': dispatcher(1000),
    'dispatcher b100': dispatcher(100),
    'dispatcher, defaults': { ...dispatcher(100), environment: {} },
    'floor, one call per batch b1000': floor(1000, 'batch', batchScript),
    'floor, one call per batch b100': floor(100, 'batch', batchScript),
    "floor, BullMQ's script b1000": floor(1000, 'bullmq', bullmqScript),
    "floor, BullMQ's script b100": floor(100, 'bullmq', bullmqScript),
    'node best effort b1000': node('best', 1000),
    'node best effort b100': node('best', 100),
    'node reference b100': { ...node('reference', 100), rows: referenceRows },
};
for (const label of Object.keys(contenders)) {
    if (options.only.length > 0 && !options.only.some(text => label.includes(text))) delete contenders[label];
}

// Runs one contender; its last line on standard output is its own account. Bash times the processor.
function run({ command, environment }) {
    return new Promise((resolve, reject) => {
        const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
        const began = performance.now();
        child = spawn('bash', ['-c', script, 'bench', ...command.map(String)], {
            env: { ...process.env, ...servers.environment, ...environment },
            stdio: ['ignore', 'pipe', 'pipe'],
        });
        let out = '';
        let err = '';
        child.stdout.on('data', text => (out += text));
        child.stderr.on('data', text => (err += text));
        child.on('close', code => {
            const wall = (performance.now() - began) / 1000;
            const cpu = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(err);
            if (code !== 0 || !cpu) return reject(new Error(`${command.join(' ')}: exit ${code}\n${err}`));
            const { rowsPerSecond, seconds } = JSON.parse(out.trim().split('\n').at(-1));
            resolve({ rowsPerSecond, seconds, wall, cpu: Number(cpu[1]) + Number(cpu[2]) });
        });
    });
}

// A contender that loses a row has not finished.
function verify(label, expected) {
    const done = Number(servers.psql('-c', `SELECT count(*) FROM "OutboxEvent" WHERE status = 'DONE'`));
    const jobs = ['email', 'invoice', 'webhook', 'user', 'default']
        .reduce((sum, queue) => sum + Number(servers.redisCli('llen', `bull:${queue}:wait`)), 0);
    if (done !== expected || jobs !== expected)
        throw new Error(`${label}: ${done} rows done and ${jobs} jobs waiting, expected ${expected} of both`);
}

const median = values => {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const rounded = (value, digits) => Number(value.toFixed(digits));

const results = new Map(Object.keys(contenders).map(label => [label, []]));
try {
    servers.psql('-v', `rows=${rows}`, '-f', path.join(here, 'sql/schema.sql'));
    for (let rep = 0; rep < reps; rep++) {
        for (const [label, contender] of Object.entries(contenders)) {
            const expected = contender.rows ?? rows;
            await servers.emptyRedis();
            servers.psql('-v', `rows=${expected}`, '-f', path.join(here, 'sql/fill.sql'));
            const result = await run(contender);
            verify(label, expected);
            results.get(label).push(result);
            console.error(`${rep + 1}/${reps} ${label}: ${Math.round(result.rowsPerSecond)} rows/s`);
        }
    }
} finally {
    await servers.stop();
}

const base = Object.keys(contenders)[0];
const summary = [...results].map(([label, runs]) => ({
    label,
    rows: contenders[label].rows ?? rows,
    rowsPerSecond: Math.round(median(runs.map(result => result.rowsPerSecond))),
    min: Math.round(Math.min(...runs.map(result => result.rowsPerSecond))),
    max: Math.round(Math.max(...runs.map(result => result.rowsPerSecond))),
    // How many times faster the first line is, repetition by repetition.
    ratio: rounded(median(runs.map((result, rep) => results.get(base)[rep].rowsPerSecond / result.rowsPerSecond)), 2),
    cpuSeconds: rounded(median(runs.map(result => result.cpu)), 2),
    wallSeconds: rounded(median(runs.map(result => result.wall)), 2),
}));
console.log(`${rows} rows, medians of ${reps}. Ratio: how many times faster "${base}" is.`);
console.log(`${''.padEnd(34)}${'rows/s'.padStart(8)}${'min'.padStart(8)}${'max'.padStart(8)}${'ratio'.padStart(8)}`
    + `${'cpu s'.padStart(8)}${'wall s'.padStart(8)}`);
for (const { label, rowsPerSecond, min, max, ratio, cpuSeconds, wallSeconds } of summary) {
    const numbers = [rowsPerSecond, min, max, ratio, cpuSeconds, wallSeconds];
    console.log(label.padEnd(34) + numbers.map(number => String(number).padStart(8)).join(''));
}
if (referenceRows < rows) console.log(`The reference drains ${referenceRows} rows of a table of that size.`);
if (options.json) fs.writeFileSync(options.json, JSON.stringify({ rows, reps, contenders: summary }, null, 2) + '\n');
