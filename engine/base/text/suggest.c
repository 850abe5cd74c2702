/* SPDX-License-Identifier: MIT */
/* Restricted Damerau-Levenshtein distance with three rolling rows. */
#include "base/text/suggest.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 64 };

static int smaller(int a, int b) { return a < b ? a : b; }

int tw_suggest_distance(const char *a, const char *b, int limit)
{
    int la = (int)strnlen(a, NAME_MAX_LENGTH), lb = (int)strnlen(b, NAME_MAX_LENGTH);
    int rows[3][NAME_MAX_LENGTH + 1];
    for (int j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            int cost = a[i - 1] != b[j - 1];
            now[j] = smaller(smaller(last[j] + 1, now[j - 1] + 1), last[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return smaller(rows[la % 3][lb], limit + 1);
}

static void list(struct tw_suggestion *suggestion, const char *name)
{
    size_t used = strlen(suggestion->known), length = strlen(name);
    if (suggestion->more || used + length + 3 > sizeof suggestion->known) {
        suggestion->more++;
        return;
    }
    if (used > 0) {
        memcpy(suggestion->known + used, ", ", 2);
        used += 2;
    }
    memcpy(suggestion->known + used, name, length + 1);
}

void tw_suggest_offer(struct tw_suggestion *suggestion, const char *name)
{
    list(suggestion, name);
    int length = (int)strnlen(suggestion->unknown, NAME_MAX_LENGTH);
    int limit = length < 9 ? 2 : length / 3;
    int other = (int)strnlen(name, NAME_MAX_LENGTH);
    if (other > length + limit || length > other + limit)
        return; /* at least that many edits */
    int distance = tw_suggest_distance(suggestion->unknown, name, limit);
    if (distance > limit || distance >= length)
        return;
    if (!suggestion->best || distance < suggestion->distance) {
        suggestion->best = name;
        suggestion->distance = distance;
    }
}

void tw_suggest_to(const struct tw_suggestion *suggestion, struct tw_error *err)
{
    if (!err)
        return;
    const size_t size = sizeof err->hint;
    if (suggestion->best)
        snprintf(err->hint, size, "did you mean '%.100s'?", suggestion->best);
    else if (suggestion->known[0] && suggestion->more)
        snprintf(err->hint, size, "known are %s and %d more", suggestion->known, suggestion->more);
    else
        snprintf(err->hint, size, "%s%s", suggestion->known[0] ? "known: " : "", suggestion->known);
}

const char *tw_suggest_hint(const struct tw_suggestion *suggestion, struct tw_arena *arena)
{
    struct tw_error error;
    tw_suggest_to(suggestion, &error);
    return error.hint[0] ? tw_arena_print(arena, "%s", error.hint) : NULL;
}
