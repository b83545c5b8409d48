// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QTest>

namespace test {

// What a failed test should say about an error.
inline QByteArray why(const engine::Error &error)
{
    return "code " + QByteArray::number(int(error.code)) + ": " + error.text().toUtf8() + " | " + error.detail.toUtf8();
}

template <typename T>
QByteArray why(const engine::Result<T> &result)
{
    return result ? QByteArray("it worked") : why(result.error());
}

} // namespace test

// Fails the test with the error's own words unless the Result holds a value. Evaluates its argument once.
#define VERIFY_WORKED(result)                                                                                          \
    do {                                                                                                               \
        const auto &verifiedResult = (result);                                                                         \
        QVERIFY2(verifiedResult, test::why(verifiedResult).constData());                                               \
    } while (false)
