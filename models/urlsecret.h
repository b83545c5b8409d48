// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace models {

// A server address and, apart from it, its password.
struct SecretUrl
{
    QString url; // without password
    QString password; // plain, not percent-encoded; empty: none
};

// Takes the password out of scheme://user:password@host/…; anything else stays as it is.
[[nodiscard]] SecretUrl splitSecret(const QString &url);
// The reverse. A password that the URL already holds is replaced.
[[nodiscard]] QString joinSecret(const QString &url, const QString &password);

} // namespace models
