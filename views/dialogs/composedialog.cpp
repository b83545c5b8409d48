// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "composedialog.h"

#include "connectiontag.h"

#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>
#include <views/widgets/jsonedit.h>

#include <models/commandline.h>

#include <engine/outbox/eventtype.h>

#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::outbox::NewEvent;

namespace views {

namespace {

QLabel *stateLabel()
{
    QLabel *label = build::label({}, "muted");
    label->setWordWrap(true);
    label->setMinimumHeight(18);
    return label;
}

void setState(QLabel *label, bool good, const QString &words)
{
    label->setText(words.isEmpty() ? QString() : (good ? u"✓ "_s : u"✗ "_s) + words);
    build::restyle(label, "severity", words.isEmpty() ? u"muted"_s : good ? u"good"_s : u"critical"_s);
}

QWidget *stacked(QWidget *field, QWidget *state)
{
    auto *both = new QWidget;
    auto *layout = new QVBoxLayout(both);
    build::tighten(layout, 2);
    layout->addWidget(field);
    layout->addWidget(state);
    both->setFocusProxy(field);
    return both;
}

// A row whose label leads to `field`.
void addRow(QFormLayout *form, const QString &text, QLayout *row, QWidget *field)
{
    auto *label = new QLabel(text);
    label->setBuddy(field);
    form->addRow(label, row);
}

} // namespace

ComposeDialog::ComposeDialog(const Theme &theme, const engine::config::ConnectionProfile &profile,
                             const engine::outbox::Layout &layout, const engine::dispatch::Router &router,
                             QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_profile(profile)
    , m_layout(layout)
    , m_router(router)
    , m_type(new QLineEdit)
    , m_typeState(stateLabel())
    , m_tenant(new QLineEdit)
    , m_tenantState(stateLabel())
    , m_payload(new JsonEdit(theme))
    , m_payloadState(stateLabel())
    , m_indent(build::button(tr("Indent")))
    , m_key(new QLineEdit)
    , m_delay(new QSpinBox)
    , m_delayUnit(new QComboBox)
    , m_aggregateType(new QLineEdit)
    , m_aggregateId(new QLineEdit)
    , m_metadata(new JsonEdit(theme))
    , m_metadataState(stateLabel())
    , m_command(new CopyField(theme, tr("The same as command line")))
    , m_result(new Banner(theme))
    , m_publish(build::button(tr("Publish event")))
{
    setWindowTitle(tr("Compose event"));
    setObjectName(u"composeDialog"_s);
    auto *form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    buildForm(form);

    m_publish->setProperty("primary", true);
    m_publish->setDefault(true);
    m_publish->setToolTip(tr("Publish event (Ctrl+Return)"));
    m_publish->setObjectName(u"publishButton"_s);
    QPushButton *close = build::button(tr("Close"));
    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(m_publish);

    auto *body = new QVBoxLayout;
    body->setContentsMargins(16, 16, 16, 16);
    body->setSpacing(12);
    body->addLayout(form, 1);
    body->addWidget(m_result);
    body->addLayout(buttons);
    auto *outer = new QVBoxLayout(this);
    build::tighten(outer);
    outer->addWidget(new ConnectionTag(theme, profile, m_layout.displayName()));
    outer->addLayout(body, 1);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_publish, &QPushButton::clicked, this, &ComposeDialog::publish);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto *shortcut = new QShortcut(QKeySequence(Qt::ControlModifier | static_cast<Qt::Key>(key)), this);
        connect(shortcut, &QShortcut::activated, this, &ComposeDialog::publish);
    }
    resize(680, 640);
    check();
}

