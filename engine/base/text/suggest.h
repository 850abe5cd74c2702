/* SPDX-License-Identifier: MIT */
/* "Did you mean": the nearest of a set of names to one that was not found, or what there is. */
#ifndef TW_ENGINE_BASE_TEXT_SUGGEST_H
#define TW_ENGINE_BASE_TEXT_SUGGEST_H

#include "base/memory/arena.h"

#include <thalweg/status.h>

struct tw_suggestion {
    const char *unknown; /* the name that was not found */
    const char *best;    /* NULL while nothing is near enough */
    int distance;
    char known[120]; /* the first names, with commas; those after them are only counted */
    int more;
};

/* Offer every known name; the nearest within a third of the length (2 at least) stays in `best`,
 * the first on ties. */
void tw_suggest_offer(struct tw_suggestion *suggestion, const char *name);
/* "did you mean 'best'?", else "known are ...", or NULL when nothing was offered. */
const char *tw_suggest_hint(const struct tw_suggestion *suggestion, struct tw_arena *arena);
/* The same into err->hint, where err is not NULL; "" for NULL. */
void tw_suggest_to(const struct tw_suggestion *suggestion, struct tw_error *err);
/* Edits (insert, delete, replace, swap neighbours) that turn a into b, at most `limit` + 1. */
int tw_suggest_distance(const char *a, const char *b, int limit);

#endif
