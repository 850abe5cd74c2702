/* SPDX-License-Identifier: MIT */
/* Reading and writing thousands of nodes as JSON takes as long as the rest of a run that finds all
 * of them in the cache. So the file begins with a digest of its nodes: they are read only when
 * needed, and a run that would write an equal digest leaves the file alone. */
#include "runner/history.h"

#include "base/os/dir.h"
#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY_BYTES_MAX = 1 << 26, HEX = 2 * sizeof(struct tw_digest) };
#define ENDING ".json"
/* The start of a file; HEX digits and a quotation mark follow. */
#define BEGINNING "{\"format\":\"thalweg.history/2\",\"digest\":\""

struct tw_history {
    char path[PATH_MAX];
    char
        digest[HEX + 1]; /* of key texts, from the start of the file; "" if it starts differently */
    bool is_read;
    json_t *root, *nodes; /* once read; NULL if reading failed */
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

/* ---- reading ---- */

static void read_nodes(struct tw_history *history)
{
    unsigned char *data = NULL;
    size_t length = 0;
    if (history->is_read)
        return;
    history->is_read = true;
    if (tw_file_read(history->path, HISTORY_BYTES_MAX, &data, &length, NULL) == TW_OK)
        (void)tw_json_load(data, length, 0, &history->root, NULL);
    history->nodes = json_object_get(history->root, "nodes");
    if (!json_is_object(history->nodes)) {
        history->nodes = NULL;
        history->digest[0] = 0; /* so the next run writes the file again */
    }
    free(data);
}

static json_t *node_of(struct tw_history *history, const char *node)
{
    if (!history)
        return NULL;
    read_nodes(history);
    return json_object_get(history->nodes, node);
}

/* Returns false if the file does not start with a digest. */
static bool read_digest(struct tw_history *history)
{
    const size_t begins = sizeof BEGINNING - 1;
    char head[sizeof BEGINNING + HEX];
    if (!tw_file_read_part(history->path, 0, head, sizeof head) ||
        memcmp(head, BEGINNING, begins) != 0 || head[begins + HEX] != '"')
        return false;
    memcpy(history->digest, head + begins, HEX);
    return true;
}

struct tw_history *tw_history_load(const char *cache_dir, const char *recipe_file)
{
    struct tw_history *history = calloc(1, sizeof *history);
    if (history && history_path(cache_dir, recipe_file, history->path)) {
        if (read_digest(history))
            return history;
        read_nodes(history);
        if (history->nodes)
            return history;
    }
    tw_history_release(history);
    return NULL;
}

void tw_history_release(struct tw_history *history)
{
    if (!history)
        return;
    json_decref(history->root);
    free(history);
}

const char *tw_history_key_text(struct tw_history *history, const char *node)
{
    return json_string_value(json_object_get(node_of(history, node), "key"));
}

/* Key texts kept per node, as digests, newest first. */
enum { SEEN_MAX = 16 };

static json_t *digest_json(const char *key_text)
{
    char hex[HEX + 1];
    struct tw_digest digest = tw_digest_of(key_text, strlen(key_text));
    tw_hex(digest.at, sizeof digest.at, hex);
    return json_string(hex);
}

static const json_t *seen_keys(struct tw_history *history, const char *node)
{
    return json_object_get(node_of(history, node), "seen");
}

bool tw_history_has_seen(struct tw_history *history, const char *node, const char *key_text)
{
    const json_t *seen = seen_keys(history, node);
    json_t *digest = key_text ? digest_json(key_text) : NULL;
    bool found = false;
    for (size_t i = 0; digest && i < json_array_size(seen); i++)
        found |= json_equal(json_array_get(seen, i), digest) != 0;
    json_decref(digest);
    return found;
}

static json_t *add_seen(struct tw_history *before, const char *node, const char *key_text)
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

double *tw_history_expected(struct tw_history *history, const struct tw_recipe *recipe)
{
    const double longest = 1e9; /* 30 years: sums stay finite, whatever the file holds */
    double *expected = calloc((size_t)recipe->count + 1, sizeof *expected), sum = 0;
    int32_t known = 0;
    for (int32_t i = 0; expected && history && i < recipe->count; i++) {
        const json_t *entry = node_of(history, recipe->nodes[i].path);
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

/* ---- writing ---- */

static bool is_recorded(const struct tw_node_summary *node)
{
    return node->key_text && node->outcome != TW_OUTCOME_UNDECIDED;
}

/* Digests the paths and key texts of all decided nodes. */
static void digest_nodes(const struct tw_recipe *recipe, const struct tw_run_summary *report,
                         char hex[HEX + 1])
{
    struct tw_digest_state state;
    tw_digest_begin(&state);
    for (int32_t i = 0; i < report->node_count; i++)
        if (is_recorded(&report->nodes[i])) {
            const char *path = recipe->nodes[i].path, *key = report->nodes[i].key_text;
            tw_digest_add(&state, path, strlen(path) + 1);
            tw_digest_add(&state, key, strlen(key) + 1);
        }
    struct tw_digest digest = tw_digest_end(&state);
    tw_hex(digest.at, sizeof digest.at, hex);
}

/* True if nodes were computed, since their times are new, or the digest differs. */
static bool has_changes(const struct tw_run_summary *report, const struct tw_history *before,
                        const char *digest)
{
    bool news = !before || strcmp(before->digest, digest) != 0;
    for (int32_t i = 0; i < report->node_count && !news; i++)
        news = report->nodes[i].outcome == TW_OUTCOME_COMPUTED;
    return news;
}

static json_t *nodes_json(const struct tw_recipe *recipe, const struct tw_run_summary *report,
                          struct tw_history *before)
{
    json_t *nodes = json_object();
    for (int32_t i = 0; i < report->node_count; i++) {
        const struct tw_node_summary *node = &report->nodes[i];
        if (is_recorded(node))
            json_object_set_new(nodes, recipe->nodes[i].path,
                                json_pack("{s:s, s:f, s:o}", "key", node->key_text, "seconds",
                                          node->seconds, "seen",
                                          add_seen(before, recipe->nodes[i].path, node->key_text)));
    }
    return nodes;
}

void tw_history_save(const char *cache_dir, const struct tw_recipe *recipe,
                     const struct tw_run_summary *report, struct tw_history *before)
{
    char path[PATH_MAX], folder[PATH_MAX], digest[HEX + 1];
    digest_nodes(recipe, report, digest);
    if (!has_changes(report, before, digest))
        return;
    snprintf(folder, sizeof folder, "%s", recipe->file);
    tw_text_clean(folder);
    json_t *nodes = nodes_json(recipe, report, before);
    json_t *root = json_pack("{s:s, s:s, s:s, s:o}", "format", "thalweg.history/2", "digest",
                             digest, "recipe", folder, "nodes", nodes);
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
