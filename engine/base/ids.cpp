// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ids.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QUuid>

#include <array>

namespace engine {

QByteArray newUuid7()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), 4);
    const auto milliseconds = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch());

    const auto timeHigh = static_cast<quint32>(milliseconds >> 16);
    const auto timeLow = static_cast<quint16>(milliseconds & 0xffff);
    const auto versionAndRandom = static_cast<quint16>(0x7000 | (words[0] & 0x0fff));
    const auto variantAndRandom = static_cast<uchar>(0x80 | (words[1] & 0x3f));
    const auto byte = [](quint32 word, int shift) { return static_cast<uchar>((word >> shift) & 0xff); };
    return QUuid(timeHigh, timeLow, versionAndRandom, variantAndRandom, byte(words[1], 8), byte(words[2], 0),
                 byte(words[2], 8), byte(words[2], 16), byte(words[2], 24), byte(words[3], 0), byte(words[3], 8))
        .toByteArray(QUuid::WithoutBraces);
}

} // namespace engine
