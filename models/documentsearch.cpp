// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentsearch.h"

#include <QByteArray>

#include <array>

namespace models {

namespace {

// One character of what is looked for, in the two ways it may be written.
struct Letter
{
    QByteArray small;
    QByteArray large;
};

std::vector<Letter> lettersOf(const QString &text)
{
    std::vector<Letter> letters;
    for (const char32_t code : text.toUcs4()) {
        const QString letter = QString::fromUcs4(&code, 1);
        letters.push_back({letter.toLower().toUtf8(), letter.toUpper().toUtf8()});
    }
    return letters;
}

// Where the match that begins at `at` ends; -1: there is none.
qint64 endOfMatch(QByteArrayView document, qint64 at, const std::vector<Letter> &letters)
{
    for (const Letter &letter : letters) {
        const QByteArrayView rest = document.sliced(at);
        if (rest.startsWith(letter.small))
            at += letter.small.size();
        else if (rest.startsWith(letter.large))
            at += letter.large.size();
        else
            return -1;
    }
    return at;
}

} // namespace

std::vector<DocumentMatch> findInDocument(QByteArrayView document, const QString &text, size_t most,
                                          const std::atomic_bool *stop)
{
    std::vector<DocumentMatch> matches;
    const std::vector<Letter> letters = lettersOf(text);
    if (letters.empty())
        return matches;
    std::array<bool, 256> begins{};
    begins[static_cast<uchar>(letters.front().small.front())] = true;
    begins[static_cast<uchar>(letters.front().large.front())] = true;
    const char *const bytes = document.data();
    for (qint64 i = 0; i < document.size() && matches.size() < most;) {
        if ((i & 0xfffff) == 0 && stop && *stop)
            break;
        qint64 end = -1;
        if (begins[static_cast<uchar>(bytes[i])])
            end = endOfMatch(document, i, letters);
        if (end > i) {
            matches.push_back({i, end});
            i = end;
        } else {
            ++i;
        }
    }
    return matches;
}

} // namespace models
