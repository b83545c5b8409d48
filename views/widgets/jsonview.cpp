// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonview.h"

#include "background.h"
#include "build.h"
#include "documentview.h"
#include "findbar.h"

#include <views/theme/theme.h>

#include <models/counttext.h>
#include <models/documenttext.h>

#include <engine/payload/file.h>

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QTabBar>
#include <QToolButton>

using namespace Qt::StringLiterals;
using engine::payload::Decoded;
using engine::payload::Form;
using engine::payload::Layer;
using engine::watch::DocumentRef;
using Mode = models::DocumentRows::Mode;

namespace views {

namespace {

enum Tab { Reading, Stored };

constexpr qsizetype unpackedAtOnce = 1024 * 1024; // bytes
constexpr qsizetype surelyOpaque = 4096; // bytes that cannot be MessagePack of more than that

// How the stored bytes themselves are best shown.
Mode storedMode(const Decoded &decoded)
{
    if (decoded.layers.empty())
        return decoded.form == Form::Binary ? Mode::Hex : Mode::Text;
    const Layer::Kind outermost = decoded.layers.front().kind;
    return outermost == Layer::Kind::Hex || outermost == Layer::Kind::Base64 ? Mode::Text : Mode::Hex;
}

Mode readingMode(const Decoded &decoded)
{
    return decoded.form == Form::Json ? Mode::Json : decoded.form == Form::Binary ? Mode::Hex : Mode::Text;
}

} // namespace

JsonView::JsonView(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_heading(build::label(tr("Payload"), "section", this))
    , m_size(build::label({}, "muted", this))
    , m_tabs(new QTabBar(this))
    , m_find(build::toolButton(tr("Find in this document"), this))
    , m_copy(build::toolButton(tr("Copy payload"), this))
    , m_save(build::toolButton(tr("Save payload to a file"), this))
    , m_form(build::label({}, "muted", this))
    , m_note(build::label({}, "muted", this))
    , m_findBar(new FindBar(theme, this))
    , m_view(new DocumentView(theme, this))
{
    m_tabs->addTab(tr("Formatted"));
    m_tabs->addTab(tr("As stored"));
    m_tabs->setAccessibleName(tr("Payload view"));
    m_tabs->setObjectName(u"documentForms"_s);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_find->setToolTip(tr("Find in this document (Ctrl+F while it has the focus)"));
    m_find->setObjectName(u"findButton"_s);
    m_copy->setObjectName(u"copyPayload"_s);
    m_copy->setToolTip(tr("Copy the payload as stored"));
    m_save->setObjectName(u"savePayload"_s);
    m_save->setToolTip(tr("Save the payload as stored… (Ctrl+S while it has the focus)"));
    m_form->setObjectName(u"documentForm"_s);
    m_form->setWordWrap(true);
    m_form->hide();
    m_note->setObjectName(u"documentNote"_s);
    m_note->setWordWrap(true);
    m_note->hide();
    m_view->setAccessibleName(tr("Payload"));
    m_view->setMinimumHeight(120);
    m_view->setPlaceholderText(tr("Nothing is stored."));

    auto *top = new QHBoxLayout;
    build::tighten(top, 2);
    top->addWidget(m_heading);
    top->addSpacing(4);
    top->addWidget(m_size, 1);
    top->addWidget(m_find);
    top->addWidget(m_copy);
    top->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 4);
    layout->addLayout(top);
    layout->addWidget(m_form);
    layout->addWidget(m_tabs);
    layout->addWidget(m_note);
    layout->addWidget(m_findBar);
    layout->addWidget(m_view, 1);

    const auto dress = [this, &theme] {
        m_find->setIcon(theme.icon(u"search"_s));
        m_copy->setIcon(theme.icon(u"copy"_s));
        m_save->setIcon(theme.icon(u"save"_s));
    };
    dress();
    connect(&theme, &Theme::changed, this, dress);
    connect(m_tabs, &QTabBar::currentChanged, this, &JsonView::render);
    connect(m_find, &QToolButton::clicked, m_findBar, &FindBar::open);
    connect(m_copy, &QToolButton::clicked, this, &JsonView::copy);
    connect(m_save, &QToolButton::clicked, this, &JsonView::chooseFile);
    connect(m_view, &DocumentView::findWanted, m_findBar, &FindBar::open);
    connect(m_view, &DocumentView::saveWanted, this, &JsonView::chooseFile);
    connect(m_view, &DocumentView::notCopied, this,
            [this] { say(tr("The selection is no text. Save the whole to a file instead."), true); });
    connect(m_view, &DocumentView::findNextWanted, m_findBar, &FindBar::nextWanted);
    connect(m_findBar, &FindBar::textChanged, this, &JsonView::search);
    connect(m_findBar, &FindBar::nextWanted, this, &JsonView::goToMatch);
    connect(m_findBar, &FindBar::closed, this, [this] {
        forgetMatches();
        m_view->setFocus();
    });
}

JsonView::~JsonView()
{
    if (m_searchStop)
        *m_searchStop = true;
}

void JsonView::setHeading(const QString &text)
{
    m_heading->setText(text);
    m_view->setAccessibleName(text);
}

void JsonView::setFileName(const QString &stem)
{
    m_fileName = stem;
}

void JsonView::setPayload(const QByteArray &bytes, qint64 fullSize, const QString &type, const DocumentRef &ref)
{
    if (m_ref == ref && m_fullSize == fullSize && m_given == bytes)
        return;
    m_given = bytes;
    m_stored = bytes;
    m_fullSize = fullSize;
    m_ref = ref;
    m_said.clear();
    m_wholeAsked = false;
    m_copyWhenWhole = false;
    m_size->setText(type.isEmpty() ? models::bytesText(fullSize) : models::bytesText(fullSize) + u" · "_s + type);
    for (QToolButton *button : {m_find, m_copy, m_save})
        button->setEnabled(true);
    examine();
    askForWhole();
}

void JsonView::clear()
{
    ++m_generation;
    m_given.clear();
    m_stored.clear();
    m_fullSize = 0;
    m_ref = {};
    m_said.clear();
    m_examining = false;
    m_size->clear();
    for (QToolButton *button : {m_find, m_copy, m_save})
        button->setEnabled(false);
    accept({});
}

void JsonView::examine()
{
    const quint64 generation = ++m_generation;
    const bool cut = isCut();
    Decoded first; // by the look of it, until it is known for sure
    first.bytes = m_stored;
    m_examining = m_stored.size() > readAtOnce;
    if (m_examining) {
        first.form = engine::payload::guess(m_stored);
    } else {
        // Little may hold much: what does not unpack to the end at once is only the beginning.
        first = engine::payload::decode(m_stored, cut, unpackedAtOnce);
        const bool opaque = first.form == Form::Binary && m_stored.size() > surelyOpaque;
        m_examining = first.problem == Decoded::Problem::Limit || opaque;
        if (!m_examining) {
            accept(first, models::documentProblemText(first));
            return;
        }
    }
    accept(first);
    background::run([stored = m_stored, cut] {
        const Decoded decoded = engine::payload::decode(stored, cut);
        return std::pair(decoded, models::documentProblemText(decoded)); // which counts lines to the place
    }).then(this, [this, generation](const std::pair<Decoded, QString> &result) {
        if (generation != m_generation)
            return;
        m_examining = false;
        accept(result.first, result.second);
        emit ready();
    });
}

void JsonView::accept(const Decoded &decoded, const QString &problem)
{
    m_decoded = decoded;
    m_problem = problem;
    render();
}

void JsonView::render()
{
    const bool opaque = m_decoded.form == Form::Binary && m_decoded.layers.empty();
    m_tabs->setVisible(!opaque && m_decoded.form != Form::Empty);
    m_tabs->setTabText(Reading, m_decoded.isDecoded() ? tr("Decoded") : tr("Formatted"));
    const bool stored = m_tabs->currentIndex() == Stored;
    m_view->setDocument(stored ? m_stored : m_decoded.bytes, stored ? storedMode(m_decoded) : readingMode(m_decoded));
    renderNotes();
    if (m_findBar->isVisible())
        search();
}

void JsonView::renderNotes()
{
    const QString form = m_examining && m_decoded.form == Form::Binary ? tr("Looking at what this is…")
                                                                       : models::documentFormText(m_decoded);
    m_form->setText(form);
    m_form->setVisible(!form.isEmpty());

    QStringList notes;
    if (!m_problem.isEmpty())
        notes << m_problem;
    if (isCut() && m_wholeAsked)
        notes << tr("Reading the rest of %1…").arg(models::bytesText(m_fullSize));
    else if (isCut())
        notes << tr("The first %1 of %2; saving takes all.")
                     .arg(models::bytesText(m_stored.size()), models::bytesText(m_fullSize));
    if (!m_said.isEmpty())
        notes << m_said;
    m_note->setText(notes.join(u' '));
    m_note->setVisible(!notes.isEmpty());
    build::restyle(m_note, "severity", m_saidProblem && !m_said.isEmpty() ? u"critical"_s : QString());
}

void JsonView::say(const QString &text, bool isProblem)
{
    m_said = text;
    m_saidProblem = isProblem;
    renderNotes();
}

void JsonView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    askForWhole();
}

