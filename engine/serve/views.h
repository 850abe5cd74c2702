/* SPDX-License-Identifier: MIT */
/* Which values of the nodes a page can show, and in which order a run computes them. */
#ifndef TW_ENGINE_SERVE_VIEWS_H
#define TW_ENGINE_SERVE_VIEWS_H

#include "session/recipe_set.h"

#include <jansson.h>

struct tw_shown_view {
    char *key, *node;           /* "rivers.out", "rivers", with the variant's prefix */
    const char *port, *variant; /* variant: "a", "b" or "" */
    enum tw_type type;
    bool measure; /* a height map that is a measure, not terrain */
    json_t *names, *files;
    int32_t part, own;               /* recipe, and index of the node in it */
    int32_t tier;                    /* lower ones are computed first */
    int32_t output;                  /* number of the graphs' output that has its value */
    const struct tw_export *limited; /* an export of it whose range heights may exceed; or NULL */
};

struct tw_view_list {
    struct tw_shown_view *at;
    int32_t count, capacity;
    int32_t outputs; /* of all graphs */
};

/* What the views are chosen for. */
struct tw_view_choice {
    const char *const *variants; /* by recipe: "", "a", "b" */
    const json_t *want;          /* keys to compute first; NULL: none */
    bool only_wanted;            /* for a draft */
    const char *only;            /* an output of the recipe; NULL: all */
};

/* Merges the recipes of graph g, whose outputs become the values of the views, named by their
 * numbers, and orders its nodes: wanted views first, then records, outputs, other nodes, exports.
 * Appends the views to the list. */
enum tw_status tw_views_choose(struct tw_view_list *list, const struct tw_view_choice *choice,
                               struct tw_recipe_set *parts, int32_t g, struct tw_error *err);
void tw_views_release(struct tw_view_list *list);

#endif
