// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/watch/alertengine.h>

#include <QByteArray>
#include <QString>

namespace engine::notify {

// One message to whoever has to know. Holds no payload and no secret.
struct Notice
{
    enum class Kind { Fired, Worsened, Resolved, Summary, Test };

    Kind kind = Kind::Fired;
    watch::Alert alert;
    QString connection; // the name a person gave it
    qint64 atMs = 0;

    [[nodiscard]] QString title() const; // translated; one line
    [[nodiscard]] QString text() const; // translated; what is known and what to do
};

[[nodiscard]] Notice noticeOf(const watch::AlertChange &change, const QString &connection, qint64 atMs);
// What "Send a test" sends.
[[nodiscard]] Notice testNotice(const QString &connection, qint64 atMs);

// What a webhook gets: {"state":"firing|worse|resolved|summary|test","alert","rule","subject","level","title",
// "text","value","since","at","connection"}. "text" is title and text in one, which chat services show as it is.
[[nodiscard]] QByteArray webhookBody(const Notice &notice);

} // namespace engine::notify
