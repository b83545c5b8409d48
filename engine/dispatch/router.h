// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/outbox/layout.h>

#include <QByteArray>

#include <optional>
#include <vector>

namespace engine::dispatch {

struct Route
{
    QByteArray prefix; // event types that start with it; ends with a dot
    QByteArray queue; // the BullMQ queue they go to
};

// Where each event type goes: the longest matching prefix wins. A value; safe to share between threads.
class Router final
{
public:
    explicit Router(std::vector<Route> routes = {});

    // The built-in table of a layout.
    [[nodiscard]] static Router builtIn(outbox::LayoutKind kind);
    // A JSON file: {"routes": [{"prefix": "mail.", "queue": "outbox.mail"}, ...]}. Errors: NotFound, BadInput.
    [[nodiscard]] static Result<Router> fromFile(const QString &path);

    [[nodiscard]] std::optional<QByteArray> queueFor(QByteArrayView eventType) const;
    [[nodiscard]] const std::vector<Route> &routes() const { return m_routes; }

private:
    std::vector<Route> m_routes; // longest prefix first
};

} // namespace engine::dispatch
