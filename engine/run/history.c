/* SPDX-License-Identifier: MIT */
#include "run/history.h"

#include "base/dir.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY_BYTES_MAX = 1 << 26, HEX = 2 * sizeof(struct tw_digest) };
#define ENDING ".json"

struct tw_history {
    json_t *root, *nodes;
};

/* FOLDER/history/<digest of the recipe's real path>.json */
static bool history_path(const char *cache_dir, const char *recipe_file, char path[PATH_MAX])
{
    char real[PATH_MAX], hex[HEX + 1];
    if (!tw_file_real_path(recipe_file, real))
        return false;
    struct tw_digest digest = tw_digest_of(real, strlen(real));
    tw_hex(digest.at, sizeof digest.at, hex);
    return snprintf(path, PATH_MAX, "%s/history/%s" ENDING, cache_dir, hex) < PATH_MAX;
}

struct tw_history *tw_history_load(const char *cache_dir, const char *recipe_file)
{
    char path[PATH_MAX];
    unsigned char *data = NULL;
    size_t length = 0;
    if (!history_path(cache_dir, recipe_file, path) ||
        tw_file_read(path, HISTORY_BYTES_MAX, &data, &length, NULL) != TW_OK)
        return NULL;
    json_t *root;
    (void)tw_json_load(data, length, 0, &root, NULL);
    json_t *nodes = json_object_get(root, "nodes");
    struct tw_history *history = json_is_object(nodes) ? calloc(1, sizeof *history) : NULL;
    free(data);
    if (!history) {
        json_decref(root);
        return NULL;
    }
    *history = (struct tw_history){root, nodes};
    return history;
}

void tw_history_release(struct tw_history *history)
{
    if (!history)
        return;
    json_decref(history->root);
    free(history);
}

const char *tw_history_key_text(const struct tw_history *history, const char *node)
{
    if (!history)
        return NULL;
    return json_string_value(json_object_get(json_object_get(history->nodes, node), "key"));
}

/* Digests of the key texts that a node had, newest first; the oldest are forgotten. */
enum { SEEN_MAX = 16 };

static json_t *digest_json(const char *key_text)
{
    char hex[HEX + 1];
    struct tw_digest digest = tw_digest_of(key_text, strlen(key_text));
    tw_hex(digest.at, sizeof digest.at, hex);
    return json_string(hex);
}

static const json_t *seen_keys(const struct tw_history *history, const char *node)
{
    return history ? json_object_get(json_object_get(history->nodes, node), "seen") : NULL;
}

bool tw_history_has_seen(const struct tw_history *history, const char *node, const char *key_text)
{
    const json_t *seen = seen_keys(history, node);
    json_t *digest = key_text ? digest_json(key_text) : NULL;
    bool found = false;
    for (size_t i = 0; digest && i < json_array_size(seen); i++)
        found |= json_equal(json_array_get(seen, i), digest) != 0;
    json_decref(digest);
    return found;
}

static json_t *add_seen(const struct tw_history *before, const char *node, const char *key_text)
{
    const json_t *old = seen_keys(before, node);
    json_t *seen = json_array(), *digest = digest_json(key_text);
    json_array_append(seen, digest);
    for (size_t i = 0; i < json_array_size(old) && json_array_size(seen) < SEEN_MAX; i++)
        if (json_is_string(json_array_get(old, i)) && !json_equal(json_array_get(old, i), digest))
            json_array_append(seen, json_array_get(old, i));
    json_decref(digest);
    return seen;
}

double *tw_history_expected(const struct tw_history *history, const struct tw_recipe *recipe)
{
    const double longest = 1e9; /* 30 years: sums stay finite, whatever the file says */
    double *expected = calloc((size_t)recipe->count + 1, sizeof *expected), sum = 0;
    int32_t known = 0;
    for (int32_t i = 0; expected && history && i < recipe->count; i++) {
        json_t *entry = json_object_get(history->nodes, recipe->nodes[i].path);
        expected[i] = json_number_value(json_object_get(entry, "seconds"));
        if (expected[i] > longest)
            expected[i] = longest;
        if (expected[i] > 0) {
            sum += expected[i];
            known++;
        }
    }
    for (int32_t i = 0; expected && i < recipe->count; i++)
        if (!(expected[i] > 0))
            expected[i] = known ? sum / known : 1;
    return expected;
}

void tw_history_save(const char *cache_dir, const struct tw_recipe *recipe,
                     const struct tw_run_report *report, const struct tw_history *before)
{
    char path[PATH_MAX], folder[PATH_MAX];
    json_t *nodes = json_object();
    for (int32_t i = 0; i < report->node_count; i++) {
        const struct tw_node_report *node = &report->nodes[i];
        if (node->key_text && node->outcome != TW_OUTCOME_UNDECIDED)
            json_object_set_new(nodes, recipe->nodes[i].path,
                                json_pack("{s:s, s:f, s:o}", "key", node->key_text, "seconds",
                                          node->seconds, "seen",
                                          add_seen(before, recipe->nodes[i].path, node->key_text)));
    }
    snprintf(folder, sizeof folder, "%s", recipe->file);
    tw_text_clean(folder);
    json_t *root = json_pack("{s:s, s:s, s:o}", "format", "thalweg.history/1", "recipe", folder,
                             "nodes", nodes);
    struct tw_bytes text = {0};
    if (tw_json_print(root, JSON_COMPACT, &text, NULL) == TW_OK &&
        history_path(cache_dir, recipe->file, path) &&
        snprintf(folder, sizeof folder, "%s/history", cache_dir) < (int)sizeof folder &&
        tw_file_make_folder(folder, NULL) == TW_OK)
        (void)tw_file_write(path, text.at, text.length, NULL);
    free(text.at);
}

static enum tw_status clear_one(void *context, const char *name, const struct tw_file_info *info,
                                struct tw_error *err)
{
    const int *dir = context;
    (void)info;
    (void)err;
    if (strlen(name) == HEX + strlen(ENDING) && strcmp(name + HEX, ENDING) == 0)
        (void)tw_dir_remove(*dir, name);
    return TW_OK;
}

void tw_history_clear(const char *cache_dir)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/history", cache_dir) >= (int)sizeof path)
        return;
    int dir = tw_dir_open(path, false);
    if (dir < 0)
        return;
    (void)tw_dir_list(dir, ".", clear_one, &dir, NULL);
    (void)tw_file_close(dir);
}
