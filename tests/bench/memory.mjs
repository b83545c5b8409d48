#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The dispatcher's peak memory (VmHWM of /proc) while it drains a backlog: many rows of about 500 bytes, then a few rows
// whose payloads are very large, both with the default settings and with a batch of 1000.
//
//   tests/bench/memory.mjs [--rows 1000000] [--large-rows 100] [--large-mb 16] [--build FOLDER] [--json FILE]
//
// Redis holds every job: a million take about 1.5 GB of memory.
import fs from 'node:fs';
import path from 'node:path';
import {
    bar, dispatcherCommand, finish, here, launch, number, printTable, queues, readOptions, rounded, withServers,
} from './common.mjs';

const options = readOptions({ 'rows': number(1_000_000), 'large-rows': number(100), 'large-mb': number(16) });

function peakMegabytes(pid) {
    try {
        const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return Number(kilobytes ?? 0) / 1024;
    } catch {
        return 0; // it has just ended
    }
}

// The peak only grows, so what was read last, at most 20 ms before the end, is it.
async function drain(servers, label, rows, environment) {
    const program = launch(dispatcherCommand(options, servers, { drain: true }), environment);
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, peakMegabytes(program.pid))), 20);
    const { code, out, err } = await program.ended;
    clearInterval(timer);
    if (code !== 0) throw new Error(`${label}: exit ${code}\n${err}`);
    const { handedOver, seconds } = JSON.parse(out.trim().split('\n').at(-1));
    const jobs = queues.reduce((sum, queue) => sum + Number(servers.redisCli('llen', `bull:${queue}:wait`)), 0);
    if (handedOver !== rows || jobs !== rows)
        throw new Error(`${label}: ${handedOver} rows handed over and ${jobs} jobs waiting, expected ${rows} of both`);
    console.error(`${label}: ${Math.round(peak)} MB`);
    return { label, rows, peakMB: rounded(peak, 1), seconds: rounded(seconds, 1) };
}

const small = `${options.rows.toLocaleString('en')} rows of 500 bytes`;
const large = `${options['large-rows']} rows of ${options['large-mb']} MB`;
const lines = await withServers([], async servers => {
    servers.psql('-v', `rows=${options.rows}`, '-f', path.join(here, 'sql/schema.sql'));
    const measured = [];
    for (const [name, environment] of [['defaults', {}],
        ['batch 1000', { OUTBOX_DISPATCH_BATCH_SIZE: '1000', OUTBOX_DISPATCH_CONCURRENCY: '10000' }]]) {
        await servers.emptyRedis();
        servers.psql('-v', `rows=${options.rows}`, '-f', path.join(here, 'sql/fill.sql'));
        measured.push(await drain(servers, `${small}, ${name}`, options.rows, environment));
    }
    for (const [name, environment] of [['defaults', {}],
        ['batch 1000', { OUTBOX_DISPATCH_BATCH_SIZE: '1000', OUTBOX_DISPATCH_CONCURRENCY: '10000' }]]) {
        await servers.emptyRedis();
        servers.psql('-c', 'TRUNCATE "OutboxEvent"', '-c', `
            INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "scheduledAt", "updatedAt")
            SELECT 'large-' || n, 'tenant_1', 'email.welcome',
                   jsonb_build_object('note', repeat(md5(n::text), ${options['large-mb']} * 1024 * 1024 / 32)), now, now
            FROM generate_series(1, ${options['large-rows']}) n, (SELECT now() AT TIME ZONE 'UTC' AS now) clock`,
        '-c', 'VACUUM (ANALYZE) "OutboxEvent"');
        measured.push(await drain(servers, `${large}, ${name}`, options['large-rows'], environment));
    }
    return measured;
});

console.log('Peak memory of the dispatcher.');
printTable(['', 'rows', 'peak MB', 's'], lines.map(line => Object.values(line)));
const sum = options['large-rows'] * options['large-mb'];
const peakOf = label => lines.find(line => line.label === label)?.peakMB;
finish(options, { runs: lines }, [
    ...bar(`${small}, defaults`, { most: 150 }, peakOf(`${small}, defaults`), ' MB'),
    ...bar(`${small}, batch 1000`, { most: 150 }, peakOf(`${small}, batch 1000`), ' MB'),
    // Bounded by bytes: a fraction of what lies in the table, whatever the batch.
    ...bar(`${large} (${sum} MB in all), defaults`, { most: sum / 4 }, peakOf(`${large}, defaults`), ' MB'),
    ...bar(`${large} (${sum} MB in all), batch 1000`, { most: sum / 4 }, peakOf(`${large}, batch 1000`), ' MB'),
]);
