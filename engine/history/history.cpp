// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history.h"

#include <QStandardPaths>

namespace engine::history {

namespace {

constexpr qint64 tidyEveryMs = 60'000;

} // namespace

History::History(const QString &file, QObject *parent)
    : QObject(parent)
    , m_store(std::make_shared<HistoryStore>(file))
    , m_thread(std::make_unique<SerialThread>(QStringLiteral("history")))
{ }

History::~History()
{
    // The database handle belongs to the thread and has to end there, behind everything that was asked.
    m_thread->run([store = std::exchange(m_store, nullptr)]() mutable { store.reset(); }).waitForFinished();
}

template <typename Work, typename Done>
void History::post(Work work, Done done)
{
    using Value = std::invoke_result_t<Work, HistoryStore &>;
    m_thread
        ->run([store = m_store, work = std::move(work)] {
            Value value = work(*store);
            return std::pair<Value, QString>(std::move(value), store->takeSetAside());
        })
        .then(this, [this, done = std::move(done)](const std::pair<Value, QString> &answer) {
            if (!answer.second.isEmpty())
                emit recovered(answer.second);
            if (!answer.first)
                emit failed(answer.first.error());
            done(answer.first);
        });
}

void History::record(const QByteArray &connection, qint64 atMs, const Figures &figures)
{
    const bool tidies = atMs - m_tidiedMs >= tidyEveryMs || atMs < m_tidiedMs;
    if (tidies)
        m_tidiedMs = atMs;
    post(
        [=](HistoryStore &store) -> Result<void> {
            if (auto done = store.record(connection, atMs, figures); !done)
                return done;
            return tidies ? store.tidy(atMs) : Result<void>();
        },
        [](const Result<void> &) {});
}

void History::saveState(const QByteArray &connection, const QByteArray &name, const QByteArray &state)
{
    post([=](HistoryStore &store) { return store.saveState(connection, name, state); }, [](const Result<void> &) {});
}

void History::requestState(const QByteArray &connection, const QByteArray &name)
{
    post([=](HistoryStore &store) { return store.state(connection, name); },
         [=, this](const Result<QByteArray> &state) {
             emit stateReady(connection, name, state ? std::optional(*state) : std::nullopt);
         });
}

void History::requestSeries(quint64 token, const QByteArray &connection, const QList<QByteArray> &names, qint64 fromMs,
                            qint64 toMs, int mostPoints)
{
    post([=](HistoryStore &store) { return store.series(connection, names, fromMs, toMs, mostPoints); },
         [=, this](const Result<HistoryStore::Answer> &answer) {
             if (answer)
                 emit seriesReady(token, *answer);
         });
}

QString History::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/outbox-console/history.sqlite");
}

} // namespace engine::history
