// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "documentview.h"

#include <QTextLayout>

// What documentview.cpp (rows, scrolling, keys) and documentpainter.cpp (drawing, mouse) share.
namespace views {

inline constexpr int documentMargin = 8; // pixels around the text

struct DocumentView::DrawnPiece
{
    models::DocumentRows::Piece piece;
    std::unique_ptr<QTextLayout> layout;
    qreal x = 0;
    qreal width = 0;
};

// The bytes of a row that a caret can stand before, and the last one.
[[nodiscard]] std::vector<qint64> caretStops(const models::DocumentRows &rows, const models::DocumentRows::Row &row);

} // namespace views
