// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace engine::secrets {

// Where passwords live: never in a settings file, a log or an error. Answers come later, in the thread of `context`,
// and are dropped with it. Used from one thread, the one that made the store.
class SecretStore
{
public:
    using ReadAnswer = std::function<void(Result<QString>)>;
    using DoneAnswer = std::function<void(Result<void>)>;

    SecretStore() = default;
    virtual ~SecretStore();
    Q_DISABLE_COPY_MOVE(SecretStore)

    // A key without a secret answers with an empty text. Errors: Unavailable (no keyring), Refused (locked, or the
    // user said no), Failed.
    virtual void read(const QString &key, QObject *context, ReadAnswer answer) = 0;
    virtual void write(const QString &key, const QString &secret, QObject *context, DoneAnswer answer) = 0;
    // Removing a key that is not there succeeds.
    virtual void remove(const QString &key, QObject *context, DoneAnswer answer) = 0;
};

// The desktop's keyring (Secret Service or KWallet).
[[nodiscard]] std::unique_ptr<SecretStore> makeKeyringStore();
// Forgets everything at the end of the process; for tests and for machines without a keyring.
[[nodiscard]] std::unique_ptr<SecretStore> makeMemoryStore();

} // namespace engine::secrets
