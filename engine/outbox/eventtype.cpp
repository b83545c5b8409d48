// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventtype.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace engine::outbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::EventType)
};

} // namespace

Result<void> checkEventType(QByteArrayView type)
{
    static const QRegularExpression rule(
        QRegularExpression::anchoredPattern(QStringLiteral("[a-z][a-z0-9_-]*(\\.[a-z0-9][a-z0-9_-]*)+")));
    const QString text = QString::fromUtf8(type);
    if (type.size() <= 200 && rule.match(text).hasMatch())
        return {};
    return fail(ErrorCode::BadInput, Text::tr("\"%1\" is no event type.").arg(text.left(200)),
                Text::tr("An event type is lower-case and has at least two words joined by dots, "
                         "for instance billing.subscription.updated."));
}

} // namespace engine::outbox
