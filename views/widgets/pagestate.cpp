// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pagestate.h"

#include "build.h"

#include <QFrame>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

PageState::PageState(const Theme &theme, QWidget *content, QWidget *parent)
    : QStackedWidget(parent)
    , m_theme(theme)
    , m_icon(new QLabel)
    , m_progress(new QProgressBar)
    , m_headline(build::label({}, "section"))
    , m_words(build::label({}, "muted"))
    , m_detail(new QPlainTextEdit)
    , m_button(build::button({}))
{
    addWidget(content);
    QFrame *message = build::panel();
    addWidget(message);

    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(200);
    m_progress->setAccessibleName(tr("Working"));
    m_words->setWordWrap(true);
    m_words->setAlignment(Qt::AlignHCenter);
    m_words->setMinimumWidth(480);
    m_words->setMaximumWidth(560);
    build::makeSelectable(m_words);
    m_words->setFocusPolicy(Qt::NoFocus);
    m_detail->setReadOnly(true);
    m_detail->setFont(theme.fixedFont());
    m_detail->setAccessibleName(tr("What the server said"));
    m_detail->setFixedSize(560, 72);
    m_button->setObjectName(u"stateButton"_s);
    m_button->hide(); // until it has something to say

    auto *layout = new QVBoxLayout(message);
    layout->setSpacing(8);
    layout->addStretch(2);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_icon, m_headline, m_words, m_progress, m_detail, m_button})
        layout->addWidget(widget, 0, Qt::AlignHCenter);
    layout->addStretch(3);

    connect(m_button, &QPushButton::clicked, this,
            [this] { m_kind == Kind::Failed ? emit retryWanted() : emit activated(); });
    connect(&theme, &Theme::changed, this, &PageState::paintIcon);
}

void PageState::showContent()
{
    setCurrentIndex(0);
}

void PageState::showLoading(const QString &headline, const QStringList &steps)
{
    say(Kind::Loading, headline, steps.join(u'\n'), {});
}

void PageState::showEmpty(const QString &headline, const QString &words, const QString &action)
{
    say(Kind::Empty, headline, words, action);
}

void PageState::showError(const engine::Error &error, const QString &action)
{
    say(Kind::Failed, error.message, error.hint, action.isEmpty() ? tr("Try again") : action);
    m_detail->setPlainText(error.detail);
    m_detail->setVisible(!error.detail.isEmpty());
}

void PageState::say(Kind kind, const QString &headline, const QString &words, const QString &action)
{
    m_kind = kind;
    m_headline->setText(headline);
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    // A centred label is given its width first; this keeps its last lines.
    m_words->setMinimumHeight(qMax(0, m_words->heightForWidth(m_words->minimumWidth())));
    m_progress->setVisible(kind == Kind::Loading);
    m_detail->hide();
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    m_icon->setVisible(kind != Kind::Loading);
    paintIcon();
    setCurrentIndex(1);
}

void PageState::paintIcon()
{
    const bool failed = m_kind == Kind::Failed;
    m_icon->setPixmap(m_theme.pixmap(failed ? u"state-critical"_s : u"outbox"_s,
                                     failed ? ColorId::Critical : ColorId::Muted, 24, devicePixelRatioF()));
}

} // namespace views