void JsonView::askForWhole()
{
    // A view behind a tab costs nothing until it is looked at.
    if (!isVisible() || !isCut() || m_wholeAsked || m_fullSize > wholeLimit || m_ref == DocumentRef())
        return;
    m_wholeAsked = true;
    renderNotes();
    emit wholeWanted(m_ref);
}

void JsonView::showWhole(const DocumentRef &ref, const QByteArray &bytes)
{
    if (m_ref != ref || !isCut())
        return;
    m_stored = bytes;
    m_fullSize = bytes.size(); // it may have changed since
    m_wholeAsked = false;
    examine();
    if (std::exchange(m_copyWhenWhole, false))
        copy();
}

void JsonView::showWholeFailed(const DocumentRef &ref, const engine::Error &error)
{
    if (m_ref != ref || !isCut())
        return;
    m_wholeAsked = false;
    m_copyWhenWhole = false;
    say(tr("The rest could not be read: %1").arg(error.text()), true);
}

void JsonView::copy()
{
    if (isCut()) {
        if (m_fullSize > wholeLimit || m_ref == DocumentRef()) {
            say(tr("%1 are too much to copy. Save them to a file instead.").arg(models::bytesText(m_fullSize)), true);
            return;
        }
        m_copyWhenWhole = true;
        say(tr("It is copied as soon as all of it is here."));
        askForWhole();
        return;
    }
    background::run([stored = m_stored]() -> std::optional<QString> {
        if (!stored.isValidUtf8() || stored.contains('\0'))
            return std::nullopt;
        return QString::fromUtf8(stored);
    }).then(this, [this, generation = m_generation, size = m_stored.size()](const std::optional<QString> &text) {
        if (text)
            QGuiApplication::clipboard()->setText(*text);
        if (generation != m_generation)
            return; // another document is shown by now, of which this would be said
        if (text)
            say(tr("Copied as stored, %1.").arg(models::bytesText(size)));
        else
            say(tr("The stored bytes are no text, so nothing was copied. Save them to a file instead."), true);
    });
}

