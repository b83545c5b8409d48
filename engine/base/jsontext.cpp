// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsontext.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace engine::jsontext {

namespace {

// A pushdown scanner: nesting lives in a bit vector, so ten thousand levels cost ten thousand bits, not stack frames.
class Scanner
{
public:
    explicit Scanner(QByteArrayView text)
        : m_text(text)
    { }

    std::optional<Fault> run()
    {
        if (m_text.isEmpty())
            return at("the text is empty");
        if (!m_text.isValidUtf8()) {
            m_position = validUtf8Prefix();
            return at("the text is not valid UTF-8");
        }
        if (const auto fault = document())
            return fault;
        skipSpace();
        return atEnd() ? std::nullopt : at("unexpected text after the document");
    }

private:
    enum class Expect { Value, ValueOrClose, KeyOrClose, Key, CommaOrClose };

    // The bytes before the first broken character. For broken texts only: it looks at each character by itself.
    [[nodiscard]] qsizetype validUtf8Prefix() const
    {
        qsizetype good = 0;
        while (good < m_text.size()) {
            const auto lead = static_cast<uchar>(m_text[good]);
            const qsizetype length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
            if (!m_text.sliced(good, qMin(length, m_text.size() - good)).isValidUtf8())
                break;
            good += length;
        }
        return good;
    }

    std::optional<Fault> document()
    {
        Expect expect = Expect::Value;
        do {
            skipSpace();
            if (atEnd())
                return at("the document ends too early");
            const char c = peek();
            switch (expect) {
            case Expect::ValueOrClose:
                if (c == ']') {
                    close();
                    expect = Expect::CommaOrClose;
                    break;
                }
                [[fallthrough]];
            case Expect::Value:
                if (c == '{' || c == '[') {
                    ++m_position;
                    m_objects.push_back(c == '{');
                    expect = c == '{' ? Expect::KeyOrClose : Expect::ValueOrClose;
                    break;
                }
                if (const auto fault = scalar())
                    return fault;
                expect = Expect::CommaOrClose;
                break;
            case Expect::KeyOrClose:
                if (c == '}') {
                    close();
                    expect = Expect::CommaOrClose;
                    break;
                }
                [[fallthrough]];
            case Expect::Key:
                if (c != '"')
                    return at("expected a quoted key");
                if (const auto fault = string())
                    return fault;
                skipSpace();
                if (atEnd() || peek() != ':')
                    return at("expected a colon after the key");
                ++m_position;
                expect = Expect::Value;
                break;
            case Expect::CommaOrClose:
                if (c == ',') {
                    ++m_position;
                    expect = m_objects.back() ? Expect::Key : Expect::Value;
                } else if (c == (m_objects.back() ? '}' : ']')) {
                    close();
                } else {
                    return at("expected a comma or a closing bracket");
                }
                break;
            }
        } while (!m_objects.empty());
        return std::nullopt;
    }

    void close()
    {
        ++m_position;
        m_objects.pop_back();
    }

    std::optional<Fault> scalar()
    {
        const char c = peek();
        if (c == '"')
            return string();
        if (c == '-' || isDigit(c))
            return number();
        for (const QByteArrayView word : {QByteArrayView("true"), QByteArrayView("false"), QByteArrayView("null")}) {
            if (m_text.sliced(m_position).startsWith(word)) {
                m_position += word.size();
                return std::nullopt;
            }
        }
        return at("expected a value");
    }

    std::optional<Fault> string()
    {
        ++m_position;
        while (!atEnd()) {
            const auto c = static_cast<uchar>(peek());
            if (c == '"') {
                ++m_position;
                return std::nullopt;
            }
            if (c < 0x20)
                return at("a control character inside a string must be escaped");
            ++m_position;
            if (c != '\\')
                continue;
            if (atEnd())
                break;
            const char escaped = peek();
            ++m_position;
            if (escaped == 'u') {
                for (int i = 0; i < 4; ++i, ++m_position) {
                    if (atEnd() || !isHex(peek()))
                        return at("expected four hexadecimal digits after \\u");
                }
            } else if (!QByteArrayView("\"\\/bfnrt").contains(escaped)) {
                --m_position;
                return at("unknown escape in a string");
            }
        }
        return at("a string is not closed");
    }

