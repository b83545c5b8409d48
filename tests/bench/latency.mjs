#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How long an event takes from its producer to its BullMQ queue: with the wake-up trigger, with adaptive polling and no
// trigger, with plain polling, and by a Node dispatcher with LISTEN, all in turn, on tables that hold DONE rows already
// and have fresh statistics. The producer and the observer are one program, bench_latency (latency.cpp); see there what
// is measured. Percentiles are taken per run, medians over the repetitions. The bars look at the time from the commit;
// the table also shows it from before the INSERT is sent, which contains what PostgreSQL takes to store the event.
//
//   tests/bench/latency.mjs [--rates 20,500] [--seconds 20] [--reps 3] [--done 100000] [--interval 1000]
//                           [--only TEXT]... [--build FOLDER] [--json FILE]
import path from 'node:path';
import {
    bar, fetchModules, finish, here, launch, median, number, printTable, readOptions, rounded, run, sleep,
    startDispatcher, withServers,
} from './common.mjs';

const options = readOptions({
    rates: { type: 'string', default: '20,500' },
    seconds: number(20),
    reps: number(3),
    done: number(100_000),
    interval: number(1000),
    only: { type: 'string', multiple: true, default: [] },
});
const rates = options.rates.split(',').map(Number);
fetchModules(options);

async function startNode(servers, database) {
    const node = launch([process.execPath, path.join(here, 'node-listener.mjs'), '--modules', options.work],
        { ...servers.environment, PG_URL: servers.databaseUrl(database) });
    await new Promise((resolve, reject) => {
        node.child.stdout.once('data', resolve);
        node.ended.then(({ err }) => reject(new Error(`the Node dispatcher did not start\n${err}`)), reject);
    });
    return {
        async stop() {
            node.kill('SIGTERM');
            await node.ended;
        },
    };
}

// Each has a database of its own, so that no trigger of one is in the way of another.
const polling = mode => ({ OUTBOX_DISPATCH_INTERVAL_MS: String(options.interval), OUTBOX_DISPATCH_POLLING: mode });
const contenders = {
    'wake-up': {
        database: 'wakeup',
        start: servers => startDispatcher(options, servers, { database: 'wakeup', environment: polling('adaptive') }),
    },
    'adaptive polling': {
        database: 'polled',
        start: servers => startDispatcher(options, servers, { database: 'polled', environment: polling('adaptive') }),
    },
    'plain polling': {
        database: 'polled',
        start: servers => startDispatcher(options, servers, { database: 'polled', environment: polling('fixed') }),
    },
    'Node, LISTEN': { database: 'node', start: servers => startNode(servers, 'node') },
};
for (const label of Object.keys(contenders)) {
    if (options.only.length > 0 && !options.only.some(text => label.includes(text))) delete contenders[label];
}

const results = []; // { label, rate, runs }
await withServers([], async servers => {
    servers.psql('-c', 'CREATE DATABASE polled');
    servers.psqlOn('polled', '-v', `rows=${options.done}`, '-f', path.join(here, 'sql/schema.sql'),
        '-f', path.join(here, 'sql/done.sql'), '-c', 'DROP TABLE outbox_seed');
    for (const name of ['wakeup', 'node']) {
        servers.psql('-c', `CREATE DATABASE ${name} TEMPLATE polled`);
        servers.psqlOn(name, '-c', 'VACUUM (ANALYZE) "OutboxEvent"');
    }
    await run([options.console, 'schema', 'apply', '--wakeup', '--json', '--database', servers.databaseUrl('wakeup')]);

    for (let rep = 0; rep < options.reps; rep++) {
        for (const rate of rates) {
            for (const [label, { database, start }] of Object.entries(contenders)) {
                await servers.emptyRedis();
                const dispatcher = await start(servers);
                await sleep(1);
                const text = await run([options.program('bench_latency'), '-r', rate, '-d', options.seconds,
                    '-s', rep + 1], { ...servers.environment, PG_URL: servers.databaseUrl(database) });
                await dispatcher.stop();
                const figures = JSON.parse(text);
                if (figures.lost > 0)
                    throw new Error(`${label}: ${figures.lost} of ${figures.events} events never came`);
                let result = results.find(one => one.label === label && one.rate === rate);
                if (!result) results.push(result = { label, rate, runs: [] });
                result.runs.push(figures);
                const { p50, p99 } = figures.commit;
                console.error(`${rep + 1}/${options.reps} ${label}, ${rate}/s: p50 ${p50}, p99 ${p99} ms`);
            }
        }
    }
});

const figure = (label, rate, from, share) => {
    const result = results.find(one => one.label === label && one.rate === rate);
    return result && rounded(median(result.runs.map(one => one[from][share])));
};
results.sort((a, b) => a.rate - b.rate);
console.log(`Milliseconds from producer to queue, medians of ${options.reps} runs of ${options.seconds} s each.`);
const head = ['', 'events/s', 'from commit: p50', 'p95', 'p99', 'max', 'from INSERT: p50', 'p95', 'p99',
    'INSERT itself', 'observer'];
printTable(head, results.map(({ label, rate, runs }) => [`${label}`, rate,
        ...['p50', 'p95', 'p99', 'max'].map(share => figure(label, rate, 'commit', share)),
        ...['p50', 'p95', 'p99'].map(share => figure(label, rate, 'publish', share)),
        figure(label, rate, 'insert', 'p50'), rounded(median(runs.map(one => one.observer)))]));

const document = { seconds: options.seconds, reps: options.reps, doneRows: options.done, results };
finish(options, document, rates.flatMap(rate => [
    ...bar(`wake-up, ${rate} events/s, p50`, { most: 3 }, figure('wake-up', rate, 'commit', 'p50'), ' ms'),
    ...bar(`wake-up, ${rate} events/s, p99`, { most: 15 }, figure('wake-up', rate, 'commit', 'p99'), ' ms'),
    ...bar(`adaptive polling, ${rate} events/s, p50`, { most: 15 },
        figure('adaptive polling', rate, 'commit', 'p50'), ' ms'),
    ...bar(`plain polling, ${rate} events/s, p99`, { most: options.interval + 20 },
        figure('plain polling', rate, 'commit', 'p99'), ' ms'),
]));
