#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs every program of this folder one after the other and prints one table of all bars: what is required, what was
// reached, and the command that shows it. Takes most of an hour on a quiet machine.
//
//   tests/bench/bars.mjs [--quick] [--only NAME]... [--build FOLDER] [--json FILE]
//
// --quick: runs too short for their figures to mean anything, to see that everything works.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { finish, here, readOptions } from './common.mjs';

const options = readOptions({
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
});
const programs = {
    dispatch: '--rows 2000 --reps 1 --relay-rows 200',
    latency: '--seconds 2 --reps 1 --done 5000',
    idle: '--seconds 3 --quiet 2 --done 5000',
    writers: '--seconds 1 --reps 1',
    flat: '--rows 20000 --dead 400 --wave 1000 --reps 1 --hold 5',
    rest: '--rows 2000 --dead 50 --queues 2 --jobs 100 --seconds 3 --settle 5',
    console: '--rows 20000 --reps 3 --windows 1 --seconds 2',
    memory: '--rows 5000 --large-rows 4 --large-mb 2',
};

const bars = [];
const documents = {};
for (const [name, quickly] of Object.entries(programs)) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    const shown = [`tests/bench/${name}.mjs`, ...(options.quick ? [quickly] : [])].join(' ');
    console.log(`\n== ${shown}`);
    const file = path.join(options.work, `${name}.json`);
    fs.rmSync(file, { force: true });
    const { status } = spawnSync(process.execPath, [path.join(here, `${name}.mjs`), '--build', options.build,
        '--json', file, ...(options.quick ? quickly.split(' ') : [])], { stdio: 'inherit' });
    if (status !== 0) {
        bars.push({ bar: `${name}: all of it`, required: 'a result', reached: `exit ${status}`, pass: false,
            command: shown });
        continue;
    }
    documents[name] = JSON.parse(fs.readFileSync(file, 'utf8'));
    bars.push(...documents[name].bars.map(one => ({ ...one, bar: `${name}: ${one.bar}`, command: shown })));
}

console.log('\n== all bars');
finish(options, { documents }, bars);
if (bars.some(one => one.reached.startsWith('exit'))) process.exitCode = 1;