void JsonView::chooseFile()
{
    if (!m_save->isEnabled())
        return;
    auto *dialog = new QFileDialog(this, tr("Save payload"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString suffix = models::documentSuffix(m_decoded);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile((m_fileName.isEmpty() ? u"payload"_s : m_fileName) + u'.' + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, &JsonView::saveTo);
    dialog->open();
}

void JsonView::saveTo(const QString &path)
{
    say(tr("Saving…"));
    if (isCut() && m_ref != DocumentRef()) {
        emit saveWanted(m_ref, path);
        return;
    }
    background::run([stored = m_stored, path] {
        return engine::payload::saveTo(path, stored);
    }).then(this, [this, path, ref = m_ref](const engine::Result<void> &saved) {
        if (saved)
            showSaved(ref, path);
        else
            showSaveFailed(ref, saved.error());
    });
}

void JsonView::showSaved(const DocumentRef &ref, const QString &path)
{
    if (m_ref == ref)
        say(tr("Saved to %1.").arg(path));
}

void JsonView::showSaveFailed(const DocumentRef &ref, const engine::Error &error)
{
    if (m_ref == ref)
        say(error.text(), true);
}

void JsonView::search()
{
    if (m_searchStop)
        *m_searchStop = true;
    const QString text = m_findBar->text();
    const quint64 search = ++m_search;
    if (text.isEmpty()) {
        forgetMatches();
        m_findBar->showFound(0, {}, false);
        return;
    }
    m_findBar->showSearching();
    m_searchStop = std::make_shared<std::atomic_bool>(false);
    background::run([document = m_view->document(), text, stop = m_searchStop] {
        return models::findInDocument(document, text, mostMatches, stop.get());
    }).then(this, [this, search](const std::vector<models::DocumentMatch> &matches) {
        if (search != m_search)
            return;
        m_matches = matches;
        // The first one from what is on screen on.
        const auto from = std::ranges::lower_bound(matches, m_view->firstByteShown(), {}, &models::DocumentMatch::from);
        m_match = from == matches.end() ? 0 : static_cast<size_t>(from - matches.begin());
        showMatches();
    });
}

void JsonView::showMatches()
{
    const std::optional<size_t> current = m_matches.empty() ? std::nullopt : std::optional(m_match);
    m_view->setMatches(m_matches, current);
    m_findBar->showFound(m_matches.size(), current, m_matches.size() == mostMatches);
}

void JsonView::forgetMatches()
{
    ++m_search;
    m_matches.clear();
    m_view->setMatches({}, {});
}

void JsonView::goToMatch(bool backwards)
{
    if (m_matches.empty())
        return;
    m_match = (m_match + (backwards ? m_matches.size() - 1 : 1)) % m_matches.size();
    showMatches();
}

} // namespace views
