/* SPDX-License-Identifier: MIT */
/* Open addressing, at most half full. The owner's address seeds the hash, so an untrusted file
 * cannot construct colliding names. */
#include "graph/names.h"

#include "base/memory/digest.h"

#include <stdlib.h>
#include <string.h>

static struct tw_name *probe(const struct tw_names *names, const void *owner, const char *text)
{
    size_t at = (size_t)tw_hash64(text, strlen(text), (uintptr_t)owner);
    for (;; at++) {
        struct tw_name *name = &names->at[at & (names->capacity - 1)];
        if (!name->text || (name->owner == owner && strcmp(name->text, text) == 0))
            return name;
    }
}

static int grow(struct tw_names *names)
{
    struct tw_names larger = {.count = names->count,
                              .capacity = names->capacity ? 2 * names->capacity : 256};
    larger.at = calloc(larger.capacity, sizeof *larger.at);
    if (!larger.at)
        return 0;
    for (size_t i = 0; i < names->capacity; i++)
        if (names->at[i].text)
            *probe(&larger, names->at[i].owner, names->at[i].text) = names->at[i];
    free(names->at);
    *names = larger;
    return 1;
}

struct tw_name *tw_names_entry(struct tw_names *names, const void *owner, const char *text)
{
    if (2 * (names->count + 1) > names->capacity && !grow(names))
        return NULL;
    struct tw_name *name = probe(names, owner, text);
    if (!name->text) {
        *name = (struct tw_name){owner, text, NULL};
        names->count++;
    }
    return name;
}

const void *tw_names_find(const struct tw_names *names, const void *owner, const char *text)
{
    return names->capacity ? probe(names, owner, text)->thing : NULL;
}

void tw_names_release(struct tw_names *names)
{
    free(names->at);
    *names = (struct tw_names){0};
}
