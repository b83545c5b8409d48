// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Asks a queue what the window asks, through the window's own feeds, and prints how long each answer took as JSON:
// [{"what": "...", "ms": 12.3, "most": true}]; `most`: it is a page that somebody waits for. See jobs.mjs.

#include <engine/bullmq/discovery.h>
#include <engine/watch/jobfeed.h>
#include <engine/watch/queuefeed.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <cstdio>

using namespace Qt::StringLiterals;
using engine::bullmq::JobPageRequest;
using engine::bullmq::JobState;
using engine::watch::JobFeed;
using engine::watch::QueueFeed;

namespace {

QJsonArray report;

void note(const QString &what, qint64 nanoseconds, bool judged)
{
    report.append(QJsonObject{{u"what"_s, what}, {u"ms"_s, double(nanoseconds) / 1e6}, {u"most"_s, judged}});
}

// Runs `ask` and waits for one of the answers.
template <typename Feed, typename Ask, typename Good, typename Bad>
void measure(const QString &what, Feed &feed, Ask ask, Good good, Bad bad)
{
    QEventLoop loop;
    QElapsedTimer timer;
    QObject::connect(&feed, good, &loop, &QEventLoop::quit);
    QObject::connect(&feed, bad, &loop, [&](auto &&...) { loop.exit(1); });
    timer.start();
    ask();
    if (loop.exec() != 0)
        qFatal("%s: no answer", qPrintable(what));
    note(what, timer.nsecsElapsed(), true);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 4)
        return 2;
    engine::config::ConnectionProfile profile;
    profile.redisUrl = arguments[1];
    const QByteArray queue = arguments[2].toUtf8();
    const qint64 count = arguments[3].toLongLong();

    QueueFeed queues(profile);
    measure(
        u"Queues page, first answer with the connection"_s, queues, [&] { queues.requestSnapshot(); },
        &QueueFeed::snapshotReady, &QueueFeed::failed);
    measure(
        u"Queues page, again"_s, queues, [&] { queues.requestSnapshot(); }, &QueueFeed::snapshotReady,
        &QueueFeed::failed);

    JobFeed jobs(profile);
    const auto page = [&](const QString &what, JobState state, qint64 offset, bool oldestFirst) {
        measure(
            what, jobs,
            [&] {
                jobs.requestPage({queue, state, offset, 100, oldestFirst, false});
            },
            &JobFeed::pageReady, &JobFeed::pageFailed);
    };
    page(u"Jobs page, first answer with the connection"_s, JobState::Failed, 0, false);
    page(u"waiting, newest"_s, JobState::Waiting, 0, false);
    page(u"waiting, a quarter deep"_s, JobState::Waiting, count / 4, false);
    page(u"waiting, half way"_s, JobState::Waiting, count / 2, false);
    page(u"waiting, half way, oldest first"_s, JobState::Waiting, count / 2, true);
    page(u"waiting, the last"_s, JobState::Waiting, count - 100, false);
    page(u"failed, half way"_s, JobState::Failed, count / 20, false);
    page(u"completed, the last"_s, JobState::Completed, count / 10 - 100, true);
    const auto detail = [&](const QString &what, qint64 number) {
        const QByteArray id = "outbox:0198f0aa-7c1e-7b3a-9d7f-" + QByteArray::number(number).rightJustified(12, '0');
        measure(
            what, jobs, [&] { jobs.requestDetail(queue, id); }, &JobFeed::detailReady, &JobFeed::detailFailed);
    };
    detail(u"one job that waits, runs next"_s, 0);
    detail(u"one job that waits, half way"_s, count / 2);

    // Not judged: they go on in steps, and what was found is shown meanwhile.
    engine::redis::Client client(*engine::redis::Endpoint::parse(profile.redisUrl));
    engine::bullmq::Discovery discovery(client, "bull");
    QElapsedTimer timer;
    timer.start();
    while (!discovery.isComplete()) {
        if (auto stepped = discovery.step(std::chrono::milliseconds(80)); !stepped)
            qFatal("%s", qPrintable(stepped.error().message));
    }
    note(u"finding every queue, whole key space"_s, timer.nsecsElapsed(), false);
    engine::bullmq::JobSearch search(client, "bull");
    engine::bullmq::JobSearchCursor cursor;
    qint64 looked = 0;
    timer.start();
    while (looked < 50'000) {
        auto step = search.step({queue, {JobState::Waiting}, u"nowhere"_s, false, false}, cursor,
                                std::chrono::milliseconds(60));
        if (!step)
            qFatal("%s", qPrintable(step.error().message));
        cursor = step->next;
        looked += step->looked;
        if (step->done)
            break;
    }
    note(u"searching %1 jobs"_s.arg(looked), timer.nsecsElapsed(), false);
    std::puts(QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
}
