// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exitcode.h"
#include "jsonwriter.h"

#include <engine/base/error.h>

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QSet>
#include <QStringList>

#include <optional>

namespace cli {

// The arguments of one sub-command: its own options beside the common ones (--json, --help, and where to connect).
// Also how every sub-command speaks: results on standard output, everything else on standard error.
class CommandLine
{
public:
    enum class Reach { Nothing, Database, Redis, Both }; // which connection options make sense

    CommandLine(const QString &name, const QString &description, Reach reach);

    void addOption(const QString &name, const QString &description, const QString &valueName = {},
                   const QString &defaultValue = {});
    void addPositional(const QString &name, const QString &description, const QString &syntax = {});

    // Reads the arguments behind the sub-command's name. An exit code: nothing more to do (help or bad usage).
    [[nodiscard]] std::optional<int> parse(const QStringList &arguments);

    // An option that this sub-command does not have is not set and has no value.
    [[nodiscard]] bool isSet(const QString &option) const
    {
        return m_options.contains(option) && m_parser.isSet(option);
    }
    [[nodiscard]] QString value(const QString &option) const
    {
        return m_options.contains(option) ? m_parser.value(option) : QString();
    }
    [[nodiscard]] QStringList values(const QString &option) const { return m_parser.values(option); }
    [[nodiscard]] QStringList positionals() const { return m_parser.positionalArguments(); }
    // Errors: BadInput, naming option and range.
    [[nodiscard]] engine::Result<int> number(const QString &option, int least, int most) const;
    [[nodiscard]] bool wantsJson() const { return m_parser.isSet(QStringLiteral("json")); }

    // Say what went wrong, on standard error and with --json also as a document; returns the exit code.
    int fail(const engine::Error &error) const;
    int failUsage(const QString &message) const;

private:
    QCommandLineParser m_parser;
    QSet<QString> m_options;
    const QString m_name;
};

void printLine(const QString &text); // standard output
void printJson(const JsonWriter &json); // standard output
void printNote(const QString &text); // standard error

} // namespace cli
