/* SPDX-License-Identifier: MIT */
/* "Did you mean": suggests the nearest known name to one that was not found, or lists known
 * names. */
#ifndef TW_ENGINE_BASE_TEXT_SUGGEST_H
#define TW_ENGINE_BASE_TEXT_SUGGEST_H

#include "base/memory/arena.h"

#include <thalweg/status.h>

struct tw_suggestion {
    const char *unknown; /* the name that was not found */
    const char *best;    /* NULL while no name is near enough */
    int distance;
    char known[120]; /* the first names, separated by commas; later ones are only counted */
    int more;
};

/* Considers a known name. `best` keeps the nearest within a third of the length (at least 2), the
 * first on ties. */
void tw_suggest_offer(struct tw_suggestion *suggestion, const char *name);
/* Returns "did you mean 'best'?", else "known are ...", or NULL if no name was offered. */
const char *tw_suggest_hint(const struct tw_suggestion *suggestion, struct tw_arena *arena);
/* Copies tw_suggest_hint() into err->hint, "" for NULL; ignores NULL `err`. */
void tw_suggest_to(const struct tw_suggestion *suggestion, struct tw_error *err);
/* Returns how many edits (insert, delete, replace, swap neighbours) turn a into b, at most `limit`
 * + 1. */
int tw_suggest_distance(const char *a, const char *b, int limit);

#endif
