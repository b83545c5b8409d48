// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectdialog.h"

#include <views/widgets/build.h>
#include <views/widgets/twolinedelegate.h>

#include <models/urlsecret.h>

#include <engine/transport/redis/endpoint.h>
#include <engine/transport/sql/databaseurl.h>

#include <QCheckBox>
#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::config::ConnectionProfile;

namespace views {

namespace {

void setVerdict(QLabel *label, models::Severity severity, const QString &words)
{
    label->setText(words);
    build::restyle(label, "severity",
                   severity == models::Severity::Critical      ? u"critical"_s
                       : severity == models::Severity::Warning ? u"warning"_s
                       : severity == models::Severity::Good    ? u"good"_s
                                                               : u"muted"_s);
}

} // namespace

ConnectDialog::ConnectDialog(const Theme &theme, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_name(new QLineEdit)
    , m_database(new QLineEdit)
    , m_databasePassword(new QLineEdit)
    , m_redis(new QLineEdit)
    , m_redisPassword(new QLineEdit)
    , m_table(new QLineEdit)
    , m_prefix(new QLineEdit)
    , m_readOnly(new QCheckBox(tr("&Read-only: nothing can be changed over this connection")))
    , m_production(new QCheckBox(tr("Pro&duction: colours the window and its dialogs")))
    , m_problem(build::label({}, "muted"))
    , m_save(build::button(tr("&Save")))
    , m_connect(build::button(tr("&Connect")))
{
    setWindowTitle(tr("Connect"));
    setObjectName(u"connectDialog"_s);
    m_connect->setProperty("primary", true);
    m_connect->setDefault(true);
    m_connect->setObjectName(u"connectButton"_s);
    QPushButton *cancel = build::button(tr("Cancel"));
    m_problem->setWordWrap(true);

    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    buttons->addWidget(m_problem, 1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_save);
    buttons->addWidget(m_connect);
    auto *right = new QVBoxLayout;
    build::tighten(right, 12);
    right->addWidget(buildForm());
    right->addWidget(buildFindings(), 1);
    right->addStretch(0);
    auto *columns = new QHBoxLayout;
    build::tighten(columns, 16);
    columns->addWidget(buildList());
    columns->addLayout(right, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addLayout(columns, 1);
    layout->addLayout(buttons);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ConnectDialog::save);
    connect(m_connect, &QPushButton::clicked, this, [this] {
        emit connectWanted(profile());
        accept();
    });
    resize(880, 680);
}

QWidget *ConnectDialog::buildList()
{
    m_list = new QListView;
    m_list->setModel(&m_profiles);
    m_list->setItemDelegate(new TwoLineDelegate(m_theme, TwoLineDelegate::Icons::None, m_list));
    m_list->setAccessibleName(tr("Connections"));
    m_list->setObjectName(u"profileList"_s);
    m_new = build::button(tr("New"));
    m_new->setToolTip(tr("Describe a new connection"));
    m_remove = build::button(tr("Remove"));
    m_remove->setToolTip(tr("Forget this connection and its passwords"));
    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    buttons->addWidget(m_new);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto *side = new QWidget;
    side->setFixedWidth(220);
    auto *layout = new QVBoxLayout(side);
    build::tighten(layout, 8);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    choose(current.row());
            });
    connect(m_new, &QPushButton::clicked, this, [this] {
        choose(-1);
        m_name->setFocus();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { emit removeWanted(m_previousName); });
    return side;
}

QWidget *ConnectDialog::buildForm()
{
    auto *fields = new QWidget;
    auto *form = new QFormLayout(fields);
    m_form = form;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name->setPlaceholderText(tr("billing-staging"));
    m_database->setPlaceholderText(u"postgresql://user@host:5432/database"_s);
    m_redis->setPlaceholderText(u"redis://host:6379/0"_s);
    m_table->setPlaceholderText(tr("found by itself where only one fits"));
    m_prefix->setPlaceholderText(u"bull"_s);
    for (QLineEdit *password : {m_databasePassword, m_redisPassword}) {
        password->setEchoMode(QLineEdit::Password);
        password->setPlaceholderText(tr("password, kept in the keyring"));
    }
    m_name->setAccessibleName(tr("Name"));
    m_database->setAccessibleName(tr("PostgreSQL address"));
    m_databasePassword->setAccessibleName(tr("PostgreSQL password"));
    m_redis->setAccessibleName(tr("Redis address"));
    m_redisPassword->setAccessibleName(tr("Redis password"));
    m_table->setAccessibleName(tr("Outbox table"));
    m_prefix->setAccessibleName(tr("Queue prefix"));
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&PostgreSQL"), m_database);
    form->addRow(QString(), m_databasePassword);
    form->addRow(tr("R&edis"), m_redis);
    form->addRow(QString(), m_redisPassword);
    form->addRow(tr("&Table"), m_table);
    form->addRow(tr("&Queue prefix"), m_prefix);
    form->addRow(QString(), m_readOnly);
    form->addRow(QString(), m_production);

    m_sandboxWords =
        build::label(tr("A private PostgreSQL and Redis on this computer, with sample tables and events. Started "
                        "and stopped by the console; nothing else can reach them. Everything may be tried here. It "
                        "holds one table of either layout: "
                        "public.\"OutboxEvent\" and public.message_outbox."),
                     "muted");
    m_sandboxWords->setWordWrap(true);
    auto *both = new QWidget;
    auto *layout = new QVBoxLayout(both);
    build::tighten(layout);
    layout->setSpacing(12);
    layout->addWidget(m_sandboxWords);
    layout->addWidget(fields);

    connect(m_database, &QLineEdit::editingFinished, this, [this] { takePasswordOut(m_database, m_databasePassword); });
    connect(m_redis, &QLineEdit::editingFinished, this, [this] { takePasswordOut(m_redis, m_redisPassword); });
    for (QLineEdit *edit : {m_name, m_database, m_databasePassword, m_redis, m_redisPassword, m_table, m_prefix})
        connect(edit, &QLineEdit::textChanged, this, &ConnectDialog::edited);
    connect(m_readOnly, &QCheckBox::toggled, this, &ConnectDialog::edited);
    connect(m_production, &QCheckBox::toggled, this, &ConnectDialog::edited);
    return both;
}

QWidget *ConnectDialog::buildFindings()
{
    m_test = build::button(tr("Tes&t connection"));
    m_test->setToolTip(tr("Look at the database, the table, Redis and the queues, reading only"));
    m_test->setObjectName(u"testButton"_s);
    m_summary = build::label({}, "section");
    QPushButton *copy = build::button(tr("Copy findings"));
    copy->setEnabled(false);
    auto *top = new QHBoxLayout;
    build::tighten(top, 12);
    top->addWidget(m_test);
    top->addWidget(m_summary, 1);
    top->addWidget(copy);
    m_findingsView = new QListView;
    m_findingsView->setModel(&m_findings);
    m_findingsView->setItemDelegate(new TwoLineDelegate(m_theme, TwoLineDelegate::Icons::Severity, m_findingsView));
    m_findingsView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_findingsView->setResizeMode(QListView::Adjust);
    m_findingsView->setAccessibleName(tr("Findings of the connection test"));
    m_findingsPart = new QWidget;
    auto *layout = new QVBoxLayout(m_findingsPart);
    build::tighten(layout, 8);
    layout->addLayout(top);
    layout->addWidget(m_findingsView, 1);
    connect(m_test, &QPushButton::clicked, this, [this] {
        m_test->setEnabled(false);
        m_findings.setFindings({});
        setVerdict(m_summary, models::Severity::Muted, tr("Looking…"));
        emit testWanted(profile());
    });
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_findings.plainText()); });
    connect(&m_findings, &QAbstractItemModel::modelReset, copy,
            [this, copy] { copy->setEnabled(m_findings.rowCount() > 0); });
    return m_findingsPart;
}

