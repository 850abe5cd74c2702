/* SPDX-License-Identifier: MIT */
/* What `serve` shows: after every run its state as JSON and its pictures, for the threads of the
 * web server; on the way to that, news of the run. */
#ifndef TW_ENGINE_SERVE_PREVIEW_H
#define TW_ENGINE_SERVE_PREVIEW_H

#include "base/net/web_server.h"
#include "session/run_session.h"

#include <jansson.h>

/* ---- preview_views.c: the things that are shown ---- */

struct tw_views_item {
    char *name;    /* of the output, or of the export that has no output */
    json_t *files; /* names of exports that are made of it */
    enum tw_type type;
    bool grey;               /* heights that are no terrain: a measure of it is drawn as a mask */
    struct tw_source source; /* in the recipe */
    bool stale;              /* it is of an earlier run */
    char content[33];        /* digest of the value, in hexadecimal; "": there was none */
    json_t *facts;           /* of the value */
    struct tw_shared *png;   /* for the page; NULL: it cannot be drawn */
    struct tw_shared *full_png; /* cell by cell, where that is larger */
};

struct tw_views {
    struct tw_views_item *at; /* outputs in the recipe's order, then other exports */
    int32_t count;
};

/* What a recipe has to show; makes it the outputs of its graph. `views` starts as {0}. */
enum tw_status tw_views_choose(struct tw_views *views, const struct tw_recipe_entry *part,
                               struct tw_set_graph *graph, const char *only, struct tw_error *err);
/* Takes what a run gave. What it did not give, and what has not changed, comes from the views
 * before, which stay as they are. The first error, though the others were taken. */
enum tw_status tw_views_fill(struct tw_views *views, const struct tw_views *before,
                             const struct tw_result *result, const struct tw_run_options *run,
                             struct tw_error *err);
/* The first of the recipe's exports that could not be written, for a height outside its range. */
enum tw_status tw_views_check_exports(const struct tw_views *views, const struct tw_recipe *recipe,
                                      const struct tw_result *result, struct tw_error *err);
/* Copies the views before, as old ones. `views` starts as {0}. */
enum tw_status tw_views_repeat(struct tw_views *views, const struct tw_views *before,
                               struct tw_error *err);
/* The list of a state; NULL without memory. */
json_t *tw_views_json(const struct tw_views *views);
/* The PNG that a state has at this path, still the views'; NULL: none. */
struct tw_shared *tw_views_picture(const struct tw_views *views, const char *path);
void tw_views_release(struct tw_views *views);

/* ---- preview.c ---- */

struct tw_preview;

/* `recipe` is its file; both are borrowed. */
enum tw_status tw_preview_create(const char *recipe, const struct tw_settings *settings,
                                 struct tw_preview **preview, struct tw_error *err);
void tw_preview_release(struct tw_preview *preview);
/* What the server of the preview answers. */
struct tw_web_site tw_preview_site(struct tw_preview *preview);
/* Who gets the news; before the first run. */
void tw_preview_tell(struct tw_preview *preview, struct tw_web_server *server);
/* For tw_run_call. */
const struct tw_run_viewer *tw_preview_viewer(const struct tw_preview *preview);

#endif
