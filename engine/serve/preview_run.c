/* SPDX-License-Identifier: MIT */
/* The session's viewer: reads recipes with the values that are set, and passes on what a run does.
 */
#include "serve/preview_private.h"

#include "base/os/file.h"
#include "base/text/stream.h"
#include "base/text/text.h"
#include "console/diagnostic.h"
#include "console/stop.h"
#include "graph/load/yaml.h"
#include "run/export.h"
#include "runner/watch.h"
#include "serve/shown_value.h"

#include <stdlib.h>
#include <string.h>

enum { DRAFT_SIDE = 256, QUICK_DRAFT_SIDE = 128 };
#define SLOW_DRAFT 0.35 /* seconds: the next draft has fewer cells */

/* ---- before loading ---- */

enum tw_status tw_preview_read(const struct tw_preview *preview, int32_t part,
                               struct tw_bytes *text)
{
    *text = (struct tw_bytes){0};
    return tw_file_read(preview->recipes.operands[part], TW_YAML_BYTES_MAX, &text->at,
                        &text->length, NULL);
}

static void release_text(struct tw_preview_text *text)
{
    free(text->file.at);
    free(text->patched.at);
    *text = (struct tw_preview_text){.file = {0}};
}

/* Takes the run that waits, or the next one of the same values. Its first values are those of -s,
 * and stay options where the recipe has no place for them. */
static void take_request(struct tw_preview *preview)
{
    uv_mutex_lock(&preview->lock);
    const bool asked = preview->asked > preview->begun;
    preview->begun = asked ? preview->asked : preview->begun + 1;
    preview->asked = preview->begun;
    preview->viewer.draft = asked && preview->request.draft && preview->map.width > 0;
    if (preview->request.want) {
        json_decref(preview->want);
        preview->want = preview->request.want;
        preview->request.want = NULL;
    }
    preview->may_give_way = !preview->viewer.draft;
    json_decref(preview->values);
    preview->values = json_deep_copy(preview->pending);
    uv_mutex_unlock(&preview->lock);
}

/* Keeps as an option what -s or --against gave and the recipe does not declare: loading reports
 * it. */
static void keep_option(struct tw_preview *preview, const char *path)
{
    struct tw_option_list *set = &preview->recipes.settings->set;
    const char *name = strrchr(path, '.') + 1;
    const size_t length = strlen(name);
    const char *const *lists[] = {preview->options.at, preview->recipes.against};
    for (size_t l = 0; preview->first && l < 2; l++)
        for (const char *const *at = lists[l]; at && *at; at++)
            if (strncmp(*at, name, length) == 0 && (*at)[length] == '=' &&
                set->count < TW_OPTION_REPEATS_MAX)
                set->at[set->count++] = *at;
}

static void drop_misfits(struct tw_preview *preview, const json_t *misfits)
{
    size_t i;
    json_t *path;
    uv_mutex_lock(&preview->lock);
    json_array_foreach(misfits, i, path)
    {
        keep_option(preview, json_string_value(path));
        json_object_del(preview->pending, json_string_value(path));
        json_object_del(preview->values, json_string_value(path));
    }
    uv_mutex_unlock(&preview->lock);
}

static void read_text(struct tw_preview *preview, int32_t p)
{
    struct tw_preview_text *text = &preview->texts[p];
    json_t *misfits = json_array();
    release_text(text);
    preview->changes[p] = preview->recipes.changes ? preview->recipes.changes[p]
                                                   : (struct tw_load_changes){.nodes = NULL};
    if (tw_preview_read(preview, p, &text->file) == TW_OK) {
        text->digest = tw_digest_of(text->file.at, text->file.length);
        if (tw_serve_patch(&text->file, preview->values, preview->rows, preview->prefixes[p],
                           &text->patched, misfits, NULL) == TW_OK) {
            preview->changes[p].text = (const char *)text->patched.at;
            preview->changes[p].length = text->patched.length;
        }
    }
    if (json_array_size(misfits) > 0)
        drop_misfits(preview, misfits);
    json_decref(misfits);
}

/* A draft has few cells on its longer side. */
static void choose_size(struct tw_preview *preview)
{
    struct tw_settings *settings = preview->recipes.settings;
    const struct tw_option_cells map = preview->map;
    const int32_t longer = map.width > map.height ? map.width : map.height;
    const int32_t side = preview->draft_seconds > SLOW_DRAFT ? QUICK_DRAFT_SIDE : DRAFT_SIDE;
    settings->quiet = preview->quiet || preview->viewer.draft;
    settings->size = preview->full_size;
    if (!preview->viewer.draft || longer <= side)
        return;
    const int64_t width = (int64_t)map.width * side / longer;
    const int64_t height = (int64_t)map.height * side / longer;
    settings->size =
        (struct tw_option_cells){width > 0 ? (int32_t)width : 1, height > 0 ? (int32_t)height : 1};
}

