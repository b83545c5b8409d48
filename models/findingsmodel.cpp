// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findingsmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::watch::Finding;

namespace models {

namespace {

Severity severityOf(Finding::Verdict verdict)
{
    switch (verdict) {
    case Finding::Verdict::Good:
        return Severity::Good;
    case Finding::Verdict::Warning:
        return Severity::Warning;
    case Finding::Verdict::Problem:
        break;
    }
    return Severity::Critical;
}

QString verdictWord(Finding::Verdict verdict)
{
    switch (verdict) {
    case Finding::Verdict::Good:
        return FindingsModel::tr("Good", "verdict of a check");
    case Finding::Verdict::Warning:
        return FindingsModel::tr("Warning", "verdict of a check");
    case Finding::Verdict::Problem:
        break;
    }
    return FindingsModel::tr("Problem", "verdict of a check");
}

} // namespace

FindingsModel::FindingsModel(QObject *parent)
    : QAbstractListModel(parent)
{ }

void FindingsModel::setFindings(const QList<Finding> &findings)
{
    beginResetModel();
    m_findings = findings;
    endResetModel();
}

QString FindingsModel::summary() const
{
    if (m_findings.isEmpty())
        return {};
    const auto count = [this](Finding::Verdict verdict) {
        return static_cast<int>(std::count_if(m_findings.begin(), m_findings.end(), [verdict](const Finding &finding) {
            return finding.verdict == verdict;
        }));
    };
    const int problems = count(Finding::Verdict::Problem);
    const int warnings = count(Finding::Verdict::Warning);
    if (problems == 0 && warnings == 0)
        return tr("Everything is in order");
    QStringList words;
    if (problems > 0)
        words << (problems == 1 ? tr("1 problem") : tr("%1 problems").arg(problems));
    if (warnings > 0)
        words << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    return words.join(u", "_s);
}

Severity FindingsModel::worst() const
{
    Severity worst = m_findings.isEmpty() ? Severity::Normal : Severity::Good;
    for (const Finding &finding : m_findings)
        worst = std::max(worst, severityOf(finding.verdict));
    return worst;
}

QString FindingsModel::plainText() const
{
    QStringList lines;
    for (const Finding &finding : m_findings) {
        lines << verdictWord(finding.verdict) + u": "_s + finding.title;
        if (!finding.detail.isEmpty())
            lines << u"    "_s + finding.detail;
        if (!finding.hint.isEmpty())
            lines << u"    "_s + finding.hint;
    }
    return lines.join(u'\n');
}

int FindingsModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_findings.size());
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Finding &finding = m_findings[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return finding.title;
    case Qt::AccessibleTextRole:
        return QString(verdictWord(finding.verdict) + u": "_s + finding.title + u". "_s + finding.detail + u' '
                       + finding.hint);
    case DetailRole:
        return finding.detail;
    case HintRole:
        return finding.hint;
    case SeverityRole:
        return int(severityOf(finding.verdict));
    case VerdictRole:
        return int(finding.verdict);
    case IdRole:
        return finding.id.toUtf8();
    default:
        return {};
    }
}

} // namespace models
