// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What the programs of this folder share. Packages come from the folder that INTEROP_MODULES names.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.INTEROP_MODULES ?? import.meta.dirname}/package.json`);
export const { default: IORedis } = require('ioredis');

// npm's names for the versions side by side: bullmq3, bullmq4, bullmq5mid, bullmq5, bullmq6.
export function load(alias) {
    const { version } = require(`${alias}/package.json`);
    return { ...require(alias), version, major: Number(version.split('.')[0]) };
}

// redis://[user][:password]@host[:port][/db], or redis+unix:///path/to/socket[?db=N], as ioredis wants it.
export function parseRedis(text) {
    const url = new URL(text);
    const common = {
        username: url.username || undefined,
        password: url.password ? decodeURIComponent(url.password) : undefined,
        maxRetriesPerRequest: null,
    };
    if (url.protocol === 'redis+unix:' || url.protocol === 'unix:')
        return { ...common, path: decodeURIComponent(url.pathname), db: Number(url.searchParams.get('db') ?? 0) };
    return { ...common, host: url.hostname, port: Number(url.port || 6379), db: Number(url.pathname.slice(1) || 0) };
}

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

export async function waitFor(check, { timeout = 10_000, step = 20, what = 'condition' } = {}) {
    const end = Date.now() + timeout;
    for (;;) {
        const value = await check();
        if (value) return value;
        if (Date.now() > end) throw new Error(`timeout waiting for ${what}`);
        await sleep(step);
    }
}
