/* SPDX-License-Identifier: MIT */
/* Waits for another thread or process to do something, however long that takes; the test program's
 * time limit ends a wait in vain. Only here may a test sleep (tests/house.cmake). */
#ifndef TW_TESTS_SUPPORT_UNTIL_H
#define TW_TESTS_SUPPORT_UNTIL_H

#include <stdio.h>
#include <string.h>
#include <time.h>

/* UNTIL(exists("answer.json")); */
#define UNTIL(condition)                                                                           \
    while (!(condition))                                                                           \
    until_pause()

/* Pauses between two polls. */
static inline void until_pause(void)
{
    (void)nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Whether a thread of this process waits in the kernel, as for an event. */
static inline int until_is_asleep(long thread)
{
    char path[80], text[200] = "";
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return 1; /* only Linux can tell */
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    const char *end = strrchr(text, ')'); /* end of the name; the state follows */
    return end && strncmp(end, ") S", 3) == 0;
}

#endif
