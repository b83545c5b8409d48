// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QPainter;
class QWidget;

namespace views {

// One entry of a chart's legend: a mark of 22 x 10 pixels that `draw` paints, and a name.
[[nodiscard]] QWidget *legendEntry(const QString &name, qreal ratio, const std::function<void(QPainter &)> &draw);

} // namespace views
