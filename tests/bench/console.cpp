// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Asks a large outbox table what the window asks, then opens the window itself on it, offscreen, and prints figures as
// one JSON object. Questions for which the server's own time matters go over connections with a name of their own, by
// which console.mjs finds them in PostgreSQL's log. See console.mjs.
//
//   bench_console DATABASE-URL REDIS-URL REPETITIONS WINDOWS SECONDS CHANGES-PER-SECOND FOLDER

#include <app/window/windowcontroller.h>

#include <views/shell/mainwindow.h>
#include <views/theme/theme.h>

#include <models/outboxmodel.h>

#include <engine/outbox/discovery.h>
#include <engine/outbox/rowsearch.h>
#include <engine/outbox/spread.h>

#include <tests/support/busywatch.h>
#include <tests/support/loadwriter.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTimer>

#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;
using namespace engine::outbox;
namespace sql = engine::sql;

namespace {

template <typename T>
T must(engine::Result<T> result)
{
    if (!result)
        qFatal("%s", qPrintable(result.error().text() + u' ' + result.error().detail));
    return std::move(*result);
}

std::unique_ptr<sql::Connection> open(const QString &url, const QByteArray &name)
{
    sql::ConnectOptions options;
    options.url = must(sql::DatabaseUrl::parse(url));
    options.applicationName = name;
    return must(sql::Connection::open(options));
}

// Runs the event loop until `holds`, looked at whenever something happened.
bool until(const std::function<bool()> &holds, int milliseconds)
{
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (holds())
            loop.quit();
    });
    QTimer::singleShot(milliseconds, &loop, [&] { loop.exit(1); });
    look.start(1);
    return holds() || loop.exec() == 0;
}

// Milliseconds until the table has drawn rows that fit.
class PaintWatch final : public QObject
{
public:
    PaintWatch(QTableView &table, std::function<bool()> fits)
        : m_table(table)
        , m_fits(std::move(fits))
    {
        m_clock.start();
        m_table.viewport()->installEventFilter(this);
    }

    double wait()
    {
        if (!until([this] { return m_painted >= 0; }, 60'000))
            qFatal("no rows on screen");
        return m_painted;
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && m_painted < 0 && m_fits()) {
            // The painting itself counts too.
            m_table.viewport()->removeEventFilter(this);
            QCoreApplication::sendEvent(watched, event);
            m_painted = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
            return true;
        }
        return false;
    }

private:
    QTableView &m_table;
    std::function<bool()> m_fits;
    QElapsedTimer m_clock;
    double m_painted = -1;
};

struct Arguments
{
    QString databaseUrl, redisUrl;
    int repetitions, windows, seconds, changesPerSecond;
    QString folder;
};

void askTheEngine(const Arguments &arguments, QJsonObject &report)
{
    auto first = open(arguments.databaseUrl, "bench");
    const Layout layout = must(discover(*first, {}));
    const auto repeat = [&](const QByteArray &name, const std::function<void(Reader &, sql::Connection &)> &question) {
        auto connection = open(arguments.databaseUrl, name);
        Reader reader(*connection, layout);
        for (int i = 0; i < arguments.repetitions; ++i)
            question(reader, *connection);
    };
    const PageRequest newest;
    repeat("bench first page", [&](Reader &reader, auto &) { must(reader.page(newest)); });
    repeat("bench status line", [&](Reader &reader, auto &) { must(reader.stats(CountMode::Bounded)); });
    repeat("bench spread", [&](Reader &, sql::Connection &connection) { must(readSpread(connection, layout, {})); });
    const Spread spread = must(readSpread(*first, layout, {}));
    PageRequest middle;
    middle.at = spread.timeAt(0.5);
    PageRequest oldest;
    oldest.direction = PageDirection::Newer;
    repeat("bench jump to the middle", [&](Reader &reader, auto &) { must(reader.page(middle)); });
    repeat("bench jump to the end", [&](Reader &reader, auto &) { must(reader.page(oldest)); });
    const RowPage there = must(Reader(*first, layout).page(middle));
    PageRequest next;
    next.from = there.oldest;
    next.limit = 400;
    repeat("bench next rows in the middle", [&](Reader &reader, auto &) { must(reader.page(next)); });

    const RowFilter filter{.errorText = u"no such error anywhere"_s};
    repeat("bench filter estimate",
           [&](Reader &, sql::Connection &connection) { must(filterCost(connection, layout, filter)); });
    report.insert(u"filterLooks"_s, must(filterCost(*first, layout, filter)).looks);
    auto searching = open(arguments.databaseUrl, "bench search piece");
    RowSearch search(*searching, layout);
    RowSearchCursor cursor;
    qint64 looked = 0;
    QElapsedTimer timer;
    timer.start();
    for (bool done = false; !done && timer.elapsed() < 10'000;) {
        const RowSearchStep step = must(search.step(filter, cursor));
        cursor = step.next;
        looked += step.looked;
        done = step.done;
    }
    report.insert(u"searchRowsPerSecond"_s,
                  static_cast<double>(looked) * 1000.0 / double(qMax<qint64>(1, timer.elapsed())));

    // How well the estimate of the middle fits, counted for once.
    auto counted = must(first->execute("SELECT count(*) FILTER (WHERE extract(epoch FROM " + layout.scheduledAt.quoted()
                                       + ") * 1000000 > " + QByteArray::number(*middle.at)
                                       + ")::float8 / count(*) FROM " + layout.quotedTable()));
    report.insert(u"middleIsAt"_s, counted.bytes(0, 0).toDouble());
}

struct Window
{
    explicit Window(const Arguments &arguments)
        : settings(arguments.folder + u"/settings-%1.ini"_s.arg(++count), QSettings::IniFormat)
        , secrets(engine::secrets::makeMemoryStore())
    {
        app::WindowOptions options;
        options.profile.emplace();
        options.profile->name = u"bench"_s;
        options.profile->databaseUrl = arguments.databaseUrl;
        options.profile->redisUrl = arguments.redisUrl;
        options.historyFile = arguments.folder + u"/history-%1.sqlite"_s.arg(count);
        options.sandboxFolder = arguments.folder + u"/sandbox"_s;
        controller = std::make_unique<app::WindowController>(theme, settings, *secrets, options);
        controller->window().resize(1920, 1080);
        controller->start();
        table = controller->window().findChild<QTableView *>(u"outboxTable"_s);
        bar = controller->window().findChild<QScrollBar *>(u"rowScroll"_s);
        // Where the user comes from: another page, whose questions are answered.
        until([] { return false; }, 2500);
    }

