-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Adds standard jobs to one BullMQ queue, all or none visible to workers at once. Writes what workers of
-- BullMQ 3 to 6 read; the layout of the keys is described in resources/help/bullmq.md.
--
-- KEYS  meta id events wait paused marker active
-- ARGV  key prefix of the queue with its colon, options as JSON, then for each job: id name data
-- Returns {wake, n...}: wake is 1 when idle workers may each want a wake-up of their own; n counts from 0 and names
-- a job that was there already, or, as -1 - n, one whose key is taken by something that is no job.
local meta, counter, events, wait, paused, marker, active = unpack(KEYS)
local prefix, options = ARGV[1], ARGV[2]
local call = redis.call

-- A script that fails half-way keeps what it wrote, so everything that could fail is looked at first.
local expected = { [meta] = 'hash', [counter] = 'string', [events] = 'stream', [wait] = 'list', [paused] = 'list',
                   [marker] = 'zset', [active] = 'list' }
for key, kind in pairs(expected) do
    local found = call('TYPE', key)['ok']
    if found ~= 'none' and found ~= kind then
        return redis.error_reply('WRONGTYPE ' .. key .. ' is a ' .. found .. ', BullMQ keeps a ' .. kind .. ' there')
    end
end

local info = call('HMGET', meta, 'opts.maxLenEvents', 'paused', 'concurrency', 'version')
local eventLimit = info[1] or '10000'
if not info[1] then
    call('HSET', meta, 'opts.maxLenEvents', eventLimit)
end
local major, minor = string.match(info[4] or '', ':(%d+)%.(%d+)')
major, minor = tonumber(major) or 0, tonumber(minor) or 0

-- Ready jobs of a paused queue stand in `paused` up to version 5 and stay in `wait` from 6 on. What is there tells
-- more than the version, which may be stale; in doubt `paused`, which the resume of every version takes along.
local isPaused = info[2] and true or false
local ready = wait
local waitingBefore = call('LLEN', wait)
if isPaused and (call('EXISTS', paused) == 1 or (waitingBefore == 0 and major < 6)) then
    ready = paused
end

local now = call('TIME')
local timestamp = now[1] .. string.format('%03d', math.floor(now[2] / 1000))
local result = { 0 }
local added = {}
for i = 3, #ARGV, 3 do
    local id, name, data = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local job = prefix .. id
    local found = call('TYPE', job)['ok']
    if found == 'none' then
        call('HSET', job, 'name', name, 'data', data, 'opts', options, 'timestamp', timestamp, 'delay', '0',
                   'priority', '0')
        call('XADD', events, '*', 'event', 'added', 'jobId', id, 'name', name)
        call('XADD', events, '*', 'event', 'waiting', 'jobId', id)
        added[#added + 1] = id
    elseif found == 'hash' then
        call('XADD', events, '*', 'event', 'duplicated', 'jobId', id)
        result[#result + 1] = (i - 3) / 3
    else
        result[#result + 1] = -1 - (i - 3) / 3
    end
end
call('XTRIM', events, 'MAXLEN', '~', eventLimit)
call('INCRBY', counter, (#ARGV - 2) / 3)
if #added == 0 then
    return result
end

call('LPUSH', ready, unpack(added))
local limit = tonumber(info[3] or '')
local full = limit and call('LLEN', active) >= limit
if not isPaused and not full then
    call('ZADD', marker, 0, '0')
    -- Before 5.30 a worker that takes a job does not pass the wake-up on to the next idle one.
    if #added > 1 and waitingBefore == 0 and (major < 5 or (major == 5 and minor < 30)) then
        result[1] = 1
    end
end
return result
