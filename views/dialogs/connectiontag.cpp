// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectiontag.h"

#include <views/widgets/build.h>

#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

ConnectionTag::ConnectionTag(const Theme &theme, const engine::config::ConnectionProfile &profile,
                             const QString &subject, QWidget *parent)
    : QFrame(parent)
{
    setObjectName(u"dialogTag"_s);
    setProperty("production", profile.production);
    setFixedHeight(36);
    auto *icon = new QLabel(this);
    const auto dress = [this, icon, &theme, production = profile.production] {
        icon->setPixmap(theme.pixmap(production ? u"state-retrying"_s : u"database"_s,
                                     production ? ColorId::Critical : ColorId::Muted, 14, devicePixelRatioF()));
    };
    dress();
    QString name = profile.sandbox ? tr("Sandbox") : profile.name.isEmpty() ? tr("Unsaved connection") : profile.name;
    if (profile.production)
        name += u" · "_s + tr("PRODUCTION");
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->setSpacing(8);
    layout->addWidget(icon);
    layout->addWidget(build::label(name, "section", this));
    layout->addWidget(build::label(subject, "muted", this), 1);
    connect(&theme, &Theme::changed, this, dress);
}

} // namespace views
