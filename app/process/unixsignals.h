// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <array>

namespace app {

// Turns SIGTERM and SIGINT into a Qt signal. One at a time per process.
class UnixSignals final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(UnixSignals)

public:
    explicit UnixSignals(QObject *parent = nullptr);
    ~UnixSignals() override;

signals:
    void stopRequested();

private:
    std::array<int, 2> m_pipe;
    QSocketNotifier m_notifier;
};

} // namespace app
