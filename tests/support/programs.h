// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QStringList>

#include <memory>

namespace test {

using Environment = QMap<QString, QString>;

// How a program ended and what it said.
struct Outcome
{
    int exitCode = -1; // -1: it crashed, did not start or did not end in time
    QByteArray output;
    QByteArray errors;

    [[nodiscard]] QJsonDocument json() const { return QJsonDocument::fromJson(output); }
    [[nodiscard]] QJsonObject object() const { return json().object(); }
    [[nodiscard]] QByteArray text() const; // all of it, for a failed test
};

// Starts a program without waiting for it. It sees this program's environment without the settings of an outbox.
[[nodiscard]] std::unique_ptr<QProcess> start(const QString &program, const QStringList &arguments,
                                              const Environment &environment = {});
// Waits, with the event loop standing still, until it ends; kills it after a minute.
[[nodiscard]] Outcome finish(QProcess &process);
[[nodiscard]] Outcome run(const QString &program, const QStringList &arguments, const Environment &environment = {});

// The program that this project builds.
[[nodiscard]] Outcome console(const QStringList &arguments, const Environment &environment = {});
[[nodiscard]] QString consoleProgram();

} // namespace test

#define VERIFY_EXIT(outcome, code)                                                                                     \
    do {                                                                                                               \
        const auto verifiedOutcome = (outcome); /* once: it may run the program */                                     \
        QVERIFY2(verifiedOutcome.exitCode == (code), QByteArray(verifiedOutcome.text()).constData());                  \
    } while (false)
