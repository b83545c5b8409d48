// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/meaning.h>

#include <QFrame>

class QLabel;

namespace views {

// One figure with its name.
class Tile final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Tile)

public:
    Tile(const QString &name, const QString &explanation, QWidget *parent = nullptr);
    void setValue(const QString &value, models::Severity severity = models::Severity::Normal);
    void setDetail(const QString &detail); // a smaller line below; none until it is set once

private:
    const QString m_name;
    void name();

    QLabel *m_value;
    QLabel *m_detail = nullptr;
};

} // namespace views
