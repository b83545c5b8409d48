-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- The least that adds one job to a queue: no counter, no options read, no pause.
-- KEYS: wait, events, marker, job    ARGV: job id, name, timestamp, data, options as JSON
local id = ARGV[1]
if redis.call('EXISTS', KEYS[4]) == 1 then
    return id
end
redis.call('HSET', KEYS[4], 'name', ARGV[2], 'data', ARGV[4], 'opts', ARGV[5], 'timestamp', ARGV[3], 'delay', 0,
           'priority', 0)
redis.call('LPUSH', KEYS[1], id)
redis.call('ZADD', KEYS[3], 0, '0')
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'event', 'waiting', 'jobId', id)
return id
