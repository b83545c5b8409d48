// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline.h"
#include "jsonwriter.h"

namespace cli {

// --payload-to and --decoded, for sub-commands that show one thing with a document. `what`: "the payload".
void addDocumentOptions(CommandLine &line, const QString &what);
// Nothing: they are used as they should be.
[[nodiscard]] std::optional<int> checkDocumentOptions(const CommandLine &line);
[[nodiscard]] bool wantsDocument(const CommandLine &line);
// Writes the stored bytes, or with --decoded what is inside, to the file or to standard output. The exit code.
[[nodiscard]] int writeDocument(const CommandLine &line, const QByteArray &stored);

// What somebody stored, as a member: JSON byte for byte, else as text. Bytes that are no text come as
// <name>Base64 beside null. Of what is packed, <name>Form says how and <name>Decoded is what is inside.
void writeStored(JsonWriter &json, const QByteArray &name, const QByteArray &stored);

} // namespace cli
