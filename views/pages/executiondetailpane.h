// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>
#include <views/widgets/detailpane.h>

#include <models/timetext.h>

#include <engine/workflow/executionreader.h>

#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace views {

class CopyField;
class DocumentView;
class ElidedLabel;
class JsonView;
class Pill;

// One execution with its facts, its error and its steps.
class ExecutionDetailPane final : public DetailPane
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecutionDetailPane)

public:
    // `theme` outlives the pane.
    explicit ExecutionDetailPane(const Theme &theme, QWidget *parent = nullptr);

    void setZone(models::Zone zone);
    // `now` is the database's clock in microseconds.
    void showDetail(const engine::workflow::ExecutionDetail &detail, qint64 now);
    void showLoading();
    void showProblem(const engine::Error &error);
    void clear();
    [[nodiscard]] const std::optional<engine::workflow::ExecutionDetail> &detail() const { return m_detail; }

signals:
    void traceWanted(const QByteArray &id);
    void copyCommandWanted();

private:
    void say(const QString &text);
    void render();
    void renderFacts();
    void renderSteps();

    struct Fact
    {
        QLabel *name;
        ElidedLabel *value;
    };
    const Theme &m_theme;
    models::Zone m_zone = models::Zone::Utc;
    std::optional<engine::workflow::ExecutionDetail> m_detail;
    qint64 m_now = 0;

    ElidedLabel *m_workflow;
    Pill *m_pill;
    CopyField *m_id;
    QLabel *m_late;
    QGridLayout *m_facts;
    std::vector<Fact> m_factLines;
    QLabel *m_errorHeading;
    DocumentView *m_error;
    QLabel *m_stepsHeading;
    QTreeWidget *m_steps;
    QLabel *m_stepsProblem;
    JsonView *m_stored;
    QPushButton *m_asStored; // shows the steps' own JSON in place of the list
};

} // namespace views
