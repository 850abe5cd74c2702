/* SPDX-License-Identifier: MIT */
/* What a page changes: the values of the next run, and the recipes' files. */
#include "serve/preview_private.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "console/stop.h"
#include "graph/load/patch.h"
#include "runner/watch.h"

#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

/* Takes the reference; false when out of memory. */
static bool answer(struct tw_web_page *page, int status, json_t *json)
{
    struct tw_bytes text = {0};
    const bool ok = tw_json_print(json, JSON_COMPACT, &text, NULL) == TW_OK;
    *page = (struct tw_web_page){.status = status, .type = "application/json"};
    page->body = ok ? tw_shared_create(&text) : NULL;
    free(text.at);
    return page->body != NULL;
}

static bool answer_error(struct tw_web_page *page, int status, const char *why)
{
    return answer(page, status, json_pack("{s:s}", "error", why));
}

/* ---- running ---- */

/* Sets the values of the next run. */
static void set_pending(struct tw_preview *preview, json_t *values)
{
    json_t *old = preview->pending;
    preview->pending = json_incref(values);
    json_object_set(preview->state, "pending", values);
    tw_preview_set_values(preview);
    json_decref(old);
}

/* Asks for a run; returns its revision. Takes over the request. */
static int64_t ask(struct tw_preview *preview, struct tw_serve_request *request)
{
    set_pending(preview, request->values);
    tw_serve_request_release(&preview->request);
    preview->request = *request;
    *request = (struct tw_serve_request){.values = NULL};
    preview->asked = (preview->asked > preview->begun ? preview->asked : preview->begun) + 1;
    if (preview->may_give_way)
        tw_stop_give_way();
    if (preview->watch)
        tw_watch_wake(preview->watch);
    return preview->asked;
}

static bool post_run(struct tw_preview *preview, struct tw_serve_request *request,
                     struct tw_web_page *page)
{
    char why[200];
    int64_t revision = 0;
    uv_mutex_lock(&preview->lock);
    if (tw_serve_accepts(preview->rows, request->values, why))
        revision = ask(preview, request);
    uv_mutex_unlock(&preview->lock);
    return revision ? answer(page, 202, json_pack("{s:I}", "revision", (json_int_t)revision))
                    : answer_error(page, 422, why);
}

/* ---- writing ---- */

/* Lists the values that the file has changed meanwhile. */
static void compare(const struct tw_yaml *root, const struct tw_serve_request *request,
                    const char *prefix, json_t *changed)
{
    const char *path;
    json_t *value;
    const size_t skip = strlen(prefix);
    json_object_foreach(request->values, path, value)
    {
        struct tw_patch_place place;
        const char *was = json_string_value(json_object_get(request->was, path));
        if (strncmp(path, prefix, skip) != 0 || !json_object_get(request->was, path))
            continue;
        const bool there = tw_patch_find(root, path + skip, &place) && place.scalar;
        const char *now = there ? place.scalar->text : NULL;
        if ((!now && was) || (now && (!was || strcmp(now, was) != 0)))
            json_array_append_new(changed, json_pack("{s:s, s:s?}", "path", path, "value", now));
    }
}

static void compare_text(const struct tw_preview *preview, const struct tw_serve_request *request,
                         int32_t p, const struct tw_bytes *text, json_t *changed)
{
    struct tw_arena arena = {0};
    struct tw_fault_log log = {.sink = NULL};
    const struct tw_yaml *root = tw_yaml_parse(&arena, &log, preview->recipes.operands[p],
                                               (const char *)text->at, text->length);
    if (root)
        compare(root, request, preview->prefixes[p], changed);
    tw_arena_release(&arena);
}

/* A file with the values of the request that are its own. */
struct writing {
    struct tw_bytes text, patched;
    bool differs;
};

static bool is_other(const struct writing *writing)
{
    return writing->patched.length != writing->text.length ||
           memcmp(writing->patched.at, writing->text.at, writing->text.length) != 0;
}

/* Both variants are of one file: adds the values of the second to what the first writes. */
static enum tw_status prepare_second(struct tw_preview *preview,
                                     const struct tw_serve_request *request,
                                     struct writing *writing, json_t *changed, json_t *misfits,
                                     struct tw_error *err)
{
    struct tw_bytes both = {0};
    compare_text(preview, request, 1, &writing->text, changed);
    const enum tw_status status = tw_serve_patch(&writing->patched, request->values, preview->rows,
                                                 preview->prefixes[1], &both, misfits, err);
    if (status != TW_OK)
        return free(both.at), status;
    free(writing->patched.at);
    writing->patched = both;
    writing->differs = is_other(writing);
    return TW_OK;
}

static enum tw_status prepare(struct tw_preview *preview, const struct tw_serve_request *request,
                              int32_t p, struct writing *writing, json_t *changed, json_t *misfits,
                              struct tw_error *err)
{
    enum tw_status status = tw_file_read(preview->recipes.operands[p], TW_YAML_BYTES_MAX,
                                         &writing->text.at, &writing->text.length, err);
    if (status != TW_OK)
        return status;
    compare_text(preview, request, p, &writing->text, changed);
    status = tw_serve_patch(&writing->text, request->values, preview->rows, preview->prefixes[p],
                            &writing->patched, misfits, err);
    writing->differs = status == TW_OK && is_other(writing);
    return status;
}

