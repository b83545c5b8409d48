// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupter.h"

#include <engine/base/logging.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace engine::sql {

Interrupter::Interrupter()
    : m_descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{ }

Interrupter::~Interrupter()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

void Interrupter::interrupt()
{
    m_interrupted = true;
    const quint64 one = 1;
    if (write(m_descriptor, &one, sizeof one) < 0)
        qCWarning(lcSql).noquote() << "cannot interrupt a database call:" << qt_error_string(errno);
}

} // namespace engine::sql
