// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionjson.h"

#include "rowjson.h"

#include <engine/base/jsontext.h>

namespace cli {

using engine::workflow::Execution;
using engine::workflow::ExecutionDetail;
using engine::workflow::Lateness;
using engine::workflow::Step;

namespace {

void writeMembers(JsonWriter &json, const Execution &execution, qint64 now)
{
    json.member("id", QByteArrayView(execution.id))
        .member("tenantId", QByteArrayView(execution.tenantId))
        .member("workflowId", QByteArrayView(execution.workflowId))
        .member("workflowName", execution.workflowName)
        .member("status", QByteArrayView(execution.status))
        .member("terminal", engine::workflow::isTerminal(execution.phase))
        .member("trigger", QByteArrayView(execution.trigger))
        .member("stream", execution.isStream)
        .member("waitingFor", execution.waitingFor)
        .member("outboxEventId", QByteArrayView(execution.outboxEventId));
    writeTime(json, "queuedAt", execution.queuedAt);
    writeTime(json, "startedAt", execution.startedAt);
    writeTime(json, "finishedAt", execution.finishedAt);
    json.member("durationMs", execution.durationMs(now)).member("late", latenessName(execution.lateness));
    if (execution.lateness != Lateness::None) {
        const bool queued = execution.lateness == Lateness::Queued;
        json.key("usual").beginObject();
        json.member("ms", queued ? execution.usual.queueMs : execution.usual.runMs)
            .member("measured", execution.usual.isMeasured())
            .member("runs", execution.usual.sampled)
            .endObject();
    }
}

} // namespace

const char *latenessName(Lateness lateness)
{
    switch (lateness) {
    case Lateness::None:
        break;
    case Lateness::Queued:
        return "queued-long";
    case Lateness::Running:
        return "running-long";
    case Lateness::PossiblyInterrupted:
        return "possibly-interrupted";
    }
    return "none";
}

void writeExecution(JsonWriter &json, const Execution &execution, qint64 now)
{
    json.beginObject();
    writeMembers(json, execution, now);
    json.member("error", execution.error).endObject();
}

void writeExecutionDetail(JsonWriter &json, const ExecutionDetail &detail, qint64 now)
{
    json.beginObject();
    writeMembers(json, detail.execution, now);
    json.member("error", detail.error);
    json.key("steps").beginArray();
    for (const Step &step : detail.steps.steps) {
        json.beginObject().member("name", step.name).member("type", step.type).member("status", step.status);
        writeTime(json, "startedAt", step.startedAt);
        writeTime(json, "finishedAt", step.finishedAt);
        json.member("error", step.error).endObject();
    }
    json.endArray();
    if (!detail.steps.problem.isEmpty())
        json.member("stepsProblem", detail.steps.problem);
    // As stored; text where that is no JSON, or was too long to be read whole.
    const bool whole = detail.stepsText.size() == detail.stepsBytes;
    json.key("stepsStored");
    if (whole && !detail.stepsText.isEmpty() && !engine::jsontext::findFault(detail.stepsText))
        json.raw(detail.stepsText);
    else
        json.value(QByteArrayView(detail.stepsText));
    json.endObject();
}

} // namespace cli
