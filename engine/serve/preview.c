/* SPDX-License-Identifier: MIT */
/* Invariant: `state` and `views`, which the server's threads read, are replaced together under the
 * lock, never edited. All other members belong to the thread that runs recipes. */
#include "serve/preview.h"

#include "base/text/json.h"
#include "base/text/text.h"
#include "console/answer.h"
#include "console/diagnostic.h"
#include "console/documents.h"
#include "console/stop.h"
#include "serve/serve_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct tw_preview {
    const char *recipe;
    const struct tw_settings *settings;
    struct tw_run_options run; /* options for drawing the pictures */
    struct tw_run_viewer viewer;
    struct tw_web_server *server;
    char *policy;

    uv_mutex_t lock;
    struct tw_shared *page, *state; /* `state` is NULL until the first run has ended */
    struct tw_views views;

    int64_t revision; /* number of runs that have ended */
    int percent;      /* last percentage sent, and its node */
    char node[128];
    struct tw_views next;
    const struct tw_recipe *loaded; /* the recipe that `next` shows; NULL: it has faults */
    FILE *diagnostics;
    char *diagnostics_text;
    size_t diagnostics_length;
};

/* ---- news of the run ---- */

static void tell(const struct tw_preview *preview, bool running, double done, const char *node)
{
    json_t *event = json_pack("{s:I, s:b, s:f, s:o}", "revision", (json_int_t)preview->revision,
                              "running", (int)running, "done", done, "node", tw_json_text(node));
    struct tw_bytes text = {0};
    if (tw_json_print(event, JSON_COMPACT | JSON_REAL_PRECISION(4), &text, NULL) == TW_OK &&
        tw_bytes_append(&text, "", 1, NULL) == TW_OK)
        tw_web_server_tell(preview->server, (const char *)text.at);
    free(text.at);
}

static void on_begin(void *context)
{
    struct tw_preview *preview = context;
    tw_views_release(&preview->next);
    preview->loaded = NULL;
    preview->percent = -1;
    preview->diagnostics = open_memstream(&preview->diagnostics_text, &preview->diagnostics_length);
    tw_console_copy_diagnostics(preview->diagnostics);
    tell(preview, true, 0, "");
}

static void on_progress(void *context, const char *node, double done)
{
    struct tw_preview *preview = context;
    int percent = (int)(done * 100);
    if (percent == preview->percent && strcmp(node, preview->node) == 0)
        return;
    preview->percent = percent;
    snprintf(preview->node, sizeof preview->node, "%s", node);
    tell(preview, true, done, node);
}

static enum tw_status on_chosen(void *context, const struct tw_recipe_entry *part,
                                struct tw_set_graph *graph, struct tw_error *err)
{
    struct tw_preview *preview = context;
    enum tw_status status =
        tw_views_choose(&preview->next, part, graph, preview->settings->only, err);
    preview->loaded = status == TW_OK ? part->recipe : NULL;
    return status;
}

/* ---- the state ---- */

/* Sanitises the diagnostics line by line, since sanitising a text removes its line ends. */
static json_t *take_diagnostics(struct tw_preview *preview)
{
    struct tw_bytes text = {0};
    bool ok = preview->diagnostics && fclose(preview->diagnostics) == 0;
    tw_console_copy_diagnostics(NULL);
    preview->diagnostics = NULL;
    for (char *line = ok ? preview->diagnostics_text : NULL; line && line[0];) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = 0;
        tw_text_clean(line);
        ok = ok && tw_bytes_print(&text, NULL, "%s\n", line) == TW_OK;
        line = next;
    }
    json_t *diagnostics = ok ? json_string(text.at ? (const char *)text.at : "") : NULL;
    free(text.at);
    free(preview->diagnostics_text);
    preview->diagnostics_text = NULL;
    return diagnostics;
}

/* Takes the reference to `diagnostics`; NULL there means out of memory. Returns NULL on error. */
static struct tw_shared *print_state(const struct tw_preview *preview, int code,
                                     json_t *diagnostics, struct tw_error *err)
{
    struct tw_bytes text = {0};
    json_t *state = tw_answer_json(code);
    json_t *own =
        TW_DOCUMENT(serve, .revision = (int64_t)preview->revision + 1, .recipe = preview->recipe,
                    .diagnostics = diagnostics, .views = tw_views_json(&preview->next));
    if (!state || !own || json_object_update(state, own) != 0) {
        json_decref(state);
        state = NULL;
    }
    json_decref(own);
    enum tw_status status = tw_json_print(state, JSON_COMPACT | JSON_REAL_PRECISION(9), &text, err);
    struct tw_shared *shared = status == TW_OK ? tw_shared_create(&text) : NULL;
    if (status == TW_OK && !shared)
        tw_error_set(err, TW_MEMORY, "out of memory");
    free(text.at);
    return shared;
}

