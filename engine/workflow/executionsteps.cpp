// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionsteps.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

using namespace Qt::StringLiterals;

namespace engine::workflow {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::workflow::Steps)
};

constexpr qsizetype mostSteps = 2000;

QJsonValue firstOf(const QJsonObject &object, std::initializer_list<QLatin1StringView> names)
{
    for (const QLatin1StringView name : names) {
        const QJsonValue value = object.value(name);
        if (!value.isUndefined() && !value.isNull())
            return value;
    }
    return {};
}

QString textOf(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    if (value.isDouble())
        return QString::number(value.toDouble(), 'g', 17);
    if (value.isBool())
        return value.toBool() ? u"true"_s : u"false"_s;
    if (value.isObject()) {
        const QJsonValue message = value.toObject().value("message"_L1);
        return message.isString() ? message.toString()
                                  : QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    }
    return value.isArray() ? QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact))
                           : QString();
}

// ISO text (without a zone: UTC, as everywhere here), or a number of seconds or milliseconds since 1970.
std::optional<qint64> timeOf(const QJsonValue &value)
{
    if (value.isDouble()) {
        const double number = value.toDouble();
        if (!std::isfinite(number) || number <= 0 || number > 1e14)
            return std::nullopt;
        return static_cast<qint64>(number < 1e11 ? number * 1e6 : number * 1e3);
    }
    QDateTime time = QDateTime::fromString(value.toString(), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);
    return time.toMSecsSinceEpoch() * 1000;
}

Step toStep(const QJsonValue &value, const QString &key, qsizetype number)
{
    Step step;
    step.name = key;
    if (!value.isObject()) {
        step.status = textOf(value);
    } else {
        const QJsonObject object = value.toObject();
        if (step.name.isEmpty())
            step.name = textOf(
                firstOf(object, {"block"_L1, "name"_L1, "stepId"_L1, "blockId"_L1, "step"_L1, "id"_L1, "key"_L1}));
        step.type = textOf(firstOf(object, {"type"_L1, "blockType"_L1, "kind"_L1}));
        step.status = textOf(firstOf(object, {"status"_L1, "state"_L1}));
        step.startedAt = timeOf(firstOf(object, {"startedAt"_L1, "started_at"_L1, "start"_L1, "at"_L1}));
        step.finishedAt = timeOf(firstOf(object,
                                         {"finishedAt"_L1, "finished_at"_L1, "completedAt"_L1, "completed_at"_L1,
                                          "endedAt"_L1, "ended_at"_L1, "end"_L1}));
        const QJsonValue took = firstOf(object, {"durationMs"_L1, "duration_ms"_L1});
        if (took.isDouble() && took.toDouble() >= 0 && took.toDouble() < 1e12) {
            const auto micros = static_cast<qint64>(took.toDouble() * 1000);
            if (step.startedAt && !step.finishedAt)
                step.finishedAt = *step.startedAt + micros;
            else if (!step.startedAt && step.finishedAt)
                step.startedAt = *step.finishedAt - micros;
        }
        step.error = textOf(firstOf(object, {"error"_L1, "errorMessage"_L1, "reason"_L1}));
    }
    if (step.name.isEmpty())
        step.name = u"#%1"_s.arg(number);
    step.phase = phaseOf(step.status.toUtf8());
    if (step.phase == Phase::Unknown && !step.error.isEmpty())
        step.phase = Phase::Failed;
    return step;
}

} // namespace

Steps parseSteps(const QByteArray &json)
{
    Steps result;
    if (json.trimmed().isEmpty() || json.trimmed() == "null")
        return result;
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(json, &fault);
    if (document.isNull()) {
        result.problem = Text::tr("The steps are not JSON (%1 at byte %2); they are shown as they are.")
                             .arg(fault.errorString())
                             .arg(fault.offset);
        return result;
    }
    if (document.isArray()) {
        const QJsonArray array = document.array();
        for (qsizetype i = 0; i < std::min(array.size(), mostSteps); ++i)
            result.steps.push_back(toStep(array.at(i), {}, i + 1));
        if (array.size() > mostSteps)
            result.problem = Text::tr("Only the first %1 of %2 steps are listed.").arg(mostSteps).arg(array.size());
        return result;
    }
    QJsonObject object = document.object();
    // {"steps": [...]} wraps the list.
    if (const QJsonValue inner = object.value("steps"_L1); inner.isArray() || inner.isObject())
        return parseSteps(inner.isArray() ? QJsonDocument(inner.toArray()).toJson(QJsonDocument::Compact)
                                          : QJsonDocument(inner.toObject()).toJson(QJsonDocument::Compact));
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        if (static_cast<qsizetype>(result.steps.size()) == mostSteps)
            break;
        result.steps.push_back(toStep(member.value(), member.key(), static_cast<qsizetype>(result.steps.size()) + 1));
    }
    return result;
}

} // namespace engine::workflow
