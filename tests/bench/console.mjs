#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How the window reads an outbox table of ten million rows, 97 % of them handed over, with nothing but the user's
// index on (status, scheduledAt) and the primary key: the server's own time for each question (from PostgreSQL's log),
// the time from the navigation to painted rows (offscreen), and how long the GUI thread is busy at a stretch while the
// table changes a thousand times a second.
//
//   tests/bench/console.mjs [--rows 10000000] [--layout event] [--reps 50] [--windows 3] [--seconds 20]
//                           [--changes 1000] [--build FOLDER] [--json FILE]
//
// --layout: event or message. The table takes about 0.5 kB per row in the temporary folder (TMPDIR).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
    bar, finish, here, launch, median, number, percentile, printTable, readOptions, readStatements, rounded,
    statementLog, withServers,
} from './common.mjs';

const options = readOptions({ rows: number(10_000_000), layout: { type: 'string', default: 'event' }, reps: number(50),
    windows: number(3), seconds: number(20), changes: number(1000) });

const disk = fs.statfsSync(os.tmpdir());
const needed = options.rows * 1.2e3 + 1e9;
if (disk.bavail * disk.bsize < needed)
    throw new Error(`${os.tmpdir()} has ${Math.round(disk.bavail * disk.bsize / 1e9)} GB left, `
        + `${Math.round(needed / 1e9)} GB are needed; set TMPDIR or say --rows`);

const layouts = {
    event: { table: '"OutboxEvent"', statuses: { waiting: 'PENDING', active: 'PROCESSING', done: 'DONE', dead: 'FAILED' },
        type: '"OutboxStatus"', columns: '"eventType", payload, retries', own: '' , ownValues: '' },
    message: { table: '"message_outbox"',
        statuses: { waiting: 'pending', active: 'processing', done: 'sent', dead: 'dead_letter' }, type: 'text',
        columns: '"messageType", "eventData", "retryCount"', own: ', "aggregateId", "aggregateType"',
        ownValues: `, 'a' || n % 100000, 'Invoice'` },
};
const layout = layouts[options.layout];
if (!layout) throw new Error('--layout is event or message');

function fill(servers) {
    const { table, statuses } = layout;
    servers.psql('-f', path.join(here, `../../engine/outbox/sql/${options.layout}.sql`));
    servers.psql('-c', `DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = '${table}'::regclass AND NOT indisprimary
        LOOP EXECUTE 'DROP INDEX ' || name; END LOOP; END $$`);
    servers.psql('-c', `ALTER TABLE ${table} DROP CONSTRAINT ${table.replace(/"$/, '_pkey"')}`);
    servers.psql('-c', `SET synchronous_commit = off; INSERT INTO ${table}
        (id, "tenantId", ${layout.columns}, status, "scheduledAt", "processedAt", "lastError", "createdAt", "updatedAt"
         ${layout.own})
        SELECT 'c' || lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 16), 'tenant_' || n * 7919 % 200,
            (ARRAY['email.welcome', 'email.reset', 'invoice.created', 'invoice.paid', 'webhook.delivery', 'user.created',
                   'report.daily', 'audit.logged'])[1 + n * 31 % 8],
            jsonb_build_object('orderId', md5('o' || n), 'amount', n % 100000, 'note', repeat('x', 100)),
            CASE WHEN kind = 'dead' THEN 7 ELSE 0 END,
            (CASE kind WHEN 'dead' THEN '${statuses.dead}' WHEN 'waiting' THEN '${statuses.waiting}'
                WHEN 'active' THEN '${statuses.active}' ELSE '${statuses.done}' END)::${layout.type},
            due, CASE WHEN kind = 'done' THEN due + interval '1 second' END,
            CASE WHEN kind = 'dead' THEN 'connect ECONNREFUSED 10.0.0.1:6379' END, due, due ${layout.ownValues}
        FROM (SELECT n, CASE WHEN n % 1000 < 15 THEN 'dead' WHEN n % 1000 < 29 THEN 'waiting' WHEN n % 1000 < 30
                  THEN 'active' ELSE 'done' END AS kind,
              date_trunc('milliseconds', (now() AT TIME ZONE 'UTC') - interval '1 minute'
                  - interval '30 days' * (1 - n / ${options.rows}::float8)) AS due
              FROM generate_series(1::bigint, ${options.rows}) AS n) AS made`);
    servers.psql('-c', `SET maintenance_work_mem = '512MB'; ALTER TABLE ${table} ADD PRIMARY KEY (id);
        CREATE INDEX ON ${table} (status, "scheduledAt")`);
    servers.psql('-c', `VACUUM (ANALYZE) ${table}`, '-c', 'CHECKPOINT');
}

