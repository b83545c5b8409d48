// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonhighlighter.h"

#include <QTextDocument>

namespace views {

namespace {

int endOfString(const QString &text, int at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == u'\\')
            ++at;
        else if (text[at] == u'"')
            return at + 1;
    }
    return static_cast<int>(text.size());
}

bool isKey(const QString &text, int end)
{
    while (end < text.size() && text[end].isSpace())
        ++end;
    return end < text.size() && text[end] == u':';
}

} // namespace

JsonHighlighter::JsonHighlighter(const Theme &theme, QTextDocument *document)
    : QSyntaxHighlighter(document)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, &JsonHighlighter::rehighlight);
}

void JsonHighlighter::setFault(int block, int column)
{
    if (m_faultBlock == block && m_faultColumn == column)
        return;
    const int before = m_faultBlock;
    m_faultBlock = block;
    m_faultColumn = column;
    for (const int changed : {before, block}) {
        if (changed >= 0)
            rehighlightBlock(document()->findBlockByNumber(changed));
    }
}

void JsonHighlighter::highlightBlock(const QString &text)
{
    const int size = static_cast<int>(text.size());
    for (int i = 0; i < size;) {
        const QChar c = text[i];
        if (c == u'"') {
            const int end = endOfString(text, i);
            setFormat(i, end - i, m_theme.color(isKey(text, end) ? ColorId::AccentText : ColorId::Good));
            i = end;
        } else if (c.isDigit() || c == u'-') {
            const int from = i;
            while (i < size && (text[i].isLetterOrNumber() || text[i] == u'.' || text[i] == u'+' || text[i] == u'-'))
                ++i;
            setFormat(from, i - from, m_theme.color(ColorId::Warning));
        } else if (c.isLetter()) {
            const int from = i;
            while (i < size && text[i].isLetter())
                ++i;
            setFormat(from, i - from, m_theme.color(ColorId::Warning));
        } else {
            setFormat(i, 1, m_theme.color(ColorId::Muted));
            ++i;
        }
    }
    if (currentBlock().blockNumber() != m_faultBlock)
        return;
    QTextCharFormat wrong;
    wrong.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    wrong.setUnderlineColor(m_theme.color(ColorId::Critical));
    wrong.setForeground(m_theme.color(ColorId::Critical));
    const int from = qBound(0, m_faultColumn, qMax(0, size - 1));
    setFormat(from, qMax(1, size - from), wrong);
}

} // namespace views
