/* SPDX-License-Identifier: MIT */
/* Shared by the files preview*.c. */
#ifndef TW_ENGINE_SERVE_PREVIEW_PRIVATE_H
#define TW_ENGINE_SERVE_PREVIEW_PRIVATE_H

#include "serve/body_store.h"
#include "serve/keys.h"
#include "serve/preview.h"
#include "serve/values.h"
#include "serve/views.h"

#include <stdio.h>
#include <uv.h>

enum { TW_SIDES_MAX = 2 /* variants that are shown side by side */ };

/* A recipe's file as it was read for the run under way, without and with the values that are set.
 */
struct tw_preview_text {
    struct tw_bytes file, patched;
    struct tw_digest digest; /* of the file's */
};

struct tw_preview {
    struct tw_preview_recipes recipes;
    struct tw_run_viewer viewer;
    struct tw_web_server *server;
    struct tw_body_store *bodies;
    struct tw_serve_keys keys;
    struct tw_shared *page;             /* with its token */
    int32_t count;                      /* recipes */
    const char *variants[TW_SIDES_MAX]; /* "", or "a" and "b" */
    const char *prefixes[TW_SIDES_MAX]; /* "", or "a." and "b." */

    uv_mutex_t lock; /* guards the state and what is asked for */
    json_t *state;   /* all of /state.json; replaced and edited by the thread that runs */
    json_t *rows;    /* rows of the state by path */
    int64_t asked;   /* revision of the last run that was asked for */
    int64_t begun;   /* of the last that has begun; equal to `asked`: none waits */
    json_t *pending; /* values by path */
    struct tw_serve_request request; /* of the run that waits; its values are `pending` */
    bool may_give_way;               /* a run is under way that ends for a newer one */
    struct tw_watch *watch;          /* NULL: no run will follow */

    /* Of the thread that runs recipes. */
    struct tw_preview_text texts[TW_SIDES_MAX];
    struct tw_load_changes changes[TW_SIDES_MAX];
    json_t *values;                            /* `pending` as the run under way began with it */
    struct tw_setting *settings[TW_SIDES_MAX]; /* of variants: what is no scalar */
    struct tw_option_cells full_size;          /* option --size */
    struct tw_option_cells map;                /* of the last recipe in full; 0: none yet */
    struct tw_option_list options;             /* -s */
    bool quiet;                                /* option */
    double draft_seconds;                      /* that the last draft took */
    bool first;                                /* no run has begun */
    struct tw_view_list views;                 /* of the run under way */
    json_t *want;
    json_t *facts;              /* of shown values, by digest */
    json_t *shown;              /* keys of the views that the run has shown */
    struct tw_digest structure; /* of params and nodes, as the listeners know them */
    const struct tw_recipe_set *parts;
    int32_t graph;
    int32_t node_count, done_count, computed, kept;
    bool loaded, told;
    enum tw_status failure; /* worst failure of an export's range */
    FILE *diagnostics;
    char *diagnostics_text;
    size_t diagnostics_length;
};

/* preview_state.c */
bool tw_preview_state_create(struct tw_preview *preview);
/* Sends an event; takes the reference to `event`. */
void tw_preview_send(const struct tw_preview *preview, const char *name, json_t *event);
/* "a" or "b"; NULL for one recipe alone. */
json_t *tw_preview_variant(const struct tw_preview *preview, int32_t part);
/* Tells that a run has begun, with params and nodes if they have changed. */
void tw_preview_begin_run(struct tw_preview *preview, bool changed);
/* Node i of the graph under way has ended; for each of the recipes' nodes that it stands for. */
void tw_preview_end_node(struct tw_preview *preview, int32_t i, const char *outcome,
                         double seconds);
/* Shows a value with these facts in every view of that output. */
void tw_preview_show(struct tw_preview *preview, int32_t output, const char *digest,
                     const json_t *facts);
/* Ends a run: `code` is its exit code. Takes the reference to `diagnostics`. */
void tw_preview_end_run(struct tw_preview *preview, int code, double seconds,
                        const char *diagnostics);

/* preview_load.c: takes over params and nodes from the loaded recipes, and tells that a run has
 * begun. False when out of memory. */
bool tw_preview_load_state(struct tw_preview *preview, struct tw_recipe_set *parts);
/* Puts the values that are set into the state's rows. Call with the lock held. */
void tw_preview_set_values(struct tw_preview *preview);

/* preview_run.c */
void tw_preview_set_viewer(struct tw_preview *preview);
/* Reads a recipe's file. */
enum tw_status tw_preview_read(const struct tw_preview *preview, int32_t part,
                               struct tw_bytes *text);

/* preview_post.c */
bool tw_preview_post(void *context, const char *path, const struct tw_bytes *body,
                     struct tw_web_page *page);

#endif