/* Publishes views and state to the server's threads; *views gets the old views for release. */
static void replace(struct tw_preview *preview, struct tw_views *views, struct tw_shared *state)
{
    struct tw_views old_views = preview->views;
    struct tw_shared *old_state = preview->state;
    uv_mutex_lock(&preview->lock);
    preview->views = *views;
    preview->state = state;
    uv_mutex_unlock(&preview->lock);
    *views = old_views;
    tw_shared_release(old_state);
}

/* Fills the next views from the result. If the recipe cannot be run, repeats the current views,
 * marked stale. */
static enum tw_status take_views(struct tw_preview *preview, const struct tw_result *result,
                                 struct tw_error *err)
{
    if (preview->loaded && result) {
        enum tw_status status =
            tw_views_fill(&preview->next, &preview->views, result, &preview->run, err);
        return status == TW_OK
                   ? tw_views_check_exports(&preview->next, preview->loaded, result, err)
                   : status;
    }
    tw_views_release(&preview->next);
    return tw_views_repeat(&preview->next, &preview->views, err);
}

static void on_drop(void *context)
{
    struct tw_preview *preview = context;
    json_decref(take_diagnostics(preview));
    tw_views_release(&preview->next);
}

static void on_end(void *context, const struct tw_result *result, int code)
{
    struct tw_preview *preview = context;
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = take_views(preview, result, &error);
    if (status != TW_OK && status != TW_CANCELLED) {
        int failed = tw_console_error(&error);
        code = failed > code ? failed : code;
    }
    json_t *diagnostics = take_diagnostics(preview);
    struct tw_shared *state = print_state(preview, code, diagnostics, &error);
    if (state) {
        replace(preview, &preview->next, state);
        preview->revision++;
    } else {
        tw_console_error(&error);
    }
    tell(preview, false, 1, "");
}

/* ---- responses of the server ---- */

/* Call with the lock held. */
static struct tw_shared *find_body(const struct tw_preview *preview, const char *path,
                                   struct tw_web_page *page)
{
    page->type = "image/png";
    page->lasting = true;
    struct tw_shared *body = tw_views_picture(&preview->views, path);
    if (body)
        return body;
    page->lasting = false;
    page->type = "text/html; charset=utf-8";
    if (strcmp(path, "/") == 0)
        return preview->page;
    page->type = "application/json";
    return strcmp(path, "/state.json") == 0 ? preview->state : NULL;
}

static bool find_page(void *context, const char *path, struct tw_web_page *page)
{
    struct tw_preview *preview = context;
    uv_mutex_lock(&preview->lock);
    page->body = tw_shared_keep(find_body(preview, path, page));
    uv_mutex_unlock(&preview->lock);
    return page->body != NULL;
}

struct tw_web_site tw_preview_site(struct tw_preview *preview)
{
    return (struct tw_web_site){preview->policy, find_page, preview};
}

void tw_preview_tell(struct tw_preview *preview, struct tw_web_server *server)
{
    preview->server = server;
}

const struct tw_run_viewer *tw_preview_viewer(const struct tw_preview *preview)
{
    return &preview->viewer;
}

/* ---- creation and release ---- */

static bool print_page(struct tw_preview *preview)
{
    char *page = NULL;
    size_t page_length = 0, policy_length = 0;
    FILE *out = open_memstream(&page, &page_length);
    if (!out)
        return false;
    tw_serve_page(out, preview->recipe);
    bool ok = fclose(out) == 0;
    struct tw_bytes bytes = {.at = (unsigned char *)page, .length = page_length};
    preview->page = ok ? tw_shared_create(&bytes) : NULL;
    free(bytes.at);
    out = open_memstream(&preview->policy, &policy_length);
    if (!out)
        return false;
    tw_serve_policy(out);
    return fclose(out) == 0 && preview->page;
}

enum tw_status tw_preview_create(const char *recipe, const struct tw_settings *settings,
                                 struct tw_preview **preview, struct tw_error *err)
{
    struct tw_preview *created = calloc(1, sizeof *created);
    *preview = NULL;
    if (!created || uv_mutex_init(&created->lock) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    created->recipe = recipe;
    created->settings = settings;
    created->run = (struct tw_run_options){.threads = settings->threads, .cancel = tw_stop_flag()};
    created->viewer =
        (struct tw_run_viewer){on_begin, on_chosen, on_progress, on_end, on_drop, created};
    if (!print_page(created)) {
        tw_preview_release(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    *preview = created;
    return TW_OK;
}

void tw_preview_release(struct tw_preview *preview)
{
    if (!preview)
        return;
    tw_views_release(&preview->next);
    tw_views_release(&preview->views);
    tw_shared_release(preview->page);
    tw_shared_release(preview->state);
    free(preview->policy);
    uv_mutex_destroy(&preview->lock);
    free(preview);
}
