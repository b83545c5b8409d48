// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QString>

namespace engine::redis {

// Where a Redis server is and who we are to it.
struct Endpoint
{
    enum class Transport { Tcp, Tls, UnixSocket };

    Transport transport = Transport::Tcp;
    QString host; // or the path of a unix socket
    quint16 port = 6379;
    QString user; // empty: the default user
    QString password; // never shown or logged
    int database = 0;
    QString display; // the address without password

    // redis://[user][:password]@host[:port][/db], rediss:// for TLS, redis+unix:///path/to/socket[?db=N] or
    // unix:///path for a unix socket. Errors: BadInput.
    [[nodiscard]] static Result<Endpoint> parse(const QString &text);
};

} // namespace engine::redis
