// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventtype.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace engine::outbox {

Result<void> checkEventType(QByteArrayView type)
{
    static const QRegularExpression rule(
        QRegularExpression::anchoredPattern(QStringLiteral("[a-z][a-z0-9_-]*(\\.[a-z0-9][a-z0-9_-]*)+")));
    const QString text = QString::fromUtf8(type);
    if (type.size() <= 200 && rule.match(text).hasMatch())
        return {};
    const auto tr = [](const char *source) { return QCoreApplication::translate("engine::outbox::EventType", source); };
    return fail(ErrorCode::BadInput, tr("\"%1\" is no event type.").arg(text.left(200)),
                tr("An event type is lower-case and has at least two words joined by dots, "
                   "for instance billing.subscription.updated."));
}

} // namespace engine::outbox
