#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What the window costs while it stands on the Overview page and nothing happens: CPU of PostgreSQL with all its
// processes, of Redis, and of the console itself, and what it asks. The window is the real one, without a screen, at its
// default refresh; the servers are measured without it first.
//
//   tests/bench/rest.mjs [--seconds 60] [--settle 30] [--rows 1000000] [--dead 5000] [--queues 20] [--jobs 10000]
//                        [--build FOLDER] [--json FILE]
//
// --settle: seconds between the window's start and the beginning of the measurement.
import fs from 'node:fs';
import path from 'node:path';
import {
    bar, cpuSeconds, finish, here, launch, number, printTable, readOptions, readStatements, rounded, sleep,
    statementLog, withServers,
} from './common.mjs';

const options = readOptions({
    seconds: number(60), settle: number(30), rows: number(1_000_000), dead: number(5000), queues: number(20),
    jobs: number(10_000),
});
const ticksPerSecond = 100; // of /proc/PID/stat, on every Linux

// Children that have ended, as their parent has counted them.
function endedChildren(pid) {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function withChildren(pid) {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...children].reduce((sum, each) => sum + cpuSeconds(each), endedChildren(pid));
}

function fillRedis(servers) {
    const script = `
        local prefix, jobs, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
        redis.call('HSET', prefix .. 'meta', 'opts.maxLenEvents', '10000', 'version', 'bullmq:5.81.5')
        for n = 1, jobs do
            local id, at = 'outbox:' .. n, now - (jobs - n)
            redis.call('HSET', prefix .. id, 'name', 'email.welcome', 'data', ARGV[3], 'opts', '{"attempts":5}', 'timestamp', at,
                'delay', 0, 'priority', 0)
            if n % 10 == 0 then redis.call('LPUSH', prefix .. 'wait', id)
            elseif n % 100 == 1 then redis.call('ZADD', prefix .. 'failed', at, id)
            else redis.call('ZADD', prefix .. 'completed', at, id) end
        end`;
    for (let queue = 1; queue <= options.queues; ++queue) {
        servers.redisCli('EVAL', script, '1', `bull:queue-${queue}:`, String(options.jobs), String(Date.now()),
            JSON.stringify({ note: 'x'.repeat(300) }));
    }
}

const measured = await withServers(statementLog, async servers => {
    const seed = Math.min(options.rows, 100_000);
    servers.psql('-v', `rows=${seed}`, '-f', path.join(here, 'sql/schema.sql'));
    servers.psql('-v', `seed=${seed}`, '-v', `copies=${Math.ceil(options.rows / seed)}`, '-v', `dead=${options.dead}`,
        '-f', path.join(here, 'sql/full.sql'));
    fillRedis(servers);

    const home = path.join(servers.folder, 'home');
    fs.mkdirSync(path.join(home, 'outbox-console'), { recursive: true });
    fs.writeFileSync(path.join(home, 'outbox-console/outbox-console.conf'), [
        '[alerts]', 'desktop=false', '[window]', 'connection=bench', 'page=overview', '[connections]', '1\\name=bench',
        `1\\database=${servers.databaseUrl('postgres')}`, `1\\redis=${servers.redisUrl}`, 'size=1', '',
    ].join('\n'));

    const look = async (seconds, pid) => {
        const logFrom = fs.statSync(servers.postgresLog).size;
        const commandsOf = () => Number(/total_commands_processed:(\d+)/.exec(servers.redisCli('info', 'stats'))[1]);
        const cpuOf = () => ({ postgres: withChildren(servers.postgresPid), redis: cpuSeconds(servers.redisPid),
            console: pid ? cpuSeconds(pid) : 0 });
        const commands = commandsOf();
        const began = performance.now();
        const before = cpuOf();
        await sleep(seconds);
        const after = cpuOf();
        const spent = (performance.now() - began) / 1000;
        const statements = readStatements(servers, logFrom).filter(one => one.application.startsWith('outbox-console'));
        const percent = name => (after[name] - before[name]) / spent * 100;
        return { seconds: spent, postgres: percent('postgres'), redis: percent('redis'), console: percent('console'),
            statementsPerSecond: statements.length / spent,
            commandsPerSecond: (commandsOf() - commands - 1) / spent, statements };
    };
    await sleep(3); // what filling has left behind
    const alone = await look(Math.min(20, options.seconds));
    const window = launch([options.console], { QT_QPA_PLATFORM: 'offscreen', XDG_CONFIG_HOME: home, XDG_DATA_HOME: home,
        XDG_RUNTIME_DIR: home, DBUS_SESSION_BUS_ADDRESS: 'disabled:' });
    await sleep(options.settle);
    const beside = await look(options.seconds, window.pid);
    window.kill('SIGTERM');
    const { code, err } = await window.ended;
    if (code !== 0) throw new Error(`the window ended with ${code}\n${err}`);
    if (beside.statements.length === 0) throw new Error(`the window asked nothing\n${err}`);
    return { alone, beside };
});

// Which statements take the time: the ten that took most, by their first words.
const { alone, beside } = measured;
const costs = new Map();
for (const { text, ms } of beside.statements) {
    const key = text.replace(/\s+/g, ' ').slice(0, 100);
    const { times = 0, sum = 0 } = costs.get(key) ?? {};
    costs.set(key, { times: times + 1, sum: sum + ms });
}
const dearest = [...costs].sort(([, a], [, b]) => b.sum - a.sum).slice(0, 10)
    .map(([text, { times, sum }]) => ({ text, times, ms: rounded(sum) }));
delete alone.statements;
delete beside.statements;

console.log(`The window at rest on its Overview page for ${rounded(beside.seconds)} s: ${options.rows} rows, `
    + `${options.queues} queues of ${options.jobs} jobs. CPU in per cent of one core.`);
printTable(['', 'PostgreSQL %', 'Redis %', 'console %', 'statements/s', 'commands/s'],
    [['servers alone', alone], ['with the window', beside]].map(([label, line]) => [label, rounded(line.postgres, 3),
        rounded(line.redis, 3), rounded(line.console, 3), rounded(line.statementsPerSecond),
        rounded(line.commandsPerSecond)]));
console.log('');
printTable(['statements that took most', 'times', 'ms'], dearest.map(one => Object.values(one)));
finish(options, { rows: options.rows, queues: options.queues, jobs: options.jobs, alone, beside, dearest }, [
    ...bar('PostgreSQL and Redis with the window at rest', { most: 2 }, beside.postgres + beside.redis, ' %'),
    ...bar('the console itself', { most: 2 }, beside.console, ' %'),
    ...bar('statements a second', { most: 5 }, beside.statementsPerSecond),
]);
