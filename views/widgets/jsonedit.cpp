// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonedit.h"

#include "build.h"
#include "jsonhighlighter.h"

#include <models/jsonlayout.h>

#include <engine/base/jsontext.h>

#include <QTextBlock>

namespace views {

JsonEdit::JsonEdit(const Theme &theme, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_highlighter(new JsonHighlighter(theme, document()))
{
    setFont(theme.fixedFont());
    setTabChangesFocus(true);
    setWordWrapMode(QTextOption::WrapAnywhere);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        // Underlining is a change of the document too.
        if (toPlainText() != m_checkedText)
            check();
    });
    check();
}

void JsonEdit::setOptional(bool optional)
{
    m_optional = optional;
    check();
}

void JsonEdit::indentNow()
{
    const QByteArray text = toPlainText().toUtf8();
    if (!isValid() || text.trimmed().isEmpty())
        return;
    // Through a cursor, so that it can be undone.
    QTextCursor cursor(document());
    cursor.select(QTextCursor::Document);
    cursor.insertText(QString::fromUtf8(models::jsonlayout::indented(text)));
}

void JsonEdit::check()
{
    const QString text = toPlainText();
    m_checkedText = text;
    const QByteArray utf8 = text.toUtf8();
    m_problem.clear();
    int block = -1;
    int column = 0;
    if (const auto fault = engine::jsontext::findFault(utf8); fault && !(m_optional && utf8.trimmed().isEmpty())) {
        const auto at = models::jsonlayout::positionOf(utf8, fault->offset);
        m_problem = tr("Line %1, column %2: %3").arg(at.line).arg(at.column).arg(QString::fromUtf8(fault->reason));
        block = at.line - 1;
        // The document counts UTF-16 units.
        const qsizetype lineStart = fault->offset > 0 ? utf8.lastIndexOf('\n', fault->offset - 1) + 1 : 0;
        column = static_cast<int>(QString::fromUtf8(utf8.sliced(lineStart, fault->offset - lineStart)).size());
    }
    m_highlighter->setFault(block, column);
    build::restyle(this, "wrong", !m_problem.isEmpty() && !text.isEmpty());
    emit checked();
}

} // namespace views
