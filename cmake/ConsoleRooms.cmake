# SPDX-FileCopyrightText: 2026 The Outbox Console developers
# SPDX-License-Identifier: GPL-3.0-or-later

# Compiler settings shared by every target of the project.
add_library(console_flags INTERFACE)
target_compile_features(console_flags INTERFACE cxx_std_20)
target_compile_definitions(console_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH QT_STRICT_ITERATORS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    _FILE_OFFSET_BITS=64) # as hiredis' flags have it; a precompiled header wants it everywhere or nowhere
target_compile_options(console_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference)
if(CONSOLE_WERROR)
    target_compile_options(console_flags INTERFACE -Werror)
endif()
target_include_directories(console_flags INTERFACE ${CMAKE_SOURCE_DIR})

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# Qt's headers, parsed once instead of by each of some hundred files. Three sets, because a precompiled header holds for
# one set of compiler options. Sources still include what they use: CONSOLE_PCH=OFF proves it.
option(CONSOLE_PCH "Precompile Qt's headers" ON)

# console_precompile(NAME HEADERS header... LINK target... OPTIONS option...)
function(console_precompile name)
    cmake_parse_arguments(PCH "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
    if(NOT CONSOLE_PCH)
        return()
    endif()
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "// Carries a precompiled header.\n")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE console_flags ${PCH_LINK})
    target_compile_options(${name} PRIVATE ${PCH_OPTIONS})
    set_target_properties(${name} PROPERTIES AUTOMOC OFF POSITION_INDEPENDENT_CODE ON)
    target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

# console_use_precompiled(TARGET NAME): the target takes the headers of console_precompile(NAME ...).
function(console_use_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()

find_program(CCACHE ccache)
if(CCACHE)
    # Without these two ccache does not remember files compiled with a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    target_compile_options(console_flags INTERFACE -fpch-preprocess)
endif()

# console_room(NAME SOURCES file... LINK target...): one folder of the house as a static library. WIDGETS: it draws.
function(console_room name)
    cmake_parse_arguments(ROOM "WIDGETS" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(${name} PUBLIC console_flags ${ROOM_LINK})
    if(ROOM_WIDGETS)
        console_use_precompiled(${name} console_widgets_headers)
    else()
        console_use_precompiled(${name} console_core_headers)
    endif()
    list(TRANSFORM ROOM_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL APPEND PROPERTY CONSOLE_SOURCES ${ROOM_SOURCES}) # what translations are taken from
endfunction()
