// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What the programs of this folder share: options, programs to start and to end, figures, and the bars they end with.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startServers } from './servers.mjs';

export const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
export const number = preset => ({ type: 'string', default: String(preset), isNumber: true });
export const sleep = seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000));

// Every program takes --build FOLDER and --json FILE. Options made by number() come back as numbers.
export function readOptions(own) {
    const { values } = parseArgs({
        options: {
            build: { type: 'string', default: path.join(here, '../../build') },
            json: { type: 'string' },
            ...own,
        },
    });
    for (const [name, option] of Object.entries(own)) {
        if (option.isNumber) values[name] = Number(values[name]);
    }
    const build = path.resolve(values.build);
    const work = path.join(build, 'bench');
    fs.mkdirSync(work, { recursive: true });
    const routes = path.join(work, 'routes.json');
    fs.writeFileSync(routes, JSON.stringify({
        routes: ['email', 'invoice', 'webhook', 'user', 'report', 'search', 'audit', 'billing']
            .map(first => ({ prefix: `${first}.`, queue: queues.includes(first) ? first : 'default' })),
    }));
    return { ...values, build, work, routes, console: path.join(build, 'outbox-console'),
        program: name => path.join(build, 'tests/bench', name) };
}

export const queues = ['email', 'invoice', 'webhook', 'user', 'default'];

// Fetches what package-lock.json pins into the build folder, once.
export function fetchModules(options) {
    execFileSync(path.join(here, '../interop/npm-ci'), [here, options.work],
        { stdio: ['ignore', process.stderr, process.stderr] });
}

// ---- programs ----

const running = new Set();

// Starts a program; `ended` resolves to { code, out, err }.
export function launch(command, environment = {}) {
    const [program, ...args] = command.map(String);
    const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let out = '';
    let err = '';
    child.stdout.on('data', text => (out += text));
    child.stderr.on('data', text => (err += text));
    const ended = new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', code => {
            running.delete(child);
            resolve({ code, out, err });
        });
    });
    return { child, pid: child.pid, ended, kill: signal => child.kill(signal) };
}

// Runs a program to its end and returns its standard output.
export async function run(command, environment) {
    const { code, out, err } = await launch(command, environment).ended;
    if (code !== 0) throw new Error(`${command.join(' ')}: exit ${code}\n${err}`);
    return out.trim();
}

// Runs `body` with private servers, which end with it, as does everything it launched.
export async function withServers(settings, body) {
    const servers = await startServers(settings);
    const end = async () => {
        for (const child of running) child.kill('SIGKILL');
        await servers.stop();
    };
    for (const signal of ['SIGINT', 'SIGTERM']) {
        process.once(signal, async () => {
            await end();
            process.exit(1);
        });
    }
    try {
        return await body(servers);
    } finally {
        await end();
    }
}

export function dispatcherCommand(options, servers, { database = 'postgres', table, drain = false } = {}) {
    return [options.console, 'dispatch', '--json', '--database', servers.databaseUrl(database), '--redis',
        servers.redisUrl, '--routes', options.routes, ...(table ? ['--table', table] : []),
        ...(drain ? ['--drain'] : [])];
}

