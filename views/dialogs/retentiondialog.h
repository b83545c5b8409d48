// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/timetext.h>

#include <engine/config/profile.h>
#include <engine/outbox/retention.h>
#include <engine/watch/retentionfeed.h>

#include <QDialog>

#include <optional>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace views {

class Banner;
class CopyField;

// Shows which old rows would go, and removes them when told to. The preview comes first, always; production asks for
// its name.
class RetentionDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RetentionDialog)

public:
    // `theme` outlives the dialog.
    RetentionDialog(const Theme &theme, const engine::config::ConnectionProfile &profile,
                    const engine::outbox::Layout &layout, const engine::outbox::RetentionRule &rule, models::Zone zone,
                    QWidget *parent = nullptr);

    void showWaiting(); // for a preview
    void showPreview(const engine::outbox::RetentionPreview &preview);
    void showProblem(const engine::Error &error); // the preview failed
    void showProgress(const engine::watch::RetentionTotals &totals);
    void showFinished(const engine::watch::RetentionTotals &totals, const std::optional<engine::Error> &failure);

signals:
    void previewWanted();
    void removeWanted(const engine::outbox::RetentionRule &rule, bool untilNothingIsLeft);
    void stopWanted();

private:
    void removeOrStop();
    void updateControls();

    const engine::config::ConnectionProfile m_profile;
    const engine::outbox::RetentionRule m_rule;
    const models::Zone m_zone;
    std::optional<engine::outbox::RetentionPreview> m_preview;
    bool m_isRemoving = false;
    bool m_isStopping = false;

    QLabel *m_count;
    QLabel *m_countWords;
    QLabel *m_oldest;
    QCheckBox *m_all;
    QLineEdit *m_name = nullptr; // on a writable production only
    CopyField *m_command;
    Banner *m_result;
    QPushButton *m_again;
    QPushButton *m_remove;
};

} // namespace views
