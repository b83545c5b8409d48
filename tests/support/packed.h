// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace test {

enum class Packing { Gzip, Zlib };

// The bytes as another program would have packed them.
[[nodiscard]] QByteArray packed(const QByteArray &bytes, Packing packing = Packing::Gzip);

} // namespace test
