// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertruledelegate.h"

#include <models/alertrulemodel.h>

#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSpinBox>

using models::AlertRuleModel;

namespace views {

AlertRuleDelegate::AlertRuleDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
    , m_cells(theme)
{ }

void AlertRuleDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (index.column() != AlertRuleModel::On) {
        m_cells.paint(painter, option, index);
        return;
    }
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, m_theme.color(ColorId::AccentSoft));
    painter->setPen(m_theme.color(ColorId::Line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->setRenderHint(QPainter::Antialiasing);
    const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const QRectF box(option.rect.left() + 10.5, option.rect.center().y() - 6.5, 14, 14);
    painter->setPen(m_theme.color(on ? ColorId::Accent : ColorId::Muted));
    painter->setBrush(m_theme.color(on ? ColorId::Accent : ColorId::Panel));
    painter->drawRoundedRect(box, 4, 4);
    if (on) {
        painter->setPen(QPen(m_theme.color(ColorId::OnAccent), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(QPolygonF{box.topLeft() + QPointF(3.5, 7.5), box.topLeft() + QPointF(6, 10),
                                        box.topLeft() + QPointF(10.5, 4.5)});
    }
    painter->restore();
}

QSize AlertRuleDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return m_cells.sizeHint(option, index);
}

QWidget *AlertRuleDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option,
                                         const QModelIndex &index) const
{
    switch (index.column()) {
    case AlertRuleModel::Level: {
        auto *box = new QComboBox(parent);
        box->addItem(tr("Warning"), int(engine::watch::AlertLevel::Warning));
        box->addItem(tr("Critical"), int(engine::watch::AlertLevel::Critical));
        return box;
    }
    case AlertRuleModel::Above:
    case AlertRuleModel::Hold: {
        auto *box = new QSpinBox(parent);
        box->setRange(0, index.column() == AlertRuleModel::Above ? 1'000'000'000 : 86'400);
        if (index.column() == AlertRuleModel::Hold)
            box->setSuffix(tr(" s", "seconds, behind a number"));
        return box;
    }
    default:
        break;
    }
    return QStyledItemDelegate::createEditor(parent, option, index);
}

void AlertRuleDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    if (auto *box = qobject_cast<QComboBox *>(editor))
        box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
    else
        QStyledItemDelegate::setEditorData(editor, index);
}

void AlertRuleDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    if (auto *box = qobject_cast<QComboBox *>(editor)) {
        model->setData(index, box->currentData());
    } else if (auto *number = qobject_cast<QSpinBox *>(editor)) {
        number->interpretText();
        model->setData(index, number->value());
    } else {
        QStyledItemDelegate::setModelData(editor, model, index);
    }
}

bool AlertRuleDelegate::editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
                                    const QModelIndex &index)
{
    if (index.column() == AlertRuleModel::On && event->type() == QEvent::MouseButtonRelease
        && static_cast<QMouseEvent *>(event)->button() == Qt::LeftButton) {
        const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(index, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

} // namespace views
