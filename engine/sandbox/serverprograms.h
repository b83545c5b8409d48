// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QStringList>

#include <optional>

namespace engine::sandbox {

struct PostgresPrograms
{
    QString initdb;
    QString postgres;
    int major = 0;
};

// Where the server programs are: first on PATH, then in the folders of Debian's packages, newest version first.
class ServerPrograms
{
public:
    ServerPrograms();
    explicit ServerPrograms(QStringList folders); // looks in these only, in this order

    // Errors: NotFound, naming the Debian package that brings the program.
    [[nodiscard]] Result<PostgresPrograms> postgres() const;
    [[nodiscard]] Result<QString> redis() const;
    // Those of one major version, which a data folder is bound to.
    [[nodiscard]] std::optional<PostgresPrograms> postgresOfMajor(int major) const;

private:
    QStringList m_folders;
};

} // namespace engine::sandbox
