// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "searchline.h"

#include "build.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace views {

SearchLine::SearchLine(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_words(build::label({}, "muted"))
    , m_button(build::button(tr("Stop")))
{
    m_words->setObjectName(name + u"SearchState"_s);
    m_words->setMinimumWidth(1); // long words are cut rather than widening the page
    m_button->setObjectName(name + u"Stop"_s);
    auto *layout = new QHBoxLayout(this);
    build::tighten(layout, 8);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, [this] { m_running ? emit stopWanted() : emit resumeWanted(); });
}

void SearchLine::begin(const QString &words)
{
    say(words.isEmpty() ? tr("Searching…") : words, true, true);
}

void SearchLine::say(const QString &words, bool running, bool canGoOn)
{
    m_running = running;
    m_words->setText(words);
    m_words->setToolTip(words);
    m_button->setText(running ? tr("Stop") : tr("Go on"));
    m_button->setEnabled(canGoOn);
}

void SearchLine::showBroken()
{
    say(m_words->text(), false, true);
}

} // namespace views
