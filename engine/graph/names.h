/* SPDX-License-Identifier: MIT */
/* Names to things, each within an owner (the keys of a mapping, the ids of a scope): a hash table,
 * so that a file of any shape is read in linear time. It is never
 * iterated. */
#ifndef TW_ENGINE_GRAPH_NAMES_H
#define TW_ENGINE_GRAPH_NAMES_H

#include <stddef.h>

struct tw_names {
    struct tw_name {
        const void *owner;
        const char *text; /* borrowed; NULL: free */
        const void *thing;
    } * at;
    size_t count, capacity;
};

/* The entry of a name, added when it is new (its thing is NULL then); NULL without memory. */
struct tw_name *tw_names_entry(struct tw_names *names, const void *owner, const char *text);
/* What a name stands for, or NULL. */
const void *tw_names_find(const struct tw_names *names, const void *owner, const char *text);
void tw_names_release(struct tw_names *names);

#endif
