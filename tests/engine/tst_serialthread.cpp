// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/base/serialthread.h>

#include <QDeadlineTimer>
#include <QSemaphore>
#include <QTest>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

using namespace engine;
using namespace Qt::StringLiterals;

class TestSerialThread : public QObject
{
    Q_OBJECT

private slots:
    void runsInItsOwnNamedThread();
    void keepsTheOrder();
    void continuesInTheContextsThread();
    void aDeadContextGetsNoAnswer();
    void destructionWaitsForTheRunningFunction();
    void destructionDropsQueuedFunctions();
};

void TestSerialThread::runsInItsOwnNamedThread()
{
    SerialThread thread(u"worker"_s);
    const auto first = thread.run([] { return QThread::currentThread(); });
    const auto second = thread.run([] { return QThread::currentThread(); });
    QVERIFY(first.result() != QThread::currentThread());
    QCOMPARE(first.result(), second.result());
    QCOMPARE(thread.run([] { return QThread::currentThread()->objectName(); }).result(), u"worker"_s);
}

void TestSerialThread::keepsTheOrder()
{
    std::vector<int> seen; // only touched by the worker, then read after its last answer
    SerialThread thread(u"worker"_s);
    QFuture<void> last;
    for (int i = 0; i < 1000; ++i)
        last = thread.run([&seen, i] { seen.push_back(i); });
    last.waitForFinished();
    QCOMPARE(seen.size(), size_t(1000));
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
}

void TestSerialThread::continuesInTheContextsThread()
{
    SerialThread thread(u"worker"_s);
    std::optional<int> answer;
    QThread *where = nullptr;
    thread.run([] { return 42; }).then(this, [&](int value) {
        answer = value;
        where = QThread::currentThread();
    });
    QTRY_COMPARE(answer, 42);
    QCOMPARE(where, QThread::currentThread());
}

void TestSerialThread::aDeadContextGetsNoAnswer()
{
    SerialThread thread(u"worker"_s);
    QSemaphore go;
    bool answered = false;
    auto context = std::make_unique<QObject>();
    thread
        .run([&go] {
            go.acquire();
            return 1;
        })
        .then(context.get(), [&](int) { answered = true; });
    context.reset();
    go.release();
    std::optional<int> later;
    thread.run([] { return 2; }).then(this, [&](int value) { later = value; });
    QTRY_COMPARE(later, 2);
    QVERIFY(!answered);
}

void TestSerialThread::destructionWaitsForTheRunningFunction()
{
    QSemaphore started, go;
    std::atomic_bool done = false;
    auto thread = std::make_unique<SerialThread>(u"worker"_s);
    thread->run([&] {
        started.release();
        go.acquire();
        done = true;
    });
    started.acquire();
    std::thread releaser([&go] { go.release(); });
    thread.reset();
    QVERIFY(done);
    releaser.join();
}

void TestSerialThread::destructionDropsQueuedFunctions()
{
    QSemaphore started;
    std::atomic_bool ran = false;
    bool wasAsked = false;
    auto thread = std::make_unique<SerialThread>(u"worker"_s);
    // Holds the thread until the destructor waits for it, so that the second function is certainly still queued then.
    thread->run([&started, &wasAsked] {
        started.release();
        const QDeadlineTimer deadline(5000);
        while (!QThread::currentThread()->isInterruptionRequested() && !deadline.hasExpired())
            QThread::yieldCurrentThread();
        wasAsked = !deadline.hasExpired();
    });
    const QFuture<void> queued = thread->run([&ran] { ran = true; });
    started.acquire();
    thread.reset();
    QVERIFY(wasAsked);
    QVERIFY(!ran);
    QVERIFY(queued.isFinished());
    QVERIFY(queued.isCanceled());
}

QTEST_GUILESS_MAIN(TestSerialThread)
#include "tst_serialthread.moc"
