// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "secretstore.h"

#include <QHash>

namespace engine::secrets {

namespace {

class MemoryStore final : public SecretStore
{
public:
    void read(const QString &key, QObject *context, ReadAnswer answer) override
    {
        const QString secret = m_secrets.value(key);
        later(context, [answer = std::move(answer), secret] { answer(secret); });
    }

    void write(const QString &key, const QString &secret, QObject *context, DoneAnswer answer) override
    {
        m_secrets.insert(key, secret);
        later(context, [answer = std::move(answer)] { answer({}); });
    }

    void remove(const QString &key, QObject *context, DoneAnswer answer) override
    {
        m_secrets.remove(key);
        later(context, [answer = std::move(answer)] { answer({}); });
    }

private:
    // As late as a keyring answers, so that callers meet the same order of events.
    static void later(QObject *context, std::function<void()> function)
    {
        QMetaObject::invokeMethod(context, std::move(function), Qt::QueuedConnection);
    }

    QHash<QString, QString> m_secrets;
};

} // namespace

std::unique_ptr<SecretStore> makeMemoryStore()
{
    return std::make_unique<MemoryStore>();
}

} // namespace engine::secrets
