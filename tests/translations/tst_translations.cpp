// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;

namespace {

struct Message
{
    QString context;
    QString source;
    QString translation;
    bool finished = false;

    [[nodiscard]] QByteArray name() const { return (context + u": "_s + source).toUtf8(); }
};

QList<Message> messagesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    QList<Message> messages;
    QString context;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            messages << Message{context, {}, {}, false};
        } else if (xml.name() == u"source") {
            messages.last().source = xml.readElementText();
        } else if (xml.name() == u"translation") {
            messages.last().finished = !xml.attributes().hasAttribute(u"type"_s);
            messages.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
        }
    }
    return messages;
}

// Placeholders and command-line options: what a translation has to keep.
QStringList fixedParts(const QString &text)
{
    static const QRegularExpression pattern(u"%\\d|--[a-z-]+|OUTBOX_[A-Z_]+"_s);
    QStringList parts;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        parts << match.next().captured();
    parts.sort();
    parts.removeDuplicates();
    return parts;
}

} // namespace

// Every visible text is translated, and the translation files are those of today's code.
class TestTranslations final : public QObject
{
    Q_OBJECT

private slots:
    void files_data()
    {
        QTest::addColumn<QString>("path");
        QDirIterator files(QStringLiteral(SOURCE_FOLDER "/translations"), {u"*.ts"_s}, QDir::Files);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::newRow(qPrintable(files.fileName())) << path;
        }
    }

    void isComplete_data() { files_data(); }
    void isComplete()
    {
        QFETCH(QString, path);
        const QList<Message> messages = messagesOf(path);
        QVERIFY(messages.size() > 300);
        for (const Message &message : messages) {
            QVERIFY2(message.finished && !message.translation.isEmpty(), message.name().constData());
            QVERIFY2(fixedParts(message.source) == fixedParts(message.translation), message.name().constData());
        }
    }

    void isUpToDate_data() { files_data(); }
    void isUpToDate()
    {
        QFETCH(QString, path);
        QTemporaryDir folder;
        const QString copy = folder.filePath(QFileInfo(path).fileName());
        QVERIFY(QFile::copy(path, copy));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(SOURCE_FOLDER));
        lupdate.start(QStringLiteral(LUPDATE),
                      {u"-silent"_s, u"-no-obsolete"_s, u"-locations"_s, u"none"_s, u"engine"_s, u"models"_s,
                       u"views"_s, u"app"_s, u"-extensions"_s, u"cpp,h"_s, u"-ts"_s, copy});
        QVERIFY(lupdate.waitForFinished(60'000));
        QCOMPARE(lupdate.exitCode(), 0);
        QCOMPARE(lupdate.readAllStandardError(), QByteArray()); // no tr() without a context, for one
        QStringList now;
        QStringList then;
        for (const Message &message : messagesOf(copy))
            now << QString::fromUtf8(message.name());
        for (const Message &message : messagesOf(path))
            then << QString::fromUtf8(message.name());
        now.sort();
        then.sort();
        QCOMPARE(now, then);
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
