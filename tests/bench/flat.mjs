#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether claims stay as cheap as on an empty table. Their time is what PostgreSQL's log says of each claim statement
// (without the commit, which waits for the disk) while a dispatcher works off a wave of due rows:
//
//   empty            nothing in the table but the wave, statistics fresh
//   full             millions of DONE rows and many dead ones besides
//   empty, snapshot  another transaction holds a snapshot for minutes while wave after wave is written and worked off,
//   full, snapshot   so that no dead version of a row can be removed, and one dispatcher goes on all the while
//
//   tests/bench/flat.mjs [--rows 10000000] [--dead 200000] [--wave 20000] [--batch 100] [--reps 3] [--hold 180]
//                        [--build FOLDER] [--json FILE]
//
// --hold: seconds each snapshot is held. The full table takes about 1 kB per row in the temporary folder (TMPDIR); the
// program refuses to begin when there is not enough.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
    bar, finish, here, number, percentile, printTable, queues, readOptions, readStatements, rounded, sleep,
    startDispatcher, statementLog, withServers,
} from './common.mjs';

const options = readOptions({ rows: number(10_000_000), dead: number(200_000), wave: number(20_000), batch: number(100),
    reps: number(3), hold: number(180) });
const seed = Math.min(options.rows, 100_000);
const copies = Math.round(options.rows / seed);
if (options.wave > seed) throw new Error(`a wave has at most ${seed} rows`);

const disk = fs.statfsSync(os.tmpdir());
const needed = options.rows * 1.2e3 + 8e9; // rows, and PostgreSQL's log beside them
if (disk.bavail * disk.bsize < needed)
    throw new Error(`${os.tmpdir()} has ${Math.round(disk.bavail * disk.bsize / 1e9)} GB left, `
        + `${Math.round(needed / 1e9)} GB are needed; set TMPDIR or say --rows`);

const situations = new Map(); // label: { waves: [{ claims: [ms], rowsPerSecond }] }
function record(label, wave) {
    if (!situations.has(label)) situations.set(label, []);
    situations.get(label).push(wave);
    console.error(`${label}: ${wave.claims.length} claims, p50 ${rounded(percentile(wave.claims, 0.5))}, `
        + `p99 ${rounded(percentile(wave.claims, 0.99))} ms, ${Math.round(wave.rowsPerSecond)} rows/s`);
}

