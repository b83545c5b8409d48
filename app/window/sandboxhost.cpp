// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sandboxhost.h"

using namespace Qt::StringLiterals;

namespace app {

SandboxHost::SandboxHost(const QString &folder, QObject *parent)
    : QObject(parent)
    , m_sandbox(std::make_shared<engine::sandbox::Sandbox>(folder))
    , m_thread(u"sandbox"_s)
{ }

void SandboxHost::start()
{
    if (m_address) {
        emit started(*m_address);
        return;
    }
    if (std::exchange(m_starting, true))
        return;
    const auto progress = [this](const QString &step) {
        QMetaObject::invokeMethod(
            this, [this, step] { emit progressed(step); }, Qt::QueuedConnection);
    };
    m_thread.run([sandbox = m_sandbox, progress] { return sandbox->start(progress); })
        .then(this, [this](const engine::Result<engine::sandbox::SandboxAddress> &result) {
            m_starting = false;
            if (!result) {
                emit failed(result.error());
                return;
            }
            m_address = *result;
            emit started(*m_address);
        });
}

void SandboxHost::stop()
{
    m_thread.run([sandbox = m_sandbox] { sandbox->stop(); }).then(this, [this] {
        m_address.reset();
        emit stopped();
    });
}

} // namespace app
