// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace engine::notify {

struct PostOptions
{
    std::chrono::milliseconds timeout{10'000}; // of one attempt, from the connection to the last byte
    // Between the attempts; a Retry-After of the server is a floor, up to two minutes.
    QList<std::chrono::milliseconds> pauses{std::chrono::seconds(2), std::chrono::seconds(10),
                                            std::chrono::seconds(60)};
};

// POSTs one body until it is taken: again after a network error, 408, 429 or 5xx; not after any other answer. Follows
// no redirect and sends no cookie. Deletes itself after `done`. Never waits.
class HttpPost final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HttpPost)

public:
    using Done = std::function<void(const Result<int> &status, int attempts)>;

    // `network` outlives the post, which `parent` owns until then.
    HttpPost(QNetworkAccessManager &network, QNetworkRequest request, QByteArray body, PostOptions options, Done done,
             QObject *parent);
    ~HttpPost() override;

private:
    void attempt();
    void answered();

    QNetworkAccessManager &m_network;
    QNetworkRequest m_request;
    const QByteArray m_body;
    const PostOptions m_options;
    const Done m_done;
    int m_attempts = 0;
    QNetworkReply *m_reply = nullptr;
    QTimer m_again;
};

} // namespace engine::notify
