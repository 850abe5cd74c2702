/* SPDX-License-Identifier: MIT */
/* Waiting for another thread or process: for what it does, however long it takes. What never comes
 * is ended by the time limit of the test program. Only here may a test sleep (tests/house.cmake).
 */
#ifndef TW_TESTS_SUPPORT_UNTIL_H
#define TW_TESTS_SUPPORT_UNTIL_H

#include <stdio.h>
#include <string.h>
#include <time.h>

/* UNTIL(exists("answer.json")); */
#define UNTIL(condition)                                                                           \
    while (!(condition))                                                                           \
    until_pause()

/* Between two polls. */
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
        return 1; /* elsewhere than on Linux that cannot be found out */
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    const char *end = strrchr(text, ')'); /* of the name; the state follows */
    return end && strncmp(end, ") S", 3) == 0;
}

#endif
