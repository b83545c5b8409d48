// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/findingsmodel.h>
#include <models/profilemodel.h>

#include <engine/base/error.h>

#include <QDialog>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;

namespace views {

class Banner;

// Where to connect: the sandbox, a saved connection, or a new one. Tests before it connects, keeps passwords apart.
class ConnectDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ConnectDialog)

public:
    // `theme` outlives the dialog.
    explicit ConnectDialog(const Theme &theme, QWidget *parent = nullptr);

    // The sandbox comes first. `current` is chosen; passwords are asked for by secretsWanted().
    void setProfiles(const QList<engine::config::ConnectionProfile> &profiles, const QString &current);
    void showSecrets(const QString &name, const QString &database, const QString &redis);
    void showFindings(const QList<engine::watch::Finding> &findings);
    // Saved, or why not; `error` null: saved.
    void showSaved(const engine::Error *error);

signals:
    void secretsWanted(const QString &name);
    void testWanted(const engine::config::ConnectionProfile &profile);
    // URLs come with passwords. `previousName` is empty for a new connection.
    void saveWanted(const engine::config::ConnectionProfile &profile, const QString &previousName);
    void removeWanted(const QString &name);
    void connectWanted(const engine::config::ConnectionProfile &profile);

private:
    QWidget *buildList();
    QWidget *buildForm();
    QWidget *buildFindings();
    void choose(int row); // -1: a new connection
    void fill(const engine::config::ConnectionProfile &profile);
    void takePasswordOut(QLineEdit *url, QLineEdit *password);
    void check();
    void edited();
    void save();
    [[nodiscard]] engine::config::ConnectionProfile profile() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool isSandbox() const;

    const Theme &m_theme;
    models::ProfileModel m_profiles;
    models::FindingsModel m_findings;
    QString m_previousName; // of the saved connection being edited
    bool m_filling = false;

    QListView *m_list = nullptr;
    QPushButton *m_new = nullptr;
    QPushButton *m_remove = nullptr;
    QFormLayout *m_form = nullptr;
    QLabel *m_sandboxWords = nullptr;
    QLineEdit *m_name;
    QLineEdit *m_database;
    QLineEdit *m_databasePassword;
    QLineEdit *m_redis;
    QLineEdit *m_redisPassword;
    QLineEdit *m_table;
    QLineEdit *m_prefix;
    QCheckBox *m_readOnly;
    QCheckBox *m_production;
    QLabel *m_problem;
    QPushButton *m_test = nullptr;
    QLabel *m_summary = nullptr;
    QWidget *m_findingsPart = nullptr;
    QListView *m_findingsView = nullptr;
    QPushButton *m_save;
    QPushButton *m_connect;
};

} // namespace views
