/* SPDX-License-Identifier: MIT */
/* Maps names to things, each within an owner (the keys of a mapping, the ids of a scope): a hash
 * table, so that a file of any shape is read in linear time. It is never iterated. */
#ifndef TW_ENGINE_GRAPH_NAMES_H
#define TW_ENGINE_GRAPH_NAMES_H

#include <stddef.h>

struct tw_names {
    struct tw_name {
        const void *owner;
        const char *text; /* borrowed; NULL: free slot */
        const void *thing;
    } * at;
    size_t count, capacity;
};

/* Returns the entry of a name, adding it with a NULL thing if it is new; NULL when out of
 * memory. */
struct tw_name *tw_names_entry(struct tw_names *names, const void *owner, const char *text);
/* Returns a name's thing, or NULL. */
const void *tw_names_find(const struct tw_names *names, const void *owner, const char *text);
void tw_names_release(struct tw_names *names);

#endif
