// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "duration.h"
#include "target.h"
#include "times.h"
#include <app/process/unixsignals.h>

#include <engine/config/dispatchersettings.h>
#include <engine/watch/retentionfeed.h>

#include <QCoreApplication>
#include <QProcessEnvironment>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Error;
using engine::Result;
using engine::outbox::Count;
using engine::outbox::CountMode;
using engine::outbox::RetentionPreview;
using engine::outbox::RetentionRule;
using engine::watch::RetentionFeed;
using engine::watch::RetentionTotals;

namespace {

// The settings of the environment, and --older-than over them.
Result<RetentionRule> ruleFor(const CommandLine &line)
{
    auto settings = engine::config::DispatcherSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
    if (!settings)
        return engine::fail(settings.error());
    RetentionRule rule{settings->doneRetention, settings->doneRetentionBatchSize};
    if (!line.isSet(u"older-than"_s))
        return rule;
    auto age = parseDuration(line.value(u"older-than"_s));
    if (!age)
        return engine::fail(age.error());
    rule.olderThan = std::chrono::duration_cast<std::chrono::seconds>(*age);
    constexpr std::chrono::hours most{876'000};
    if (rule.olderThan < std::chrono::seconds(1) || rule.olderThan > most)
        return engine::fail(engine::ErrorCode::BadInput, u"--older-than is \"%1\"."_s.arg(line.value(u"older-than"_s)),
                            u"It takes a length of time from 1s to 100 years."_s);
    return rule;
}

// An answer that comes as a signal, waited for: a sub-command has nothing else to do.
Result<RetentionPreview> previewOf(RetentionFeed &feed, const RetentionRule &rule, CountMode mode)
{
    Result<RetentionPreview> answer;
    QObject::connect(&feed, &RetentionFeed::previewReady, &feed,
                     [&answer](std::chrono::seconds, const RetentionPreview &preview) {
                         answer = preview;
                         QCoreApplication::quit();
                     });
    QObject::connect(&feed, &RetentionFeed::failed, &feed, [&answer](const Error &error) {
        answer = engine::fail(error);
        QCoreApplication::quit();
    });
    feed.requestPreview(rule.olderThan, mode);
    QCoreApplication::exec();
    feed.disconnect(&feed);
    return answer;
}

struct Removal
{
    RetentionTotals totals;
    std::optional<Error> failure;
};

Removal removeWith(RetentionFeed &feed, const RetentionRule &rule, bool all)
{
    Removal removal;
    app::UnixSignals unixSignals; // the run in progress still ends
    QObject::connect(&unixSignals, &app::UnixSignals::stopRequested, &feed, &RetentionFeed::stop);
    QObject::connect(&feed, &RetentionFeed::finished, &feed,
                     [&removal](const RetentionTotals &totals, const std::optional<Error> &failure) {
                         removal = {totals, failure};
                         QCoreApplication::quit();
                     });
    feed.remove(rule, all);
    QCoreApplication::exec();
    return removal;
}

QString ageText(const RetentionRule &rule)
{
    const qint64 seconds = rule.olderThan.count();
    return seconds % 3600 == 0 ? u"%1 h"_s.arg(seconds / 3600) : u"%1 s"_s.arg(seconds);
}

QString countText(const Count &count)
{
    return (count.kind == Count::Kind::AtLeast ? u"at least %1"_s : u"%1"_s).arg(count.value);
}

void print(const CommandLine &line, const RetentionRule &rule, const RetentionPreview &preview,
           const std::optional<RetentionTotals> &totals, const QStringList &warnings)
{
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject()
            .member("removable", preview.removable.value)
            .member("countKind", preview.removable.kind == Count::Kind::Exact ? "exact" : "atLeast")
            .key("oldestProcessedAt");
        if (preview.oldest)
            json.value(isoTime(preview.oldest));
        else
            json.null();
        json.member("removed", totals ? totals->removed : 0)
            .member("locked", totals ? totals->locked : 0)
            .member("runs", totals ? totals->runs : 0)
            .member("dryRun", !totals)
            .key("olderThanHours");
        const qint64 seconds = rule.olderThan.count();
        if (seconds % 3600 == 0)
            json.value(seconds / 3600);
        else
            json.value(static_cast<double>(seconds) / 3600);
        json.key("warnings").beginArray();
        for (const QString &warning : warnings)
            json.value(warning);
        json.endArray().endObject();
        printJson(json);
        return;
    }
    printLine(u"Handed over more than %1 ago: %2 rows%3."_s.arg(
        ageText(rule), countText(preview.removable),
        preview.oldest ? u", the oldest on %1"_s.arg(isoTime(preview.oldest)) : QString()));
    if (totals)
        printLine(u"Removed %1 rows in %2 runs."_s.arg(totals->removed).arg(totals->runs));
    for (const QString &warning : warnings)
        printNote(warning);
}

} // namespace

