// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/config/profile.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/publisher.h>

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace views {

class Banner;
class CopyField;
class JsonEdit;

// Writes one event. Checks while typing, publishes in the background, says inside the dialog what came of it.
class ComposeDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ComposeDialog)

public:
    // `theme` outlives the dialog.
    ComposeDialog(const Theme &theme, const engine::config::ConnectionProfile &profile,
                  const engine::outbox::Layout &layout, const engine::dispatch::Router &router,
                  QWidget *parent = nullptr);

    void prefill(const engine::outbox::NewEvent &event);
    void showPublished(const engine::outbox::Published &published);
    void showProblem(const engine::Error &error);

signals:
    void publishWanted(const engine::outbox::NewEvent &event);

private:
    void buildForm(QFormLayout *form);
    void check();
    void publish();
    [[nodiscard]] engine::outbox::NewEvent event() const;

    const Theme &m_theme;
    const engine::config::ConnectionProfile m_profile;
    const engine::outbox::Layout m_layout;
    const engine::dispatch::Router m_router;
    bool m_publishing = false;

    QLineEdit *m_type;
    QLabel *m_typeState;
    QLineEdit *m_tenant;
    QLabel *m_tenantState;
    JsonEdit *m_payload;
    QLabel *m_payloadState;
    QPushButton *m_indent;
    QLineEdit *m_key;
    QSpinBox *m_delay;
    QComboBox *m_delayUnit;
    QLineEdit *m_aggregateType;
    QLineEdit *m_aggregateId;
    JsonEdit *m_metadata;
    QLabel *m_metadataState;
    CopyField *m_command;
    Banner *m_result;
    QPushButton *m_publish;
};

} // namespace views
