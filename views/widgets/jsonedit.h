// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QPlainTextEdit>

namespace views {

class JsonHighlighter;

// A JSON document to write: checked as it is typed, the place that is wrong underlined.
class JsonEdit final : public QPlainTextEdit
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JsonEdit)

public:
    // `theme` outlives the widget.
    explicit JsonEdit(const Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] bool isValid() const { return m_problem.isEmpty(); }
    // "Line 3, column 7: expected a value"; empty: valid. With `optional` text, nothing at all is valid too.
    [[nodiscard]] QString problem() const { return m_problem; }
    void setOptional(bool optional);
    void indentNow();

signals:
    void checked(); // after every change of the text

private:
    void check();

    bool m_optional = false;
    QString m_problem;
    QString m_checkedText;
    JsonHighlighter *m_highlighter;
};

} // namespace views
