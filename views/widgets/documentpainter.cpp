// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How a DocumentView draws its rows, and what the mouse finds in them.
#include "documentview_p.h"

#include <views/theme/theme.h>

#include <QContextMenuEvent>
#include <QMenu>
#include <QMetaMethod>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

using namespace Qt::StringLiterals;
using models::DocumentRows;
using Kind = models::DocumentRows::Kind;

namespace views {

namespace {

ColorId inkOf(Kind kind)
{
    switch (kind) {
    case Kind::Key:
        return ColorId::AccentText;
    case Kind::String:
        return ColorId::Good;
    case Kind::Number:
    case Kind::Word:
        return ColorId::Warning;
    case Kind::Punctuation:
    case Kind::Position:
        return ColorId::Muted;
    case Kind::Hidden:
        return ColorId::Critical;
    case Kind::Plain:
        break;
    }
    return ColorId::Text;
}

// The units of a piece that come from these bytes.
std::pair<int, int> unitsOf(const DocumentRows::Piece &piece, qint64 from, qint64 to)
{
    const auto begin = piece.bytes.begin();
    const auto end = piece.bytes.end() - 1; // the last one is the end
    return {static_cast<int>(std::lower_bound(begin, end, from) - begin),
            static_cast<int>(std::lower_bound(begin, end, to) - begin)};
}

bool isWordByte(char c)
{
    return static_cast<uchar>(c) >= 0x80 || std::isalnum(static_cast<uchar>(c)) || c == '_' || c == '-' || c == '.';
}

} // namespace

std::vector<qint64> caretStops(const DocumentRows &rows, const DocumentRows::Row &row)
{
    std::vector<qint64> stops;
    for (const DocumentRows::Piece &piece : rows.pieces(row))
        stops.insert(stops.end(), piece.bytes.begin(), piece.bytes.end());
    stops.push_back(row.from);
    std::ranges::sort(stops);
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

DocumentView::DrawnRow DocumentView::drawnRow(const DocumentRows::Row &row) const
{
    DrawnRow drawn;
    qreal x = documentMargin + row.indent * charWidth();
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight); // the document's; inside a piece its own script decides
    option.setWrapMode(QTextOption::NoWrap);
    for (DocumentRows::Piece &piece : m_rows.pieces(row)) {
        const bool framed = piece.kind == Kind::Hidden;
        auto layout = std::make_unique<QTextLayout>(piece.text, font());
        layout->setTextOption(option);
        layout->setCacheEnabled(false);
        layout->beginLayout();
        QTextLine line = layout->createLine();
        if (line.isValid())
            line.setPosition({0, 0});
        layout->endLayout();
        if (framed)
            x += 3;
        const qreal width = line.isValid() ? line.naturalTextWidth() : 0;
        drawn.push_back({std::move(piece), std::move(layout), x, width});
        x += width + (framed ? 3 : 0);
    }
    return drawn;
}

void DocumentView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    if (m_rows.count() == 0) {
        painter.setPen(m_theme.color(ColorId::Muted));
        painter.drawText(viewport()->rect().adjusted(documentMargin, documentMargin, -documentMargin, -documentMargin),
                         Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_placeholder);
        return;
    }
    const auto [selectedFrom, selectedTo] = selection();
    const qint64 first = verticalScrollBar()->value();
    int y = documentMargin;
    const qint64 caretRow = hasFocus() ? m_rows.rowOf(m_caret) : -1;
    qint64 number = first;
    for (const DocumentRows::Row &row : m_rows.rows(first, rowsOnScreen() + 2)) {
        const auto matches =
            std::ranges::lower_bound(m_matches, row.from, {}, [](const auto &match) { return match.to - 1; });
        qreal caretX = -1;
        for (const DrawnPiece &drawn : drawnRow(row)) {
            const DocumentRows::Piece &piece = drawn.piece;
            QList<QTextLayout::FormatRange> marks;
            const auto mark = [&](qint64 from, qint64 to, ColorId paper, ColorId ink) {
                const auto [begin, end] = unitsOf(piece, from, to);
                if (begin >= end)
                    return;
                QTextLayout::FormatRange range;
                range.start = begin;
                range.length = end - begin;
                range.format.setBackground(m_theme.color(paper));
                range.format.setForeground(m_theme.color(ink));
                marks << range;
            };
            for (auto match = matches; match != m_matches.end() && match->from < row.to; ++match) {
                const bool current = m_current && static_cast<size_t>(match - m_matches.begin()) == *m_current;
                mark(match->from, match->to, current ? ColorId::Warning : ColorId::WarningSoft,
                     current ? ColorId::Panel : ColorId::Text);
            }
            if (selectedFrom < selectedTo && piece.kind != Kind::Position)
                mark(selectedFrom, selectedTo, ColorId::Accent, ColorId::OnAccent);
            if (piece.kind == Kind::Hidden) {
                painter.setPen(m_theme.color(ColorId::Critical));
                painter.setBrush(m_theme.color(ColorId::CriticalSoft));
                painter.drawRoundedRect(QRectF(drawn.x - 2, y + 0.5, drawn.width + 4, rowHeight() - 2), 3, 3);
            }
            painter.setPen(m_theme.color(inkOf(piece.kind)));
            drawn.layout->draw(&painter, QPointF(drawn.x, y + 1), marks);
            if (number == caretRow && m_caret >= piece.bytes.front() && m_caret <= piece.bytes.back()
                && piece.kind != Kind::Position && caretX < 0) {
                const int unit = unitsOf(piece, m_caret, m_caret).first;
                caretX = drawn.x + (drawn.layout->lineCount() > 0 ? drawn.layout->lineAt(0).cursorToX(unit) : 0);
            }
        }
        if (caretX >= 0)
            painter.fillRect(QRectF(caretX, y, 1, rowHeight()), m_theme.color(ColorId::Text));
        y += rowHeight();
        ++number;
    }
}