void ComposeDialog::buildForm(QFormLayout *form)
{
    QStringList prefixes;
    for (const engine::dispatch::Route &route : m_router.routes())
        prefixes << QString::fromUtf8(route.prefix);
    prefixes.sort();
    auto *completer = new QCompleter(prefixes, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_type->setCompleter(completer);
    m_type->setPlaceholderText(u"billing.invoice.paid"_s);
    m_type->setObjectName(u"typeField"_s);
    form->addRow(tr("&Type"), stacked(m_type, m_typeState));
    m_type->setAccessibleName(tr("Event type"));
    m_tenant->setAccessibleName(tr("Tenant"));
    m_tenant->setObjectName(u"tenantField"_s);
    form->addRow(tr("Te&nant"), stacked(m_tenant, m_tenantState));

    if (m_layout.kind == engine::outbox::LayoutKind::Message) {
        m_aggregateType->setPlaceholderText(tr("the type's first word"));
        m_aggregateId->setPlaceholderText(tr("the row's own id"));
        m_aggregateType->setAccessibleName(tr("Aggregate type"));
        m_aggregateId->setAccessibleName(tr("Aggregate id"));
        auto *pair = new QHBoxLayout;
        build::tighten(pair, 8);
        pair->addWidget(m_aggregateType, 1);
        pair->addWidget(m_aggregateId, 1);
        addRow(form, tr("&Aggregate"), pair, m_aggregateType);
    }

    m_payload->setPlainText(u"{\n  \n}"_s);
    m_payload->setAccessibleName(tr("Payload, JSON"));
    m_payload->setObjectName(u"payloadField"_s);
    m_payload->setMinimumHeight(140);
    m_indent->setToolTip(tr("Lay the payload out; numbers and strings stay as they are typed"));
    auto *under = new QWidget;
    auto *underLayout = new QHBoxLayout(under);
    build::tighten(underLayout, 8);
    underLayout->addWidget(m_payloadState, 1);
    underLayout->addWidget(m_indent);
    form->addRow(tr("&Payload"), stacked(m_payload, under));

    m_metadata->setOptional(true);
    if (m_layout.kind == engine::outbox::LayoutKind::Message) {
        m_metadata->setAccessibleName(tr("Metadata, JSON"));
        m_metadata->setPlaceholderText(u"{\"correlationId\": \"…\"}"_s);
        m_metadata->setFixedHeight(64);
        form->addRow(tr("&Metadata"), stacked(m_metadata, m_metadataState));
    }
    m_key->setPlaceholderText(tr("optional: makes publishing twice harmless"));
    m_key->setAccessibleName(tr("Dispatch key"));
    if (m_layout.dispatchKey.exists())
        form->addRow(tr("Dispatch &key"), m_key);

    m_delay->setRange(0, 1000000);
    m_delay->setSpecialValueText(tr("at once"));
    m_delay->setAccessibleName(tr("Delay"));
    m_delay->setMinimumWidth(110);
    m_delayUnit->addItem(tr("seconds"), 1000);
    m_delayUnit->addItem(tr("minutes"), 60000);
    m_delayUnit->addItem(tr("hours"), 3600000);
    m_delayUnit->setCurrentIndex(1);
    m_delayUnit->setAccessibleName(tr("Unit of the delay"));
    auto *delay = new QHBoxLayout;
    build::tighten(delay, 8);
    delay->addWidget(m_delay);
    delay->addWidget(m_delayUnit);
    delay->addStretch(1);
    addRow(form, tr("&Due"), delay, m_delay);
    form->addRow(tr("In a terminal"), m_command);

    for (QLineEdit *edit : {m_type, m_tenant, m_key, m_aggregateType, m_aggregateId})
        connect(edit, &QLineEdit::textChanged, this, &ComposeDialog::check);
    connect(m_payload, &JsonEdit::checked, this, &ComposeDialog::check);
    connect(m_metadata, &JsonEdit::checked, this, &ComposeDialog::check);
    connect(m_delay, &QSpinBox::valueChanged, this, &ComposeDialog::check);
    connect(m_delayUnit, &QComboBox::currentIndexChanged, this, &ComposeDialog::check);
    connect(m_indent, &QPushButton::clicked, m_payload, &JsonEdit::indentNow);
}

void ComposeDialog::prefill(const NewEvent &event)
{
    m_type->setText(QString::fromUtf8(event.eventType));
    m_tenant->setText(QString::fromUtf8(event.tenantId));
    m_payload->setPlainText(QString::fromUtf8(event.payload));
    m_payload->indentNow();
    m_aggregateType->setText(QString::fromUtf8(event.aggregateType));
    m_aggregateId->setText(QString::fromUtf8(event.aggregateId));
    m_metadata->setPlainText(QString::fromUtf8(event.metadata));
}

NewEvent ComposeDialog::event() const
{
    NewEvent event;
    event.eventType = m_type->text().trimmed().toUtf8();
    event.tenantId = m_tenant->text().trimmed().toUtf8();
    event.payload = m_payload->toPlainText().toUtf8();
    if (const QByteArray key = m_key->text().trimmed().toUtf8(); m_layout.dispatchKey.exists() && !key.isEmpty())
        event.dispatchKey = key;
    event.delay = std::chrono::milliseconds(qint64(m_delay->value()) * m_delayUnit->currentData().toLongLong());
    if (m_layout.kind == engine::outbox::LayoutKind::Message) {
        event.aggregateType = m_aggregateType->text().trimmed().toUtf8();
        event.aggregateId = m_aggregateId->text().trimmed().toUtf8();
        event.metadata = m_metadata->toPlainText().trimmed().toUtf8();
    }
    return event;
}

void ComposeDialog::check()
{
    const NewEvent now = event();
    bool typeIsGood = false;
    if (now.eventType.isEmpty()) {
        setState(m_typeState, true, {});
    } else if (const auto name = engine::outbox::checkEventType(now.eventType); !name) {
        setState(m_typeState, false, name.error().text());
    } else if (const auto queue = m_router.queueFor(now.eventType); !queue) {
        setState(m_typeState, false, tr("No route matches this type, so no dispatcher could hand it over."));
    } else {
        typeIsGood = true;
        setState(m_typeState, true, tr("Goes to the queue %1").arg(QString::fromUtf8(*queue)));
    }
    // Said only when everything before it is right: an empty form is not wrong yet.
    setState(m_tenantState, false, typeIsGood && now.tenantId.isEmpty() ? tr("An event needs a tenant.") : QString());
    m_tenantState->setVisible(!m_tenantState->text().isEmpty());
    setState(m_payloadState, m_payload->isValid(), m_payload->isValid() ? tr("Valid JSON") : m_payload->problem());
    setState(m_metadataState, m_metadata->isValid(), m_metadata->problem());
    m_indent->setEnabled(m_payload->isValid());

    const bool complete = typeIsGood && !now.tenantId.isEmpty() && m_payload->isValid() && m_metadata->isValid();
    m_command->setText(complete ? models::commandline::publish(m_profile, now) : QString());
    m_command->setEnabled(complete);
    m_publish->setEnabled(complete && !m_publishing && !m_profile.readOnly);
}

void ComposeDialog::publish()
{
    if (!m_publish->isEnabled())
        return;
    m_publishing = true;
    m_publish->setText(tr("Publishing…"));
    m_result->clear();
    check();
    emit publishWanted(event());
}

void ComposeDialog::showPublished(const engine::outbox::Published &published)
{
    m_publishing = false;
    m_publish->setText(tr("Publish event"));
    const QString id = QString::fromUtf8(published.id);
    if (published.duplicate)
        m_result->say(models::Severity::Warning, tr("Already published"),
                      tr("This dispatch key belongs to the event %1. Nothing was written.").arg(id));
    else
        m_result->say(models::Severity::Good, tr("Published"), tr("Event %1").arg(id));
    check();
}

void ComposeDialog::showProblem(const engine::Error &error)
{
    m_publishing = false;
    m_publish->setText(tr("Publish event"));
    const bool unsure = error.code == engine::ErrorCode::Timeout || error.code == engine::ErrorCode::Unavailable;
    m_result->say(models::Severity::Critical, unsure ? tr("Outcome unknown") : tr("Not published"), error.text());
    check();
}

} // namespace views
