# SPDX-License-Identifier: MIT
# Debian's compiler for 64-bit Windows; the libraries are those that .ci/windows/dependencies builds in
# build/windows/prefix, and programs run under wine. THALWEG_WINDOWS_PREFIX in the environment names another folder.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(windows_prefix $ENV{THALWEG_WINDOWS_PREFIX})
if(NOT windows_prefix)
  get_filename_component(windows_prefix ${CMAKE_CURRENT_LIST_DIR}/../../build/windows/prefix ABSOLUTE)
endif()
set(CMAKE_FIND_ROOT_PATH ${windows_prefix} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${windows_prefix}/lib/pkgconfig)
