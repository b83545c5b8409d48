#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How the console reads a queue of a million jobs: how long a page takes to open, and how long Redis is busy with any
// one command of it.
//
//   tests/bench/jobs.mjs --build build [--jobs 1000000]
//
// Fills a private Redis (about 500 MB for a million jobs), asks what the window asks, prints figures, and exits with 1
// when a command took longer than 20 ms or a page longer than 300 ms.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
    options: { build: { type: 'string', default: 'build' }, jobs: { type: 'string', default: '1000000' } },
});
const count = Number(options.jobs);
const mostCommandMs = 20;
const mostPageMs = 300;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-bench-'));
const socket = path.join(folder, 'redis.sock');
const redis = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '',
    '--appendonly', 'no', '--maxmemory-policy', 'noeviction'], { stdio: 'ignore' });
try {
    os.setPriority(redis.pid, -20); // where that is allowed, waiting for other programs is not taken for work
} catch { /* the figures then need a quiet machine */ }
const cli = (...args) => execFileSync('redis-cli', ['-s', socket, ...args], { encoding: 'utf8' }).trim();

async function until(check) {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
        try {
            if (check()) return;
        } catch { /* not yet */ }
        await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error('Redis did not start');
}

// Jobs as BullMQ lays them out: `count` waiting in one list, a tenth as many failed and completed.
async function fill() {
    const connection = net.connect(socket);
    const encode = words => `*${words.length}\r\n${words.map(w => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join('')}`;
    const write = async text => {
        if (!connection.write(text)) await new Promise(resolve => connection.once('drain', resolve));
    };
    connection.resume();
    const now = Date.now();
    const hash = (id, extra = []) => ['HSET', `bull:big:${id}`, 'name', 'mail.invoice.sent', 'data',
        `{"outboxEventId":"${id}","tenantId":"t_8812","eventType":"mail.invoice.sent","payload":{"invoiceId":"${id}"}}`,
        'opts', '{"attempts":5}', 'timestamp', String(now), ...extra];
    await write(encode(['HSET', 'bull:big:meta', 'version', 'bullmq:5.81.5', 'opts.maxLenEvents', '10000']));
    let text = '';
    for (let i = 0; i < count; ++i) {
        const id = `outbox:0198f0aa-7c1e-7b3a-9d7f-${String(i).padStart(12, '0')}`;
        text += encode(hash(id)) + encode(['LPUSH', 'bull:big:wait', id]);
        if (i % 10 === 0) {
            for (const state of ['failed', 'completed']) {
                text += encode(hash(`${state}-${i}`, ['finishedOn', String(now + i), 'failedReason', 'boom', 'atm', '5']))
                    + encode(['ZADD', `bull:big:${state}`, String(now + i), `${state}-${i}`]);
            }
        }
        if (text.length > 1 << 20) {
            await write(text);
            text = '';
        }
    }
    await write(text + encode(['PING']));
    await until(() => cli('llen', 'bull:big:wait') === String(count) && cli('zcard', 'bull:big:completed')
        === String(Math.ceil(count / 10)));
    connection.destroy();
}

let failed = false;
function judge(what, value, unit, most) {
    const bad = most !== undefined && value > most;
    failed ||= bad;
    console.log(`${what.padEnd(58)}${value.toFixed(1).padStart(10)} ${unit}${most === undefined ? ''
        : `   at most ${most}${bad ? '   TOO LONG' : ''}`}`);
}

try {
    await until(() => cli('ping') === 'PONG');
    const filling = Date.now();
    await fill();
    console.log(`${count.toLocaleString('en')} waiting jobs, ${Math.ceil(count / 10).toLocaleString('en')} failed and as `
        + `many completed, ${(cli('info', 'memory').match(/used_memory:(\d+)/)[1] / 1e6).toFixed(0)} MB, filled in `
        + `${((Date.now() - filling) / 1000).toFixed(0)} s\n`);
    cli('config', 'set', 'slowlog-log-slower-than', '1000', 'slowlog-max-len', '10000');
    cli('slowlog', 'reset');
    const report = JSON.parse(execFileSync(path.join(options.build, 'tests/bench/bench_jobs'),
        [`redis+unix://${socket}`, 'big', String(count)], { encoding: 'utf8' }));
    for (const { what, ms, most } of report) judge(what, ms, 'ms', most ? mostPageMs : undefined);
    const slow = cli('--json', 'slowlog', 'get', '-1');
    const worst = new Map();
    for (const [, , micros, words] of JSON.parse(slow)) {
        const name = words[0].toUpperCase();
        worst.set(name, Math.max(worst.get(name) ?? 0, micros / 1000));
    }
    console.log('\nCommands that kept Redis busy for more than 1 ms, each at its worst:');
    for (const [name, ms] of [...worst].sort((a, b) => b[1] - a[1])) judge(`  ${name}`, ms, 'ms', mostCommandMs);
    if (worst.size === 0) console.log('  none');
} finally {
    redis.kill('SIGTERM');
    await new Promise(resolve => redis.once('exit', resolve));
    fs.rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
