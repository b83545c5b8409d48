// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/documentsearch.h>

#include <engine/base/error.h>
#include <engine/payload/decode.h>
#include <engine/watch/documentref.h>

#include <QWidget>

#include <atomic>
#include <memory>
#include <vector>

class QLabel;
class QTabBar;
class QToolButton;

namespace views {

class DocumentView;
class FindBar;
class Theme;

// A stored document to read: unpacked and laid out, or as stored. Copy and Save give the stored bytes, whatever is
// shown. Of any size: what takes time happens in the background, the beginning is there at once.
class JsonView final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JsonView)

public:
    static constexpr qsizetype readAtOnce = 64 * 1024; // bytes; more are unpacked and checked in the background
    static constexpr qint64 wholeLimit = 64 * 1024 * 1024; // of which only a part was read: more is not asked for
    static constexpr size_t mostMatches = 10'000;

    // `theme` outlives the widget.
    explicit JsonView(const Theme &theme, QWidget *parent = nullptr);
    ~JsonView() override;

    // `fullSize`: what the store holds, where `bytes` was cut; the rest is then asked for by `ref`.
    void setPayload(const QByteArray &bytes, qint64 fullSize, const QString &type,
                    const engine::watch::DocumentRef &ref = {});
    void clear();
    void setHeading(const QString &text); // instead of "Payload"
    void setFileName(const QString &stem); // what Save proposes, without its ending

    // Answers to wholeWanted() and saveWanted(); those about another document are dropped.
    void showWhole(const engine::watch::DocumentRef &ref, const QByteArray &bytes);
    void showWholeFailed(const engine::watch::DocumentRef &ref, const engine::Error &error);
    void showSaved(const engine::watch::DocumentRef &ref, const QString &path);
    void showSaveFailed(const engine::watch::DocumentRef &ref, const engine::Error &error);

    void saveTo(const QString &path); // in the background
    void copy();
    [[nodiscard]] const DocumentView &view() const { return *m_view; }
    [[nodiscard]] bool isReady() const { return !m_examining; } // recognised to the end

signals:
    void wholeWanted(const engine::watch::DocumentRef &ref);
    void saveWanted(const engine::watch::DocumentRef &ref,
                    const QString &path); // of a document that is only in part here
    void ready();

protected:
    void showEvent(QShowEvent *event) override;

private:
    [[nodiscard]] bool isCut() const { return m_fullSize > m_stored.size(); }
    void examine();
    void accept(const engine::payload::Decoded &decoded, const QString &problem = {});
    void render();
    void renderNotes();
    void say(const QString &text, bool isProblem = false);
    void askForWhole();
    void chooseFile();
    void search();
    void showMatches();
    void forgetMatches();
    void goToMatch(bool backwards);

    QByteArray m_given; // as setPayload() had it
    QByteArray m_stored; // that, or the whole of it
    qint64 m_fullSize = 0;
    engine::watch::DocumentRef m_ref;
    QString m_fileName;
    engine::payload::Decoded m_decoded;
    QString m_problem; // with it, in words
    quint64 m_generation = 0; // of the document; late results are dropped
    bool m_examining = false;
    bool m_wholeAsked = false;
    bool m_copyWhenWhole = false;
    QString m_said; // the outcome of the last copy or save
    bool m_saidProblem = false;
    std::shared_ptr<std::atomic_bool> m_searchStop;
    quint64 m_search = 0; // late results of others are dropped
    std::vector<models::DocumentMatch> m_matches;
    size_t m_match = 0; // the one to see

    QLabel *m_heading;
    QLabel *m_size;
    QTabBar *m_tabs;
    QToolButton *m_find;
    QToolButton *m_copy;
    QToolButton *m_save;
    QLabel *m_form;
    QLabel *m_note;
    FindBar *m_findBar;
    DocumentView *m_view;
};

} // namespace views