    std::optional<Fault> number()
    {
        if (peek() == '-')
            ++m_position;
        if (atEnd() || !isDigit(peek()))
            return at("expected a digit");
        if (peek() == '0')
            ++m_position;
        else
            digits();
        if (!atEnd() && peek() == '.') {
            ++m_position;
            if (!digits())
                return at("expected a digit after the decimal point");
        }
        if (!atEnd() && (peek() == 'e' || peek() == 'E')) {
            ++m_position;
            if (!atEnd() && (peek() == '+' || peek() == '-'))
                ++m_position;
            if (!digits())
                return at("expected a digit in the exponent");
        }
        return std::nullopt;
    }

    bool digits()
    {
        const qsizetype from = m_position;
        while (!atEnd() && isDigit(peek()))
            ++m_position;
        return m_position > from;
    }

    void skipSpace()
    {
        const char *const text = m_text.data();
        const qsizetype size = m_text.size();
        while (m_position < size
               && (text[m_position] == ' ' || text[m_position] == '\n' || text[m_position] == '\r'
                   || text[m_position] == '\t'))
            ++m_position;
    }

    [[nodiscard]] bool atEnd() const { return m_position >= m_text.size(); }
    [[nodiscard]] char peek() const { return m_text[m_position]; }
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    static bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
    [[nodiscard]] std::optional<Fault> at(const char *reason) const { return Fault{m_position, reason}; }

    QByteArrayView m_text;
    qsizetype m_position = 0;
    std::vector<bool> m_objects; // one entry per open bracket: true for an object
};

} // namespace

std::optional<Fault> findFault(QByteArrayView text)
{
    return Scanner(text).run();
}

std::vector<Member> membersOf(QByteArrayView object)
{
    std::vector<Member> members;
    qsizetype depth = 0;
    qsizetype from = -1; // where the key or value being read begins
    QString key;
    bool hasKey = false;
    const auto finishValue = [&](qsizetype to) {
        if (hasKey)
            members.push_back({key, object.sliced(from, to - from).trimmed()});
        hasKey = false;
    };
    for (qsizetype i = 0; i < object.size(); ++i) {
        const char c = object[i];
        if (c == '"') {
            const qsizetype opened = i;
            for (++i; object[i] != '"'; ++i) {
                if (object[i] == '\\')
                    ++i;
            }
            if (depth == 1 && !hasKey) {
                key = stringValue(object.sliced(opened, i + 1 - opened)).value_or(QString());
                hasKey = true;
                while (object[++i] != ':') { }
                from = i + 1;
            }
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (--depth == 0)
                finishValue(i);
        } else if (c == ',' && depth == 1) {
            finishValue(i);
        }
    }
    return members;
}

std::optional<QString> stringValue(QByteArrayView value)
{
    if (!value.startsWith('"'))
        return std::nullopt;
    return QJsonDocument::fromJson('[' + value.toByteArray() + ']').array().at(0).toString();
}

void appendString(QByteArray &target, QByteArrayView utf8)
{
    if (!utf8.isValidUtf8()) {
        const QByteArray repaired = QString::fromUtf8(utf8).toUtf8();
        appendString(target, repaired);
        return;
    }
    static constexpr char hex[] = "0123456789abcdef";
    target += '"';
    qsizetype plainFrom = 0;
    for (qsizetype i = 0; i < utf8.size(); ++i) {
        const auto c = static_cast<uchar>(utf8[i]);
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        target.append(utf8.sliced(plainFrom, i - plainFrom));
        plainFrom = i + 1;
        if (c == '"' || c == '\\') {
            target += '\\';
            target += static_cast<char>(c);
        } else {
            target += "\\u00";
            target += hex[c >> 4];
            target += hex[c & 0xf];
        }
    }
    target.append(utf8.sliced(plainFrom));
    target += '"';
}

} // namespace engine::jsontext
