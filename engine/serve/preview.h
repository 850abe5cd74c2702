/* SPDX-License-Identifier: MIT */
/* The preview of `serve`: after every run it provides the state as JSON and the pictures to the
 * threads of the web server; during a run it sends news of its progress. */
#ifndef TW_ENGINE_SERVE_PREVIEW_H
#define TW_ENGINE_SERVE_PREVIEW_H

#include "base/net/web_server.h"
#include "session/run_session.h"

#include <jansson.h>

/* ---- preview_views.c: the views of a recipe ---- */

struct tw_views_item {
    char *name;    /* of the output, or of an export that is not an output */
    json_t *files; /* names of the exports made from this value */
    enum tw_type type;
    bool grey;                  /* a measure, not terrain: its heights are drawn as a mask */
    struct tw_source source;    /* its node and port in the recipe */
    bool stale;                 /* the value comes from an earlier run */
    char content[33];           /* digest of the value in hexadecimal; "": no value yet */
    json_t *facts;              /* about the value */
    struct tw_shared *png;      /* for the page; NULL: cannot be drawn */
    struct tw_shared *full_png; /* one pixel per cell, if that is larger than `png` */
};

struct tw_views {
    struct tw_views_item *at; /* outputs in the recipe's order, then other exports */
    int32_t count;
};

/* Lists the views of a recipe and makes them its graph's outputs. Initialise `views` with {0}. */
enum tw_status tw_views_choose(struct tw_views *views, const struct tw_recipe_entry *part,
                               struct tw_set_graph *graph, const char *only, struct tw_error *err);
/* Fills the views from the result of a run. Values that are missing or unchanged are copied from
 * `before`, which is not modified. Fills the other views even after an error, then returns it. */
enum tw_status tw_views_fill(struct tw_views *views, const struct tw_views *before,
                             const struct tw_result *result, const struct tw_run_options *run,
                             struct tw_error *err);
/* Returns the error of the first export that could not be written because a height exceeds its
 * range. */
enum tw_status tw_views_check_exports(const struct tw_views *views, const struct tw_recipe *recipe,
                                      const struct tw_result *result, struct tw_error *err);
/* Copies the views of the last run and marks them stale. Initialise `views` with {0}. */
enum tw_status tw_views_repeat(struct tw_views *views, const struct tw_views *before,
                               struct tw_error *err);
/* Builds the list of views for the state; NULL without memory. */
json_t *tw_views_json(const struct tw_views *views);
/* Returns the PNG with this path, still owned by the views; NULL if there is none. */
struct tw_shared *tw_views_picture(const struct tw_views *views, const char *path);
void tw_views_release(struct tw_views *views);

/* ---- preview.c ---- */

struct tw_preview;

/* `recipe` names the recipe's file; both arguments are borrowed. */
enum tw_status tw_preview_create(const char *recipe, const struct tw_settings *settings,
                                 struct tw_preview **preview, struct tw_error *err);
void tw_preview_release(struct tw_preview *preview);
/* Returns the web server's callbacks for this preview. */
struct tw_web_site tw_preview_site(struct tw_preview *preview);
/* Sets the server that receives the news; call this before the first run. */
void tw_preview_tell(struct tw_preview *preview, struct tw_web_server *server);
/* Returns the value for tw_run_call.viewer. */
const struct tw_run_viewer *tw_preview_viewer(const struct tw_preview *preview);

#endif