int runRetention(const QStringList &arguments)
{
    CommandLine line(u"retention"_s,
                     u"Removes rows that were handed over (DONE, sent) long ago: one run of at most "
                     "OUTBOX_DONE_RETENTION_BATCH_SIZE rows. Removing a row frees its dispatchKey."_s,
                     CommandLine::Reach::Database);
    line.addOption(u"dry-run"_s, u"Only say how many rows would go."_s);
    line.addOption(u"all"_s, u"Repeat runs until nothing is left; Ctrl+C ends after the run in progress."_s);
    line.addOption(u"older-than"_s, u"Age since the hand-over, for instance 30d; else OUTBOX_DONE_RETENTION_HOURS."_s,
                   u"DURATION"_s);
    line.addOption(u"yes"_s, u"Remove without asking back."_s);
    line.addOption(u"write"_s, u"Write although the saved connection is read-only."_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    if (!line.positionals().isEmpty())
        return line.failUsage(u"\"%1\" is not understood."_s.arg(line.positionals().constFirst()));

    auto rule = ruleFor(line);
    if (!rule)
        return line.fail(rule.error());
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    const bool isDryRun = line.isSet(u"dry-run"_s);
    if (auto allowed = target->allowWriting(line); !isDryRun && !allowed)
        return line.fail(allowed.error());
    auto table = target->openTable(engine::sql::Access::ReadOnly);
    if (!table)
        return line.fail(table.error());
    RetentionFeed feed(table->connection->options().url, table->layout,
                       isDryRun ? engine::sql::Access::ReadOnly : engine::sql::Access::ReadWrite);
    table->connection.reset();

    // To the row when that is all that is asked for.
    auto preview = previewOf(feed, *rule, isDryRun ? CountMode::Exact : CountMode::Bounded);
    if (!preview)
        return line.fail(preview.error());
    QStringList warnings;
    if (table->layout.dispatchKey.exists())
        warnings
            << u"Removing a row frees its dispatchKey: the same key can then be published, and handed over, again."_s;
    if (!table->layout.hasDueIndex)
        warnings << u"%1 has no index on (status, scheduledAt), so each run reads the whole table."_s.arg(
            table->layout.displayName());
    if (isDryRun) {
        print(line, *rule, *preview, std::nullopt, warnings);
        return Done;
    }
    if (!line.isSet(u"yes"_s))
        return line.fail({engine::ErrorCode::Refused,
                          u"This removes handed-over rows of %1 for good; %2 are older than %3."_s.arg(
                              table->layout.displayName(), countText(preview->removable), ageText(*rule)),
                          u"Look with --dry-run, then repeat with --yes."_s,
                          false,
                          {}});

    const Removal removal = removeWith(feed, *rule, line.isSet(u"all"_s));
    if (removal.failure) {
        if (removal.totals.removed > 0)
            printNote(u"Removed before that: %1 rows."_s.arg(removal.totals.removed));
        return line.fail(*removal.failure);
    }
    if (removal.totals.locked > 0)
        warnings << u"%1 rows stayed because other sessions held or changed them."_s.arg(removal.totals.locked);
    if (!removal.totals.isComplete)
        warnings << u"There may be more rows to remove; --all repeats until nothing is left."_s;
    print(line, *rule, *preview, removal.totals, warnings);
    return Done;
}

} // namespace cli
