/* SPDX-License-Identifier: MIT */
#include "support/points.h"

#include <stdlib.h>
#include <string.h>

bool points_all(void)
{
    const char *all = getenv("THALWEG_ALL_FAULTS");
    return all && strcmp(all, "1") == 0;
}

long points_step(long total, long share)
{
    return points_all() || total <= share ? 1 : (total + share - 1) / share;
}
