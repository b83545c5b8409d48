// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracefeed.h"

#include <engine/base/serialthread.h>
#include <engine/dispatch/queuedestination.h>
#include <engine/trace/tracer.h>

namespace engine::watch {

using trace::ReconcileProgress;
using trace::Reconciler;

// The worker thread's side. Made here, used and emptied there.
struct TraceFeed::Worker
{
    trace::Stores::Options options;
    QString routesFile; // empty: the built-in routes
    std::unique_ptr<trace::Stores> stores;
    std::unique_ptr<Reconciler> reconciler;

    Result<trace::Stores *> opened()
    {
        if (!stores) {
            if (auto legal = dispatch::QueueDestination::checkTemplate(options.jobIdTemplate); !legal)
                return fail(legal.error());
            if (!routesFile.isEmpty()) {
                auto router = dispatch::Router::fromFile(routesFile);
                if (!router)
                    return fail(router.error());
                options.router = std::move(*router);
            }
            stores = std::make_unique<trace::Stores>(options);
        }
        const sql::Connection *before = stores->database();
        auto ready = stores->open();
        // A comparison does not outlive the connection it reads from.
        if (stores->database() != before)
            reconciler.reset();
        if (!ready)
            return fail(ready.error());
        return stores.get();
    }
};

TraceFeed::TraceFeed(const config::ConnectionProfile &profile, config::HandoverSettings handover, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_shared<Worker>())
    , m_interrupter(std::make_shared<sql::Interrupter>())
    , m_databaseTraffic(std::make_shared<Traffic>())
    , m_redisTraffic(std::make_shared<Traffic>())
    , m_thread(std::make_unique<SerialThread>(QStringLiteral("trace")))
{
    m_worker->options.profile = profile;
    m_worker->options.jobIdTemplate = handover.jobIdTemplate;
    m_worker->options.executionsTable = handover.executionsTable;
    m_worker->routesFile = std::move(handover.routesFile);
    m_worker->options.interrupter = m_interrupter;
    m_worker->options.databaseTraffic = m_databaseTraffic;
    m_worker->options.redisTraffic = m_redisTraffic;
}

TraceFeed::~TraceFeed()
{
    m_interrupter->interrupt();
    // The Redis client lives in the worker thread and has to end there.
    m_thread
        ->run([worker = m_worker] {
            worker->reconciler.reset();
            worker->stores.reset();
        })
        .waitForFinished();
}

void TraceFeed::interrupt()
{
    m_over = true;
    m_stopWanted = true;
    m_interrupter->interrupt();
}

void TraceFeed::answered()
{
    if (--m_pending == 0)
        emit becameIdle();
}

void TraceFeed::requestTrace(const QByteArray &id)
{
    if (m_over)
        return;
    const quint64 generation = ++m_newestTrace;
    ++m_pending;
    m_thread
        ->run([worker = m_worker, id]() -> Result<trace::Trace> {
            auto stores = worker->opened();
            if (!stores)
                return fail(stores.error());
            return trace::Tracer(**stores).trace(id);
        })
        .then(this, [this, generation](const Result<trace::Trace> &trace) {
            if (generation == m_newestTrace && !m_over) {
                if (trace)
                    emit traced(*trace);
                else
                    emit traceFailed(trace.error());
            }
            answered();
        });
}

void TraceFeed::startComparison(const trace::ReconcileRequest &request)
{
    if (m_over)
        return;
    const quint64 generation = ++m_comparison;
    m_comparing = true;
    m_stopWanted = false;
    ++m_pending;
    m_thread
        ->run([worker = m_worker, request]() -> Result<ReconcileProgress> {
            worker->reconciler.reset();
            auto stores = worker->opened();
            if (!stores)
                return fail(stores.error());
            auto begun = Reconciler::begin(**stores, request);
            if (!begun)
                return fail(begun.error());
            worker->reconciler = std::move(*begun);
            return worker->reconciler->progress();
        })
        .then(this, [this, generation](const Result<ReconcileProgress> &progress) {
            if (generation == m_comparison && !m_over) {
                if (progress) {
                    emit compared(*progress, true);
                    takeStep(generation);
                } else {
                    m_comparing = false;
                    emit comparisonFailed(progress.error());
                }
            }
            answered();
        });
}

void TraceFeed::takeStep(quint64 generation)
{
    ++m_pending;
    m_thread
        ->run([worker = m_worker]() -> Result<ReconcileProgress> {
            if (!worker->reconciler)
                return fail(ErrorCode::Unavailable, tr("The connection was lost during the comparison."),
                            tr("Resume it to go on where it stopped."));
            if (auto stepped = worker->reconciler->step(); !stepped) {
                // The next attempt connects anew.
                worker->reconciler.reset();
                return fail(stepped.error());
            }
            return worker->reconciler->progress();
        })
        .then(this, [this, generation](const Result<ReconcileProgress> &progress) {
            if (generation == m_comparison && !m_over) {
                if (!progress) {
                    m_comparing = false;
                    emit comparisonFailed(progress.error());
                } else {
                    const bool goesOn = !m_stopWanted && !progress->token.isEmpty();
                    m_comparing = goesOn;
                    emit compared(*progress, goesOn);
                    if (goesOn)
                        takeStep(generation);
                }
            }
            answered();
        });
}

void TraceFeed::stopComparison()
{
    m_stopWanted = true;
}

} // namespace engine::watch
