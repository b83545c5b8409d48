// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobsearchline.h"

#include <views/widgets/build.h>

#include <models/counttext.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace views {

JobSearchLine::JobSearchLine(QWidget *parent)
    : QWidget(parent)
    , m_words(build::label({}, "muted"))
    , m_button(build::button(tr("Stop")))
{
    m_words->setObjectName(u"jobSearchState"_s);
    m_button->setObjectName(u"jobStop"_s);
    auto *layout = new QHBoxLayout(this);
    build::tighten(layout, 8);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, [this] { m_running ? emit stopWanted() : emit resumeWanted(); });
}

void JobSearchLine::begin()
{
    m_running = true;
    m_words->setText(tr("Searching…"));
    m_button->setText(tr("Stop"));
    m_button->setEnabled(true);
}

void JobSearchLine::showProgress(const engine::watch::JobSearchProgress &progress, int found, bool full)
{
    m_running = progress.running;
    QString words =
        tr("“%1”: %2 found, looked at %3 of %4 jobs (%5)")
            .arg(progress.request.text, models::numberText(found), models::numberText(progress.looked),
                 models::numberText(qMax(progress.total, progress.looked)), models::bytesText(progress.bytes));
    if (full)
        words += u" · "_s + tr("enough, more are not listed");
    else if (!progress.running && !progress.done)
        words += u" · "_s + tr("stopped");
    m_words->setText(words);
    m_button->setText(progress.running ? tr("Stop") : tr("Go on"));
    m_button->setEnabled(!progress.done && !full);
}

void JobSearchLine::showBroken()
{
    m_running = false;
    m_button->setText(tr("Go on"));
    m_button->setEnabled(true);
}

} // namespace views
