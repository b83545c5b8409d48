// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QSyntaxHighlighter>

namespace views {

// Colours keys, strings, numbers and words of JSON, line by line; underlines one place that is wrong.
class JsonHighlighter final : public QSyntaxHighlighter
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JsonHighlighter)

public:
    // `theme` outlives the highlighter.
    JsonHighlighter(const Theme &theme, QTextDocument *document);

    // `block` and `column` from 0; block -1: nothing is wrong.
    void setFault(int block, int column);

protected:
    void highlightBlock(const QString &text) override;

private:
    const Theme &m_theme;
    int m_faultBlock = -1;
    int m_faultColumn = 0;
};

} // namespace views
