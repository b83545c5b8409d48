#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What the wake-up trigger costs those who publish: commits a second of concurrent writers (pgbench, one INSERT per
// transaction) without and with the trigger, in turn, in three situations:
//
//   no dispatcher      nobody listens
//   idle dispatcher    it runs, but the new rows are due in an hour, so it sleeps again after each look
//   busy dispatcher    it hands the rows over while they are written
//
// Both sides have a database of their own on the same servers. A repetition runs without, with, with and without the
// trigger, so that a disk that drifts favours neither; ratios are taken within one repetition.
//
//   tests/bench/writers.mjs [--writers 8] [--seconds 5] [--reps 5] [--build FOLDER] [--json FILE]
import fs from 'node:fs';
import path from 'node:path';
import {
    bar, finish, here, median, number, printTable, readOptions, rounded, run, startDispatcher, withServers,
} from './common.mjs';

const options = readOptions({ writers: number(8), seconds: number(5), reps: number(5) });
const situations = {
    'no dispatcher': { delay: '0 s', dispatcher: false },
    'idle dispatcher': { delay: '1 h', dispatcher: true },
    'busy dispatcher': { delay: '0 s', dispatcher: true },
};

function writeScript(delay) {
    const file = path.join(options.work, `writer-${delay.replace(' ', '')}.sql`);
    fs.writeFileSync(file, `BEGIN;
INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "scheduledAt", "updatedAt")
VALUES (gen_random_uuid()::text, 'tenant_1', 'email.welcome', '{"note":"${'x'.repeat(450)}"}',
        (now() AT TIME ZONE 'UTC') + interval '${delay}', now() AT TIME ZONE 'UTC');
COMMIT;
`);
    return file;
}

async function commitsPerSecond(servers, database, { delay, dispatcher }) {
    await servers.emptyRedis();
    servers.psqlOn(database, '-c', 'TRUNCATE "OutboxEvent"', '-c', 'VACUUM (ANALYZE) "OutboxEvent"',
        '-c', 'CHECKPOINT');
    const busy = dispatcher && await startDispatcher(options, servers, { database });
    const text = await run(['pgbench', '-n', '-M', 'prepared', '-f', writeScript(delay), '-c', options.writers,
        '-j', '1', '-T', options.seconds, servers.databaseUrl(database)]);
    const handedOver = busy ? (await busy.stop()).handedOver : 0;
    const [, rate] = /tps = ([\d.]+)/.exec(text);
    const failed = /number of failed transactions: (\d+)/.exec(text);
    if (failed && failed[1] !== '0') throw new Error(`${failed[1]} transactions failed\n${text}`);
    if (dispatcher && (handedOver > 0) !== (delay === '0 s'))
        throw new Error(`the dispatcher handed over ${handedOver} rows that are due in ${delay}`);
    return { rate: Number(rate), handedOver };
}

const results = Object.keys(situations).map(label => ({ label, plain: [], trigger: [] }));
await withServers([], async servers => {
    for (const database of ['plain', 'trigger']) {
        servers.psql('-c', `CREATE DATABASE ${database}`);
        servers.psqlOn(database, '-v', 'rows=1', '-f', path.join(here, 'sql/schema.sql'));
    }
    await run([options.console, 'schema', 'apply', '--wakeup', '--json', '--database', servers.databaseUrl('trigger')]);
    const hasTrigger = database => servers.psqlOn(database, '-c', `SELECT count(*) FROM pg_trigger
        WHERE tgrelid = '"OutboxEvent"'::regclass AND NOT tgisinternal`) !== '0';
    if (hasTrigger('plain') || !hasTrigger('trigger')) throw new Error('the trigger is not where it should be');

    for (let rep = 0; rep < options.reps; rep++) {
        for (const result of results) {
            const order = rep % 2 ? ['trigger', 'plain', 'plain', 'trigger'] : ['plain', 'trigger', 'trigger', 'plain'];
            const runs = { plain: [], trigger: [] };
            for (const database of order)
                runs[database].push(await commitsPerSecond(servers, database, situations[result.label]));
            for (const [database, both] of Object.entries(runs)) {
                const mean = key => both.reduce((sum, one) => sum + one[key], 0) / both.length;
                result[database].push({ rate: mean('rate'), handedOver: mean('handedOver') });
            }
            const [plain, trigger] = [result.plain.at(-1).rate, result.trigger.at(-1).rate].map(Math.round);
            console.error(`${rep + 1}/${options.reps} ${result.label}: `
                + `${plain} commits/s, ${trigger} with the trigger`);
        }
    }
});

const lines = results.map(({ label, plain, trigger }) => ({
    label,
    plain: Math.round(median(plain.map(one => one.rate))),
    trigger: Math.round(median(trigger.map(one => one.rate))),
    ratio: rounded(median(trigger.map((one, rep) => one.rate / plain[rep].rate)), 3),
    handedOver: Math.round(median(plain.map(one => one.handedOver))),
    handedOverWithTrigger: Math.round(median(trigger.map(one => one.handedOver))),
}));
console.log(`${options.writers} writers, commits a second, medians of ${options.reps} repetitions of 2 x ${options.seconds} s.`);
printTable(['', 'without trigger', 'with trigger', 'ratio', 'handed over meanwhile', 'with trigger'],
    lines.map(line => Object.values(line)));
finish(options, { writers: options.writers, seconds: options.seconds, reps: options.reps, situations: lines, results },
    lines.flatMap(line => bar(`${line.label}: commits with the trigger to those without`, { least: 0.9 },
        line.ratio, 'x')));