void ConnectDialog::setProfiles(const QList<ConnectionProfile> &profiles, const QString &current)
{
    m_profiles.setProfiles(profiles);
    const int row = qMax(0, m_profiles.rowOf(current));
    if (m_profiles.rowCount() > 0)
        m_list->setCurrentIndex(m_profiles.index(row));
    else
        choose(-1);
}

void ConnectDialog::choose(int row)
{
    m_findings.setFindings({});
    setVerdict(m_summary, models::Severity::Muted, {});
    m_test->setEnabled(true);
    if (row < 0) {
        const QSignalBlocker blocker(m_list->selectionModel());
        m_list->clearSelection();
        m_list->setCurrentIndex({});
        m_previousName.clear();
        fill({});
        return;
    }
    const ConnectionProfile chosen = m_profiles.profiles()[row];
    m_previousName = chosen.sandbox ? QString() : chosen.name;
    fill(chosen);
    if (!chosen.sandbox)
        emit secretsWanted(chosen.name);
}

void ConnectDialog::fill(const ConnectionProfile &profile)
{
    m_filling = true;
    const models::SecretUrl database = models::splitSecret(profile.databaseUrl);
    const models::SecretUrl redis = models::splitSecret(profile.redisUrl);
    m_name->setText(profile.name);
    m_database->setText(database.url);
    m_databasePassword->setText(database.password);
    m_redis->setText(redis.url);
    m_redisPassword->setText(redis.password);
    m_table->setText(profile.table);
    m_prefix->setText(profile.queuePrefix);
    m_readOnly->setChecked(profile.readOnly);
    m_production->setChecked(profile.production);
    for (int row = 0; row < m_form->rowCount(); ++row) {
        const QLayoutItem *field = m_form->itemAt(row, QFormLayout::FieldRole);
        m_form->setRowVisible(row, !profile.sandbox || field->widget() == m_table);
    }
    m_sandboxWords->setVisible(profile.sandbox);
    m_filling = false;
    check();
}

