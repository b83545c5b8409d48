// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "notice.h"

#include <engine/base/error.h>

#include <QNetworkRequest>
#include <QUrl>

namespace engine::notify {

// Where a Sentry project takes events: SCHEME://KEY@HOST[:PORT][/PATH]/PROJECT. The key lets anyone send events, so it
// is treated as a secret.
struct SentryDsn
{
    QUrl endpoint; // .../api/PROJECT/envelope/, without the key
    QByteArray publicKey; // never shown or logged

    // Errors: BadInput, which does not repeat the text.
    [[nodiscard]] static Result<SentryDsn> parse(const QString &text);
    [[nodiscard]] QNetworkRequest request() const;
};

// One envelope with one event of it. The fingerprint is the alert, so that its messages make one issue.
[[nodiscard]] QByteArray sentryEnvelope(const Notice &notice, const QString &release);

} // namespace engine::notify
