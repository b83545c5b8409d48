// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "router.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace engine::dispatch {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::dispatch::Router)
};

} // namespace

Router::Router(std::vector<Route> routes)
    : m_routes(std::move(routes))
{
    std::ranges::stable_sort(m_routes,
                             [](const Route &a, const Route &b) { return a.prefix.size() > b.prefix.size(); });
}

Router Router::builtIn(outbox::LayoutKind kind)
{
    if (kind == outbox::LayoutKind::Message)
        return Router({{"email.", "outbox.mail"}, {"webhook.", "outbox.webhook"}});
    return Router({
        {"tenant.subscription.", "outbox.notification"},
        {"mail.", "outbox.mail"},
        {"webhook.", "outbox.webhook"},
        {"notification.", "outbox.notification"},
        {"audit.", "outbox.audit"},
        {"workflow.", "outbox.workflow"},
        {"search.index.", "outbox.search-index"},
        {"rag.index.", "outbox.rag-index"},
        {"ai.cost.", "outbox.ai-cost"},
        {"marketing.lead.", "outbox.marketing"},
        {"form.submission.", "outbox.form-submission-route"},
        {"billing.", "outbox.notification"},
        {"plugin.hook.", "outbox.plugin-hook"},
        {"plugin.capability-use.", "outbox.plugin-capability-use"},
    });
}

Result<Router> Router::fromFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::NotFound,
                    Text::tr("The routes file %1 cannot be read: %2.").arg(path, file.errorString()));
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &fault);
    const QString example =
        Text::tr("It looks like {\"routes\": [{\"prefix\": \"mail.\", \"queue\": \"outbox.mail\"}]}.");
    if (fault.error != QJsonParseError::NoError)
        return fail(
            ErrorCode::BadInput,
            Text::tr("The routes file %1 is not JSON: %2 at byte %3.").arg(path, fault.errorString()).arg(fault.offset),
            example);
    const QJsonArray entries = document.object().value(QLatin1StringView("routes")).toArray();
    std::vector<Route> routes;
    for (const QJsonValue &entry : entries) {
        const QString prefix = entry[QLatin1StringView("prefix")].toString();
        const QString queue = entry[QLatin1StringView("queue")].toString();
        static const QRegularExpression prefixRule(
            QRegularExpression::anchoredPattern(QStringLiteral("([a-z0-9_-]+\\.)+")));
        if (!prefixRule.match(prefix).hasMatch())
            return fail(ErrorCode::BadInput, Text::tr("The routes file %1 has the prefix \"%2\".").arg(path, prefix),
                        Text::tr("A prefix is lower-case words, each followed by a dot."));
        if (queue.isEmpty())
            return fail(ErrorCode::BadInput,
                        Text::tr("The routes file %1 names no queue for \"%2\".").arg(path, prefix), example);
        routes.push_back({prefix.toUtf8(), queue.toUtf8()});
    }
    if (routes.empty())
        return fail(ErrorCode::BadInput, Text::tr("The routes file %1 holds no routes.").arg(path), example);
    return Router(std::move(routes));
}

std::optional<QByteArray> Router::queueFor(QByteArrayView eventType) const
{
    const auto found =
        std::ranges::find_if(m_routes, [&](const Route &route) { return eventType.startsWith(route.prefix); });
    return found == m_routes.cend() ? std::nullopt : std::optional(found->queue);
}

} // namespace engine::dispatch
