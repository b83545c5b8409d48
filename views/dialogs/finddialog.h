// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/findmodel.h>

#include <QDialog>

class QLineEdit;
class QListView;

namespace views {

// Type a few letters or an id, choose with Up and Down, go with Enter.
class FindDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindDialog)

public:
    // `theme` outlives the dialog. `traces`, `jobs`: whether an id may be traced, or opened as a job.
    FindDialog(const Theme &theme, std::vector<models::FindEntry> entries, bool traces, bool jobs,
               QWidget *parent = nullptr);

signals:
    void chosen(const models::FindEntry &entry); // the dialog closes after it

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose(const QModelIndex &index);
    void move(int step);

    models::FindModel m_model;
    QLineEdit *m_input;
    QListView *m_list;
};

} // namespace views
