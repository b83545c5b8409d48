// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonview.h"

#include "build.h"
#include "jsonhighlighter.h"

#include <models/counttext.h>
#include <models/jsonlayout.h>

#include <engine/base/jsontext.h>

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QSaveFile>
#include <QTabBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

namespace {

enum Tab { Formatted, Stored };

} // namespace

JsonView::JsonView(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_heading(build::label(tr("Payload"), "section", this))
    , m_size(build::label({}, "muted", this))
    , m_tabs(new QTabBar(this))
    , m_copy(build::toolButton(tr("Copy payload"), this))
    , m_save(build::toolButton(tr("Save payload to a file"), this))
    , m_note(build::label({}, "muted", this))
    , m_text(new QPlainTextEdit(this))
    , m_highlighter(new JsonHighlighter(theme, m_text->document()))
{
    m_tabs->addTab(tr("Formatted"));
    m_tabs->addTab(tr("As stored"));
    m_tabs->setAccessibleName(tr("Payload view"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_copy->setObjectName(u"copyPayload"_s);
    m_copy->setToolTip(tr("Copy the payload as stored"));
    m_save->setToolTip(tr("Save the payload as stored…"));
    m_note->setWordWrap(true);
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFont(theme.fixedFont());
    m_text->setWordWrapMode(QTextOption::WrapAnywhere);
    m_text->setUndoRedoEnabled(false);
    m_text->setAccessibleName(tr("Payload"));
    m_text->setMinimumHeight(120);

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(m_heading);
    top->addWidget(m_size, 1);
    top->addWidget(m_copy);
    top->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 4);
    layout->addLayout(top);
    layout->addWidget(m_tabs);
    layout->addWidget(m_note);
    layout->addWidget(m_text, 1);

    const auto dress = [this, &theme] {
        m_copy->setIcon(theme.icon(u"copy"_s));
        m_save->setIcon(theme.icon(u"save"_s));
    };
    dress();
    connect(&theme, &Theme::changed, this, dress);
    connect(m_tabs, &QTabBar::currentChanged, this, &JsonView::render);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QString::fromUtf8(m_bytes)); });
    connect(m_save, &QToolButton::clicked, this, &JsonView::save);
}

void JsonView::setHeading(const QString &text)
{
    m_heading->setText(text);
}

void JsonView::setPayload(const QByteArray &bytes, qint64 fullSize, const QString &type)
{
    if (m_bytes == bytes && m_fullSize == fullSize)
        return;
    m_bytes = bytes;
    m_fullSize = fullSize;
    m_size->setText(type.isEmpty() ? models::bytesText(fullSize) : models::bytesText(fullSize) + u" · "_s + type);
    m_copy->setEnabled(true);
    m_save->setEnabled(true);
    render();
}

void JsonView::clear()
{
    m_bytes.clear();
    m_fullSize = 0;
    m_size->clear();
    m_note->hide();
    m_text->clear();
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
}

void JsonView::render()
{
    QString note;
    QByteArray shown;
    const bool cut = m_fullSize > m_bytes.size();
    const bool wantsFormatted = m_tabs->currentIndex() == Formatted;
    if (wantsFormatted && !cut && m_bytes.size() <= formattedLimit) {
        const auto fault = engine::jsontext::findFault(m_bytes);
        if (!fault) {
            shown = models::jsonlayout::indented(m_bytes);
        } else {
            const auto at = models::jsonlayout::positionOf(m_bytes, fault->offset);
            note = tr("Not valid JSON (line %1, column %2), shown as stored.").arg(at.line).arg(at.column);
        }
    } else if (wantsFormatted) {
        note = tr("Too large to lay out, shown as stored.");
    }
    if (shown.isEmpty()) {
        shown = m_bytes.first(qMin(m_bytes.size(), shownLimit));
        if (shown.size() < m_bytes.size())
            note += (note.isEmpty() ? u""_s : u" "_s)
                + tr("The first %1 of %2; copy and save take more.")
                      .arg(models::bytesText(shown.size()), models::bytesText(m_fullSize));
    }
    if (cut)
        note += u' ' + tr("Only the first %1 were read.").arg(models::bytesText(m_bytes.size()));
    m_note->setText(note.trimmed());
    m_note->setVisible(!note.isEmpty());
    m_text->setPlainText(QString::fromUtf8(shown));
}

void JsonView::save()
{
    auto *dialog = new QFileDialog(this, tr("Save payload"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"json"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this, bytes = m_bytes](const QString &path) {
        QSaveFile file(path);
        const bool saved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
        m_note->setText(saved ? tr("Saved to %1.").arg(path) : tr("Could not save: %1").arg(file.errorString()));
        m_note->show();
    });
    dialog->open();
}

} // namespace views