const document = await withServers([...statementLog, 'max_wal_size=4GB'], async servers => {
    const began = performance.now();
    fill(servers);
    const seconds = (performance.now() - began) / 1000;
    console.error(`${options.rows.toLocaleString('en')} rows in ${Math.round(seconds)} s, `
        + servers.psql('-c', `SELECT pg_size_pretty(pg_total_relation_size('${layout.table}'))`));
    // Where that is allowed, waiting for other programs is not taken for work; backends inherit it.
    const ahead = pid => {
        try {
            os.setPriority(pid, -20);
        } catch { /* the figures then need a quiet machine */ }
    };
    ahead(Number(fs.readFileSync(path.join(servers.folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]));
    const from = fs.statSync(servers.postgresLog).size;
    const program = launch([options.program('bench_console'), servers.databaseUrl('postgres'), servers.redisUrl,
        options.reps, options.windows, options.seconds, options.changes, fs.mkdtempSync(path.join(options.work, 'window-'))],
    { QT_QPA_PLATFORM: 'offscreen', LC_ALL: 'C.UTF-8' });
    ahead(program.pid);
    const { code, out, err } = await program.ended;
    if (code !== 0) throw new Error(`bench_console ended with ${code}\n${err}`);
    const report = JSON.parse(out.trim().split('\n').at(-1));
    // Each question is a transaction; what surrounds its SELECTs is part of it. Those of one question follow each other.
    const questions = new Map();
    for (const { application, ms, text } of readStatements(servers, from)) {
        if (!application.startsWith('bench ')) continue;
        const name = application.slice('bench '.length);
        if (!questions.has(name)) questions.set(name, []);
        questions.get(name).push({ ms, text });
    }
    return { report, questions };
});

// Statements between BEGINs belong together; a question may be several such transactions.
const transactionsOf = { 'status line': 3, spread: 2, 'filter estimate': 2 };
function serverTimes(name) {
    const statements = document.questions.get(name) ?? [];
    const transactions = [];
    for (const { ms, text } of statements) {
        if (/^BEGIN/.test(text)) transactions.push(0);
        if (transactions.length > 0) transactions[transactions.length - 1] += ms;
    }
    const each = transactionsOf[name] ?? 1;
    // Discovery comes first, over the same connection or another of that name: only the last ones are the question.
    const own = name === 'search piece' ? transactions : transactions.slice(-options.reps * each);
    const times = [];
    for (let i = 0; i + each <= own.length; i += each) times.push(own.slice(i, i + each).reduce((sum, ms) => sum + ms, 0));
    return times;
}

const { report } = document;
const server = {};
for (const name of ['first page', 'status line', 'spread', 'jump to the middle', 'jump to the end',
    'next rows in the middle', 'filter estimate', 'search piece']) {
    const times = serverTimes(name);
    server[name] = { median: median(times), p99: percentile(times, 0.99), count: times.length };
}

console.log(`\nServer time per question, ${options.rows.toLocaleString('en')} rows, ${options.layout} layout, ms`);
printTable(['', 'median', 'p99', 'times'], Object.entries(server).map(([name, { median: middle, p99, count }]) =>
    [name, rounded(middle), rounded(p99), count]));
console.log('\nOn screen (offscreen platform, 1920 x 1080), from the click to painted rows, ms');
printTable(['', 'median', 'most'], [['first page', report.onScreenMs], ['jump to the middle', report.jumpToMiddleMs],
    ['jump to the end', report.jumpToEndMs]].map(([name, values]) => [name, rounded(median(values)),
    rounded(Math.max(...values))]));
console.log(`\nAn unindexed filter: about ${report.filterLooks.toLocaleString('en')} rows to look through by the estimate, `
    + `${Math.round(report.searchRowsPerSecond).toLocaleString('en')} rows/s`);
console.log(`The middle of the bar is at ${rounded(report.middleIsAt * 100)} % of the rows`);
console.log(`${Math.round(report.changesPerSecond)} changes/s: GUI thread busy for at most ${rounded(report.busyMs)} ms, `
    + `${rounded(report.busyCpuMs)} ms of it its own CPU`);
finish(options, { rows: options.rows, layout: options.layout, server, ...report }, [
    ...bar("first page's SQL, median", { most: 20 }, server['first page'].median, ' ms'),
    ...bar("first page's SQL, p99", { most: 20 }, server['first page'].p99, ' ms'),
    ...bar('first page on screen, median', { most: 100 }, median(report.onScreenMs), ' ms'),
    ...bar('status line, median', { most: 50 }, server['status line'].median, ' ms'),
    ...bar("jump to the middle's SQL, median", { most: 20 }, server['jump to the middle'].median, ' ms'),
    ...bar("jump to the end's SQL, median", { most: 20 }, server['jump to the end'].median, ' ms'),
    ...bar("search piece's SQL, p99", { most: 1000 }, server['search piece'].p99, ' ms'),
    ...bar(`changes a second made`, { least: options.changes * 0.9 }, report.changesPerSecond),
    ...bar('GUI thread busy at a stretch meanwhile', { most: 50 }, report.busyMs, ' ms'),
]);
