// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "historystore.h"

#include <engine/base/serialthread.h>

#include <QObject>

#include <memory>

namespace engine::history {

// The store on a thread of its own: nothing here waits, answers come as signals in the thread of this object.
class History final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(History)

public:
    explicit History(const QString &file, QObject *parent = nullptr);
    ~History() override; // finishes what was asked to be written

    void record(const QByteArray &connection, qint64 atMs, const Figures &figures); // tidies once a minute too
    void saveState(const QByteArray &connection, const QByteArray &name, const QByteArray &state);
    void requestState(const QByteArray &connection, const QByteArray &name); // then stateReady()
    // Then seriesReady() with the same token.
    void requestSeries(quint64 token, const QByteArray &connection, const QList<QByteArray> &names, qint64 fromMs,
                       qint64 toMs, int mostPoints);

    // In the user's data folder.
    [[nodiscard]] static QString defaultFile();

signals:
    // Absent: it cannot be read, and failed() says why.
    void stateReady(const QByteArray &connection, const QByteArray &name, const std::optional<QByteArray> &state);
    void seriesReady(quint64 token, const engine::history::HistoryStore::Answer &answer);
    void failed(const engine::Error &error);
    void recovered(const QString &damagedFile); // a damaged file was set aside and begun anew

private:
    template <typename Work, typename Done>
    void post(Work work, Done done);

    std::shared_ptr<HistoryStore> m_store; // used in m_thread only
    qint64 m_tidiedMs = 0;
    std::unique_ptr<SerialThread> m_thread;
};

} // namespace engine::history
