/* SPDX-License-Identifier: MIT */
#include "support/points.h"

#include <stdlib.h>
#include <string.h>

bool points_all(void)
{
    const char *all = getenv("THALWEG_ALL_FAULTS");
    return all && strcmp(all, "1") == 0;
}

#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 2 }; /* a share of the share, where each point takes three times as long */
#else
enum { SLOWER = 1 };
#endif

long points_step(long total, long share)
{
    share = share > SLOWER ? share / SLOWER : 1;
    return points_all() || total <= share ? 1 : (total + share - 1) / share;
}
