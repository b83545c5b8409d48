#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How many rows a second the dispatcher hands over, next to what this machine allows (the floor) and to dispatchers
// written for Node. All of them run in turn on the same private servers, once per repetition, on freshly filled tables.
// The machine drifts from one repetition to the next, so ratios are taken within one repetition; their median counts.
//
//   tests/bench/dispatch.mjs [--rows 100000] [--reps 3] [--reference-rows ROWS] [--relay-rows 5000] [--only TEXT]...
//                            [--build FOLDER] [--json FILE]
//
// Needs a build (cmake --build build) and Node; fetches BullMQ, pg and pg-transactional-outbox from npm into the build
// folder. The reference drains as many rows as the others unless told otherwise; the relay takes minutes for as many,
// and its rate does not depend on how many there are.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import {
    bar, dispatcherCommand, fetchModules, finish, here, launch, median, number, printTable, queues, readOptions,
    rounded, withServers,
} from './common.mjs';

const options = readOptions({
    'rows': number(100_000),
    'reps': number(3),
    'reference-rows': { type: 'string' },
    'relay-rows': number(5_000),
    'only': { type: 'string', multiple: true, default: [] },
});
const { rows, reps, work } = options;
const relayRows = Math.min(options['relay-rows'], rows);

fetchModules(options);
const require = createRequire(path.join(work, 'package.json'));
const bullmqScript = path.join(work, 'addStandardJob.lua');
fs.writeFileSync(bullmqScript, require(path.join(work, 'node_modules/bullmq/dist/cjs/scripts/addStandardJob-9.js'))
    .addStandardJob.content);

// Labels are used below to name what is compared with what.
function contendersOn(servers) {
    const dispatcher = environment => ({
        command: dispatcherCommand(options, servers, { drain: true }),
        environment,
    });
    // The floor has up to ten batches on their way; the dispatcher gets the same.
    const batchesOf = batch => dispatcher({ OUTBOX_DISPATCH_BATCH_SIZE: String(batch),
        OUTBOX_DISPATCH_CONCURRENCY: String(Math.min(10_000, 10 * batch)) });
    const floor = (batch, script, file) => ({
        command: [options.program('bench_floor'), 'e2e', '-m', 'overlap', '-b', batch, '-s', script, '-f', file],
    });
    const node = (mode, batch) => ({
        command: [process.execPath, path.join(here, 'node-dispatcher.mjs'), '--mode', mode, '--batch', batch,
            '--modules', work],
    });
    const batchScript = path.join(here, 'lua/batch.lua');
    const contenders = {
        'dispatcher b1000': batchesOf(1000),
        'dispatcher b100': batchesOf(100),
        'dispatcher, defaults': dispatcher({}),
        'floor, one call per batch b1000': floor(1000, 'batch', batchScript),
        'floor, one call per batch b100': floor(100, 'batch', batchScript),
        "floor, BullMQ's script b1000": floor(1000, 'bullmq', bullmqScript),
        "floor, BullMQ's script b100": floor(100, 'bullmq', bullmqScript),
        'Node, best effort b1000': node('best', 1000),
        'Node, best effort b100': node('best', 100),
        'Node, reference b100': { ...node('reference', 100), rows: Number(options['reference-rows'] ?? rows) },
        'pg-transactional-outbox': {
            command: [process.execPath, path.join(here, 'node-relay.mjs'), '--rows', relayRows, '--modules', work],
            rows: relayRows,
            ownTable: true,
        },
    };
    for (const label of Object.keys(contenders)) {
        if (options.only.length > 0 && !options.only.some(text => label.includes(text))) delete contenders[label];
    }
    return contenders;
}

// Runs one contender; its last line on standard output is its own account. Bash times the processor.
async function measure({ command, environment }, servers) {
    const began = performance.now();
    const timed = ['bash', '-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bench', ...command];
    const { code, out, err } = await launch(timed, { ...servers.environment, ...environment }).ended;
    const wall = (performance.now() - began) / 1000;
    const cpu = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(err);
    if (code !== 0 || !cpu) throw new Error(`${command.join(' ')}: exit ${code}\n${err}`);
    const account = JSON.parse(out.trim().split('\n').at(-1));
    return { rowsPerSecond: account.rowsPerSecond, seconds: account.seconds, wall,
        cpu: account.cpuOfRun ?? Number(cpu[1]) + Number(cpu[2]) };
}

