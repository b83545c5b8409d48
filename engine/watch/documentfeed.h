// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "documentref.h"

#include <engine/base/error.h>
#include <engine/base/traffic.h>
#include <engine/config/profile.h>

#include <QObject>

#include <memory>
#include <optional>

namespace engine::sql {
class ConnectionThread;
}

namespace engine::watch {

// Whole documents of which lists and details only hold the beginning, for a window; over a connection of its own, opened
// with the first question, so that a list never waits for them.
class DocumentFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DocumentFeed)

public:
    // `executionsTable` empty: found by itself.
    explicit DocumentFeed(const config::ConnectionProfile &profile, const QString &executionsTable = {},
                          QObject *parent = nullptr);
    ~DocumentFeed() override; // interrupts the running question

    void request(const DocumentRef &ref); // then ready() or failed()
    // Reads and writes in the worker; then saved() or saveFailed(), and never half a file.
    void save(const DocumentRef &ref, const QString &path);
    // This console's own load on the database.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }

signals:
    void ready(const engine::watch::DocumentRef &ref, const QByteArray &document);
    void failed(const engine::watch::DocumentRef &ref, const engine::Error &error);
    void saved(const engine::watch::DocumentRef &ref, const QString &path);
    void saveFailed(const engine::watch::DocumentRef &ref, const engine::Error &error);

private:
    struct Tables;
    template <typename Answer, typename Failure>
    void ask(const DocumentRef &ref, const QString &path, Answer answer, Failure failure);

    const config::ConnectionProfile m_profile;
    std::optional<Error> m_urlFault;
    std::shared_ptr<Tables> m_tables; // used in the worker thread only
    const std::shared_ptr<Traffic> m_traffic;
    std::unique_ptr<sql::ConnectionThread> m_thread; // absent: the URL cannot be read
};

} // namespace engine::watch
