// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

using namespace Qt::StringLiterals;
using engine::outbox::Column;
using engine::outbox::Count;
using engine::outbox::Layout;
using engine::outbox::Phase;
using engine::outbox::RowSummary;

namespace samples {

engine::config::ConnectionProfile sandbox()
{
    engine::config::ConnectionProfile profile;
    profile.name = u"sandbox"_s;
    profile.sandbox = true;
    profile.readOnly = false;
    return profile;
}

engine::config::ConnectionProfile production()
{
    engine::config::ConnectionProfile profile;
    profile.name = u"billing-prod"_s;
    profile.databaseUrl = u"postgresql://ops:secret@db.internal:5432/billing"_s;
    profile.redisUrl = u"rediss://:secret@cache.internal:6380/0"_s;
    profile.production = true;
    return profile;
}

Layout eventLayout()
{
    Layout layout;
    layout.schema = "public";
    layout.table = "OutboxEvent";
    layout.statuses = {"PENDING", "PROCESSING", "DONE", "FAILED", "CANCELLED"};
    layout.dispatchKey = Column{"dispatchKey", "text", false};
    layout.dispatchKeyIsUnique = true;
    return layout;
}

Layout messageLayout()
{
    Layout layout;
    layout.kind = engine::outbox::LayoutKind::Message;
    layout.schema = "public";
    layout.table = "message_outbox";
    layout.statuses = {"pending", "processing", "sent", "failed", "dead_letter"};
    return layout;
}

std::vector<RowSummary> rows(int count)
{
    struct Kind
    {
        const char *type;
        const char *tenant;
        const char *status;
        Phase phase;
        int retries;
        qint64 dueIn; // seconds
        const char *error;
    };
    static constexpr Kind kinds[] = {
        {"mail.invoice.sent", "t_8812", "FAILED", Phase::Dead, 7, -130, "connect ECONNREFUSED 10.2.0.9:587"},
        {"billing.invoice.paid", "t_0411", "PENDING", Phase::Waiting, 0, -2, ""},
        {"workflow.trigger.event", "t_0411", "DONE", Phase::HandedOver, 0, -3, ""},
        {"webhook.order.created", "t_2043", "PENDING", Phase::Waiting, 3, 131,
         "503 from receiver\nbody: upstream busy"},
        {"audit.user.login", "t_0007", "PROCESSING", Phase::InFlight, 0, -1, ""},
        {"crm.contact.synced", "t_3310", "FAILED", Phase::Dead, 0, -76, "no route for this event type"},
        {"search.index.updated", "t_0411", "DONE", Phase::HandedOver, 0, -9, ""},
        {"ai.cost.recorded", "t_2043", "CANCELLED", Phase::Cancelled, 0, -12, ""},
    };
    std::vector<RowSummary> all;
    for (int i = 0; i < count; ++i) {
        const Kind &kind = kinds[i % std::size(kinds)];
        RowSummary row;
        row.id = "evt_01J8Z" + QByteArray::number(100000 + i) + "M2";
        row.tenantId = kind.tenant;
        row.eventType = kind.type;
        row.status = kind.status;
        row.phase = kind.phase;
        row.retries = kind.retries;
        row.scheduledAt = now + (kind.dueIn - i * 2) * 1'000'000;
        row.orderAt = now - i * 2'000'000LL;
        row.createdAt = now - (150 + i * 2) * 1'000'000;
        row.updatedAt = row.scheduledAt;
        if (kind.phase == Phase::InFlight)
            row.lockedUntil = now + (i % 16 == 4 ? 240 : -35) * 1'000'000LL;
        if (kind.phase == Phase::HandedOver)
            row.processedAt = *row.createdAt + 912'000;
        row.lastError = QString::fromUtf8(kind.error);
        all.push_back(row);
    }
    return all;
}

std::vector<RowSummary> longRows(int count)
{
    std::vector<RowSummary> all = rows(count);
    for (RowSummary &row : all) {
        row.eventType = "plugin.capability-use.recorded.with-a-very-long-name-that-nobody-should-have-chosen";
        row.tenantId = "organisation-0f8fad5b-d9cb-469f-a165-70867728950e";
        row.lastError =
            u"Error: template “Größe & Maße – 請求書” not found in any of the 14 folders that were searched for "
            u"it, the last of which was /srv/mail/templates/tenants/organisation-0f8fad5b"_s;
    }
    return all;
}

engine::outbox::Stats stats()
{
    engine::outbox::Stats stats;
    stats.counts = {{"PENDING", Count{7513, Count::Kind::Exact}},
                    {"PROCESSING", Count{100, Count::Kind::Exact}},
                    {"DONE", Count{9'790'000, Count::Kind::Estimated}},
                    {"FAILED", Count{100'000, Count::Kind::AtLeast}},
                    {"CANCELLED", Count{}}};
    stats.due = Count{1482, Count::Kind::Exact};
    stats.oldestDueAgeMs = 432'000;
    stats.databaseTime = now;
    return stats;
}

engine::outbox::RowDetail detail(const RowSummary &row)
{
    engine::outbox::RowDetail detail;
    detail.row = row;
    detail.payload = R"({"invoiceId": "inv_771", "amountMinor": 9007199254740993, "rate": 1e400,)"
                     R"( "to": "ana@example.com", "lines": [{"sku": "A-1", "qty": 2}, {"sku": "A-1", "qty": 1}],)"
                     R"( "empty": {}, "none": null, "ok": true, "ok": false, "locale": "pl-PL"})";
    detail.payloadBytes = detail.payload.size();
    detail.payloadType = "jsonb";
    detail.lastError = row.lastError;
    detail.dispatchKey = "invoice:inv_771:sent";
    return detail;
}

std::vector<engine::bullmq::QueueState> queues()
{
    const auto queue = [](const char *name, qint64 waiting, qint64 active, qint64 delayed, qint64 failed,
                          qint64 completed, int workers) {
        engine::bullmq::QueueState state;
        state.name = name;
        state.waiting = waiting;
        state.active = active;
        state.delayed = delayed;
        state.failed = failed;
        state.completed = completed;
        state.workers = workers;
        state.version = "5.81.5";
        if (waiting > 0)
            state.oldestWaitingMs = waiting * 300;
        return state;
    };
    std::vector<engine::bullmq::QueueState> all{
        queue("outbox.ai-cost", 0, 0, 0, 0, 1204, 1),    queue("outbox.audit", 12, 4, 0, 0, 88231, 2),
        queue("outbox.mail", 4120, 0, 12, 38, 51002, 0), queue("outbox.notification", 0, 1, 0, 0, 40211, 4),
        queue("outbox.rag-index", 3, 2, 0, 0, 911, 1),   queue("outbox.search-index", 0, 0, 0, 0, 7702, 1),
        queue("outbox.webhook", 0, 2, 31, 5, 20117, 2),  queue("outbox.workflow", 7, 4, 0, 3, 10400, 2),
        queue("toolctrl.email", 0, 0, 0, 0, 310, 2),     queue("toolctrl.plugin-invoke", 0, 0, 0, 0, 87, 1)};
    all[7].stalled = 1;
    all[4].paused = true;
    all[9].workers.reset();
    engine::bullmq::QueueState broken;
    broken.name = "legacy:imports";
    broken.problem = u"The key bull:legacy:imports:wait holds a string, not a list."_s;
    all.push_back(broken);
    return all;
}

engine::watch::QueueSnapshot queueSnapshot()
{
    engine::watch::QueueSnapshot snapshot;
    snapshot.queues = queues();
    snapshot.workers.emplace();
    int number = 0;
    for (const engine::bullmq::QueueState &queue : snapshot.queues) {
        for (int i = 0; i < queue.workers.value_or(0); ++i, ++number) {
            engine::bullmq::WorkerState worker;
            worker.queue = queue.name;
            worker.name = number % 3 == 2 ? QByteArray() : "worker-" + QByteArray::number(number);
            worker.clientId = QByteArray::number(100 + number);
            worker.address = "10.2.0." + QByteArray::number(4 + number % 3) + ":5" + QByteArray::number(1000 + number);
            worker.connectedMs = 86'400'000LL * (number % 4) + 732'000;
            worker.quietMs = number % 5 * 700;
            worker.waits = number % 4 != 1;
            if (!worker.name.isEmpty())
                worker.jobs = number % 4 == 1 ? 4 : 0;
            snapshot.workers->push_back(worker);
        }
    }
    return snapshot;
}

QList<engine::watch::Finding> findings()
{
    using Verdict = engine::watch::Finding::Verdict;
    return {{u"database.connect"_s, Verdict::Good, u"PostgreSQL answers"_s, u"Version 15.8, 2.1 ms away."_s, {}},
            {u"outbox.table"_s, Verdict::Good, u"Outbox table found"_s, u"public.\"OutboxEvent\", event layout."_s, {}},
            {u"outbox.index"_s, Verdict::Warning, u"No index for due rows"_s,
             u"No index begins with (status, \"scheduledAt\"); finding due rows reads the whole table."_s,
             u"Create one: outbox-console schema print shows it."_s},
            {u"redis.eviction"_s, Verdict::Problem, u"Redis may evict keys"_s, u"maxmemory-policy is allkeys-lru."_s,
             u"Set it to noeviction, or jobs can vanish."_s}};
}

engine::Error cannotConnect()
{
    return {engine::ErrorCode::CannotConnect, u"PostgreSQL at db.internal:5432 does not accept connections."_s,
            u"Check that the server runs and that this computer may reach it."_s, true,
            u"connection to server at \"db.internal\" (10.2.0.4), port 5432 failed: Connection refused"_s};
}

} // namespace samples
