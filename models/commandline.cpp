// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include "urlsecret.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace models::commandline {

namespace {

QStringList target(const engine::config::ConnectionProfile &profile)
{
    QStringList words;
    if (profile.sandbox) {
        words << u"--sandbox"_s;
    } else if (!profile.name.isEmpty()) {
        words << u"--connection"_s << profile.name;
    } else {
        words << u"--database"_s << splitSecret(profile.databaseUrl).url << u"--redis"_s
              << splitSecret(profile.redisUrl).url;
    }
    if (profile.sandbox || profile.name.isEmpty()) {
        if (!profile.table.isEmpty() && !(profile.sandbox && profile.table == u"public.\"OutboxEvent\""_s))
            words << u"--table"_s << profile.table;
        if (profile.queuePrefix != u"bull"_s)
            words << u"--prefix"_s << profile.queuePrefix;
    }
    return words;
}

// For commands that never look at the database.
QStringList redisTarget(const engine::config::ConnectionProfile &profile)
{
    QStringList words;
    if (profile.sandbox)
        words << u"--sandbox"_s;
    else if (!profile.name.isEmpty())
        words << u"--connection"_s << profile.name;
    else
        words << u"--redis"_s << splitSecret(profile.redisUrl).url;
    if ((profile.sandbox || profile.name.isEmpty()) && profile.queuePrefix != u"bull"_s)
        words << u"--prefix"_s << profile.queuePrefix;
    return words;
}

QString line(const QStringList &words)
{
    QStringList quoted;
    for (const QString &word : words)
        quoted << shellWord(word);
    return quoted.join(u' ');
}

QString delayText(std::chrono::milliseconds delay)
{
    const qint64 ms = delay.count();
    if (ms % 3600000 == 0)
        return QString::number(ms / 3600000) + u'h';
    if (ms % 60000 == 0)
        return QString::number(ms / 60000) + u'm';
    return ms % 1000 == 0 ? QString::number(ms / 1000) + u's' : QString::number(ms) + u"ms"_s;
}

} // namespace

QString shellWord(const QString &text)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_@%+=:,./-]+$"_s);
    if (plain.match(text).hasMatch())
        return text;
    QString escaped = text;
    escaped.replace(u'\'', u"'\\''"_s);
    return u'\'' + escaped + u'\'';
}

QString rows(const engine::config::ConnectionProfile &profile, const QByteArray &id)
{
    return line(QStringList{u"outbox-console"_s, u"rows"_s, u"--id"_s, QString::fromUtf8(id)} + target(profile));
}

QString job(const engine::config::ConnectionProfile &profile, const QByteArray &queue, const QByteArray &id)
{
    return line(QStringList{u"outbox-console"_s, u"jobs"_s, QString::fromUtf8(queue), u"--id"_s, QString::fromUtf8(id)}
                + redisTarget(profile));
}

QString retention(const engine::config::ConnectionProfile &profile, bool all)
{
    QStringList words{u"outbox-console"_s, u"retention"_s};
    if (profile.readOnly) {
        words << u"--dry-run"_s;
    } else {
        if (all)
            words << u"--all"_s;
        words << u"--yes"_s;
    }
    QStringList where = target(profile);
    // It has no use for Redis.
    for (const QString &option : {u"--redis"_s, u"--prefix"_s}) {
        if (const qsizetype at = where.indexOf(option); at >= 0)
            where.remove(at, 2);
    }
    return line(words + where);
}

QString trace(const engine::config::ConnectionProfile &profile, const QByteArray &id)
{
    // Behind a lone -- an id may begin with a dash.
    const QStringList dashed = id.startsWith('-') ? QStringList{u"--"_s} : QStringList();
    return line(QStringList{u"outbox-console"_s, u"trace"_s} + target(profile) + dashed
                + QStringList{QString::fromUtf8(id)});
}

QString execution(const engine::config::ConnectionProfile &profile, const QByteArray &id)
{
    return line(QStringList{u"outbox-console"_s, u"executions"_s, u"--id"_s, QString::fromUtf8(id)} + target(profile));
}

QString reconcile(const engine::config::ConnectionProfile &profile, const QByteArray &token)
{
    QStringList words{u"outbox-console"_s, u"reconcile"_s};
    if (!token.isEmpty())
        words << u"--resume"_s << QString::fromLatin1(token);
    return line(words + target(profile));
}

QString publish(const engine::config::ConnectionProfile &profile, const engine::outbox::NewEvent &event)
{
    QStringList words{u"outbox-console"_s, u"publish"_s, u"--type"_s, QString::fromUtf8(event.eventType)};
    words << u"--tenant"_s << QString::fromUtf8(event.tenantId) << u"--payload"_s << QString::fromUtf8(event.payload);
    if (event.dispatchKey)
        words << u"--dispatch-key"_s << QString::fromUtf8(*event.dispatchKey);
    if (event.delay.count() > 0)
        words << u"--delay"_s << delayText(event.delay);
    const std::pair<QString, QByteArray> message[] = {{u"--aggregate-type"_s, event.aggregateType},
                                                      {u"--aggregate-id"_s, event.aggregateId},
                                                      {u"--metadata"_s, event.metadata}};
    for (const auto &[option, value] : message) {
        if (!value.isEmpty())
            words << option << QString::fromUtf8(value);
    }
    if (!profile.sandbox && !profile.name.isEmpty() && profile.readOnly)
        words << u"--write"_s;
    return line(words + target(profile));
}

} // namespace models::commandline
