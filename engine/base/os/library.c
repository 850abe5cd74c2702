/* SPDX-License-Identifier: MIT */
#include "base/os/library.h"

#include <dlfcn.h>
#include <string.h>

void *tw_library_load(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

bool tw_library_find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}
