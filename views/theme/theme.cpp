// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QWidget>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro wants it.
static void initResources()
{
    Q_INIT_RESOURCE(console);
}

namespace views {

namespace {

bool looksDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QPalette paletteFor(bool dark)
{
    const auto color = [dark](ColorId id) { return colorOf(id, dark); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(ColorId::Background));
    palette.setColor(QPalette::WindowText, color(ColorId::Text));
    palette.setColor(QPalette::Base, color(ColorId::Panel));
    palette.setColor(QPalette::AlternateBase, color(ColorId::Background));
    palette.setColor(QPalette::Text, color(ColorId::Text));
    palette.setColor(QPalette::PlaceholderText, color(ColorId::Muted));
    palette.setColor(QPalette::Button, color(ColorId::Raised));
    palette.setColor(QPalette::ButtonText, color(ColorId::Text));
    palette.setColor(QPalette::BrightText, color(ColorId::Critical));
    palette.setColor(QPalette::ToolTipBase, color(ColorId::Raised));
    palette.setColor(QPalette::ToolTipText, color(ColorId::Text));
    palette.setColor(QPalette::Highlight, color(ColorId::AccentSoft));
    palette.setColor(QPalette::HighlightedText, color(ColorId::Text));
    palette.setColor(QPalette::Link, color(ColorId::AccentText));
    palette.setColor(QPalette::LinkVisited, color(ColorId::AccentText));
    palette.setColor(QPalette::Light, color(ColorId::Panel));
    palette.setColor(QPalette::Midlight, color(ColorId::Panel));
    palette.setColor(QPalette::Mid, color(ColorId::Line));
    palette.setColor(QPalette::Dark, color(ColorId::Line));
    palette.setColor(QPalette::Shadow, dark ? Qt::black : color(ColorId::Line));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        QColor faded = color(ColorId::Muted);
        faded.setAlpha(170);
        palette.setColor(QPalette::Disabled, role, faded);
    }
    return palette;
}

} // namespace

Theme::Theme(Choice choice, QObject *parent)
    : QObject(parent)
    , m_choice(choice)
{
    initResources();
    m_desktopDark = looksDark(QApplication::palette());
    // Never smaller than the desktop's own text.
    m_pixelSize = qMax(13, QFontInfo(QApplication::font()).pixelSize());
    if (QStyle *fusion = QStyleFactory::create(u"Fusion"_s))
        QApplication::setStyle(fusion);
    QApplication::setFont(font());
    m_dark = m_choice == Choice::Dark || (m_choice == Choice::Desktop && m_desktopDark);
    apply();
    qApp->installEventFilter(this);
}

void Theme::setChoice(Choice choice)
{
    m_choice = choice;
    follow();
}

QIcon Theme::icon(const QString &name, ColorId id) const
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0}) {
        icon.addPixmap(pixmap(name, id, 16, ratio), QIcon::Normal);
        icon.addPixmap(pixmap(name, id == ColorId::OnAccent ? id : ColorId::Muted, 16, ratio), QIcon::Disabled);
    }
    return icon;
}

QPixmap Theme::pixmap(const QString &name, ColorId id, int size, qreal ratio) const
{
    const QColor ink = color(id);
    const QString key = u"console/%1/%2/%3/%4"_s.arg(name, ink.name()).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(u":/icons/%1.svg"_s.arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", ink.name().toLatin1()));
    const int pixels = qRound(size * ratio);
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QFont Theme::font() const
{
    QFont font = QApplication::font();
    if (QFontDatabase::hasFamily(u"Inter"_s))
        font.setFamily(u"Inter"_s);
    font.setPixelSize(m_pixelSize);
    return font;
}

QFont Theme::fixedFont() const
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(m_pixelSize - 1);
    return font;
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    const bool paletteChanged = event->type() == QEvent::ApplicationPaletteChange && watched == qApp;
    // Our palette hides the desktop's, so a new desktop theme shows itself only as ThemeChange of a window.
    const bool themeChanged = event->type() == QEvent::ThemeChange && watched->isWindowType();
    if ((paletteChanged || themeChanged) && !m_applying) {
        if (themeChanged) {
            m_applying = true;
            QApplication::setPalette(QPalette());
            m_applying = false;
            m_desktopDark = looksDark(QApplication::palette());
            apply();
            follow();
        } else if (QApplication::palette() != paletteFor(m_dark)) {
            m_desktopDark = looksDark(QApplication::palette());
            apply();
            follow();
        }
    }
    return QObject::eventFilter(watched, event);
}

void Theme::follow()
{
    const bool dark = m_choice == Choice::Dark || (m_choice == Choice::Desktop && m_desktopDark);
    if (dark == m_dark)
        return;
    m_dark = dark;
    apply();
    emit changed();
}

void Theme::apply()
{
    m_applying = true;
    QApplication::setPalette(paletteFor(m_dark));
    QFile file(u":/themes/console.qss"_s);
    if (file.open(QIODevice::ReadOnly)) {
        QString sheet = QString::fromUtf8(file.readAll());
        static constexpr std::pair<const char16_t *, ColorId> names[] = {
            // Longer names first: @accent is the beginning of @accentSoft.
            {u"@onAccent", ColorId::OnAccent},
            {u"@accentText", ColorId::AccentText},
            {u"@accentSoft", ColorId::AccentSoft},
            {u"@accent", ColorId::Accent},
            {u"@criticalSoft", ColorId::CriticalSoft},
            {u"@critical", ColorId::Critical},
            {u"@warningSoft", ColorId::WarningSoft},
            {u"@warning", ColorId::Warning},
            {u"@goodSoft", ColorId::GoodSoft},
            {u"@good", ColorId::Good},
            {u"@background", ColorId::Background},
            {u"@panel", ColorId::Panel},
            {u"@raised", ColorId::Raised},
            {u"@line", ColorId::Line},
            {u"@text", ColorId::Text},
            {u"@muted", ColorId::Muted}};
        for (const auto &[name, id] : names)
            sheet.replace(QString::fromUtf16(name), color(id).name());
        sheet.replace(u"@down"_s, m_dark ? u":/icons/down-dark.svg"_s : u":/icons/down-light.svg"_s);
        sheet.replace(u"@check"_s, m_dark ? u":/icons/check-dark.svg"_s : u":/icons/check-light.svg"_s);
        sheet.replace(u"@titleSize"_s, QString::number(m_pixelSize + 5) + u"px"_s);
        sheet.replace(u"@figureSize"_s, QString::number(m_pixelSize + 7) + u"px"_s);
        sheet.replace(u"@smallSize"_s, QString::number(m_pixelSize - 1) + u"px"_s);
        qApp->setStyleSheet(sheet);
    }
    m_applying = false;
}

} // namespace views
