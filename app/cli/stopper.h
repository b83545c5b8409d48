// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/transport/sql/canceller.h>

#include <memory>

namespace cli {

// While it lives, Ctrl+C (or SIGTERM) ends the running statement on the server instead of the process, so that what
// was found so far can still be printed. One at a time per process.
class Stopper
{
public:
    explicit Stopper(std::shared_ptr<const engine::sql::Canceller> canceller);
    ~Stopper();
    Q_DISABLE_COPY_MOVE(Stopper)

    [[nodiscard]] static bool isStopped();

private:
    const std::shared_ptr<const engine::sql::Canceller> m_canceller;
};

} // namespace cli
