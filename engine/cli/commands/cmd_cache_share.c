/* SPDX-License-Identifier: MIT */
/* thalweg cache push and pull: copies what recipes need between the local cache and the server. */
#include "cli/commands/cmd_cache_share.h"

#include "console/answer.h"
#include "console/documents.h"
#include "console/remote.h"
#include "console/stop.h"
#include "runner/runner.h"

#include <inttypes.h>
#include <string.h>

struct share {
    const struct tw_settings *settings;
    struct tw_remote *remote;
    struct tw_store *store;
    struct tw_run_options run;
    bool push;
    int32_t nodes, lacking; /* nodes that recipes need; those that neither side holds */
};

/* Downloads a node's outputs that the store lacks. */
static void pull_node(const struct share *share, const struct tw_node_summary *node)
{
    for (int port = 0; node->stamped >> port > 0; port++) {
        const struct tw_stamp *stamp = &node->outputs[port];
        struct tw_value value;
        bool lost;
        if (!(node->stamped >> port & 1) || tw_store_has(share->store, stamp) ||
            !tw_remote_load(share->remote, stamp, node->seconds, &value, &lost))
            continue;
        tw_store_put(share->store, stamp, &value);
        tw_field_clear(&value);
    }
}

static void share_node(struct share *share, const struct tw_node_summary *node)
{
    if (node->outcome == TW_OUTCOME_NOT_NEEDED)
        return;
    share->nodes++;
    if (node->outcome != TW_OUTCOME_HIT) {
        share->lacking++;
    } else if (!share->push) {
        pull_node(share, node);
    } else if (!node->remote) {
        struct tw_sha256 key = tw_sha256_of(node->key_text, strlen(node->key_text));
        tw_remote_send(share->remote, share->store, &key, false);
    }
}

/* Shares one recipe: a dry run finds the entries of all nodes on either side, and stores those of
 * the server. */
static int share_recipe(struct share *share, const char *path)
{
    struct tw_recipe *recipe = NULL;
    struct tw_run_summary report = {0};
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_request request = {.options = &share->run, .dry = true, .report = &report};
    int code = tw_console_load(share->settings, path, &recipe, &error);
    if (code != 0)
        return code;
    enum tw_status status = tw_run_execute(recipe, &request, NULL, &error);
    for (int32_t i = 0; status == TW_OK && i < report.node_count; i++)
        if (!*tw_stop_flag())
            share_node(share, &report.nodes[i]);
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
    if (status == TW_CANCELLED || (status == TW_OK && *tw_stop_flag()))
        return tw_stop_exit_code();
    return status == TW_OK ? 0 : tw_console_error(&error);
}

static void print(const struct share *share)
{
    struct tw_remote_counts counts = tw_remote_counts(share->remote);
    if (share->settings->json) {
        tw_answer_set(TW_DOCUMENT(cache, .sent = json_integer((json_int_t)counts.sent),
                                  .present = json_integer((json_int_t)counts.present),
                                  .received = json_integer((json_int_t)counts.hits),
                                  .bytes_in = json_integer((json_int_t)counts.bytes_in),
                                  .bytes_out = json_integer((json_int_t)counts.bytes_out),
                                  .nodes = json_integer(share->nodes),
                                  .lacking = json_integer(share->lacking)));
        return;
    }
    if (share->push)
        printf("sent %" PRIu64 " objects, %" PRIu64 " bytes; %" PRIu64 " were there\n", counts.sent,
               counts.bytes_out, counts.present);
    else
        printf("received %" PRIu64 " objects, %" PRIu64 " bytes\n", counts.hits, counts.bytes_in);
    if (share->lacking > 0)
        printf("%d of %d nodes are %s\n", (int)share->lacking, (int)share->nodes,
               share->push ? "not in the cache: run the recipe first" : "not on the server");
}

/* Reports trouble with the server or the store as errors: push and pull set no time limit that
 * would excuse it. */
static int report_trouble(const struct share *share)
{
    struct tw_error error;
    int code = 0;
    while (tw_remote_take_trouble(share->remote, &error)) {
        error.status = TW_IO;
        error.hint[0] = 0;
        code = tw_console_error(&error);
    }
    const char *trouble = tw_store_trouble(share->store);
    if (trouble) {
        tw_error_set(&error, TW_IO, "%s", trouble);
        code = tw_console_error(&error);
    }
    return code;
}

int tw_cache_share(const struct tw_settings *settings, const char *folder, bool push,
                   char **recipes, int count)
{
    struct share share = {.settings = settings, .push = push};
    struct tw_settings with_remote = *settings;
    struct tw_error error = {.status = TW_OK};
    if (push && settings->cache_mode == TW_CACHE_READ)
        return tw_console_usage("push does nothing with --cache-mode read");
    int code = tw_console_open_patient_remote(settings, &share.remote);
    if (code != 0)
        return code;
    enum tw_status status =
        tw_store_open_shared(folder, 0, tw_remote_secret(share.remote), &share.store, &error);
    with_remote.remote = share.remote;
    with_remote.cache_dir = folder;
    share.run = tw_console_run_options(&with_remote);
    tw_stop_catch();
    code = status == TW_OK ? 0 : tw_console_error(&error);
    for (int i = 0; code == 0 && i < count; i++)
        code = share_recipe(&share, recipes[i]);
    if (code == 0) {
        print(&share);
        code = report_trouble(&share);
    }
    const struct tw_tier_counts counts = tw_remote_take_counts(share.remote);
    if (share.store)
        tw_store_note_server(share.store, &counts);
    tw_store_close(share.store);
    tw_remote_release(share.remote);
    return code;
}
