// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "serialthread.h"

namespace engine {

SerialThread::SerialThread(const QString &name)
    : m_context(new QObject)
{
    m_thread.setObjectName(name);
    m_context->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.start();
}

SerialThread::~SerialThread()
{
    m_thread.requestInterruption();
    m_thread.quit();
    m_thread.wait();
}

void SerialThread::post(std::function<void()> task)
{
    // quit() alone does not drop them: Qt delivers all events that are queued before it looks at the loop's exit.
    const auto unlessEnding = [task = std::move(task)] {
        if (!QThread::currentThread()->isInterruptionRequested())
            task();
    };
    QMetaObject::invokeMethod(m_context, unlessEnding, Qt::QueuedConnection);
}

} // namespace engine
