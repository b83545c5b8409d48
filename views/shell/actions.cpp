// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"

using namespace Qt::StringLiterals;

namespace views {

namespace {

// A key of a window reaches everything in it; a key of a widget reaches that widget and, with its children, below.
bool reachesSamePlace(const ActionRegistry::Entry &one, const ActionRegistry::Entry &other)
{
    if (!one.owner || !other.owner)
        return false;
    if (one.context == Qt::ApplicationShortcut || other.context == Qt::ApplicationShortcut)
        return true;
    if (one.owner->window() != other.owner->window())
        return false;
    if (one.context == Qt::WindowShortcut || other.context == Qt::WindowShortcut)
        return true;
    return one.owner == other.owner
        || (one.context == Qt::WidgetWithChildrenShortcut && one.owner->isAncestorOf(other.owner))
        || (other.context == Qt::WidgetWithChildrenShortcut && other.owner->isAncestorOf(one.owner));
}

} // namespace

ActionRegistry::ActionRegistry(QObject *parent)
    : QObject(parent)
{ }

QAction *ActionRegistry::add(const QString &id, const QString &group, const QString &text,
                             const QList<QKeySequence> &keys, QWidget *owner, Qt::ShortcutContext context)
{
    Q_ASSERT_X(!action(id), "ActionRegistry::add", "an action of this id exists already");
    auto *action = new QAction(text, owner);
    action->setObjectName(id);
    action->setShortcuts(keys);
    action->setShortcutContext(context);
    QString plain = text;
    plain.remove(u'…');
    if (!keys.isEmpty())
        action->setToolTip(u"%1 (%2)"_s.arg(plain, keys.first().toString(QKeySequence::NativeText)));
    owner->addAction(action);
    m_entries.push_back({id, group, action, owner, context});
    return action;
}

void ActionRegistry::describe(const QString &group, const QString &text, const QString &keys)
{
    m_described.push_back({group, text, keys});
}

QAction *ActionRegistry::action(const QString &id) const
{
    for (const Entry &entry : m_entries) {
        if (entry.id == id)
            return entry.action;
    }
    return nullptr;
}

std::vector<ActionRegistry::Description> ActionRegistry::descriptions() const
{
    std::vector<Description> all;
    for (const Entry &entry : m_entries) {
        if (!entry.action || entry.action->shortcuts().isEmpty())
            continue;
        QStringList keys;
        for (const QKeySequence &key : entry.action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        QString text = entry.action->text();
        all.push_back({entry.group, text.remove(u'…').remove(u'&'), keys.join(tr(" or ", "between two keys"))});
    }
    all.insert(all.end(), m_described.begin(), m_described.end());
    return all;
}

QStringList ActionRegistry::clashes() const
{
    QStringList found;
    for (size_t i = 0; i < m_entries.size(); ++i) {
        for (size_t j = i + 1; j < m_entries.size(); ++j) {
            if (!m_entries[i].action || !m_entries[j].action || !reachesSamePlace(m_entries[i], m_entries[j]))
                continue;
            for (const QKeySequence &key : m_entries[i].action->shortcuts()) {
                if (m_entries[j].action->shortcuts().contains(key))
                    found << u"%1: %2, %3"_s.arg(key.toString(), m_entries[i].id, m_entries[j].id);
            }
        }
    }
    return found;
}

} // namespace views
