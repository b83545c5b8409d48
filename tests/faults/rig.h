// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tests/support/faultproxy.h>
#include <tests/support/ledger.h>
#include <tests/support/programs.h>
#include <tests/support/testservers.h>

#include <csignal>
#include <memory>

namespace test {

// A dispatcher as a process of its own: the program that users run.
class DispatcherProcess final
{
public:
    struct Options
    {
        QString databaseUrl;
        QString redisUrl;
        QByteArray table = "Outbox";
        QByteArray prefix = "bull";
        int lease = 5; // seconds
        int batch = 50;
        int concurrency = 50;
        int interval = 100; // milliseconds
        bool drain = false;
        Environment environment{}; // besides
    };
    explicit DispatcherProcess(const Options &options);
    ~DispatcherProcess(); // kills it
    Q_DISABLE_COPY_MOVE(DispatcherProcess)

    [[nodiscard]] bool isRunning();
    // Stopped by SIGSTOP, whoever sent it.
    [[nodiscard]] bool isStopped() const;
    [[nodiscard]] qint64 pid() const { return m_pid; }
    void send(int signal) const { ::kill(static_cast<pid_t>(m_pid), signal); }
    // What it logged so far, each line with its level in front: info, warning, critical.
    [[nodiscard]] const QByteArray &log();
    [[nodiscard]] qsizetype troubles() { return log().count("critical "); }
    // SIGTERM, and how it ended.
    [[nodiscard]] Outcome stop();
    // How it ends by itself.
    [[nodiscard]] Outcome finish();

private:
    std::unique_ptr<QProcess> m_process;
    qint64 m_pid = 0;
    QByteArray m_log;
};

// Servers whose data survive the end of their process, with a proxy before each.
class Rig final
{
public:
    [[nodiscard]] static engine::Result<std::unique_ptr<Rig>> start();

    [[nodiscard]] PrivateServers &servers() { return *m_servers; }
    [[nodiscard]] FaultProxy &postgres() { return *m_postgres; }
    [[nodiscard]] FaultProxy &redis() { return *m_redis; }

    // Through the proxies.
    [[nodiscard]] QString databaseUrl() const { return databaseUrl(*m_postgres); }
    [[nodiscard]] QString redisUrl() const { return redisUrl(*m_redis); }
    // More of them, for a dispatcher with troubles of its own.
    [[nodiscard]] engine::Result<std::unique_ptr<FaultProxy>> newPostgresProxy() const;
    [[nodiscard]] engine::Result<std::unique_ptr<FaultProxy>> newRedisProxy() const;
    [[nodiscard]] static QString databaseUrl(const FaultProxy &proxy);
    [[nodiscard]] static QString redisUrl(const FaultProxy &proxy);

    // Straight to the servers.
    [[nodiscard]] Ledger::Options ledgerOptions() const;
    [[nodiscard]] DispatcherProcess::Options dispatcherOptions() const; // through the proxies

private:
    std::unique_ptr<PrivateServers> m_servers;
    std::unique_ptr<FaultProxy> m_postgres;
    std::unique_ptr<FaultProxy> m_redis;
};

} // namespace test

// Like QTRY_COMPARE and its kin, with patience for a machine that has much else to do. Times that are promised are
// measured where they are.
#define SOON_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 30'000)
#define SOON_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 30'000)
#define SOON_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, 30'000)

// Checks the ledger's account, and says what is wrong with it.
#define VERIFY_ACCOUNT(ledger)                                                                                         \
    do {                                                                                                               \
        const auto checkedAccount = (ledger).check();                                                                  \
        VERIFY_WORKED(checkedAccount);                                                                                 \
        QVERIFY2(checkedAccount->holds(), checkedAccount->text().constData());                                         \
    } while (false)