static const struct tw_load_changes *on_begin(void *context)
{
    struct tw_preview *preview = context;
    take_request(preview);
    choose_size(preview);
    tw_views_release(&preview->views);
    json_object_clear(preview->shown);
    preview->loaded = preview->told = false;
    preview->node_count = preview->done_count = preview->computed = preview->kept = 0;
    preview->failure = TW_OK;
    preview->diagnostics = tw_stream_open(&preview->diagnostics_text, &preview->diagnostics_length);
    tw_console_copy_diagnostics(preview->diagnostics);
    for (int32_t p = 0; p < preview->count; p++)
        read_text(preview, p);
    preview->first = false;
    return preview->changes;
}

/* ---- the run ---- */

static enum tw_status on_choose(void *context, struct tw_recipe_set *parts, int32_t g,
                                struct tw_error *err)
{
    struct tw_preview *preview = context;
    const struct tw_view_choice choice = {.variants = preview->variants,
                                          .want = preview->want,
                                          .only_wanted = preview->viewer.draft,
                                          .only = preview->recipes.settings->only};
    preview->parts = parts;
    enum tw_status status = tw_views_choose(&preview->views, &choice, parts, g, err);
    if (status == TW_OK && g == parts->graph_count - 1 && !tw_preview_load_state(preview, parts))
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    return status;
}

static void on_start(void *context, int32_t g)
{
    struct tw_preview *preview = context;
    preview->graph = g;
}

static void on_plan(void *context, const struct tw_plan *plan, int32_t exports)
{
    struct tw_preview *preview = context;
    const double *expected =
        tw_recipe_set_expected((struct tw_recipe_set *)preview->parts, preview->graph);
    double seconds = 0;
    (void)exports;
    for (int32_t i = 0; expected && i < preview->parts->graphs[preview->graph].recipe->count; i++)
        seconds += plan->needed[i] ? expected[i] : 0;
    preview->node_count += plan->needed_count;
    tw_preview_send(preview, "plan",
                    json_pack("{s:I, s:i, s:f}", "revision", (json_int_t)preview->begun, "nodes",
                              (int)preview->node_count, "seconds", seconds));
}

static void on_done(void *context, int32_t node, enum tw_outcome outcome, double seconds)
{
    struct tw_preview *preview = context;
    const bool computed = outcome == TW_OUTCOME_COMPUTED;
    preview->done_count++;
    preview->computed += computed;
    preview->kept += !computed;
    tw_preview_end_node(preview, node, computed ? "computed" : "kept", seconds);
}

/* ---- values ---- */

/* The name of a value's body. Measures of a map's type are other bodies than terrain. */
static const char *digest_of(const struct tw_preview *preview, int32_t output,
                             const struct tw_stamp *stamp, char hex[33])
{
    tw_hex(stamp->digest.at, sizeof stamp->digest.at, hex);
    for (int32_t v = 0; v < preview->views.count; v++)
        if (preview->views.at[v].output == output && preview->views.at[v].measure)
            hex[0] = hex[0] == 'f' ? '0' : 'f';
    return hex;
}

static bool is_measure(const struct tw_preview *preview, int32_t output)
{
    for (int32_t v = 0; v < preview->views.count; v++)
        if (preview->views.at[v].output == output && preview->views.at[v].measure)
            return true;
    return false;
}

/* Heights that exceed the range of an export are an error, which needs the value. */
static bool is_limited(const struct tw_preview *preview, int32_t output)
{
    for (int32_t v = 0; !preview->viewer.draft && v < preview->views.count; v++)
        if (preview->views.at[v].output == output && preview->views.at[v].limited)
            return true;
    return false;
}

static const json_t *known_facts(const struct tw_preview *preview, const char *digest)
{
    const json_t *facts = json_object_get(preview->facts, digest);
    return facts && tw_shown_is_there(digest, facts, preview->bodies) ? facts : NULL;
}

