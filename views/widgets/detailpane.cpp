// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "detailpane.h"

#include "build.h"
#include "pill.h"

#include <views/theme/theme.h>

#include <QGridLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace views {

DetailPane::DetailPane(const QString &objectName, int minimumWidth, QWidget *parent)
    : QFrame(parent)
    , m_stack(new QStackedWidget(this))
    , m_message(build::label({}, "muted"))
{
    setProperty("panel", true);
    setObjectName(objectName);
    setMinimumWidth(minimumWidth);
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    auto *blank = new QWidget;
    auto *blankLayout = new QVBoxLayout(blank);
    blankLayout->addWidget(m_message);
    m_stack->addWidget(blank);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 1, 1, 1);
    outer->addWidget(m_stack);
}

QVBoxLayout *DetailPane::addContent()
{
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    m_stack->addWidget(content);
    return layout;
}

void DetailPane::showMessage(const QString &sentence)
{
    m_message->setText(sentence);
    m_stack->setCurrentIndex(0);
}

void DetailPane::showContent(int page)
{
    m_stack->setCurrentIndex(page);
}

void DetailPane::addTitle(QVBoxLayout *content, const Theme &theme, QWidget *name, Pill *state)
{
    QFont bold = theme.font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(bold.pixelSize() + 1);
    name->setFont(bold);
    auto *title = new QHBoxLayout;
    build::tighten(title, 8);
    title->addWidget(name, 1);
    title->addWidget(state);
    content->addLayout(title);
}

void DetailPane::addFacts(QVBoxLayout *content, QGridLayout *facts)
{
    build::tighten(facts);
    facts->setHorizontalSpacing(12);
    facts->setVerticalSpacing(4);
    facts->setColumnStretch(1, 1);
    content->addLayout(facts);
}

} // namespace views
