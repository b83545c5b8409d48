// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace models {

// One character of a stored text, with nothing hidden: what has no shape of its own, turns the direction of what stands
// around it or is no UTF-8 gets a name to show instead.
struct VisibleCharacter
{
    char32_t code = 0; // of a broken byte: the byte
    int bytes = 1;
    int columns = 1; // of a fixed font, rather too many than too few; marks that stand on another character have none
    bool broken = false; // no UTF-8
    bool hidden = false; // shown by its name

    [[nodiscard]] QString name() const; // "U+202E", "\xFF"
    [[nodiscard]] QString text() const; // itself, or its name
};

// The character at `at`, which is inside `text`.
[[nodiscard]] VisibleCharacter visibleCharacter(QByteArrayView text, qint64 at);

// As UTF-8 without loss: half a surrogate pair, which UTF-8 has no word for, becomes its escape.
[[nodiscard]] QByteArray losslessUtf8(const QString &text);

} // namespace models