/* Whether what is to be written may be; with the reason if not. */
static bool may_write(const struct tw_preview *preview, const struct writing *writings,
                      char why[300])
{
    for (int32_t p = 0; p < preview->count; p++) {
        const char *file = preview->recipes.operands[p];
        if (!writings[p].differs || tw_file_is_writable(file))
            continue;
        snprintf(why, 300, "%.200s is read-only; expected a file that this server may write", file);
        return false;
    }
    return true;
}

/* Writes the file unless another program has changed it since it was read. */
static enum tw_status write_file(const char *file, const struct writing *writing, bool *raced,
                                 struct tw_error *err)
{
    struct tw_bytes now = {0};
    if (!writing->differs)
        return TW_OK;
    enum tw_status status = tw_file_read(file, TW_YAML_BYTES_MAX, &now.at, &now.length, err);
    *raced = status == TW_OK && (now.length != writing->text.length ||
                                 memcmp(now.at, writing->text.at, now.length) != 0);
    free(now.at);
    return status == TW_OK && !*raced
               ? tw_file_replace(file, writing->patched.at, writing->patched.length, err)
               : status;
}

/* The file has these values now: they are no longer set. */
static void forget_written(struct tw_preview *preview, const json_t *values)
{
    const char *path;
    json_t *value, *left = json_copy(preview->pending);
    json_object_foreach((json_t *)values, path, value) json_object_del(left, path);
    if (left)
        set_pending(preview, left);
    json_decref(left);
}

/* A file that has changed starts a run, as any save does. */
static bool answer_written(struct tw_preview *preview, const struct tw_serve_request *request,
                           const struct writing *writings, struct tw_web_page *page)
{
    char hex[33];
    const struct tw_bytes *text = &writings[0].patched;
    const struct tw_digest digest = tw_digest_of(text->at, text->length);
    bool differs = false;
    tw_hex(digest.at, sizeof digest.at, hex);
    forget_written(preview, request->values);
    for (int32_t p = 0; p < preview->count; p++)
        differs |= writings[p].differs;
    if (!differs) {
        struct tw_serve_request next = {.values = json_incref(preview->pending)};
        (void)ask(preview, &next);
    }
    return answer(page, 200, json_pack("{s:s}", "text", hex));
}

static bool write_all(struct tw_preview *preview, const struct tw_serve_request *request,
                      const struct writing *writings, const json_t *changed, const json_t *misfits,
                      struct tw_web_page *page)
{
    struct tw_error error = {.status = TW_OK};
    char why[300];
    bool raced = false;
    if (json_array_size(changed) > 0)
        return answer(page, 409, json_pack("{s:O}", "changed", changed));
    if (json_array_size(misfits) > 0) {
        snprintf(why, sizeof why, "the file has no place for '%.200s'",
                 json_string_value(json_array_get(misfits, 0)));
        return answer_error(page, 422, why);
    }
    if (!may_write(preview, writings, why))
        return answer_error(page, 422, why);
    for (int32_t p = 0; p < preview->count; p++)
        if (write_file(preview->recipes.operands[p], &writings[p], &raced, &error) != TW_OK)
            return answer_error(page, 422, error.message);
    if (raced)
        return answer(page, 409, json_pack("{s:[]}", "changed"));
    return answer_written(preview, request, writings, page);
}

static bool post_write(struct tw_preview *preview, const struct tw_serve_request *request,
                       struct tw_web_page *page)
{
    struct writing writings[TW_SIDES_MAX] = {{.text = {0}}};
    json_t *changed = json_array(), *misfits = json_array();
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = TW_OK;
    char why[200];
    bool ok;
    uv_mutex_lock(&preview->lock);
    const bool accepted = tw_serve_accepts(preview->rows, request->values, why);
    const bool one_file = preview->count > 1 &&
                          strcmp(preview->recipes.operands[0], preview->recipes.operands[1]) == 0;
    for (int32_t p = 0; accepted && status == TW_OK && p < preview->count - one_file; p++)
        status = prepare(preview, request, p, &writings[p], changed, misfits, &error);
    if (accepted && status == TW_OK && one_file)
        status = prepare_second(preview, request, &writings[0], changed, misfits, &error);
    if (!accepted)
        ok = answer_error(page, 422, why);
    else if (status != TW_OK)
        ok = answer_error(page, 422, error.message);
    else
        ok = write_all(preview, request, writings, changed, misfits, page);
    uv_mutex_unlock(&preview->lock);
    for (int32_t p = 0; p < TW_SIDES_MAX; p++) {
        free(writings[p].text.at);
        free(writings[p].patched.at);
    }
    json_decref(changed);
    json_decref(misfits);
    return ok;
}

bool tw_preview_post(void *context, const char *path, const struct tw_bytes *body,
                     struct tw_web_page *page)
{
    struct tw_preview *preview = context;
    struct tw_serve_request request;
    char why[200];
    const bool run = strcmp(path, "/run") == 0, write = strcmp(path, "/write") == 0;
    if (!body)
        return run || write;
    if (preview->recipes.read_only)
        return answer_error(page, 403, "this page can change nothing: --read-only or --untrusted");
    if (!tw_serve_request_read(body, &request, why))
        return answer_error(page, 400, why);
    const bool ok = run ? post_run(preview, &request, page) : post_write(preview, &request, page);
    tw_serve_request_release(&request);
    return ok;
}
