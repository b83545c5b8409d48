// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <atomic>
#include <vector>

namespace models {

struct DocumentMatch
{
    qint64 from = 0; // bytes
    qint64 to = 0;

    bool operator==(const DocumentMatch &) const = default;
};

// Every place of `text` in the bytes, whatever the case, from the beginning, at most `most`; they do not overlap. Looks
// at the stored bytes, so it finds what an escape is written as, not what it stands for. Any thread; `stop` ends it early.
[[nodiscard]] std::vector<DocumentMatch> findInDocument(QByteArrayView document, const QString &text, size_t most,
                                                        const std::atomic_bool *stop = nullptr);

} // namespace models
