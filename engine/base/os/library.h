/* SPDX-License-Identifier: MIT */
/* Shared libraries that few commands need, loaded when they are: linked, they would cost every
 * command time at its start. */
#ifndef TW_ENGINE_BASE_OS_LIBRARY_H
#define TW_ENGINE_BASE_OS_LIBRARY_H

#include <stdbool.h>

/* It stays loaded; NULL when it is not there. */
void *tw_library_load(const char *name);
/* Sets *pointer, a pointer to a function; false when the library has none of that name. */
bool tw_library_find(void *library, const char *name, void *pointer);

#endif
