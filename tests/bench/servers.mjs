// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A private PostgreSQL and Redis with the settings they are delivered with, as far as those matter here: PostgreSQL
// waits for the disk at every commit, Redis writes its append-only file once a second. `settings` are further settings
// of PostgreSQL, as ['log_min_duration_statement=0'].
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

// PostgreSQL refuses to run as root; its own system user is there wherever its package is.
function unprivileged() {
    if (process.getuid() !== 0) return {};
    const [, , uid, gid] = fs.readFileSync('/etc/passwd', 'utf8').split('\n').find(line => line.startsWith('postgres:'))
        .split(':');
    return { uid: Number(uid), gid: Number(gid) };
}

function postgresProgram(name) {
    const folders = fs.existsSync('/usr/lib/postgresql')
        ? fs.readdirSync('/usr/lib/postgresql').sort((a, b) => b - a).map(v => `/usr/lib/postgresql/${v}/bin`)
        : [];
    return folders.map(folder => path.join(folder, name)).find(program => fs.existsSync(program)) ?? name;
}

function freePort() {
    return new Promise(resolve => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

async function until(what, check) {
    const deadline = Date.now() + 20_000;
    while (!check()) {
        if (Date.now() > deadline) throw new Error(`${what} did not start`);
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}

export async function startServers(settings = []) {
    const user = unprivileged();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-bench-'));
    if (user.uid) fs.chownSync(folder, user.uid, user.gid);
    const children = [];
    const start = (program, args) => {
        const log = fs.openSync(path.join(folder, path.basename(program) + '.log'), 'a');
        const child = spawn(program, args, { ...user, cwd: folder, stdio: ['ignore', log, log] });
        fs.closeSync(log);
        children.push(child);
        return child;
    };

    const cluster = path.join(folder, 'cluster');
    const initdb = ['-D', cluster, '-U', 'bench', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(postgresProgram('initdb'), initdb, { ...user, cwd: folder, stdio: 'ignore' });
    const [pgPort, redisPort] = [await freePort(), await freePort()];
    const postgres = start(postgresProgram('postgres'), ['-D', cluster, '-p', pgPort, '-k', folder,
        '-c', 'listen_addresses=127.0.0.1', ...settings.flatMap(setting => ['-c', setting])]);
    const redis = start('redis-server', ['--port', redisPort, '--bind', '127.0.0.1', '--dir', folder, '--save', '',
        '--appendonly', 'yes', '--auto-aof-rewrite-percentage', '0', '--maxmemory-policy', 'noeviction']);

    const databaseUrl = database => `postgresql://bench@127.0.0.1:${pgPort}/${database}`;
    const pgUrl = databaseUrl('postgres');
    const psqlOn = (database, ...args) => execFileSync('psql',
        ['-qAtX', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl(database), ...args],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
    const psql = (...args) => psqlOn('postgres', ...args);
    const redisCli = (...args) => execFileSync('redis-cli', ['-p', redisPort, ...args], { encoding: 'utf8' }).trim();
    const stop = async () => {
        const ended = children.filter(child => child.exitCode === null && child.signalCode === null)
            .map(child => new Promise(resolve => child.once('exit', resolve)));
        postgres.kill('SIGINT');
        redis.kill('SIGTERM');
        await Promise.all(ended);
        fs.rmSync(folder, { recursive: true, force: true });
    };
    const works = (program, ...args) => {
        try {
            execFileSync(program, args, { stdio: 'ignore' });
            return true;
        } catch {
            return false;
        }
    };
    try {
        await until('PostgreSQL', () => works('psql', '-d', pgUrl, '-c', ''));
        await until('Redis', () => works('redis-cli', '-p', redisPort, 'ping'));
    } catch (error) {
        await stop();
        throw error;
    }

    return {
        environment: { PG_URL: pgUrl, REDIS_HOST: '127.0.0.1', REDIS_PORT: String(redisPort) },
        redisUrl: `redis://127.0.0.1:${redisPort}`,
        databaseUrl,
        psql,
        psqlOn,
        redisCli,
        folder,
        postgresPid: postgres.pid,
        redisPid: redis.pid,
        postgresLog: path.join(folder, 'postgres.log'),
        // Empties Redis, its file on disk included.
        async emptyRedis() {
            redisCli('flushall');
            redisCli('bgrewriteaof');
            await until('the rewrite', () => redisCli('info', 'persistence').includes('aof_rewrite_in_progress:0'));
        },
        stop,
    };
}
