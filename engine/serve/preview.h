/* SPDX-License-Identifier: MIT */
/* The preview of `serve`: what a page shows of the runs of a recipe, or of two, and what it
 * changes. Runs happen on the thread of the command; requests come from threads of the web server.
 */
#ifndef TW_ENGINE_SERVE_PREVIEW_H
#define TW_ENGINE_SERVE_PREVIEW_H

#include "base/net/web_server.h"
#include "session/run_session.h"

struct tw_preview;

/* What is served. All is borrowed. */
struct tw_preview_recipes {
    struct tw_settings *settings; /* of the runs; the preview changes `size`, `set` and `quiet` */
    char **operands;              /* settings->operand_count files: one, or two variants */
    const char *labels[2];        /* of the variants */
    const char *const *against;   /* NAME=VALUE, for the second variant; NULL-terminated, or NULL */
    /* By recipe, of an experiment; NULL: none. The preview takes settings that are scalars as
     * values that the page has set. */
    struct tw_load_changes *changes;
    bool read_only;
};

enum tw_status tw_preview_create(const struct tw_preview_recipes *recipes, int32_t port,
                                 struct tw_preview **preview, struct tw_error *err);
void tw_preview_release(struct tw_preview *preview);
/* Returns the web server's callbacks, and the key of the page's address. */
struct tw_web_site tw_preview_site(struct tw_preview *preview);
/* Sets the server that receives the news; call this before the first run. */
void tw_preview_tell(struct tw_preview *preview, struct tw_web_server *server);
/* Returns the value for tw_run_call.viewer. */
const struct tw_run_viewer *tw_preview_viewer(const struct tw_preview *preview);

#endif
