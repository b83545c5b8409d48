// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counttext.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;
using engine::outbox::Count;

namespace models {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(models::CountText)
};

QLocale grouping()
{
    QLocale locale;
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale;
}

QString shortened(qint64 value)
{
    if (value >= 1000000000)
        return Text::tr("%1 bn").arg(grouping().toString(static_cast<double>(value) / 1e9, 'f', 2));
    if (value >= 1000000)
        return Text::tr("%1 M").arg(grouping().toString(static_cast<double>(value) / 1e6, 'f', 2));
    return numberText(value);
}

} // namespace

QString numberText(qint64 value)
{
    return grouping().toString(value);
}

QString rateText(double perSecond)
{
    if (perSecond <= 0)
        return u"0"_s;
    if (perSecond < 9.95)
        return grouping().toString(perSecond, 'f', 1);
    return numberText(qRound64(perSecond));
}

QString bytesText(qint64 bytes)
{
    if (bytes < 1024)
        return Text::tr("%1 bytes").arg(bytes);
    if (bytes < 1024 * 1024)
        return Text::tr("%1 KiB").arg(
            grouping().toString(static_cast<double>(bytes) / 1024.0, 'f', bytes < 10240 ? 1 : 0));
    return Text::tr("%1 MiB").arg(grouping().toString(static_cast<double>(bytes) / 1048576.0, 'f', 1));
}

QString countText(const Count &count)
{
    switch (count.kind) {
    case Count::Kind::Exact:
        return numberText(count.value);
    case Count::Kind::AtLeast:
        return numberText(count.value) + u'+';
    case Count::Kind::Estimated:
        return u"≈ "_s + shortened(count.value);
    case Count::Kind::Unavailable:
        break;
    }
    return u"–"_s;
}

QString roundText(qint64 value)
{
    return shortened(value);
}

Count sumOf(const std::vector<Count> &parts)
{
    using Kind = Count::Kind;
    Count sum{0, Kind::Exact};
    for (const Count &part : parts) {
        sum.value += part.value;
        if (part.kind == Kind::Unavailable || sum.kind == Kind::Unavailable)
            sum.kind = Kind::Unavailable;
        else if (part.kind == Kind::Estimated || sum.kind == Kind::Estimated)
            sum.kind = Kind::Estimated;
        else if (part.kind == Kind::AtLeast)
            sum.kind = Kind::AtLeast;
    }
    return sum;
}

QString positionText(const ListPosition &position)
{
    if (position.last <= 0)
        return {};
    const Count &total = position.total;
    const bool isKnown = total.kind != Count::Kind::Unavailable;
    if (position.isExact && !isKnown)
        return Text::tr("Rows %1–%2, their number is not available now")
            .arg(numberText(position.first), numberText(position.last));
    if (position.isExact)
        return Text::tr("Rows %1–%2 of %3")
            .arg(numberText(position.first), numberText(position.last), countText(total));
    if (!isKnown)
        return Text::tr("Somewhere in the list: its length is not available now");
    return Text::tr("About row %1 of %2").arg(roundText(position.first), countText(total));
}

QString countExplanation(const Count &count)
{
    switch (count.kind) {
    case Count::Kind::Exact:
        return Text::tr("%1 rows, counted exactly.").arg(numberText(count.value));
    case Count::Kind::AtLeast:
        return Text::tr("%1 rows or more: counting stopped there.").arg(numberText(count.value));
    case Count::Kind::Estimated:
        return Text::tr("About %1 rows, estimated from the database's statistics.").arg(numberText(count.value));
    case Count::Kind::Unavailable:
        break;
    }
    return Text::tr("The number of rows is not available now.");
}

} // namespace models
