// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dispatchersettings.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace engine::config {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::config::DispatcherSettings)
};

// One line per variable: the table of the documentation, in code.
struct NumberSetting
{
    const char *variable;
    qint64 least;
    qint64 most;
    bool clamped; // a value outside is moved to the nearest bound instead of refused
    const char *meaning;
    qint64 (*read)(const DispatcherSettings &);
    void (*write)(DispatcherSettings &, qint64);
};

constexpr NumberSetting numberSettings[]{
    {"OUTBOX_DISPATCH_INTERVAL_MS", 10, 3'600'000, false,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings",
                       "Pause between looks at the table when nothing is due, in ms"),
     [](const DispatcherSettings &s) { return qint64(s.interval.count()); },
     [](DispatcherSettings &s, qint64 v) { s.interval = std::chrono::milliseconds(v); }},
    {"OUTBOX_DISPATCH_BATCH_SIZE", 1, 10'000, false,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings", "Most rows claimed at once"),
     [](const DispatcherSettings &s) { return qint64(s.batchSize); },
     [](DispatcherSettings &s, qint64 v) { s.batchSize = static_cast<int>(v); }},
    {"OUTBOX_DISPATCH_CONCURRENCY", 1, 10'000, false,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings",
                       "Most claimed events in flight to their destinations at once"),
     [](const DispatcherSettings &s) { return qint64(s.concurrency); },
     [](DispatcherSettings &s, qint64 v) { s.concurrency = static_cast<int>(v); }},
    {"OUTBOX_MAX_RETRIES", 0, 1'000, false,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings", "Retries before an event is a dead letter (event layout)"),
     [](const DispatcherSettings &s) { return qint64(s.maxRetries); },
     [](DispatcherSettings &s, qint64 v) { s.maxRetries = static_cast<int>(v); }},
    {"OUTBOX_DONE_RETENTION_HOURS", 1, 876'000, false,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings", "Age at which handed-over rows may be removed, in hours"),
     [](const DispatcherSettings &s) { return qint64(s.doneRetention.count()); },
     [](DispatcherSettings &s, qint64 v) { s.doneRetention = std::chrono::hours(v); }},
    {"OUTBOX_DONE_RETENTION_BATCH_SIZE", 1, 10'000, true,
     QT_TRANSLATE_NOOP("engine::config::DispatcherSettings", "Most handed-over rows removed per run"),
     [](const DispatcherSettings &s) { return qint64(s.doneRetentionBatchSize); },
     [](DispatcherSettings &s, qint64 v) { s.doneRetentionBatchSize = static_cast<int>(v); }},
};

// Settings that are words. What OUTBOX_ORDER_BY takes depends on the table, so that its reader checks it.
struct WordSetting
{
    const char *variable;
    QStringList words; // empty: any
    const char *meaning;
    QString (*read)(const DispatcherSettings &);
    void (*write)(DispatcherSettings &, const QString &);
};

const QList<WordSetting> &wordSettings()
{
    static const QList<WordSetting> all{
        {"OUTBOX_DISPATCH_POLLING",
         {QStringLiteral("adaptive"), QStringLiteral("fixed")},
         QT_TRANSLATE_NOOP("engine::config::DispatcherSettings",
                           "adaptive: look more often while there is traffic; fixed: always the interval"),
         [](const DispatcherSettings &s) {
             return s.adaptivePolling ? QStringLiteral("adaptive") : QStringLiteral("fixed");
         },
         [](DispatcherSettings &s, const QString &word) { s.adaptivePolling = word == u"adaptive"; }},
        {"OUTBOX_ORDER_BY",
         {},
         QT_TRANSLATE_NOOP("engine::config::DispatcherSettings",
                           "Events handed over one after the other: none, aggregate, tenant or payload:NAME"),
         [](const DispatcherSettings &s) { return s.orderBy; },
         [](DispatcherSettings &s, const QString &word) { s.orderBy = word; }},
        {"OUTBOX_ORDER_DEAD",
         {QStringLiteral("hold"), QStringLiteral("skip")},
         QT_TRANSLATE_NOOP("engine::config::DispatcherSettings",
                           "What a dead event does to later ones of its order: hold them back, or be skipped"),
         [](const DispatcherSettings &s) { return s.orderDead; },
         [](DispatcherSettings &s, const QString &word) { s.orderDead = word; }},
    };
    return all;
}

constexpr auto enabledVariable = "OUTBOX_DISPATCHER_ENABLED";

} // namespace

Result<DispatcherSettings> DispatcherSettings::fromEnvironment(const QProcessEnvironment &environment)
{
    DispatcherSettings settings;
    const QString enabledName = QString::fromLatin1(enabledVariable);
    const QString enabledText = environment.value(enabledName).trimmed().toLower();
    if (enabledText == u"true" || enabledText == u"1")
        settings.enabled = true;
    else if (!enabledText.isEmpty() && enabledText != u"false" && enabledText != u"0")
        return fail(ErrorCode::BadInput, Text::tr("%1 is \"%2\".").arg(enabledName, environment.value(enabledName)),
                    Text::tr("It takes true or false."));

    for (const NumberSetting &setting : numberSettings) {
        const QString name = QString::fromLatin1(setting.variable);
        const QString text = environment.value(name).trimmed();
        if (text.isEmpty())
            continue;
        bool isNumber = false;
        const qint64 value = text.toLongLong(&isNumber);
        const bool inRange = value >= setting.least && value <= setting.most;
        if (!isNumber || (!inRange && !setting.clamped))
            return fail(ErrorCode::BadInput, Text::tr("%1 is \"%2\".").arg(name, text),
                        Text::tr("It takes a whole number from %1 to %2.").arg(setting.least).arg(setting.most));
        setting.write(settings, std::clamp(value, setting.least, setting.most));
    }
    for (const WordSetting &setting : wordSettings()) {
        const QString name = QString::fromLatin1(setting.variable);
        const QString word = environment.value(name).trimmed();
        if (word.isEmpty())
            continue;
        if (!setting.words.isEmpty() && !setting.words.contains(word))
            return fail(ErrorCode::BadInput, Text::tr("%1 is \"%2\".").arg(name, word),
                        Text::tr("It takes %1.").arg(setting.words.join(QStringLiteral(", "))));
        setting.write(settings, word);
    }
    return settings;
}

QList<SettingLine> describe(const DispatcherSettings &settings, const QProcessEnvironment &environment)
{
    const auto fromEnvironment = [&](const QString &variable) {
        return !environment.value(variable).trimmed().isEmpty();
    };
    const QString enabledName = QString::fromLatin1(enabledVariable);
    QList<SettingLine> lines{{enabledName, settings.enabled ? QStringLiteral("true") : QStringLiteral("false"),
                              Text::tr("Dispatch from the start; otherwise only after an explicit start"),
                              fromEnvironment(enabledName)}};
    for (const NumberSetting &setting : numberSettings) {
        const QString name = QString::fromLatin1(setting.variable);
        lines << SettingLine{name, QString::number(setting.read(settings)), Text::tr(setting.meaning),
                             fromEnvironment(name)};
    }
    for (const WordSetting &setting : wordSettings()) {
        const QString name = QString::fromLatin1(setting.variable);
        lines << SettingLine{name, setting.read(settings), Text::tr(setting.meaning), fromEnvironment(name)};
    }
    return lines;
}

} // namespace engine::config
