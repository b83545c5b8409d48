// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "stage.h"

#include <views/dialogs/retentiondialog.h>
#include <views/pages/retentionpanel.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::RetentionPreview;
using engine::outbox::RetentionRule;

// The preview comes before the removal, and nothing is removed by a slip.
class RetentionViewsTest final : public QObject
{
    Q_OBJECT

private slots:
    void panelSaysWhyThereIsNoPreview();
    void panelTellsTheRuns();
    void previewComesFirst();
    void productionAsksForItsName();
    void readOnlyOnlyLooks();
    void runsUntilStopped();
    void everythingHasAName();

private:
    static engine::config::ConnectionProfile writable(bool production = false)
    {
        auto profile = samples::production();
        profile.readOnly = false;
        profile.production = production;
        return profile;
    }
    static RetentionPreview preview(qint64 rows)
    {
        return {{rows, Count::Kind::Exact}, samples::now - 3'000'000'000'000, samples::now};
    }
    template <typename Widget>
    static Widget *find(QWidget &root, const QString &name)
    {
        auto *widget = root.findChild<Widget *>(name);
        if (!widget)
            qFatal("no %s", qPrintable(name));
        return widget;
    }
};

void RetentionViewsTest::panelSaysWhyThereIsNoPreview()
{
    views::RetentionPanel panel;
    auto *button = find<QPushButton>(panel, u"retentionPreview"_s);
    QVERIFY(!button->isEnabled()); // the settings cannot be used
    QVERIFY(button->toolTip().contains(u"environment"_s));
    panel.setRule(RetentionRule{});
    QVERIFY(button->isEnabled());
    panel.setObstacle(u"Waiting."_s);
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->toolTip(), u"Waiting."_s);
    panel.setObstacle({});
    QSignalSpy wanted(&panel, &views::RetentionPanel::previewWanted);
    button->click();
    QCOMPARE(wanted.count(), 1);
}

void RetentionViewsTest::panelTellsTheRuns()
{
    views::RetentionPanel panel;
    panel.setRule(RetentionRule{});
    const auto *words = find<QLabel>(panel, u"retentionRuns"_s);
    QVERIFY2(words->text().contains(u"daily"_s), qPrintable(words->text()));
    QVERIFY(!words->text().contains(u"0 rows"_s)); // there was no run: not "0 removed"
    engine::dispatch::RetentionStatus status;
    status.lastRun = QDateTime::currentDateTimeUtc();
    status.nextRun = status.lastRun->addSecs(3600);
    status.lastRemoved = 1234;
    panel.setStatus(status);
    QVERIFY2(words->text().contains(u"1,234"_s) && words->text().contains(u"next run"_s), qPrintable(words->text()));
    status.trouble = u"lock timeout"_s;
    panel.setStatus(status);
    QVERIFY(words->text().contains(u"failed"_s));
    QCOMPARE(words->toolTip(), u"lock timeout"_s);
}

void RetentionViewsTest::previewComesFirst()
{
    const views::Theme theme(views::Theme::Choice::Light);
    views::RetentionDialog dialog(theme, writable(), samples::eventLayout(), RetentionRule{}, models::Zone::Utc);
    const auto *remove = find<QPushButton>(dialog, u"retentionRemove"_s);
    const auto *count = find<QLabel>(dialog, u"retentionCount"_s);
    QVERIFY(!remove->isEnabled());
    QCOMPARE(count->text(), u"–"_s); // not known yet, so not 0
    dialog.showPreview(preview(0));
    QVERIFY(!remove->isEnabled());
    QCOMPARE(count->text(), u"0"_s);
    dialog.showPreview({{100'000, Count::Kind::AtLeast}, {}, samples::now});
    QVERIFY(remove->isEnabled());
    QCOMPARE(count->text(), u"100,000+"_s);
    dialog.showWaiting();
    QVERIFY(!remove->isEnabled());
    dialog.showProblem(samples::cannotConnect());
    QVERIFY(!remove->isEnabled());
}

void RetentionViewsTest::productionAsksForItsName()
{
    const views::Theme theme(views::Theme::Choice::Light);
    views::RetentionDialog dialog(theme, writable(true), samples::eventLayout(), RetentionRule{}, models::Zone::Utc);
    auto *remove = find<QPushButton>(dialog, u"retentionRemove"_s);
    auto *name = find<QLineEdit>(dialog, u"retentionName"_s);
    QSignalSpy wanted(&dialog, &views::RetentionDialog::removeWanted);
    dialog.showPreview(preview(5));
    QVERIFY(!remove->isEnabled());
    name->setText(writable().name + u"x"_s);
    remove->click();
    QCOMPARE(wanted.count(), 0);
    name->setText(writable().name);
    QVERIFY(remove->isEnabled());
    remove->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][1].toBool(), false);
}

void RetentionViewsTest::readOnlyOnlyLooks()
{
    const views::Theme theme(views::Theme::Choice::Light);
    views::RetentionDialog dialog(theme, samples::production(), samples::eventLayout(), RetentionRule{},
                                  models::Zone::Utc);
    QVERIFY(samples::production().readOnly);
    auto *remove = find<QPushButton>(dialog, u"retentionRemove"_s);
    dialog.showPreview(preview(5));
    QVERIFY(!remove->isEnabled());
    QVERIFY(remove->toolTip().contains(u"read-only"_s));
    QVERIFY(!find<QCheckBox>(dialog, u"retentionAll"_s)->isEnabled());
}

void RetentionViewsTest::runsUntilStopped()
{
    const views::Theme theme(views::Theme::Choice::Light);
    views::RetentionDialog dialog(theme, writable(), samples::eventLayout(), RetentionRule{}, models::Zone::Utc);
    auto *remove = find<QPushButton>(dialog, u"retentionRemove"_s);
    QSignalSpy wanted(&dialog, &views::RetentionDialog::removeWanted);
    QSignalSpy stop(&dialog, &views::RetentionDialog::stopWanted);
    QSignalSpy again(&dialog, &views::RetentionDialog::previewWanted);
    dialog.showPreview(preview(5000));
    find<QCheckBox>(dialog, u"retentionAll"_s)->setChecked(true);
    remove->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][1].toBool(), true);
    dialog.showProgress({1000, 0, 1, false});
    QVERIFY(remove->isEnabled());
    remove->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(stop.count(), 1);
    QVERIFY(!remove->isEnabled());
    dialog.showFinished({2000, 0, 2, false}, {});
    QCOMPARE(again.count(), 1); // what is left is counted anew
    QVERIFY(!remove->isEnabled());
    dialog.showPreview(preview(3000));
    QVERIFY(remove->isEnabled());
}

void RetentionViewsTest::everythingHasAName()
{
    const views::Theme theme(views::Theme::Choice::Light);
    views::RetentionDialog dialog(theme, writable(true), samples::eventLayout(), RetentionRule{}, models::Zone::Utc);
    const auto widgets = dialog.findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() || widget->isHidden())
            continue;
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        const QString name = widget->accessibleName().isEmpty() && button ? button->text() : widget->accessibleName();
        QVERIFY2(!name.isEmpty(), qPrintable(widget->objectName()));
    }
}

QTEST_MAIN(RetentionViewsTest)
#include "tst_retentionviews.moc"