// A contender that loses a row has not finished.
function verify(servers, label, { ownTable }, expected) {
    const done = Number(servers.psql('-c', ownTable
        ? 'SELECT count(*) FROM relay.outbox WHERE processed_at IS NOT NULL'
        : `SELECT count(*) FROM "OutboxEvent" WHERE status = 'DONE'`));
    const jobs = queues.reduce((sum, queue) => sum + Number(servers.redisCli('llen', `bull:${queue}:wait`)), 0);
    if (done !== expected || jobs !== expected)
        throw new Error(`${label}: ${done} rows done and ${jobs} jobs waiting, expected ${expected} of both`);
}

const results = new Map();
const rowsOf = new Map();
await withServers([], async servers => {
    servers.psql('-v', `rows=${rows}`, '-f', path.join(here, 'sql/schema.sql'));
    const contenders = Object.entries(contendersOn(servers));
    for (let rep = 0; rep < reps; rep++) {
        for (const [label, contender] of contenders) {
            const expected = contender.rows ?? rows;
            await servers.emptyRedis();
            servers.psql('-v', `rows=${contender.ownTable ? 0 : expected}`, '-f', path.join(here, 'sql/fill.sql'));
            const result = await measure(contender, servers);
            verify(servers, label, contender, expected);
            if (!results.has(label)) results.set(label, []);
            results.get(label).push(result);
            rowsOf.set(label, expected);
            console.error(`${rep + 1}/${reps} ${label}: ${Math.round(result.rowsPerSecond)} rows/s`);
        }
    }
});

// How one contender stands to another: the median of the repetitions' quotients, or nothing if one did not run.
function quotient(label, other, figure = run => run.rowsPerSecond) {
    const [runs, others] = [results.get(label), results.get(other)];
    return runs && others && median(runs.map((run, rep) => figure(run) / figure(others[rep])));
}

const base = [...results.keys()][0];
const summary = [...results].map(([label, runs]) => ({
    label,
    rows: rowsOf.get(label),
    rowsPerSecond: Math.round(median(runs.map(run => run.rowsPerSecond))),
    min: Math.round(Math.min(...runs.map(run => run.rowsPerSecond))),
    max: Math.round(Math.max(...runs.map(run => run.rowsPerSecond))),
    ratio: rounded(quotient(base, label)),
    cpuSeconds: rounded(median(runs.map(run => run.cpu))),
    cpuPer100k: rounded(median(runs.map(run => run.cpu)) / rowsOf.get(label) * 100_000),
    wallSeconds: rounded(median(runs.map(run => run.wall))),
}));
console.log(`Medians of ${reps}. Ratio: how many times faster "${base}" is.`);
printTable(['', 'rows', 'rows/s', 'min', 'max', 'ratio', 'cpu s', 'cpu s/100k', 'wall s'],
    summary.map(line => [line.label, line.rows, line.rowsPerSecond, line.min, line.max, line.ratio, line.cpuSeconds,
        line.cpuPer100k, line.wallSeconds]));

const fast = 'dispatcher b1000';
const luaFloor = 'floor, one call per batch b1000';
finish(options, { rows, reps, contenders: summary }, [
    ...bar("rate to the floor with BullMQ's script, batch 1000", { least: 1 },
        quotient(fast, "floor, BullMQ's script b1000"), 'x'),
    ...bar('rate to the floor with one Lua call per batch, batch 1000', { least: 0.9 }, quotient(fast, luaFloor), 'x'),
    ...bar('rate to best-effort Node, batch 1000', { least: 2.5 }, quotient(fast, 'Node, best effort b1000'), 'x'),
    ...bar('rate to the reference Node dispatcher', { least: 15 }, quotient(fast, 'Node, reference b100'), 'x'),
    ...bar('rate to the npm relay pg-transactional-outbox', { least: 35 },
        quotient(fast, 'pg-transactional-outbox'), 'x'),
    ...bar('rate with defaults to the floor with one Lua call per batch, batch 100', { least: 0.7 },
        quotient('dispatcher, defaults', 'floor, one call per batch b100'), 'x'),
    ...bar("client's CPU to that of the floor with one Lua call per batch, batch 1000", { most: 2 },
        quotient(fast, luaFloor, run => run.cpu), 'x'),
]);