void ConnectDialog::showSecrets(const QString &name, const QString &database, const QString &redis)
{
    // Another connection was chosen meanwhile, or the user was faster.
    if (name != m_previousName)
        return;
    m_filling = true;
    if (m_databasePassword->text().isEmpty())
        m_databasePassword->setText(database);
    if (m_redisPassword->text().isEmpty())
        m_redisPassword->setText(redis);
    m_filling = false;
}

void ConnectDialog::showFindings(const QList<engine::watch::Finding> &findings)
{
    m_test->setEnabled(true);
    m_findings.setFindings(findings);
    setVerdict(m_summary, m_findings.worst(), m_findings.summary());
}

void ConnectDialog::showSaved(const engine::Error *error)
{
    if (error)
        setVerdict(m_problem, models::Severity::Critical, error->text());
    else
        setVerdict(m_problem, models::Severity::Good, tr("Saved"));
}

void ConnectDialog::takePasswordOut(QLineEdit *url, QLineEdit *password)
{
    const models::SecretUrl parts = models::splitSecret(url->text());
    if (parts.password.isEmpty())
        return;
    url->setText(parts.url);
    password->setText(parts.password);
}

void ConnectDialog::edited()
{
    if (!m_filling)
        check();
}

bool ConnectDialog::isSandbox() const
{
    const QModelIndex current = m_list->currentIndex();
    return current.isValid() && m_profiles.profiles()[current.row()].sandbox;
}

QString ConnectDialog::problem() const
{
    if (isSandbox())
        return {};
    const QString name = m_name->text().trimmed();
    if (m_database->text().trimmed().isEmpty())
        return tr("PostgreSQL: an address is needed.");
    if (const auto url = engine::sql::DatabaseUrl::parse(m_database->text().trimmed()); !url)
        return url.error().text();
    if (m_redis->text().trimmed().isEmpty())
        return tr("Redis: an address is needed.");
    if (const auto endpoint = engine::redis::Endpoint::parse(m_redis->text().trimmed()); !endpoint)
        return endpoint.error().text();
    if (name != m_previousName && m_profiles.rowOf(name) >= 0)
        return tr("Another connection has this name.");
    return {};
}

void ConnectDialog::check()
{
    const QString wrong = problem();
    const bool sandbox = isSandbox();
    const bool empty = m_database->text().isEmpty() && m_redis->text().isEmpty();
    setVerdict(m_problem, empty ? models::Severity::Muted : models::Severity::Critical, wrong);
    m_connect->setEnabled(wrong.isEmpty());
    m_test->setEnabled(wrong.isEmpty() && !sandbox);
    m_findingsPart->setVisible(!sandbox);
    m_save->setEnabled(wrong.isEmpty() && !sandbox && !m_name->text().trimmed().isEmpty());
    m_save->setToolTip(m_name->text().trimmed().isEmpty() ? tr("Give it a name to save it")
                                                          : tr("Passwords go to the desktop's keyring"));
    m_remove->setEnabled(!m_previousName.isEmpty());
}

void ConnectDialog::save()
{
    const ConnectionProfile wanted = profile();
    const QString previous = m_previousName;
    m_previousName = wanted.name;
    emit saveWanted(wanted, previous);
}

ConnectionProfile ConnectDialog::profile() const
{
    if (isSandbox()) {
        ConnectionProfile sandbox = m_profiles.profiles()[m_list->currentIndex().row()];
        sandbox.table = m_table->text().trimmed();
        return sandbox;
    }
    ConnectionProfile profile;
    profile.name = m_name->text().trimmed();
    profile.databaseUrl = models::joinSecret(m_database->text().trimmed(), m_databasePassword->text());
    profile.redisUrl = models::joinSecret(m_redis->text().trimmed(), m_redisPassword->text());
    profile.table = m_table->text().trimmed();
    if (const QString prefix = m_prefix->text().trimmed(); !prefix.isEmpty())
        profile.queuePrefix = prefix;
    profile.readOnly = m_readOnly->isChecked();
    profile.production = m_production->isChecked();
    return profile;
}

} // namespace views
