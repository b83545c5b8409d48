// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace views {

// Every action of the window with its keys, in one place: for the keyboard page and for the check that no key means
// two things at once.
class ActionRegistry final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ActionRegistry)

public:
    struct Entry
    {
        QString id; // stable, for settings and tests
        QString group; // translated heading on the keyboard page
        QPointer<QAction> action;
        QPointer<QWidget> owner;
        Qt::ShortcutContext context = Qt::WindowShortcut;
    };

    explicit ActionRegistry(QObject *parent = nullptr);

    // Creates an action on `owner`. Its tool tip names the keys.
    QAction *add(const QString &id, const QString &group, const QString &text, const QList<QKeySequence> &keys,
                 QWidget *owner, Qt::ShortcutContext context = Qt::WindowShortcut);
    // Keys that a widget handles by itself, for the keyboard page.
    void describe(const QString &group, const QString &text, const QString &keys);

    [[nodiscard]] QAction *action(const QString &id) const; // null: none
    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    struct Description
    {
        QString group, text, keys;
    };
    // Everything with a key, in the order of registration.
    [[nodiscard]] std::vector<Description> descriptions() const;

    // "F5: refresh, reload": keys that more than one action would take in the same place.
    [[nodiscard]] QStringList clashes() const;

private:
    std::vector<Entry> m_entries;
    std::vector<Description> m_described;
};

} // namespace views
