/* SPDX-License-Identifier: MIT */
/* Only libraries of Linux are asked for by name (GDAL, libcurl), so Windows has none of them. */
#include "base/os/library.h"

#include <string.h>

#include <windows.h>

void *tw_library_load(const char *name)
{
    return strchr(name, '/') || strchr(name, '\\')
               ? NULL
               : LoadLibraryExA(name, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
}

bool tw_library_find(void *library, const char *name, void *pointer)
{
    FARPROC found = GetProcAddress((HMODULE)library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}
