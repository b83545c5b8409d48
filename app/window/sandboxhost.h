// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/serialthread.h>
#include <engine/sandbox/sandbox.h>

#include <QObject>

#include <optional>

namespace app {

// The sandbox's servers on a thread of their own, so that starting and stopping never hold up the window.
class SandboxHost final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SandboxHost)

public:
    explicit SandboxHost(const QString &folder, QObject *parent = nullptr);

    void start(); // then started() or failed(); a start that is under way or done is not repeated
    void stop(); // then stopped(), in any case
    [[nodiscard]] const std::optional<engine::sandbox::SandboxAddress> &address() const { return m_address; }

signals:
    void progressed(const QString &step);
    void started(const engine::sandbox::SandboxAddress &address);
    void failed(const engine::Error &error);
    void stopped();

private:
    std::shared_ptr<engine::sandbox::Sandbox> m_sandbox; // used in m_thread only
    std::optional<engine::sandbox::SandboxAddress> m_address;
    bool m_starting = false;
    engine::SerialThread m_thread; // last: joined first
};

} // namespace app