// A dispatcher that runs until it is stopped. Returns once it has looked at the table for the first time.
export async function startDispatcher(options, servers, { database = 'postgres', table, environment } = {}) {
    const program = launch(dispatcherCommand(options, servers, { database, table }), environment);
    let result;
    program.ended.then(value => (result = value));
    const looked = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}'
        AND application_name LIKE 'outbox-console claim%' AND state = 'idle' AND query <> ''`;
    for (const deadline = Date.now() + 20_000; servers.psql('-c', looked) === '0'; await sleep(0.05)) {
        if (result || Date.now() > deadline) throw new Error(`the dispatcher did not start\n${result?.err ?? ''}`);
    }
    return {
        pid: program.pid,
        async stop() {
            program.kill('SIGTERM');
            const { code, out, err } = await program.ended;
            if (code !== 0) throw new Error(`the dispatcher ended with ${code}\n${err}`);
            return JSON.parse(out.trim().split('\n').at(-1));
        },
    };
}

// CPU seconds of a process, all its threads that still run.
export function cpuSeconds(pid) {
    return fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
        const [nanoseconds] = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        return sum + Number(nanoseconds) / 1e9;
    }, 0);
}

// ---- statements in PostgreSQL's log ----

// Settings for startServers() under which readStatements() finds every statement.
export const statementLog = ['log_min_duration_statement=0', 'log_parameter_max_length=0', 'log_line_prefix=%p|%d|%a|',
    'log_checkpoints=off'];

// What the log holds from the byte `from` on: { pid, database, application, ms, text } of each statement; its time
// includes what the server logged apart for parsing and binding it.
export function readStatements(servers, from = 0) {
    const length = fs.statSync(servers.postgresLog).size - from;
    const bytes = Buffer.alloc(length);
    const file = fs.openSync(servers.postgresLog, 'r');
    fs.readSync(file, bytes, 0, length, from);
    fs.closeSync(file);
    const statements = [];
    const prepared = new Map(); // by process: time spent on parse and bind
    let last; // later lines of one text start with a tab
    for (const line of bytes.toString('utf8').split('\n')) {
        const found = /^(\d+)\|([^|]*)\|([^|]*)\|LOG:  duration: ([\d.]+) ms  (parse|bind|execute|statement)[^:]*: (.*)/
            .exec(line);
        if (!found) {
            if (line.startsWith('\t') && last) last.text += `\n${line.slice(1)}`;
            else last = undefined;
            continue;
        }
        const [, pid, database, application, ms, step, text] = found;
        const before = prepared.get(pid) ?? 0;
        if (step === 'parse' || step === 'bind') {
            prepared.set(pid, before + Number(ms));
            last = undefined;
            continue;
        }
        prepared.delete(pid);
        last = { pid, database, application, ms: before + Number(ms), text };
        statements.push(last);
    }
    return statements;
}

// ---- figures ----

export function percentile(values, share) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const rounded = (value, digits = 2) => Number(value.toFixed(digits));

// Columns of figures to the right, the ones in `left` to the left.
export function printTable(head, rows, left = [0]) {
    const lines = [head, ...rows].map(row => row.map(cell => String(cell ?? '-')));
    const widths = head.map((_, column) => Math.max(...lines.map(line => line[column].length)));
    for (const line of lines) {
        const cells = line.map((cell, column) =>
            (left.includes(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])));
        console.log(cells.join('  ').trimEnd());
    }
}

// ---- bars ----

// `bound` is { least: N } or { most: N }. A figure that could not be measured is undefined and makes no bar.
export function bar(name, bound, reached, unit = '') {
    if (reached === undefined || Number.isNaN(reached)) return [];
    const isLeast = bound.least !== undefined;
    const limit = isLeast ? bound.least : bound.most;
    return [{ bar: name, required: `${isLeast ? '>=' : '<='} ${limit}${unit}`, reached: `${rounded(reached)}${unit}`,
        value: reached, pass: isLeast ? reached >= limit : reached <= limit }];
}

export function printBars(bars) {
    if (bars.length === 0) return;
    console.log('');
    printTable(['bar', 'required', 'reached', '', bars[0].command ? 'command' : ''],
        bars.map(({ bar, required, reached, pass, command }) => [bar, required, reached, pass ? 'PASS' : 'FAIL',
            command ?? '']), [0, 3, 4]);
}

const loadAtStart = os.loadavg()[0];

// Prints the bars and writes the document.
export function finish(options, document, bars) {
    const load = { start: rounded(loadAtStart), end: rounded(os.loadavg()[0]) };
    console.log(`\nLoad average at the start ${load.start} and at the end ${load.end}, ${os.cpus().length} cores.`);
    printBars(bars);
    if (options.json) {
        const all = { ...document, load, cores: os.cpus().length, bars };
        fs.writeFileSync(options.json, JSON.stringify(all, null, 2) + '\n');
    }
}
