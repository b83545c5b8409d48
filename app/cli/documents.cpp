// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "exitcode.h"

#include <engine/payload/decode.h>
#include <engine/payload/file.h>

#include <cstdio>

namespace cli {

using namespace Qt::StringLiterals;
using engine::payload::Decoded;
using engine::payload::Form;

namespace {

QString fileOption()
{
    return u"payload-to"_s;
}

QString decodedOption()
{
    return u"decoded"_s;
}

engine::Result<void> toStandardOutput(const QByteArray &bytes)
{
    const auto size = static_cast<size_t>(bytes.size());
    if (std::fwrite(bytes.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0)
        return {};
    return engine::fail(engine::ErrorCode::Failed, u"Standard output took no more."_s,
                        u"What was written is not the whole; write to a file instead."_s);
}

void writeMemberOf(JsonWriter &json, const QByteArray &name, const Decoded &decoded)
{
    if (decoded.form == Form::Json)
        json.key(name).raw(decoded.bytes.trimmed());
    else if (decoded.bytes.isValidUtf8())
        json.member(name, QByteArrayView(decoded.bytes));
    else
        json.key(name).null().member(name + "Base64", QByteArrayView(decoded.bytes.toBase64()));
}

} // namespace

void addDocumentOptions(CommandLine &line, const QString &what)
{
    line.addOption(fileOption(),
                   u"With --id: write %1, whole and byte for byte, to this file; - is standard output."_s.arg(what),
                   u"FILE"_s);
    line.addOption(decodedOption(), u"With --payload-to: what is inside gzip, zlib or MessagePack instead."_s);
}

bool wantsDocument(const CommandLine &line)
{
    return line.isSet(fileOption());
}

std::optional<int> checkDocumentOptions(const CommandLine &line)
{
    if (line.isSet(fileOption()) && (!line.isSet(u"id"_s) || line.value(fileOption()).isEmpty()))
        return line.failUsage(u"--payload-to needs --id and the name of a file."_s);
    if (line.isSet(fileOption()) && line.value(fileOption()) == u"-" && line.wantsJson())
        return line.failUsage(u"--payload-to - and --json both write to standard output."_s);
    if (line.isSet(decodedOption()) && !line.isSet(fileOption()))
        return line.failUsage(u"--decoded needs --payload-to."_s);
    return std::nullopt;
}

int writeDocument(const CommandLine &line, const QByteArray &stored)
{
    const Decoded decoded = engine::payload::decode(stored);
    const QByteArray &bytes = line.isSet(decodedOption()) ? decoded.bytes : stored;
    const QString file = line.value(fileOption());
    const auto written = file == u"-" ? toStandardOutput(bytes) : engine::payload::saveTo(file, bytes);
    if (!written)
        return line.fail(written.error());
    const QByteArray form = engine::payload::formName(decoded);
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject()
            .member("file", file)
            .member("bytes", qint64(bytes.size()))
            .member("form", QByteArrayView(form))
            .member("complete", !line.isSet(decodedOption()) || decoded.problem == Decoded::Problem::None)
            .endObject();
        printJson(json);
    } else {
        printNote(u"Wrote %1 bytes to %2 (%3)."_s.arg(bytes.size())
                      .arg(file == u"-" ? u"standard output"_s : file, QString::fromLatin1(form)));
    }
    if (line.isSet(decodedOption()) && decoded.problem != Decoded::Problem::None)
        printNote(u"That is not all: the packed data is damaged, too long or followed by other bytes."_s);
    return Done;
}

void writeStored(JsonWriter &json, const QByteArray &name, const QByteArray &stored)
{
    if (stored.isEmpty()) {
        json.key(name).null();
        return;
    }
    const Decoded decoded = engine::payload::decode(stored);
    if (!decoded.isDecoded()) {
        writeMemberOf(json, name, decoded);
        if (decoded.form == Form::Binary)
            json.member(name + "Form", QByteArrayView(engine::payload::formName(decoded)));
        return;
    }
    if (stored.isValidUtf8())
        json.member(name, QByteArrayView(stored));
    else
        json.key(name).null().member(name + "Base64", QByteArrayView(stored.toBase64()));
    json.member(name + "Form", QByteArrayView(engine::payload::formName(decoded)));
    writeMemberOf(json, name + "Decoded", decoded);
}

} // namespace cli
