/* SPDX-License-Identifier: MIT */
#include "support/points.h"

#include <stdlib.h>
#include <string.h>

bool points_all(void)
{
    const char *all = getenv("THALWEG_ALL_FAULTS");
    return all && strcmp(all, "1") == 0;
}

/* Of the share that a test names: CI has 25 minutes. */
#if defined(__SANITIZE_ADDRESS__)
enum { PART = 4 }; /* each point takes three times as long */
#else
enum { PART = 2 };
#endif

long points_step(long total, long share)
{
    share = share > PART ? share / PART : 1;
    return points_all() || total <= share ? 1 : (total + share - 1) / share;
}
