/* SPDX-License-Identifier: MIT */
#include "serve/preview.h"

#include "base/text/json.h"
#include "console/settings.h"
#include "serve/page_parts.h"
#include "serve/preview_private.h"
#include "serve/shipped.h"

#include <stdlib.h>
#include <string.h>

/* ---- responses of the server ---- */

static struct tw_shared *share(struct tw_bytes *text)
{
    struct tw_shared *shared = text->at ? tw_shared_create(text) : NULL;
    free(text->at);
    return shared;
}

static struct tw_shared *share_part(const unsigned char *at, size_t length)
{
    struct tw_bytes text = {0};
    (void)tw_bytes_append(&text, at, length, NULL);
    return share(&text);
}

static struct tw_shared *share_json(json_t *json)
{
    struct tw_bytes text = {0};
    (void)tw_json_print(json, JSON_COMPACT | JSON_REAL_PRECISION(9), &text, NULL);
    return share(&text);
}

static struct tw_shared *share_state(struct tw_preview *preview)
{
    uv_mutex_lock(&preview->lock);
    struct tw_shared *state = share_json(json_incref(preview->state));
    uv_mutex_unlock(&preview->lock);
    return state;
}

static struct tw_shared *find_body(struct tw_preview *preview, const char *path,
                                   struct tw_web_page *page)
{
    page->type = path[1] == 'v' ? "application/octet-stream" : "image/png";
    page->lasting = true;
    return tw_body_store_find(preview->bodies, path + 1);
}

static bool find_page(void *context, const char *path, struct tw_web_page *page)
{
    struct tw_preview *preview = context;
    page->type = "application/json";
    if (strcmp(path, "/") == 0) {
        page->type = "text/html; charset=utf-8";
        page->body = tw_shared_keep(preview->page);
    } else if (strcmp(path, "/page.js") == 0) {
        page->type = "text/javascript; charset=utf-8";
        page->body = share_part(tw_page_serve_script, tw_page_serve_script_length);
    } else if (strcmp(path, "/page.css") == 0) {
        page->type = "text/css; charset=utf-8";
        page->body = share_part(tw_page_serve_style, tw_page_serve_style_length);
    } else if (strcmp(path, "/state.json") == 0) {
        page->body = share_state(preview);
    } else if (strcmp(path, "/library.json") == 0) {
        page->body = share_json(tw_serve_library());
    } else if (path[0] && path[1] && strchr("vtp", path[1]) && path[2] == '/') {
        page->body = find_body(preview, path, page);
    }
    return page->body != NULL;
}

