// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

struct Room
{
    QString folder;
    QStringList mayUse; // folders, beside itself
};

// ARCHITECTURE.md's table of rooms.
const QList<Room> &rooms()
{
    static const QStringList base{u"engine/base"_s};
    static const QStringList sql = base + QStringList{u"engine/transport/sql"_s};
    static const QStringList redis = base + QStringList{u"engine/transport/redis"_s};
    static const QStringList payload = base + QStringList{u"engine/payload"_s};
    static const QStringList outbox = sql + QStringList{u"engine/outbox"_s};
    static const QStringList bullmq = redis + QStringList{u"engine/bullmq"_s};
    static const QStringList dispatch = outbox + bullmq + QStringList{u"engine/config"_s, u"engine/dispatch"_s};
    static const QStringList workflow = outbox + QStringList{u"engine/workflow"_s};
    static const QStringList trace = dispatch + QStringList{u"engine/workflow"_s, u"engine/trace"_s};
    static const QStringList watch = trace + payload + QStringList{u"engine/watch"_s};
    static const QStringList engine =
        watch + QStringList{u"engine/sandbox"_s, u"engine/secrets"_s, u"engine/history"_s, u"engine/notify"_s};
    static const QList<Room> all{
        {u"engine/base"_s, {}},
        {u"engine/payload"_s, base},
        {u"engine/config"_s, base},
        {u"engine/secrets"_s, base},
        {u"engine/transport/sql"_s, base},
        {u"engine/transport/redis"_s, base},
        {u"engine/outbox"_s, sql},
        {u"engine/bullmq"_s, redis},
        {u"engine/dispatch"_s, dispatch},
        {u"engine/workflow"_s, workflow},
        {u"engine/trace"_s, trace},
        {u"engine/watch"_s, watch},
        {u"engine/history"_s, base + QStringList{u"engine/config"_s}},
        {u"engine/notify"_s, watch},
        {u"engine/sandbox"_s, outbox + redis},
        {u"models"_s, engine},
        {u"views"_s, engine + QStringList{u"models"_s}},
        {u"app"_s, engine + QStringList{u"models"_s, u"views"_s}},
    };
    return all;
}

QStringList filesBelow(const QString &folder)
{
    QStringList found;
    const QDir root(QStringLiteral(SOURCE_FOLDER));
    QDirIterator files(root.filePath(folder), {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        found << root.relativeFilePath(files.next());
    return found;
}

struct Include
{
    QString file; // relative to the source folder
    int line;
    QString name;

    [[nodiscard]] QString text() const { return u"%1:%2 includes %3"_s.arg(file).arg(line).arg(name); }
};

QList<Include> includesBelow(const QString &folder)
{
    static const QRegularExpression pattern(u"^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"_s);
    QList<Include> includes;
    for (const QString &path : filesBelow(folder)) {
        QFile file(QStringLiteral(SOURCE_FOLDER "/") + path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (int number = 1; !file.atEnd(); ++number) {
            const auto match = pattern.match(QString::fromUtf8(file.readLine()));
            if (match.hasMatch())
                includes << Include{path, number, match.captured(1)};
        }
    }
    return includes;
}

// The room that a path such as engine/base/error.h lies in; empty for Qt's and the system's headers.
QString roomOf(const QString &path)
{
    for (const Room &room : rooms()) {
        if (path.startsWith(room.folder + u'/'))
            return room.folder;
    }
    return {};
}

const QStringList topFolders{u"engine"_s, u"models"_s, u"views"_s, u"app"_s};

} // namespace

// Holds the includes of every room against the doors of ARCHITECTURE.md.
class TestLayering final : public QObject
{
    Q_OBJECT

private slots:
    void everyFileLiesInARoom()
    {
        for (const QString &top : topFolders) {
            const QStringList files = filesBelow(top);
            QVERIFY2(!files.isEmpty(), qPrintable(top));
            for (const QString &file : files)
                QVERIFY2(!roomOf(file).isEmpty(), qPrintable(file));
        }
    }

    void includesKeepToTheDoors()
    {
        QStringList faults;
        for (const Room &room : rooms()) {
            const QList<Include> includes = includesBelow(room.folder);
            QVERIFY2(!includes.isEmpty(), qPrintable(room.folder));
            for (const Include &include : includes) {
                const QString target = roomOf(include.name);
                if (!target.isEmpty() && target != room.folder && !room.mayUse.contains(target))
                    faults << include.text();
                // Another folder is reached by its full path, never by climbing out of one.
                if (include.name.startsWith(u"../"_s))
                    faults << include.text();
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void engineAndModelsKnowNoWindow()
    {
        static const QRegularExpression window(u"^(QtWidgets|QtGui|QtCharts|QWidget|QApplication|QGuiApplication|"
                                               "QPainter|QColor|QIcon|QFont|QPixmap|QBrush|QPalette)\\b"_s);
        QStringList faults;
        for (const Include &include : includesBelow(u"engine"_s) + includesBelow(u"models"_s)) {
            if (window.match(include.name).hasMatch())
                faults << include.text();
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void onlyTheTransportsTouchTheirLibraries()
    {
        QStringList faults;
        for (const QString &top : topFolders) {
            for (const Include &include : includesBelow(top)) {
                if ((include.name.startsWith(u"libpq") && !include.file.startsWith(u"engine/transport/sql/"))
                    || (include.name.startsWith(u"hiredis") && !include.file.startsWith(u"engine/transport/redis/")))
                    faults << include.text();
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void filesAreShortAndLicensed()
    {
        for (const QString &top : topFolders) {
            for (const QString &path : filesBelow(top)) {
                QFile file(QStringLiteral(SOURCE_FOLDER "/") + path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QByteArray text = file.readAll();
                QVERIFY2(text.count('\n') <= 600, qPrintable(path));
                QVERIFY2(text.startsWith("// SPDX-FileCopyrightText:"), qPrintable(path));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "tst_layering.moc"
