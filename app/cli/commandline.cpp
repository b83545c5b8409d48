// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include <QCoreApplication>

#include <cstdio>

namespace cli {

using namespace Qt::StringLiterals;

namespace {

void write(FILE *stream, const QByteArray &text)
{
    std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stream);
    std::fflush(stream);
}

QByteArrayView codeName(engine::ErrorCode code)
{
    switch (code) {
    case engine::ErrorCode::BadInput:
        return "bad-input";
    case engine::ErrorCode::NotFound:
        return "not-found";
    case engine::ErrorCode::Ambiguous:
        return "ambiguous";
    case engine::ErrorCode::Refused:
        return "refused";
    case engine::ErrorCode::CannotConnect:
        return "cannot-connect";
    case engine::ErrorCode::Unavailable:
        return "unavailable";
    case engine::ErrorCode::Timeout:
        return "timeout";
    case engine::ErrorCode::Conflict:
        return "conflict";
    case engine::ErrorCode::Failed:
        return "failed";
    case engine::ErrorCode::Cancelled:
        return "cancelled";
    }
    return "failed";
}

} // namespace

CommandLine::CommandLine(const QString &name, const QString &description, Reach reach)
    : m_name(name)
{
    m_parser.setApplicationDescription(description);
    m_parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    m_parser.addOption({{u"h"_s, u"help"_s}, u"Show this help."_s});
    addOption(u"json"_s, u"Print one JSON document on standard output."_s);
    if (reach == Reach::Nothing)
        return;
    addOption(u"sandbox"_s, u"Work on the console's private sandbox."_s);
    addOption(u"connection"_s, u"Work on a saved connection."_s, u"NAME"_s);
    addOption(u"database"_s, u"PostgreSQL URL; else OUTBOX_DATABASE_URL, else DATABASE_URL."_s, u"URL"_s);
    if (reach != Reach::Database) {
        addOption(u"redis"_s, u"Redis URL; else OUTBOX_REDIS_URL, else REDIS_URL."_s, u"URL"_s);
        addOption(u"prefix"_s, u"BullMQ's key prefix."_s, u"PREFIX"_s, u"bull"_s);
    }
    if (reach != Reach::Redis)
        addOption(u"table"_s, u"The outbox table; decides where several fit."_s, u"SCHEMA.TABLE"_s);
}

void CommandLine::addOption(const QString &name, const QString &description, const QString &valueName,
                            const QString &defaultValue)
{
    m_parser.addOption({name, description, valueName, defaultValue});
    m_options.insert(name);
}

void CommandLine::addPositional(const QString &name, const QString &description, const QString &syntax)
{
    m_parser.addPositionalArgument(name, description, syntax);
}

std::optional<int> CommandLine::parse(const QStringList &arguments)
{
    if (!m_parser.parse(QStringList{u"outbox-console "_s + m_name} + arguments))
        return failUsage(m_parser.errorText());
    if (m_parser.isSet(u"help"_s)) {
        QString text = m_parser.helpText();
        // Qt prints the program's path; the sub-command is what the reader typed.
        text.replace(QCoreApplication::arguments().constFirst(), u"outbox-console "_s + m_name);
        write(stdout, text.toUtf8());
        return Done;
    }
    return std::nullopt;
}

engine::Result<int> CommandLine::number(const QString &option, int least, int most) const
{
    bool isNumber = false;
    const int number = value(option).toInt(&isNumber);
    if (isNumber && number >= least && number <= most)
        return number;
    return engine::fail(engine::ErrorCode::BadInput, u"--%1 is \"%2\"."_s.arg(option, value(option)),
                        u"It takes a whole number from %1 to %2."_s.arg(least).arg(most));
}

int CommandLine::fail(const engine::Error &error) const
{
    printNote(u"outbox-console %1: %2"_s.arg(m_name, error.text()));
    if (wantsJson()) {
        JsonWriter json;
        json.beginObject().key("error").beginObject();
        json.member("code", codeName(error.code)).member("message", error.message).member("hint", error.hint);
        json.endObject().endObject();
        printJson(json);
    }
    return exitCodeFor(error);
}

int CommandLine::failUsage(const QString &message) const
{
    return fail({engine::ErrorCode::BadInput, message, u"See outbox-console %1 --help."_s.arg(m_name), false, {}});
}

void printLine(const QString &text)
{
    write(stdout, text.toUtf8() + '\n');
}

void printJson(const JsonWriter &json)
{
    write(stdout, json.text() + '\n');
}

void printNote(const QString &text)
{
    write(stderr, text.toUtf8() + '\n');
}

} // namespace cli
