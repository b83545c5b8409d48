// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "textview.h"

#include "build.h"
#include "documentview.h"

#include <models/visiblecharacter.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

TextView::TextView(const Theme &theme, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_note(build::label({}, "muted", this))
    , m_copy(build::toolButton(tr("Copy %1").arg(accessibleName), this))
    , m_view(new DocumentView(theme, this))
{
    m_copy->setToolTip(m_copy->accessibleName());
    m_note->setWordWrap(true);
    m_view->setAccessibleName(accessibleName);
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(m_note, 1);
    top->addWidget(m_copy);
    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 6);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    const auto dress = [this, &theme] { m_copy->setIcon(theme.icon(u"copy"_s)); };
    dress();
    connect(&theme, &Theme::changed, this, dress);
    connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
}

void TextView::setText(const QString &text, const QString &note, const QString &empty)
{
    m_view->setPlaceholderText(empty);
    m_copy->setEnabled(!text.isEmpty());
    if (m_note->text() != note)
        m_note->setText(note);
    if (m_text == text)
        return;
    m_text = text;
    m_view->setDocument(models::losslessUtf8(text), models::DocumentRows::Mode::Text);
}

} // namespace views
