// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/base/error.h>

#include <QStackedWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace views {

// Content, or the reason why there is none: loading, empty, or an error with what to do about it.
class PageState final : public QStackedWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PageState)

public:
    // `theme` outlives the widget; `content` becomes a child.
    PageState(const Theme &theme, QWidget *content, QWidget *parent = nullptr);

    void showContent();
    void showLoading(const QString &headline, const QStringList &steps = {});
    void showEmpty(const QString &headline, const QString &words, const QString &action = {});
    void showError(const engine::Error &error, const QString &action = {});
    [[nodiscard]] bool showsContent() const { return currentIndex() == 0; }

signals:
    void activated(); // the button of an empty state
    void retryWanted();

private:
    enum class Kind { Loading, Empty, Failed };
    void say(Kind kind, const QString &headline, const QString &words, const QString &action);
    void paintIcon();

    const Theme &m_theme;
    Kind m_kind = Kind::Loading;
    QLabel *m_icon;
    QProgressBar *m_progress;
    QLabel *m_headline;
    QLabel *m_words;
    QPlainTextEdit *m_detail;
    QPushButton *m_button;
};

} // namespace views