static bool on_knows(void *context, const char *output, const struct tw_stamp *stamp)
{
    struct tw_preview *preview = context;
    const int32_t number = atoi(output);
    char hex[33];
    const char *digest = digest_of(preview, number, stamp, hex);
    const json_t *facts = is_limited(preview, number) ? NULL : known_facts(preview, digest);
    if (facts)
        tw_preview_show(preview, number, digest, facts);
    return facts != NULL;
}

static void fail(struct tw_preview *preview, struct tw_error *error)
{
    if (tw_status_exit_code(error->status) > tw_status_exit_code(preview->failure))
        preview->failure = error->status;
    tw_console_error(error);
}

static void check_exports(struct tw_preview *preview, int32_t output, const struct tw_value *value)
{
    for (int32_t v = 0; !preview->viewer.draft && v < preview->views.count; v++) {
        const struct tw_shown_view *view = &preview->views.at[v];
        struct tw_error error;
        struct tw_sha256 unused;
        if (view->output != output || !view->limited ||
            (value->type != TW_HEIGHTMAP && value->type != TW_MASK))
            continue;
        const struct tw_encoding encoding = tw_export_encoding(view->limited, &value);
        const enum tw_status status =
            tw_format_sha256(view->limited->format, &encoding, &unused, &error);
        if (status == TW_NODE)
            tw_export_locate(view->limited, &error);
        if (status != TW_OK && status != TW_CANCELLED)
            fail(preview, &error);
    }
}

static void on_show(void *context, const char *output, const struct tw_stamp *stamp,
                    const struct tw_value *value)
{
    struct tw_preview *preview = context;
    const int32_t number = atoi(output);
    struct tw_value shown = *value;
    struct tw_error error;
    char hex[33];
    const char *digest = digest_of(preview, number, stamp, hex);
    const json_t *facts = known_facts(preview, digest);
    check_exports(preview, number, value);
    if (is_measure(preview, number) && shown.type == TW_HEIGHTMAP)
        shown.type = TW_MASK;
    if (!facts) {
        json_t *made = NULL;
        if (tw_shown_value(&shown, digest, preview->bodies, &made, &error) != TW_OK)
            fail(preview, &error);
        else if (json_object_set_new(preview->facts, digest, made) == 0)
            facts = known_facts(preview, digest);
    }
    if (facts)
        tw_preview_show(preview, number, digest, facts);
}

/* ---- its end ---- */

/* Sanitises the diagnostics line by line, since sanitising a text removes its line ends. The caller
 * frees the text; NULL without memory. */
static char *take_diagnostics(struct tw_preview *preview)
{
    struct tw_bytes text = {0};
    bool ok = preview->diagnostics && tw_stream_close(preview->diagnostics) == 0;
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
    free(preview->diagnostics_text);
    preview->diagnostics_text = NULL;
    return (char *)text.at;
}

static void on_drop(void *context)
{
    struct tw_preview *preview = context;
    free(take_diagnostics(preview));
    tw_preview_send(preview, "dropped", json_pack("{s:I}", "revision", (json_int_t)preview->begun));
}

static void on_end(void *context, const struct tw_recipe_set *parts, double seconds, int code)
{
    struct tw_preview *preview = context;
    const int failed = tw_status_exit_code(preview->failure);
    if (preview->viewer.draft)
        preview->draft_seconds = seconds;
    else if (preview->loaded)
        preview->map =
            (struct tw_option_cells){parts->at[0].recipe->width, parts->at[0].recipe->height};
    char *diagnostics = take_diagnostics(preview);
    tw_preview_end_run(preview, failed > code ? failed : code, seconds,
                       diagnostics ? diagnostics : "");
    free(diagnostics);
}

static bool on_asked(void *context)
{
    struct tw_preview *preview = context;
    uv_mutex_lock(&preview->lock);
    preview->may_give_way = false;
    const bool asked = preview->asked > preview->begun;
    uv_mutex_unlock(&preview->lock);
    return asked;
}

static void on_follow(void *context, struct tw_watch *watch)
{
    struct tw_preview *preview = context;
    uv_mutex_lock(&preview->lock);
    preview->watch = watch;
    uv_mutex_unlock(&preview->lock);
}

void tw_preview_set_viewer(struct tw_preview *preview)
{
    preview->viewer =
        (struct tw_run_viewer){.follow = on_follow,
                               .begin = on_begin,
                               .choose = on_choose,
                               .start = on_start,
                               .observer = {.plan = on_plan, .done = on_done, .context = preview},
                               .display = {.knows = on_knows, .show = on_show, .context = preview},
                               .asked = on_asked,
                               .end = on_end,
                               .drop = on_drop,
                               .context = preview};
}
