/* SPDX-License-Identifier: MIT */
/* Shared libraries that few commands need, loaded on demand: linking them would slow the startup of
 * every command. */
#ifndef TW_ENGINE_BASE_OS_LIBRARY_H
#define TW_ENGINE_BASE_OS_LIBRARY_H

#include <stdbool.h>

/* Loads a library, which stays loaded; NULL if it is missing. */
void *tw_library_load(const char *name);
/* Sets *pointer, a pointer to a function; false if the library has none of that name. */
bool tw_library_find(void *library, const char *name, void *pointer);

#endif
