// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/queuefiltermodel.h>
#include <models/queuemodel.h>

class QLabel;
class QLineEdit;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class PageState;

// The BullMQ queues and what lies in them.
class QueuesPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueuesPage)

public:
    // `theme` and `actions` outlive the page.
    QueuesPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void forget(); // a new connection
    void setPrefix(const QString &prefix);
    void showWaiting(const QString &headline, const QStringList &steps = {});
    void showQueues(const std::vector<engine::bullmq::QueueState> &queues);
    void showError(const engine::Error &error);

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;
    void reveal(const QString &queue) override;

signals:
    void retryWanted();

private:
    void updateSubtitle();

    models::QueueModel m_model;
    models::QueueFilterModel m_filtered;
    QString m_prefix;
    bool m_known = false; // queues were read at least once
    QLabel *m_subtitle;
    QLineEdit *m_filter;
    Banner *m_banner;
    ConsoleTable *m_table;
    PageState *m_state;
};

} // namespace views
