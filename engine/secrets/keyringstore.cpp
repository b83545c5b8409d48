// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "secretstore.h"

#include <QCoreApplication>

#include <qt6keychain/keychain.h>

using namespace Qt::StringLiterals;

namespace engine::secrets {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::secrets)
};

Error errorOf(const QKeychain::Job &job)
{
    const QString way =
        Text::tr("Install and unlock a keyring (for instance gnome-keyring), or type the password each time.");
    Error error{ErrorCode::Failed, Text::tr("The keyring reported an error."), way, true, job.errorString()};
    switch (job.error()) {
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        error.code = ErrorCode::Refused;
        error.message = Text::tr("The keyring did not give access.");
        break;
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        error.code = ErrorCode::Unavailable;
        error.message = Text::tr("This desktop offers no keyring, so passwords cannot be saved.");
        error.retryable = false;
        break;
    default:
        break;
    }
    return error;
}

class KeyringStore final : public SecretStore
{
public:
    void read(const QString &key, QObject *context, ReadAnswer answer) override
    {
        auto *job = make<QKeychain::ReadPasswordJob>(key);
        QObject::connect(job, &QKeychain::Job::finished, context, [job, answer = std::move(answer)] {
            if (job->error() == QKeychain::EntryNotFound)
                answer(QString());
            else if (job->error() == QKeychain::NoError)
                answer(job->textData());
            else
                answer(fail(errorOf(*job)));
        });
        job->start();
    }

    void write(const QString &key, const QString &secret, QObject *context, DoneAnswer answer) override
    {
        auto *job = make<QKeychain::WritePasswordJob>(key);
        job->setTextData(secret);
        finish(job, context, std::move(answer));
    }

    void remove(const QString &key, QObject *context, DoneAnswer answer) override
    {
        finish(make<QKeychain::DeletePasswordJob>(key), context, std::move(answer));
    }

private:
    // Jobs delete themselves when they end.
    template <typename Job>
    static Job *make(const QString &key)
    {
        auto *job = new Job(u"outbox-console"_s);
        job->setKey(key);
        job->setInsecureFallback(false);
        return job;
    }

    static void finish(QKeychain::Job *job, QObject *context, DoneAnswer answer)
    {
        QObject::connect(job, &QKeychain::Job::finished, context, [job, answer = std::move(answer)] {
            if (job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound)
                answer({});
            else
                answer(fail(errorOf(*job)));
        });
        job->start();
    }
};

} // namespace

std::unique_ptr<SecretStore> makeKeyringStore()
{
    return std::make_unique<KeyringStore>();
}

} // namespace engine::secrets
