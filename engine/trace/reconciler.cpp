// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reconciler.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace engine::trace {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::Reconciler)
};

struct Position
{
    ReconcilePhase phase = ReconcilePhase::Rows;
    qint64 since = 0;
    std::optional<outbox::PageKey> key;
    QByteArray cursor;
};

// A token is JSON in base64url. 64-bit times do not fit a JSON number and are text.
std::optional<Position> parse(const QByteArray &token)
{
    const auto decoded = QByteArray::fromBase64Encoding(token,
                                                        QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals
                                                            | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return std::nullopt;
    const QJsonObject object = QJsonDocument::fromJson(*decoded).object();
    const int phase = object["phase"_L1].toInt(-1);
    bool isNumber = false;
    Position position;
    position.since = object["since"_L1].toString().toLongLong(&isNumber);
    if (object["v"_L1].toInt() != 1 || phase < 0 || phase > int(ReconcilePhase::Executions) || !isNumber)
        return std::nullopt;
    position.phase = ReconcilePhase(phase);
    if (object.contains("id"_L1)) {
        const qint64 at = object["at"_L1].toString().toLongLong(&isNumber);
        position.key =
            outbox::PageKey{isNumber ? std::optional(at) : std::nullopt, object["id"_L1].toString().toUtf8()};
    }
    position.cursor = object["cursor"_L1].toString().toUtf8();
    for (const char c : position.cursor) {
        if (c < '0' || c > '9')
            return std::nullopt;
    }
    return position;
}

} // namespace

Reconciler::Reconciler(Stores &stores, std::chrono::hours retention)
    : m_stores(stores)
    , m_retention(retention)
{ }

Result<std::unique_ptr<Reconciler>> Reconciler::begin(Stores &stores, const ReconcileRequest &request)
{
    for (const auto &fault : {stores.databaseFault(), stores.outboxFault(), stores.redisFault()}) {
        if (fault)
            return fail(*fault);
    }
    std::unique_ptr<Reconciler> reconciler(new Reconciler(stores, request.retention));
    Position position;
    if (!request.resume.isEmpty()) {
        auto parsed = parse(request.resume.trimmed());
        if (!parsed)
            return fail(ErrorCode::BadInput, Text::tr("That is no place where a comparison stopped."),
                        Text::tr("Give the token exactly as it was printed, or start anew without one."));
        position = std::move(*parsed);
    } else {
        auto now = RowLookup(*stores.database(), *stores.outbox()).databaseTime();
        if (!now)
            return fail(now.error());
        position.since = *now - std::chrono::microseconds(request.since).count();
    }
    reconciler->m_since = position.since;
    if (!stores.executions())
        reconciler->m_report.note(Text::tr("executions: %1").arg(stores.executionsFault()->text()));
    reconciler->enter(position.phase, position.key, position.cursor);
    return reconciler;
}

void Reconciler::enter(ReconcilePhase phase, const std::optional<outbox::PageKey> &key, const QByteArray &cursor)
{
    m_phase = phase;
    m_rows.reset();
    m_jobs.reset();
    m_executions.reset();
    if (phase == ReconcilePhase::Rows)
        m_rows = std::make_unique<RowScan>(m_stores, m_since, key);
    else if (phase == ReconcilePhase::Jobs)
        m_jobs = std::make_unique<JobScan>(m_stores, m_retention, cursor);
    else if (phase == ReconcilePhase::Executions && m_stores.executions())
        m_executions = std::make_unique<ExecutionScan>(m_stores, key);
    else
        m_phase = ReconcilePhase::Finished;
}

Result<void> Reconciler::step()
{
    if (isFinished())
        return {};
    if (!m_stores.database() || !m_stores.redis())
        return fail(m_stores.databaseFault().value_or(m_stores.redisFault().value_or(Error())));
    if (m_rows) {
        if (auto stepped = m_rows->step(m_report); !stepped)
            return stepped;
        if (m_rows->isFinished())
            enter(ReconcilePhase::Jobs, {}, {});
    } else if (m_jobs) {
        if (auto stepped = m_jobs->step(m_report); !stepped)
            return stepped;
        if (m_jobs->isFinished())
            enter(ReconcilePhase::Executions, {}, {});
    } else if (m_executions) {
        if (auto stepped = m_executions->step(m_report); !stepped)
            return stepped;
        if (m_executions->isFinished())
            enter(ReconcilePhase::Finished, {}, {});
    }
    return {};
}

qint64 Reconciler::looked() const
{
    return m_report.rowsLooked + m_report.keysLooked + m_report.executionsLooked;
}

QByteArray Reconciler::token() const
{
    if (isFinished())
        return {};
    QJsonObject object{{u"v"_s, 1}, {u"phase"_s, int(m_phase)}, {u"since"_s, QString::number(m_since)}};
    const auto addKey = [&](const std::optional<outbox::PageKey> &key) {
        if (!key)
            return;
        object.insert(u"id"_s, QString::fromUtf8(key->id));
        if (key->scheduledAt)
            object.insert(u"at"_s, QString::number(*key->scheduledAt));
    };
    if (m_rows)
        addKey(m_rows->position());
    if (m_executions)
        addKey(m_executions->position());
    if (m_jobs)
        object.insert(u"cursor"_s, QString::fromLatin1(m_jobs->position()));
    return QJsonDocument(object)
        .toJson(QJsonDocument::Compact)
        .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

ReconcileProgress Reconciler::progress() const
{
    ReconcileProgress progress;
    progress.phase = m_phase;
    progress.fraction = m_rows ? m_rows->fraction() : m_jobs ? m_jobs->fraction() : isFinished() ? 1.0 : 0.0;
    progress.report = m_report;
    progress.token = token();
    return progress;
}

} // namespace engine::trace
