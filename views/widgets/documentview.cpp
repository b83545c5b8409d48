// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentview.h"

#include "background.h"
#include "documentview_p.h"

#include <views/theme/theme.h>

#include <QAccessibleWidget>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMetaMethod>
#include <QScrollBar>

#include <cmath>

using namespace Qt::StringLiterals;
using models::DocumentRows;

namespace views {

namespace {

constexpr int fewestFittedRows = 3;

// What a screen reader says: the rows on screen.
class AccessibleDocument final : public QAccessibleWidget
{
public:
    explicit AccessibleDocument(DocumentView *view)
        : QAccessibleWidget(view, QAccessible::Document)
        , m_view(view)
    { }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_view->visibleText() : QAccessibleWidget::text(kind);
    }

private:
    const DocumentView *const m_view;
};

QAccessibleInterface *makeAccessible(const QString &, QObject *object)
{
    auto *view = qobject_cast<DocumentView *>(object);
    return view ? new AccessibleDocument(view) : nullptr;
}

} // namespace

DocumentView::DocumentView(const Theme &theme, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
{
    static const bool described = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(described)
    setFont(theme.fixedFont());
    setProperty("document", true);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAutoFillBackground(false);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    connect(&theme, &Theme::changed, this, [this] {
        setFont(m_theme.fixedFont());
        viewport()->update();
    });
}

DocumentView::~DocumentView()
{
    if (m_stop)
        *m_stop = true;
}

void DocumentView::setPlaceholderText(const QString &text)
{
    m_placeholder = text;
    if (m_document.isEmpty())
        viewport()->update();
}

void DocumentView::setFittedRows(int most)
{
    m_fittedRows = most;
    updateScrollBar();
}

void DocumentView::setDocument(const QByteArray &document, DocumentRows::Mode mode)
{
    if (mode == m_mode && document == m_document)
        return;
    // A document that has only grown is the same one, read further.
    const bool grown = mode == m_mode && !m_document.isEmpty() && document.startsWith(m_document);
    m_document = document;
    m_mode = mode;
    m_matches.clear();
    m_current.reset();
    m_wantedByte = -1;
    if (!grown) {
        m_caret = m_anchor = 0;
        m_fresh = true;
    }
    layOut();
}

int DocumentView::charWidth() const
{
    return qMax(1, static_cast<int>(std::lround(fontMetrics().horizontalAdvance(QString(64, u'0')) / 64.0)));
}

int DocumentView::rowHeight() const
{
    return fontMetrics().lineSpacing() + 2;
}

int DocumentView::rowsOnScreen() const
{
    return qMax(1, (viewport()->height() - 2 * documentMargin) / rowHeight());
}

int DocumentView::columnsThatFit() const
{
    return (viewport()->width() - 2 * documentMargin) / charWidth();
}

bool DocumentView::isLaidOut() const
{
    return !m_stop && m_rows.isComplete() && m_rows.document().size() == m_document.size();
}

void DocumentView::layOut()
{
    const quint64 generation = ++m_generation;
    if (m_stop)
        *m_stop = true;
    m_stop.reset();
    const int columns = columnsThatFit();
    if (m_document.size() <= laidOutAtOnce) {
        accept(DocumentRows::build(m_document, m_mode, columns));
        return;
    }
    // Never blank: the beginning now. After a change of the width the old rows stay until the new ones are there.
    if (m_fresh || m_rows.count() == 0)
        accept(DocumentRows::build(m_document, m_mode, columns, laidOutAtOnce));
    m_stop = std::make_shared<std::atomic_bool>(false);
    background::run([document = m_document, mode = m_mode, columns, stop = m_stop] {
        return DocumentRows::build(document, mode, columns, -1, stop.get());
    }).then(this, [this, generation](const DocumentRows &rows) {
        if (generation != m_generation)
            return;
        m_stop.reset();
        accept(rows);
    });
}

void DocumentView::accept(DocumentRows rows)
{
    const qint64 top = std::exchange(m_fresh, false) ? 0 : firstByteShown();
    m_rows = std::move(rows);
    updateScrollBar();
    if (m_wantedByte >= 0)
        showByte(m_wantedByte);
    else
        verticalScrollBar()->setValue(top == 0 ? 0 : static_cast<int>(m_rows.rowOf(top)));
    viewport()->update();
    if (isLaidOut())
        emit laidOut();
}

void DocumentView::updateScrollBar()
{
    if (m_fittedRows > 0) {
        const auto shown = static_cast<int>(std::clamp<qint64>(m_rows.count(), 1, m_fittedRows));
        const auto heightOf = [this](int rows) { return rows * rowHeight() + 2 * documentMargin + 2 * frameWidth(); };
        setMaximumHeight(heightOf(shown));
        setMinimumHeight(heightOf(std::min(shown, fewestFittedRows))); // what is below needs room as well
    }
    const int visible = rowsOnScreen();
    verticalScrollBar()->setRange(0, static_cast<int>(std::clamp<qint64>(m_rows.count() - visible, 0, INT_MAX)));
    verticalScrollBar()->setPageStep(visible);
    verticalScrollBar()->setSingleStep(3);
}

void DocumentView::resizeEvent(QResizeEvent *)
{
    if (qMax(columnsThatFit(), 16) != m_rows.columns())
        layOut();
    else
        updateScrollBar();
}

qint64 DocumentView::firstByteShown() const
{
    const auto rows = m_rows.rows(verticalScrollBar()->value(), 1);
    return rows.empty() ? 0 : rows.front().from;
}

QString DocumentView::visibleText() const
{
    QStringList lines;
    for (const DocumentRows::Row &row : m_rows.rows(verticalScrollBar()->value(), rowsOnScreen() + 1))
        lines << m_rows.text(row);
    return lines.join(u'\n');
}

void DocumentView::setMatches(std::vector<models::DocumentMatch> matches, std::optional<size_t> current)
{
    m_matches = std::move(matches);
    m_current = current;
    if (m_current)
        showByte(m_matches[*m_current].from);
    viewport()->update();
}

void DocumentView::showByte(qint64 byte)
{
    const auto rows = m_rows.rows(m_rows.count() - 1, 1);
    const bool reached = isLaidOut() || (!rows.empty() && byte < rows.front().from);
    m_wantedByte = reached ? -1 : byte;
    if (!reached)
        return;
    const auto row = static_cast<int>(m_rows.rowOf(byte));
    const int top = verticalScrollBar()->value();
    const int visible = rowsOnScreen();
    if (row < top || row >= top + visible)
        verticalScrollBar()->setValue(row - visible / 3);
    viewport()->update();
}

std::pair<qint64, qint64> DocumentView::selection() const
{
    return {qMin(m_anchor, m_caret), qMin<qint64>(m_document.size(), qMax(m_anchor, m_caret))};
}

QByteArray DocumentView::selectedBytes() const
{
    const auto [from, to] = selection();
    const QByteArray bytes = m_document.sliced(from, to - from);
    return m_mode == DocumentRows::Mode::Hex ? bytes.toHex(' ') : bytes;
}

void DocumentView::selectAll()
{
    m_anchor = 0;
    m_caret = m_document.size();
    viewport()->update();
}

void DocumentView::copySelection()
{
    if (!hasSelection())
        return;
    const QByteArray bytes = selectedBytes();
    if (bytes.isValidUtf8())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(bytes));
    else
        emit notCopied();
}

