/* SPDX-License-Identifier: MIT */
#include "support/points.h"

#include "support/sanitized.h"

#include <stdlib.h>
#include <string.h>

static bool is_set(const char *value)
{
    const char *all = getenv("THALWEG_ALL_FAULTS");
    return all && strcmp(all, value) == 0;
}

bool points_each(void) { return is_set("each"); }
bool points_all(void) { return is_set("1") || points_each(); }

bool points_chosen(const char *name)
{
    const char *text = getenv("THALWEG_ACT");
    return !text || strstr(name, text);
}

/* Divides the share that a test names: CI has 25 minutes. */
enum { PART = SANITIZED ? 4 : 2 };

long points_step(long total, long share)
{
    share = share > PART ? share / PART : 1;
    return points_all() || total <= share ? 1 : (total + share - 1) / share;
}
