// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>
#include <views/widgets/detailpane.h>

#include <models/timetext.h>

#include <engine/config/profile.h>
#include <engine/outbox/reader.h>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;

namespace views {

class CopyField;
class DocumentView;
class ElidedLabel;
class JsonView;
class Pill;

// One row in full: what it is, what happened to it, why it failed, what it carries.
class OutboxDetailPane final : public DetailPane
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxDetailPane)

public:
    // `theme` outlives the widget.
    explicit OutboxDetailPane(const Theme &theme, QWidget *parent = nullptr);

    void setProfile(const engine::config::ConnectionProfile &profile);
    void setZone(models::Zone zone);
    // `destination` empty: no route. `now` is the database's clock.
    void showDetail(const engine::outbox::RowDetail &detail, const QString &destination, qint64 now);
    void showLoading();
    void showProblem(const engine::Error &error);
    void clear();

    struct Line
    {
        QLabel *lead = nullptr;
        ElidedLabel *middle = nullptr;
        ElidedLabel *words = nullptr;
    };

    [[nodiscard]] QString commandLine() const; // empty: no row is shown
    [[nodiscard]] const std::optional<engine::outbox::RowDetail> &detail() const { return m_detail; }

signals:
    void composeSimilarWanted();
    void copyIdWanted();
    void copyCommandWanted();
    void traceWanted();

private:
    void render();
    void renderTimeline();
    void renderFacts();
    void allowSimilar();

    const Theme &m_theme;
    engine::config::ConnectionProfile m_profile;
    models::Zone m_zone = models::Zone::Utc;
    std::optional<engine::outbox::RowDetail> m_detail;
    QString m_destination;
    qint64 m_now = 0;

    ElidedLabel *m_type;
    Pill *m_pill;
    CopyField *m_id;
    QGridLayout *m_facts;
    QGridLayout *m_timeline;
    std::vector<Line> m_factLines;
    std::vector<Line> m_timelineLines;
    QLabel *m_errorHeading;
    DocumentView *m_error;
    JsonView *m_payload;
    QPushButton *m_similar;
};

} // namespace views