void DocumentView::moveCaret(qint64 byte, bool select)
{
    m_caret = qBound<qint64>(0, byte, m_document.size());
    if (!select)
        m_anchor = m_caret;
    viewport()->update();
}

bool DocumentView::event(QEvent *event)
{
    // Keys that mean something else on the page, but this here while the document has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool searched = isSignalConnected(QMetaMethod::fromSignal(&DocumentView::findWanted));
        if ((searched && key->matches(QKeySequence::Find)) || key->matches(QKeySequence::Save)
            || key->matches(QKeySequence::FindNext) || key->matches(QKeySequence::FindPrevious)
            || key->matches(QKeySequence::Copy) || key->matches(QKeySequence::SelectAll)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void DocumentView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Find)) {
        emit findWanted();
    } else if (event->matches(QKeySequence::FindNext) || event->matches(QKeySequence::FindPrevious)) {
        emit findNextWanted(event->matches(QKeySequence::FindPrevious));
    } else if (event->matches(QKeySequence::Save)) {
        emit saveWanted();
    } else if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (const qint64 caret = caretAfter(*event); caret >= 0) {
        moveCaret(caret, event->modifiers().testFlag(Qt::ShiftModifier));
        showByte(m_caret);
    } else {
        event->ignore();
    }
}

qint64 DocumentView::caretAfter(const QKeyEvent &event) const
{
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    const qint64 number = m_rows.rowOf(m_caret);
    const auto rows = m_rows.rows(number, 1);
    if (rows.empty())
        return -1;
    const auto stops = caretStops(m_rows, rows.front());
    const auto inRow = [this](qint64 other, size_t place) {
        const auto found = m_rows.rows(qBound<qint64>(0, other, m_rows.count() - 1), 1);
        if (found.empty())
            return m_caret;
        const auto there = caretStops(m_rows, found.front());
        return there[std::min(place, there.size() - 1)];
    };
    const auto place = static_cast<size_t>(std::distance(stops.begin(), std::ranges::lower_bound(stops, m_caret)));
    switch (event.key()) {
    case Qt::Key_Left:
        return place > 0 ? stops[place - 1] : inRow(number - 1, SIZE_MAX);
    case Qt::Key_Right:
        return place + 1 < stops.size() ? stops[place + 1] : rows.front().to;
    case Qt::Key_Up:
        return number == 0 ? 0 : inRow(number - 1, place);
    case Qt::Key_Down:
        return number + 1 >= m_rows.count() ? m_document.size() : inRow(number + 1, place);
    case Qt::Key_PageUp:
        return inRow(number - rowsOnScreen(), place);
    case Qt::Key_PageDown:
        return inRow(number + rowsOnScreen(), place);
    case Qt::Key_Home:
        return control ? 0 : stops.front();
    case Qt::Key_End:
        return control ? m_document.size() : stops.back();
    default:
        return -1;
    }
}

} // namespace views
