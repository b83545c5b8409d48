// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>
#include <views/widgets/detailpane.h>

#include <models/timetext.h>

#include <engine/trace/trace.h>

#include <optional>

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace views {

class CopyField;
class ElidedLabel;
class JsonView;
class Pill;

// One entry of a trace with the row, job or execution it is about; without an entry, what was looked at.
class TraceDetailPane final : public DetailPane
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TraceDetailPane)

public:
    // `theme` outlives the pane.
    explicit TraceDetailPane(const Theme &theme, QWidget *parent = nullptr);

    void setZone(models::Zone zone);
    void showEntry(const engine::trace::Trace &trace, const engine::trace::Entry &entry);
    void showSearch(const engine::trace::Trace &trace);
    void clear();

signals:
    void traceWanted(const QByteArray &id); // the row, job or execution in view

private:
    void render();
    void renderSubject(const engine::trace::Trace &trace);
    void addFact(const QString &name, const QString &value, models::Severity severity = models::Severity::Normal);

    struct Fact
    {
        QLabel *name;
        QLabel *value;
    };
    const Theme &m_theme;
    models::Zone m_zone = models::Zone::Utc;
    std::optional<engine::trace::Entry> m_entry;
    engine::trace::Trace m_trace;

    QPlainTextEdit *m_search;
    QLabel *m_what;
    Pill *m_pill;
    CopyField *m_id;
    QGridLayout *m_facts;
    std::vector<Fact> m_factLines;
    size_t m_factsUsed = 0;
    JsonView *m_json;
    QPushButton *m_trail;
};

} // namespace views
