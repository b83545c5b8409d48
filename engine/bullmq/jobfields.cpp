// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobfields.h"

#include <engine/base/jsontext.h>

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace engine::bullmq {

namespace {

constexpr double latestTimeMs = 8.64e15; // of JavaScript's dates, the year 275760

std::optional<int> numberOf(const JobFields &fields, const QByteArray &name)
{
    bool isNumber = false;
    const int number = fields.value(name).toInt(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace

const QList<QByteArray> &summaryFields()
{
    static const QList<QByteArray> fields{"name", "timestamp", "processedOn",   "finishedOn", "failedReason",
                                          "opts", "atm",       "attemptsMade",  "ats",        "stc",
                                          "pb",   "priority",  "stalledCounter"};
    return fields;
}

JobSummary summaryOf(const JobFields &fields)
{
    JobSummary job;
    job.name = fields.value("name");
    // The library itself prefers the field of versions 3 and 4 where both are there.
    job.attemptsMade = numberOf(fields, "attemptsMade").value_or(numberOf(fields, "atm").value_or(0));
    job.attemptsStarted = numberOf(fields, "ats");
    bool isNumber = false;
    const int most = optionOf(fields.value("opts"), u"attempts").toInt(&isNumber);
    if (isNumber)
        job.mostAttempts = std::max(1, most); // none and one are the same to a worker
    job.stalls = numberOf(fields, "stc").value_or(numberOf(fields, "stalledCounter").value_or(0));
    job.priority = numberOf(fields, "priority").value_or(0);
    job.failedReason = QString::fromUtf8(fields.value("failedReason"));
    job.addedAt = timeOf(fields.value("timestamp"));
    job.startedAt = timeOf(fields.value("processedOn"));
    job.finishedAt = timeOf(fields.value("finishedOn"));
    job.worker = fields.value("pb");
    return job;
}

std::optional<qint64> timeOf(const QByteArray &milliseconds)
{
    bool isNumber = false;
    const double ms = milliseconds.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(ms) || std::abs(ms) > latestTimeMs)
        return std::nullopt;
    return static_cast<qint64>(ms) * 1000;
}

std::optional<qint64> dueTime(const QByteArray &score)
{
    bool isNumber = false;
    const double value = score.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value))
        return std::nullopt;
    return timeOf(QByteArray::number(std::floor(value / 4096), 'f', 0)); // the rest keeps the order within one ms
}

QByteArray optionOf(const QByteArray &options, QStringView name)
{
    if (!options.startsWith('{') || jsontext::findFault(options))
        return {};
    for (const jsontext::Member &member : jsontext::membersOf(options)) {
        if (member.key == name)
            return member.value.toByteArray();
    }
    return {};
}

std::vector<QString> stackTracesOf(const QByteArray &stored)
{
    std::vector<QString> traces;
    const QJsonDocument document = QJsonDocument::fromJson(stored);
    if (!document.isArray()) {
        if (!stored.isEmpty() && stored != "null")
            traces.push_back(QString::fromUtf8(stored));
        return traces;
    }
    const QJsonArray array = document.array();
    for (qsizetype i = array.size() - 1; i >= 0; --i)
        traces.push_back(array.at(i).isString()
                             ? array.at(i).toString()
                             : QString::fromUtf8(QJsonDocument(QJsonArray{array.at(i)}).toJson()).trimmed());
    return traces;
}

} // namespace engine::bullmq
