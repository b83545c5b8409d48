// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documenttext.h"

#include "counttext.h"
#include "jsonlayout.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using engine::payload::Decoded;
using engine::payload::Form;
using engine::payload::Layer;

namespace models {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(models::DocumentText)
};

QString layerName(Layer::Kind kind)
{
    switch (kind) {
    case Layer::Kind::Hex:
        return Text::tr("Hex digits");
    case Layer::Kind::Base64:
        return u"Base64"_s;
    case Layer::Kind::Gzip:
        return u"gzip"_s;
    case Layer::Kind::Zlib:
        return u"zlib"_s;
    case Layer::Kind::MessagePack:
        break;
    }
    return u"MessagePack"_s;
}

QString binaryText(const Decoded &decoded)
{
    return *decoded.kindName == '\0' ? Text::tr("binary") : QString::fromLatin1(decoded.kindName);
}

} // namespace

QString documentFormText(const Decoded &decoded)
{
    if (decoded.layers.empty())
        return decoded.form == Form::Binary ? Text::tr("%1, shown as hex").arg(binaryText(decoded)) : QString();
    // Sizes from the outside to what is inside of the last packing; the innermost form by its name.
    QStringList names;
    const Layer &last = decoded.layers.back();
    const bool messagePack = last.kind == Layer::Kind::MessagePack;
    for (const Layer &layer : decoded.layers) {
        if (layer.kind != Layer::Kind::MessagePack)
            names << layerName(layer.kind);
    }
    if (names.isEmpty())
        return Text::tr("MessagePack, %1, shown as JSON").arg(bytesText(last.before));
    const qint64 inside = messagePack ? last.before : last.after;
    const QString sizes =
        u"%1, %2 → %3"_s.arg(names.join(u", "_s), bytesText(decoded.layers.front().before), bytesText(inside));
    if (messagePack)
        return Text::tr("%1, MessagePack inside").arg(sizes);
    if (decoded.form == Form::Binary)
        return Text::tr("%1, %2 inside, shown as hex").arg(sizes, binaryText(decoded));
    return decoded.form == Form::Json ? Text::tr("%1, JSON inside").arg(sizes)
        : decoded.form == Form::Empty ? Text::tr("%1, nothing inside").arg(sizes)
                                      : Text::tr("%1, text inside").arg(sizes);
}

QString documentProblemText(const Decoded &decoded)
{
    switch (decoded.problem) {
    case Decoded::Problem::Limit:
        return Text::tr("There is more inside: unpacking stopped at %1.").arg(bytesText(decoded.bytes.size()));
    case Decoded::Problem::Truncated:
        return Text::tr("The packed data ends too early; this is what could be read.");
    case Decoded::Problem::Corrupt:
        return Text::tr("The packed data is damaged; this is what could be read.");
    case Decoded::Problem::Trailing:
        return Text::tr("There are more bytes behind the packed data; see them as stored.");
    case Decoded::Problem::None:
        break;
    }
    if (!decoded.fault)
        return {};
    const auto at = jsonlayout::positionOf(decoded.bytes, decoded.fault->offset);
    return Text::tr("Not valid JSON (line %1, column %2), shown as stored.").arg(at.line).arg(at.column);
}

QString documentSuffix(const Decoded &decoded)
{
    if (!decoded.layers.empty()) {
        switch (decoded.layers.front().kind) {
        case Layer::Kind::Gzip:
            return u"gz"_s;
        case Layer::Kind::MessagePack:
            return u"msgpack"_s;
        case Layer::Kind::Zlib:
            return u"zlib"_s;
        case Layer::Kind::Hex:
        case Layer::Kind::Base64:
            return u"txt"_s;
        }
    }
    return decoded.form == Form::Json ? u"json"_s : decoded.form == Form::Binary ? u"bin"_s : u"txt"_s;
}

} // namespace models
