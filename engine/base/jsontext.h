// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>
#include <vector>

// JSON handled as text, never parsed into numbers or objects: the bytes stored are the bytes handed over.
namespace engine::jsontext {

// Where and why a text is not JSON (RFC 8259). `offset` counts bytes from 0.
struct Fault
{
    qsizetype offset = 0;
    const char *reason = "";
};

// Checks one JSON document with optional white space around it; any nesting depth, any number length.
// Strings must be valid UTF-8. Escaped lone surrogates are accepted, as JavaScript accepts them.
[[nodiscard]] std::optional<Fault> findFault(QByteArrayView text);

// One member of an object: its decoded key and its value's own text, in place.
struct Member
{
    QString key;
    QByteArrayView value;
};

// The members of an object in the order written, duplicates included. `object` has no fault and is an object;
// views point into it.
[[nodiscard]] std::vector<Member> membersOf(QByteArrayView object);

// The text that a JSON string stands for; nothing if `value` is no string.
[[nodiscard]] std::optional<QString> stringValue(QByteArrayView value);

// Appends `utf8` to `target` as a JSON string with quotes. Broken UTF-8 becomes U+FFFD.
void appendString(QByteArray &target, QByteArrayView utf8);

} // namespace engine::jsontext
