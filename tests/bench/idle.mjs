#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What a dispatcher costs while there is nothing to do, at its default settings: CPU of its own process, CPU of the
// PostgreSQL backends that serve it, and statements it sends (counted in PostgreSQL's log). Two are measured at the
// same time, each on a database of its own: one without and one with the wake-up trigger. Both hand over some events
// first and are then left alone.
//
//   tests/bench/idle.mjs [--seconds 60] [--quiet 15] [--done 100000] [--build FOLDER] [--json FILE]
//
// --quiet: seconds between the last event and the beginning of the measurement.
import fs from 'node:fs';
import path from 'node:path';
import {
    bar, cpuSeconds, finish, here, number, printTable, readOptions, readStatements, rounded, run, sleep,
    startDispatcher, statementLog, withServers,
} from './common.mjs';

const options = readOptions({ seconds: number(60), quiet: number(15), done: number(100_000) });
const seed = 500; // events to hand over first
const situations = { 'without trigger': 'polled', 'with the wake-up trigger': 'wakeup' };

const figures = await withServers(statementLog, async servers => {
    servers.psql('-c', 'CREATE DATABASE polled');
    servers.psqlOn('polled', '-v', `rows=${options.done}`, '-f', path.join(here, 'sql/schema.sql'),
        '-f', path.join(here, 'sql/done.sql'));
    servers.psql('-c', 'CREATE DATABASE wakeup TEMPLATE polled');
    servers.psqlOn('wakeup', '-c', 'VACUUM (ANALYZE) "OutboxEvent"');
    await run([options.console, 'schema', 'apply', '--wakeup', '--json', '--database', servers.databaseUrl('wakeup')]);

    const backends = database => servers.psql('-c', `SELECT pid FROM pg_stat_activity WHERE datname = '${database}'
        AND application_name LIKE 'outbox-console%' ORDER BY pid`).split('\n').filter(Boolean);
    const measured = [];
    for (const [label, database] of Object.entries(situations)) {
        const dispatcher = await startDispatcher(options, servers, { database });
        servers.psqlOn(database, '-c', `
            INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "scheduledAt", "createdAt", "updatedAt")
            SELECT 'first-' || n, "tenantId", "eventType", payload, now, now, now
            FROM outbox_seed, (SELECT now() AT TIME ZONE 'UTC' AS now) clock WHERE n <= ${seed}`);
        measured.push({ label, database, dispatcher });
    }
    for (const { database } of measured) {
        while (servers.psqlOn(database, '-c', `SELECT count(*) FROM "OutboxEvent" WHERE status <> 'DONE'`) !== '0')
            await sleep(0.2);
    }
    await sleep(options.quiet);

    const logFrom = fs.statSync(servers.postgresLog).size;
    const cpuOf = one => ({ client: cpuSeconds(one.dispatcher.pid),
        postgres: one.backends.reduce((sum, pid) => sum + cpuSeconds(pid), 0) });
    for (const one of measured) one.backends = backends(one.database);
    const began = performance.now();
    const before = measured.map(cpuOf);
    await sleep(options.seconds);
    const after = measured.map(cpuOf);
    const seconds = (performance.now() - began) / 1000;
    const statements = readStatements(servers, logFrom)
        .filter(statement => statement.application.startsWith('outbox-console'));
    for (const one of measured) {
        if (backends(one.database).join() !== one.backends.join())
            throw new Error(`${one.label}: the dispatcher connected anew meanwhile, so its backends' CPU is unknown`);
        await one.dispatcher.stop();
    }
    return measured.map(({ label, database }, i) => ({
        label,
        clientPercent: (after[i].client - before[i].client) / seconds * 100,
        postgresPercent: (after[i].postgres - before[i].postgres) / seconds * 100,
        statementsPerSecond: statements.filter(one => one.database === database).length / seconds,
    }));
});

console.log(`Idle for ${options.seconds} s, per dispatcher. CPU in per cent of one core.`);
printTable(['', 'client %', 'PostgreSQL %', 'statements/s'], figures.map(line => [line.label,
    rounded(line.clientPercent, 3), rounded(line.postgresPercent, 3), rounded(line.statementsPerSecond)]));
finish(options, { seconds: options.seconds, doneRows: options.done, figures }, figures.flatMap(line => [
    ...bar(`${line.label}: client's CPU`, { most: 1 }, line.clientPercent, ' %'),
    ...bar(`${line.label}: PostgreSQL's CPU`, { most: 1 }, line.postgresPercent, ' %'),
    ...bar(`${line.label}: statements a second`, { most: 2 }, line.statementsPerSecond),
]));