    ~Window()
    {
        bool closed = false;
        QObject::connect(controller.get(), &app::WindowController::closed, &controller->window(),
                         [&] { closed = true; });
        controller->close();
        until([&] { return closed; }, 30'000);
    }

    [[nodiscard]] QByteArray topId() const { return table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray(); }

    double jump(double share)
    {
        const QByteArray before = topId();
        PaintWatch painted(*table, [&] { return topId() != before; });
        bar->setSliderDown(true);
        bar->setSliderPosition(static_cast<int>(share * bar->maximum()));
        bar->triggerAction(share >= 1 ? QAbstractSlider::SliderToMaximum : QAbstractSlider::SliderMove);
        bar->setSliderDown(false);
        const double ms = painted.wait();
        until([] { return false; }, 500);
        return ms;
    }

    inline static int count = 0;
    views::Theme theme{views::Theme::Choice::Light};
    QSettings settings;
    std::unique_ptr<engine::secrets::SecretStore> secrets;
    std::unique_ptr<app::WindowController> controller;
    QTableView *table;
    QScrollBar *bar;
};

void openWindows(const Arguments &arguments, QJsonObject &report)
{
    QJsonArray onScreen, middle, end;
    for (int i = 0; i < arguments.windows; ++i) {
        Window window(arguments);
        PaintWatch painted(*window.table, [&] { return window.table->model()->rowCount() > 0; });
        window.controller->window().setCurrentPage(u"outbox"_s);
        onScreen.append(painted.wait());
        until([] { return false; }, 500);
        middle.append(window.jump(0.5));
        end.append(window.jump(1.0));
    }
    report.insert(u"onScreenMs"_s, onScreen);
    report.insert(u"jumpToMiddleMs"_s, middle);
    report.insert(u"jumpToEndMs"_s, end);
}

void changeMeanwhile(const Arguments &arguments, QJsonObject &report)
{
    auto connection = open(arguments.databaseUrl, "bench");
    const Layout layout = must(discover(*connection, {}));
    Window window(arguments);
    window.controller->window().setCurrentPage(u"outbox"_s);
    if (!until([&] { return window.table->model()->rowCount() > 0; }, 60'000))
        qFatal("no rows");
    window.table->setCurrentIndex(window.table->model()->index(5, 0));
    test::LoadWriter writer(arguments.databaseUrl, layout, arguments.changesPerSecond);
    until([&] { return writer.changes() > 0; }, 10'000);
    const qint64 before = writer.changes();
    test::BusyWatch busy;
    busy.watch(arguments.seconds * 1000);
    if (writer.hasFailed())
        qFatal("the writer failed");
    report.insert(u"changesPerSecond"_s, static_cast<double>(writer.changes() - before) / arguments.seconds);
    report.insert(u"busyMs"_s, busy.mostMs());
    report.insert(u"busyCpuMs"_s, busy.mostCpuMs());
}

} // namespace

int main(int argc, char **argv)
{
    const QApplication application(argc, argv);
    const QStringList given = QCoreApplication::arguments();
    if (given.size() != 8)
        return 2;
    const Arguments arguments{given[1],         given[2],         given[3].toInt(), given[4].toInt(),
                              given[5].toInt(), given[6].toInt(), given[7]};
    QJsonObject report;
    askTheEngine(arguments, report);
    openWindows(arguments, report);
    changeMeanwhile(arguments, report);
    std::puts(QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
}
