# SPDX-FileCopyrightText: 2026 The Outbox Console developers
# SPDX-License-Identifier: GPL-3.0-or-later

# Compiler settings shared by every target of the project.
add_library(console_flags INTERFACE)
target_compile_features(console_flags INTERFACE cxx_std_20)
target_compile_definitions(console_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH QT_STRICT_ITERATORS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
target_compile_options(console_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference)
if(CONSOLE_WERROR)
    target_compile_options(console_flags INTERFACE -Werror)
endif()
target_include_directories(console_flags INTERFACE ${CMAKE_SOURCE_DIR})

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# console_room(NAME SOURCES file... LINK target...): one folder of the house as a static library.
function(console_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(${name} PUBLIC console_flags ${ROOM_LINK})
    list(TRANSFORM ROOM_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL APPEND PROPERTY CONSOLE_SOURCES ${ROOM_SOURCES}) # what translations are taken from
endfunction()
