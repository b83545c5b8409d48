// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retentiondialog.h"

#include "connectiontag.h"

#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>

#include <models/commandline.h>
#include <models/counttext.h>

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::watch::RetentionTotals;
using models::Severity;

namespace views {

namespace {

QLabel *sentence(const QString &text)
{
    QLabel *label = build::label(text, "plain");
    label->setWordWrap(true);
    return label;
}

} // namespace

RetentionDialog::RetentionDialog(const Theme &theme, const engine::config::ConnectionProfile &profile,
                                 const engine::outbox::Layout &layout, const engine::outbox::RetentionRule &rule,
                                 models::Zone zone, QWidget *parent)
    : QDialog(parent)
    , m_profile(profile)
    , m_rule(rule)
    , m_zone(zone)
    , m_count(build::label({}, "figure"))
    , m_countWords(build::label({}, "muted"))
    , m_oldest(build::label({}, "plain"))
    , m_all(new QCheckBox(tr("Repeat until nothing is left")))
    , m_command(new CopyField(theme, tr("The same as command line")))
    , m_result(new Banner(theme))
    , m_again(build::button(tr("Look again")))
    , m_remove(build::button(tr("Remove now")))
{
    using engine::outbox::Phase;
    setWindowTitle(tr("Retention"));
    setObjectName(u"retentionDialog"_s);
    const QString done = QString::fromUtf8(layout.statusFor(Phase::HandedOver));
    QStringList staying;
    for (const QByteArray &status : layout.statuses) {
        if (layout.phaseOf(status) != Phase::HandedOver)
            staying << QString::fromUtf8(status);
    }

    m_count->setObjectName(u"retentionCount"_s);
    auto *count = new QHBoxLayout;
    build::tighten(count, 8);
    count->addWidget(m_count);
    count->addWidget(m_countWords, 1, Qt::AlignBottom);
    auto *form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->addRow(tr("May go"), count);
    form->addRow(tr("Oldest"), m_oldest);
    build::makeSelectable(m_oldest);
    form->addRow(
        tr("One run"),
        build::label(tr("at most %1 rows, in a transaction of its own").arg(models::numberText(rule.batchSize)),
                     "plain"));
    form->addRow({}, m_all);
    m_all->setObjectName(u"retentionAll"_s);
    if (profile.production && !profile.readOnly) {
        m_name = new QLineEdit;
        m_name->setObjectName(u"retentionName"_s);
        m_name->setPlaceholderText(profile.name);
        m_name->setAccessibleName(tr("Name of the connection, to confirm"));
        form->addRow(tr("Type its name"), m_name);
        connect(m_name, &QLineEdit::textChanged, this, &RetentionDialog::updateControls);
    }
    form->addRow(tr("In a terminal"), m_command);

    m_remove->setObjectName(u"retentionRemove"_s);
    m_again->setObjectName(u"retentionAgain"_s);
    QPushButton *close = build::button(tr("Close"));
    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    buttons->addWidget(m_again);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(m_remove);

    auto *body = new QVBoxLayout;
    body->setContentsMargins(16, 16, 16, 16);
    body->setSpacing(12);
    body->addWidget(
        sentence(tr("Rows in %1 that were handed over more than %2 ago. Rows in %3 stay, however old.")
                     .arg(done, models::durationText(rule.olderThan.count() * 1000), staying.join(u", "_s))));
    body->addLayout(form);
    if (layout.dispatchKey.exists())
        body->addWidget(sentence(tr("Removing a row frees its dispatchKey: the same key can then be published, and "
                                    "handed over, again.")));
    body->addStretch(1);
    body->addWidget(m_result);
    body->addLayout(buttons);
    auto *outer = new QVBoxLayout(this);
    build::tighten(outer);
    outer->addWidget(new ConnectionTag(theme, profile, layout.displayName()));
    outer->addLayout(body, 1);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_again, &QPushButton::clicked, this, [this] {
        showWaiting();
        emit previewWanted();
    });
    connect(m_remove, &QPushButton::clicked, this, &RetentionDialog::removeOrStop);
    connect(m_all, &QCheckBox::toggled, this, &RetentionDialog::updateControls);
    resize(620, 480);
    showWaiting();
}

