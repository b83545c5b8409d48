// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "discovery.h"

#include "catalogue.h"

#include <QCoreApplication>
#include <QStringList>

namespace engine::outbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::Discovery)
};

// A part of a layout and the spellings under which it is seen in the wild.
struct Part
{
    Column Layout::*column;
    QList<QByteArray> spellings;
    bool required;
};

const QList<Part> &partsOf(LayoutKind kind)
{
    static const QList<Part> event{
        {&Layout::id, {"id"}, true},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, true},
        {&Layout::eventType, {"eventType", "event_type", "type"}, true},
        {&Layout::payload, {"payload"}, true},
        {&Layout::dispatchKey, {"dispatchKey", "dispatch_key"}, false},
        {&Layout::status, {"status"}, true},
        {&Layout::retries, {"retries"}, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, true},
        {&Layout::lockedUntil, {"lockedUntil", "locked_until"}, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, true},
        {&Layout::lastError, {"lastError", "last_error"}, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, true},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, false},
    };
    static const QList<Part> message{
        {&Layout::id, {"id"}, true},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, true},
        {&Layout::eventType, {"messageType", "message_type"}, true},
        {&Layout::aggregateId, {"aggregateId", "aggregate_id"}, true},
        {&Layout::aggregateType, {"aggregateType", "aggregate_type"}, true},
        {&Layout::eventVersion, {"eventVersion", "event_version"}, true},
        {&Layout::payload, {"eventData", "event_data"}, true},
        {&Layout::metadata, {"metadata"}, false},
        {&Layout::status, {"status"}, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, true},
        {&Layout::retries, {"retryCount", "retry_count"}, true},
        {&Layout::maxRetries, {"maxRetries", "max_retries"}, true},
        {&Layout::nextRetryAt, {"nextRetryAt", "next_retry_at"}, true},
        {&Layout::lastError, {"lastError", "last_error"}, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, true},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, true},
    };
    return kind == LayoutKind::Event ? event : message;
}

struct Fit
{
    Layout layout;
    QList<QByteArray> missing; // first spelling of each required part that is not there
};

Fit fit(const CatalogueTable &table, LayoutKind kind)
{
    Fit result;
    Layout &layout = result.layout;
    layout.kind = kind;
    layout.schema = table.schema;
    layout.table = table.name;
    for (const Part &part : partsOf(kind)) {
        Column &target = layout.*part.column;
        target = table.columnSpelled(part.spellings);
        if (part.required && !target.exists())
            result.missing << part.spellings.constFirst();
    }

    for (const Phase phase :
         {Phase::Waiting, Phase::InFlight, Phase::HandedOver, Phase::Retrying, Phase::Dead, Phase::Cancelled}) {
        const QByteArray word = layout.statusFor(phase);
        // An enum without the word cannot even be compared with it.
        if (!word.isEmpty() && (table.enumLabels.isEmpty() || table.enumLabels.contains(word)))
            layout.statuses.push_back(word);
    }
    layout.dispatchKeyIsUnique = layout.dispatchKey.exists() && table.uniqueColumns.contains(layout.dispatchKey.name);
    layout.hasDueIndex = table.indexPrefixes.contains(layout.status.name + ',' + layout.scheduledAt.name);
    return result;
}

QString missingText(const Fit &candidate)
{
    return Text::tr("%1 layout lacks: %2")
        .arg(candidate.layout.kindName(), QString::fromUtf8(candidate.missing.join(", ")));
}

std::vector<Layout> fitting(const std::vector<CatalogueTable> &tables)
{
    std::vector<Layout> found;
    for (const CatalogueTable &table : tables) {
        for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message}) {
            if (Fit candidate = fit(table, kind); candidate.missing.isEmpty())
                found.push_back(std::move(candidate.layout));
        }
    }
    return found;
}

Error ambiguous(const std::vector<Layout> &found)
{
    QStringList names;
    for (const Layout &layout : found)
        names << layout.displayName();
    return {ErrorCode::Ambiguous,
            Text::tr("%1 tables fit an outbox layout: %2.").arg(found.size()).arg(names.join(u", ")),
            Text::tr("Choose one: in the connection's Table field, or with --table '%1' in a terminal.")
                .arg(names.constFirst()),
            false,
            {}};
}

Result<Layout> discoverNamed(const std::vector<CatalogueTable> &tables, const QString &wanted,
                             const QString &preferredSchema)
{
    const auto named = tablesNamed(tables, wanted);
    if (!named)
        return fail(named.error());
    std::vector<Layout> found = fitting(*named);
    if (found.size() > 1) {
        std::erase_if(found, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (found.empty())
            found = fitting(*named);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (found.empty())
        return fail(ErrorCode::NotFound,
                    Text::tr("The table %1 fits no outbox layout (%2; %3).")
                        .arg(wanted, missingText(fit(named->front(), LayoutKind::Event)),
                             missingText(fit(named->front(), LayoutKind::Message))),
                    Text::tr("See both layouts with: outbox-console schema print."));
    return std::move(found.front());
}

} // namespace

Result<std::vector<Layout>> discoverAll(sql::Connection &connection)
{
    auto tables = readCatalogue(connection);
    if (!tables)
        return fail(tables.error());
    return fitting(*tables);
}

Result<Layout> discover(sql::Connection &connection, const QString &wanted, const QString &preferredSchema)
{
    auto tables = readCatalogue(connection);
    if (!tables)
        return fail(tables.error());
    if (!wanted.isEmpty())
        return discoverNamed(*tables, wanted, preferredSchema);

    std::vector<Layout> found = fitting(*tables);
    if (found.size() > 1 && !preferredSchema.isEmpty()) {
        std::vector<Layout> preferred = found;
        std::erase_if(preferred, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (preferred.size() == 1)
            found = std::move(preferred);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (!found.empty())
        return std::move(found.front());

    // Nothing fits. The table that comes nearest is the most useful thing to name.
    const Fit *nearest = nullptr;
    std::vector<Fit> candidates;
    for (const CatalogueTable &table : *tables) {
        candidates.push_back(fit(table, LayoutKind::Event));
        candidates.push_back(fit(table, LayoutKind::Message));
    }
    for (const Fit &candidate : candidates) {
        if (candidate.missing.size() <= 6 && (!nearest || candidate.missing.size() < nearest->missing.size()))
            nearest = &candidate;
    }
    const QString message = nearest ? Text::tr("No table fits an outbox layout; nearest is %1 (%2).")
                                          .arg(nearest->layout.displayName(), missingText(*nearest))
                                    : Text::tr("This database has no outbox table.");
    return fail(ErrorCode::NotFound, message, Text::tr("Create one with: outbox-console schema apply."));
}

} // namespace engine::outbox
