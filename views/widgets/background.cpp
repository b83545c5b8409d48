// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "background.h"

namespace views::background {

namespace {

class Pool final : public QThreadPool
{
public:
    Pool() { setMaxThreadCount(2); }
};

} // namespace

QThreadPool &pool()
{
    static Pool threads;
    return threads;
}

} // namespace views::background