void RetentionDialog::showWaiting()
{
    m_preview.reset();
    m_result->clear();
    m_count->setText(u"–"_s);
    m_countWords->setText(tr("Counting…"));
    m_oldest->setText(u"–"_s);
    updateControls();
}

void RetentionDialog::showPreview(const engine::outbox::RetentionPreview &preview)
{
    m_preview = preview;
    m_count->setText(models::countText(preview.removable));
    m_countWords->setText(models::countExplanation(preview.removable));
    m_oldest->setText(preview.oldest ? u"%1 · %2"_s.arg(models::fullTimeText(*preview.oldest, m_zone),
                                                        models::relativeText(*preview.oldest, preview.databaseTime))
                                     : tr("none"));
    updateControls();
}

void RetentionDialog::showProblem(const engine::Error &error)
{
    m_countWords->clear();
    m_result->say(Severity::Critical, tr("The rows could not be counted"), error.text());
    updateControls();
}

void RetentionDialog::removeOrStop()
{
    if (m_isRemoving) {
        m_isStopping = true;
        emit stopWanted();
    } else {
        m_isRemoving = true;
        m_isStopping = false;
        m_result->say(Severity::Info, tr("Removing…"), {});
        emit removeWanted(m_rule, m_all->isChecked());
    }
    updateControls();
}

void RetentionDialog::showProgress(const RetentionTotals &totals)
{
    m_result->say(Severity::Info, tr("Removing…"),
                  tr("%1 rows so far, in %2 runs.").arg(models::numberText(totals.removed)).arg(totals.runs));
}

void RetentionDialog::showFinished(const RetentionTotals &totals, const std::optional<engine::Error> &failure)
{
    m_isRemoving = false;
    QStringList words;
    if (failure)
        words << failure->text();
    if (totals.locked > 0)
        words
            << tr("%1 rows stayed because other sessions held or changed them.").arg(models::numberText(totals.locked));
    if (!failure && !totals.isComplete)
        words << tr("There may be more.");
    const QString removed = tr("Rows removed: %1").arg(models::numberText(totals.removed));
    showWaiting();
    m_result->say(failure ? Severity::Critical : Severity::Good, removed, words.join(u' '));
    emit previewWanted();
}

void RetentionDialog::updateControls()
{
    const bool isNamed = !m_name || m_name->text() == m_profile.name;
    const bool hasRows = m_preview && m_preview->removable.value > 0;
    m_remove->setText(!m_isRemoving ? tr("Remove now") : m_isStopping ? tr("Stopping…") : tr("Stop"));
    m_remove->setEnabled(m_isRemoving ? !m_isStopping : hasRows && isNamed && !m_profile.readOnly);
    m_remove->setToolTip(m_isRemoving             ? tr("The run in progress is the last one")
                             : m_profile.readOnly ? tr("This connection is read-only.")
                             : !m_preview         ? tr("The preview comes first.")
                             : !hasRows           ? tr("There is nothing to remove.")
                             : !isNamed           ? tr("This is production: type the connection's name first.")
                                                  : tr("For good: there is no undo"));
    m_again->setEnabled(!m_isRemoving);
    m_all->setEnabled(!m_isRemoving && !m_profile.readOnly);
    if (m_name)
        m_name->setEnabled(!m_isRemoving);
    m_command->setText(models::commandline::retention(m_profile, m_all->isChecked()));
    if (m_profile.readOnly && !m_isRemoving && m_preview)
        m_result->say(Severity::Info, tr("This connection is read-only"),
                      tr("To remove rows, clear “Read-only” in the connection."));
}

} // namespace views
