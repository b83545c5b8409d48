// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "visiblecharacter.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace models {

namespace {

using Range = std::pair<char32_t, char32_t>;

template <size_t Count>
bool isIn(const std::array<Range, Count> &ranges, char32_t code)
{
    const auto after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
    return after != ranges.begin() && code <= std::prev(after)->second;
}

bool isHidden(char32_t code)
{
    // Joiners and variation selectors are left alone: scripts and pictures are made of them.
    static constexpr std::array<Range, 17> ranges{{{0x00, 0x1f},
                                                   {0x7f, 0x9f},
                                                   {0xad, 0xad},
                                                   {0x61c, 0x61c},
                                                   {0x115f, 0x1160},
                                                   {0x180e, 0x180e},
                                                   {0x200b, 0x200b},
                                                   {0x200e, 0x200f},
                                                   {0x2028, 0x202e},
                                                   {0x2060, 0x206f},
                                                   {0x3164, 0x3164},
                                                   {0xe000, 0xf8ff},
                                                   {0xfeff, 0xfeff},
                                                   {0xffa0, 0xffa0},
                                                   {0xfff0, 0xfffb},
                                                   {0xfffe, 0xffff},
                                                   {0xe0000, 0x10ffff}}};
    return isIn(ranges, code);
}

bool isMark(char32_t code)
{
    static constexpr std::array<Range, 8> ranges{{{0x300, 0x36f},
                                                  {0x483, 0x489},
                                                  {0x591, 0x5c7},
                                                  {0x64b, 0x65f},
                                                  {0x200c, 0x200d},
                                                  {0x20d0, 0x20ff},
                                                  {0xfe00, 0xfe0f},
                                                  {0xfe20, 0xfe2f}}};
    return isIn(ranges, code);
}

int columnsOf(char32_t code)
{
    if (isMark(code))
        return 0;
    // Fonts of other scripts are wider than the fixed one.
    return code < 0x530 || (code >= 0x2000 && code < 0x2600) ? 1 : 2;
}

} // namespace

QString VisibleCharacter::name() const
{
    if (broken)
        return u"\\x"_s + QString::number(static_cast<uint>(code), 16).rightJustified(2, u'0').toUpper();
    return u"U+"_s + QString::number(static_cast<uint>(code), 16).rightJustified(4, u'0').toUpper();
}

QString VisibleCharacter::text() const
{
    return hidden ? name() : QString::fromUcs4(&code, 1);
}

QByteArray losslessUtf8(const QString &text)
{
    if (text.isValidUtf16())
        return text.toUtf8();
    QString whole;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar unit = text[i];
        if (unit.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
            whole += text.mid(i++, 2);
        else if (unit.isSurrogate())
            whole += u"\\u"_s + QString::number(unit.unicode(), 16);
        else
            whole += unit;
    }
    return whole.toUtf8();
}

VisibleCharacter visibleCharacter(QByteArrayView text, qint64 at)
{
    VisibleCharacter character;
    const auto lead = static_cast<uchar>(text[at]);
    character.code = lead;
    if (lead >= 0x80) {
        const int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > text.size() || !text.sliced(at, length).isValidUtf8()) {
            character.broken = true;
        } else {
            character.bytes = length;
            character.code = lead & (0xff >> (length + 1));
            for (int i = 1; i < length; ++i)
                character.code = character.code << 6 | (static_cast<uchar>(text[at + i]) & 0x3f);
        }
    }
    character.hidden = character.broken || isHidden(character.code);
    if (!character.hidden)
        character.columns = columnsOf(character.code);
    else // as long as its name, with some room around it
        character.columns = character.broken ? 5 : character.code > 0xfffff ? 9 : character.code > 0xffff ? 8 : 7;
    return character;
}

} // namespace models
