// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>
#include <views/widgets/detailpane.h>

#include <models/timetext.h>

#include <engine/base/error.h>
#include <engine/bullmq/jobs.h>

class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace views {

class Banner;
class CopyField;
class ElidedLabel;
class JsonView;
class Pill;
class TextView;

// One job in full, in tabs. A job that is gone stays readable as it was last seen, and says so.
class JobDetailPane final : public DetailPane
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobDetailPane)

public:
    enum Tab { Data, Error, Options, Logs, Timeline };

    // `theme` outlives the pane.
    explicit JobDetailPane(const Theme &theme, QWidget *parent = nullptr);

    void showLoading(const QByteArray &id);
    void showDetail(const engine::bullmq::JobDetail &detail);
    void showProblem(const QByteArray &id, const engine::Error &error);
    void clear();
    void setZone(models::Zone zone);
    void setTab(int tab);
    [[nodiscard]] int tab() const;
    [[nodiscard]] const std::optional<engine::bullmq::JobDetail> &detail() const { return m_detail; }

signals:
    void copyCommandWanted();
    void jobWanted(const QByteArray &key); // parent or child, by its full key

private:
    void render();
    void renderFacts();
    void renderTimeline();
    void renderRelatives();
    void renderOptions();

    struct Line
    {
        QLabel *icon = nullptr;
        ElidedLabel *name = nullptr;
        ElidedLabel *value = nullptr;
        ElidedLabel *more = nullptr;
    };
    const Theme &m_theme;
    models::Zone m_zone = models::Zone::Utc;
    std::optional<engine::bullmq::JobDetail> m_detail;
    Banner *m_banner;
    ElidedLabel *m_name;
    Pill *m_pill;
    CopyField *m_id;
    QGridLayout *m_facts;
    std::vector<Line> m_factLines;
    QTabBar *m_tabs;
    QStackedWidget *m_pages;
    JsonView *m_data;
    TextView *m_error;
    QTabBar *m_optionParts;
    JsonView *m_options;
    TextView *m_logs;
    QGridLayout *m_timeline;
    std::vector<Line> m_timelineLines;
    TextView *m_relatives;
    QPushButton *m_parent;
};

} // namespace views
