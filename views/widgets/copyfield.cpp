// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "copyfield.h"

#include "build.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

CopyField::CopyField(const Theme &theme, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_button(build::toolButton(tr("Copy: %1").arg(accessibleName), this))
{
    m_field->setReadOnly(true);
    m_field->setFont(theme.fixedFont());
    m_field->setAccessibleName(accessibleName);
    m_button->setToolTip(tr("Copy"));
    m_button->setIcon(theme.icon(u"copy"_s));
    auto *layout = new QHBoxLayout(this);
    build::tighten(layout, 4);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_button);
    connect(m_button, &QToolButton::clicked, this, &CopyField::copy);
    connect(&theme, &Theme::changed, this, [this, &theme] { m_button->setIcon(theme.icon(u"copy"_s)); });
}

void CopyField::setText(const QString &text)
{
    if (m_field->text() == text)
        return;
    m_field->setText(text);
    m_field->setCursorPosition(0);
}

QString CopyField::text() const
{
    return m_field->text();
}

void CopyField::copy() const
{
    QGuiApplication::clipboard()->setText(m_field->text());
}

} // namespace views
