/* SPDX-License-Identifier: MIT */
#include "support/mapped.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

long mapped_bytes(void)
{
    char text[256] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return -1;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return length > 0 ? strtol(text, NULL, 10) * sysconf(_SC_PAGESIZE) : -1;
}
