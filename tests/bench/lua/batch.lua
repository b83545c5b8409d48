-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- The same as min.lua for a whole batch in one call.
-- KEYS: wait, events, marker    ARGV: key prefix, timestamp, options as JSON, then job id, name, data of each job
local prefix, timestamp, options = ARGV[1], ARGV[2], ARGV[3]
local added = {}
for i = 4, #ARGV, 3 do
    local id = ARGV[i]
    local job = prefix .. id
    if redis.call('EXISTS', job) == 0 then
        redis.call('HSET', job, 'name', ARGV[i + 1], 'data', ARGV[i + 2], 'opts', options, 'timestamp', timestamp,
                   'delay', 0, 'priority', 0)
        redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'event', 'waiting', 'jobId', id)
        added[#added + 1] = id
    end
end
if #added > 0 then
    redis.call('LPUSH', KEYS[1], unpack(added))
    redis.call('ZADD', KEYS[3], 0, '0')
end
return #added
