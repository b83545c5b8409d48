// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "legend.h"

#include <views/widgets/build.h>
#include <views/widgets/elidedlabel.h>

#include <QHBoxLayout>
#include <QPainter>
#include <QPixmap>

namespace views {

QWidget *legendEntry(const QString &name, qreal ratio, const std::function<void(QPainter &)> &draw)
{
    QPixmap sample(QSize(22, 10) * ratio);
    sample.setDevicePixelRatio(ratio);
    sample.fill(Qt::transparent);
    QPainter painter(&sample);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter);
    painter.end();
    auto *entry = new QWidget;
    auto *mark = new QLabel(entry);
    mark->setPixmap(sample);
    auto *layout = new QHBoxLayout(entry);
    build::tighten(layout, 5);
    layout->addWidget(mark);
    auto *text = build::label(QFontMetrics(entry->font()).elidedText(name, Qt::ElideMiddle, 200), "heading", entry);
    text->setToolTip(name);
    layout->addWidget(text);
    return entry;
}

} // namespace views