await withServers(statementLog, async servers => {
    const jobs = () => queues.reduce((sum, queue) => sum + Number(servers.redisCli('llen', `bull:${queue}:wait`)), 0);
    // Asks Redis and not PostgreSQL, whose work is being measured.
    async function handedOver(rows) {
        while (jobs() < rows) await sleep(0.1);
    }
    const environment = { OUTBOX_DISPATCH_BATCH_SIZE: String(options.batch),
        OUTBOX_DISPATCH_CONCURRENCY: String(Math.min(10_000, 10 * options.batch)) };
    const logEnd = () => fs.statSync(servers.postgresLog).size;
    const claimsSince = (from, database) => readStatements(servers, from)
        .filter(one => one.database === database && one.application.startsWith('outbox-console')
            && one.text.includes('SKIP LOCKED')).map(one => one.ms);

    async function oneWave(label, database, fill, dispatcher) {
        await servers.emptyRedis();
        if (!dispatcher) fill();
        const from = logEnd();
        const began = performance.now();
        const mine = dispatcher ?? await startDispatcher(options, servers, { database, environment });
        if (dispatcher) fill();
        await handedOver(options.wave);
        const seconds = (performance.now() - began) / 1000;
        // What follows is looks at nothing, which would make the figures better than they are.
        record(label, { claims: claimsSince(from, database), rowsPerSecond: options.wave / seconds });
        if (!dispatcher) await mine.stop();
    }

    let wave = 0;
    const add = database => () => servers.psqlOn(database, '-v', `rows=${options.wave}`, '-v', `wave=${++wave}`,
        '-f', path.join(here, 'sql/wave.sql'));
    const fillEmpty = () => servers.psqlOn('short', '-v', `rows=${options.wave}`,
        '-f', path.join(here, 'sql/fill.sql'));
    for (const database of ['short', 'long']) {
        servers.psql('-c', `CREATE DATABASE ${database}`);
        servers.psqlOn(database, '-v', `rows=${seed}`, '-f', path.join(here, 'sql/schema.sql'));
    }
    console.error(`Loading ${seed * copies} rows.`);
    const setting = (name, value) => servers.psql('-c', `ALTER SYSTEM SET ${name} = '${value}'`);
    setting('max_wal_size', '4GB');
    servers.psql('-c', 'SELECT pg_reload_conf()');
    servers.psqlOn('long', '-v', `seed=${seed}`, '-v', `copies=${copies}`, '-v', `dead=${options.dead}`,
        '-f', path.join(here, 'sql/full.sql'));
    servers.psql('-c', 'ALTER SYSTEM RESET ALL');
    servers.psql('-c', 'SELECT pg_reload_conf()', '-c', 'CHECKPOINT');

    for (let rep = 0; rep < options.reps; rep++) {
        await oneWave('empty', 'short', fillEmpty);
        await oneWave('full', 'long', add('long'));
    }

    for (const [label, database] of [['empty, snapshot', 'short'], ['full, snapshot', 'long']]) {
        if (database === 'short') servers.psqlOn('short', '-c', 'TRUNCATE "OutboxEvent"');
        const holder = spawn('psql', ['-qAtX', '-d', servers.databaseUrl(database)],
            { stdio: ['pipe', 'pipe', 'inherit'] });
        holder.stdin.write('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT txid_current();\n');
        await new Promise(resolve => holder.stdout.once('data', resolve));
        if (database === 'short') { // its statistics are to be those of a table in use
            add('short')();
            servers.psqlOn('short', '-c', `UPDATE "OutboxEvent" SET status = 'DONE'`, '-c', 'ANALYZE "OutboxEvent"');
        }
        const dispatcher = await startDispatcher(options, servers, { database, environment });
        for (const end = Date.now() + options.hold * 1000; Date.now() < end;)
            await oneWave(label, database, add(database), dispatcher);
        await dispatcher.stop();
        holder.stdin.end('ROLLBACK;\n');
        await new Promise(resolve => holder.once('exit', resolve));
    }
});

const lines = [...situations].map(([label, waves]) => {
    const claims = waves.flatMap(wave => wave.claims);
    const rate = waves.reduce((sum, wave) => sum + 1 / wave.rowsPerSecond, 0);
    return { label, waves: waves.length, claims: claims.length, p50: rounded(percentile(claims, 0.5)),
        p99: rounded(percentile(claims, 0.99)), max: rounded(Math.max(...claims)),
        lastP99: rounded(percentile(waves.at(-1).claims, 0.99)), rowsPerSecond: Math.round(waves.length / rate) };
});
console.log(`${seed * copies} rows in the full table, ${options.dead} of them dead; waves of ${options.wave} rows in `
    + `batches of ${options.batch}. Milliseconds of PostgreSQL per claim.`);
printTable(['', 'waves', 'claims', 'p50', 'p99', 'max', "last wave's p99", 'rows/s'],
    lines.map(line => Object.values(line)));

const base = lines.find(line => line.label === 'empty').p99;
const against = label => lines.find(line => line.label === label)?.p99 / base;
finish(options, { rows: seed * copies, dead: options.dead, hold: options.hold, situations: lines }, [
    ...bar(`claim's p99 with ${(seed * copies).toLocaleString('en')} rows, to an empty table's`, { most: 2 },
        against('full'), 'x'),
    ...bar("claim's p99 under a held snapshot, to an empty table's", { most: 2 }, against('empty, snapshot'), 'x'),
    ...bar("claim's p99 under a held snapshot with all these rows, to an empty table's", { most: 2 },
        against('full, snapshot'), 'x'),
]);
