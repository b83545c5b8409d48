// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tile.h"

#include "build.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

namespace {

QString styleName(models::Severity severity)
{
    switch (severity) {
    case models::Severity::Critical:
        return u"critical"_s;
    case models::Severity::Warning:
        return u"warning"_s;
    case models::Severity::Good:
        return u"good"_s;
    case models::Severity::Info:
        return u"info"_s;
    case models::Severity::Muted:
        return u"muted"_s;
    case models::Severity::Normal:
        break;
    }
    return u"normal"_s;
}

} // namespace

Tile::Tile(const QString &name, const QString &explanation, QWidget *parent)
    : QFrame(parent)
    , m_name(name)
    , m_value(build::label(u"–"_s, "figure", this))
{
    setProperty("panel", true);
    setToolTip(explanation);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(2);
    // Longer words of another language take a second line, not the room of the tiles beside.
    auto *heading = build::label(name, "heading", this);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    layout->addWidget(m_value);
    setAccessibleName(name);
}

void Tile::setValue(const QString &value, models::Severity severity)
{
    m_value->setText(value);
    build::restyle(m_value, "severity", styleName(severity));
    name();
}

void Tile::setDetail(const QString &detail)
{
    if (!m_detail) {
        m_detail = build::label({}, "heading", this);
        m_detail->setWordWrap(true);
        layout()->addWidget(m_detail);
    }
    m_detail->setText(detail);
    name();
}

void Tile::name()
{
    QString text = m_name + u": "_s + m_value->text();
    if (m_detail && !m_detail->text().isEmpty())
        text += u", "_s + m_detail->text();
    setAccessibleName(text);
}

} // namespace views