qint64 DocumentView::byteAt(QPoint place) const
{
    const int offset = (place.y() - documentMargin) / rowHeight() - (place.y() < documentMargin ? 1 : 0);
    const qint64 number = verticalScrollBar()->value() + offset;
    if (number < 0)
        return 0;
    const auto rows = m_rows.rows(number, 1);
    if (rows.empty())
        return m_document.size();
    qint64 last = rows.front().from;
    for (const DrawnPiece &drawn : drawnRow(rows.front())) {
        if (drawn.piece.kind == Kind::Position)
            continue;
        if (place.x() < drawn.x)
            return last;
        if (place.x() < drawn.x + drawn.width && drawn.layout->lineCount() > 0) {
            const int unit = drawn.layout->lineAt(0).xToCursor(place.x() - drawn.x);
            return drawn.piece.bytes[static_cast<size_t>(unit)];
        }
        last = drawn.piece.bytes.back();
    }
    return last;
}

void DocumentView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    moveCaret(byteAt(event->position().toPoint()), event->modifiers().testFlag(Qt::ShiftModifier));
}

void DocumentView::mouseMoveEvent(QMouseEvent *event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    m_dragged = event->position().toPoint();
    moveCaret(byteAt(m_dragged), true);
    const bool outside = m_dragged.y() < 0 || m_dragged.y() > viewport()->height();
    if (outside && m_scrollTimer == 0)
        m_scrollTimer = startTimer(40);
}

void DocumentView::mouseReleaseEvent(QMouseEvent *)
{
    if (m_scrollTimer != 0)
        killTimer(std::exchange(m_scrollTimer, 0));
}

void DocumentView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_scrollTimer) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    const int beyond = m_dragged.y() < 0 ? m_dragged.y() : qMax(0, m_dragged.y() - viewport()->height());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + beyond / 8);
    moveCaret(byteAt(m_dragged), true);
}

void DocumentView::mouseDoubleClickEvent(QMouseEvent *event)
{
    // The word, within what a word can be.
    constexpr qint64 longestWord = 4096;
    const qint64 at = byteAt(event->position().toPoint());
    qint64 from = at;
    qint64 to = at;
    while (from > 0 && at - from < longestWord && isWordByte(m_document.at(from - 1)))
        --from;
    while (to < m_document.size() && to - at < longestWord && isWordByte(m_document.at(to)))
        ++to;
    m_anchor = from;
    m_caret = to;
    viewport()->update();
}

void DocumentView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu](const QString &text, QKeySequence::StandardKey key, auto function) {
        QAction *action = menu->addAction(text);
        action->setShortcut(key);
        QObject::connect(action, &QAction::triggered, menu, function);
        return action;
    };
    add(tr("Copy selection"), QKeySequence::Copy, [this] { copySelection(); })->setEnabled(hasSelection());
    add(tr("Select all"), QKeySequence::SelectAll, [this] { selectAll(); });
    menu->addSeparator();
    if (isSignalConnected(QMetaMethod::fromSignal(&DocumentView::findWanted)))
        add(tr("Find…"), QKeySequence::Find, [this] { emit findWanted(); });
    if (isSignalConnected(QMetaMethod::fromSignal(&DocumentView::saveWanted)))
        add(tr("Save to a file…"), QKeySequence::Save, [this] { emit saveWanted(); });
    menu->popup(event->globalPos());
}

} // namespace views