/* Only the server's own files and bodies; nothing else may frame the page or take its address. */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct tw_web_site tw_preview_site(struct tw_preview *preview)
{
    return (struct tw_web_site){policy,    preview->keys.key, preview->keys.token,
                                find_page, tw_preview_post,   preview};
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

/* Puts the token into the page. */
static bool print_page(struct tw_preview *preview)
{
    static const char mark[] = "@TOKEN@";
    const char *text = (const char *)tw_page_serve;
    size_t at = 0;
    struct tw_bytes page = {0};
    while (at + sizeof mark - 1 < tw_page_serve_length &&
           memcmp(text + at, mark, sizeof mark - 1) != 0)
        at++;
    const bool ok = tw_bytes_append(&page, text, at, NULL) == TW_OK &&
                    tw_bytes_append(&page, preview->keys.token, TW_WEB_KEY_DIGITS, NULL) == TW_OK &&
                    tw_bytes_append(&page, text + at + sizeof mark - 1,
                                    tw_page_serve_length - at - (sizeof mark - 1), NULL) == TW_OK;
    preview->page = ok ? tw_shared_create(&page) : NULL;
    free(page.at);
    return preview->page != NULL;
}

/* Adds a parameter's value to those that are set; false if it is no scalar. */
static bool add_value(struct tw_preview *preview, const char *prefix, const char *name,
                      size_t length, const char *value)
{
    char path[300];
    if (length == 0 || !tw_serve_is_scalar(value) ||
        snprintf(path, sizeof path, "%sparams.%.*s", prefix, (int)length, name) >= (int)sizeof path)
        return false;
    return json_object_set_new(preview->pending, path, json_string(value)) == 0;
}

/* Adds NAME=VALUE; false if it must stay an option. */
static bool add_pending(struct tw_preview *preview, const char *prefix, const char *option)
{
    const char *value = strchr(option, '=');
    return value && add_value(preview, prefix, option, (size_t)(value - option), value + 1);
}

/* Adds what a variant of an experiment sets; what is no scalar stays with the variant. */
static bool take_settings(struct tw_preview *preview, int32_t p)
{
    struct tw_load_changes *changes = &preview->recipes.changes[p];
    const int32_t count = changes->setting_count;
    struct tw_setting *kept = calloc((size_t)count + 1, sizeof *kept);
    preview->settings[p] = kept;
    changes->setting_count = 0;
    for (int32_t i = 0; kept && i < count; i++) {
        const struct tw_setting *setting = &changes->settings[i];
        if (!add_value(preview, preview->prefixes[p], setting->name, strlen(setting->name),
                       setting->text))
            kept[changes->setting_count++] = *setting;
    }
    changes->settings = kept;
    return kept != NULL;
}

/* The values of -s and --against are the first that are set. */
static bool take_options(struct tw_preview *preview)
{
    struct tw_option_list *set = &preview->recipes.settings->set;
    preview->options = *set;
    *set = (struct tw_option_list){.count = 0};
    for (int32_t i = 0; i < preview->options.count; i++) {
        bool all = true;
        for (int32_t p = 0; p < preview->count; p++)
            all &= add_pending(preview, preview->prefixes[p], preview->options.at[i]);
        if (!all)
            set->at[set->count++] = preview->options.at[i];
    }
    for (const char *const *at = preview->recipes.against; at && *at; at++)
        (void)add_pending(preview, preview->prefixes[1], *at);
    bool ok = true;
    for (int32_t p = 0; ok && preview->recipes.changes && p < preview->count; p++)
        ok = take_settings(preview, p);
    return ok;
}

static bool fill(struct tw_preview *preview, int32_t port)
{
    const struct tw_settings *settings = preview->recipes.settings;
    const char *folder = settings->no_cache ? NULL : tw_console_cache_dir(settings->cache_dir);
    size_t bytes = TW_BODY_STORE_BYTES;
    if (settings->max_memory > 0 && settings->max_memory / 4 < bytes)
        bytes = (size_t)(settings->max_memory / 4);
    static const char *const names[] = {"a", "b"}, *const prefixes[] = {"a.", "b."};
    preview->count = settings->operand_count;
    for (int32_t p = 0; p < preview->count && p < TW_SIDES_MAX; p++) {
        preview->variants[p] = preview->count > 1 ? names[p] : "";
        preview->prefixes[p] = preview->count > 1 ? prefixes[p] : "";
    }
    preview->full_size = settings->size;
    preview->quiet = settings->quiet;
    preview->first = true;
    preview->pending = json_object();
    preview->bodies = tw_body_store_create(bytes);
    tw_preview_set_viewer(preview);
    return preview->pending && preview->bodies && take_options(preview) &&
           tw_serve_keys_create(&preview->keys, folder, preview->recipes.operands[0], port) &&
           print_page(preview) && tw_preview_state_create(preview);
}

enum tw_status tw_preview_create(const struct tw_preview_recipes *recipes, int32_t port,
                                 struct tw_preview **preview, struct tw_error *err)
{
    struct tw_preview *created = calloc(1, sizeof *created);
    *preview = NULL;
    if (!created || uv_mutex_init(&created->lock) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    created->recipes = *recipes;
    if (!fill(created, port)) {
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
    tw_views_release(&preview->views);
    for (int32_t p = 0; p < TW_SIDES_MAX; p++) {
        free(preview->texts[p].file.at);
        free(preview->texts[p].patched.at);
        free(preview->settings[p]);
    }
    tw_serve_request_release(&preview->request);
    json_decref(preview->want);
    json_decref(preview->state);
    json_decref(preview->rows);
    json_decref(preview->pending);
    json_decref(preview->values);
    json_decref(preview->facts);
    json_decref(preview->shown);
    tw_body_store_release(preview->bodies);
    tw_shared_release(preview->page);
    uv_mutex_destroy(&preview->lock);
    free(preview);
}
