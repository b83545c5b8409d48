// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>

namespace test {

// Why a result is an error.
template <typename T>
QByteArray explain(const engine::Result<T> &result)
{
    return result ? QByteArray() : (result.error().text() + u'\n' + result.error().detail).toUtf8();
}

} // namespace test

// QVERIFY for a result that has to be a success.
#define VERIFY_RESULT(result) QVERIFY2(result, test::explain(result).constData())
