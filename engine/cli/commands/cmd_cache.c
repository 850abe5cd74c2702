/* SPDX-License-Identifier: MIT */
/* thalweg cache: prints statistics, frees space, and exchanges entries with the server. */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cache/store.h"
#include "cli/cli.h"
#include "cli/commands/cmd_cache_share.h"
#include "console/answer.h"
#include "console/documents.h"
#include "runner/history.h"

#include <inttypes.h>
#include <string.h>

static json_t *tier_json(const char *name, const struct tw_tier_counts *tier)
{
    return TW_DOCUMENT(cache_tier, .tier = name, .requests = (int64_t)tier->requests,
                       .hits = (int64_t)tier->hits, .misses = (int64_t)tier->misses,
                       .bytes_in = (int64_t)tier->bytes_in, .bytes_out = (int64_t)tier->bytes_out);
}

static void print_tier(const char *name, const struct tw_tier_counts *tier)
{
    printf("%-8s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", name,
           tier->requests, tier->hits, tier->misses, tier->bytes_in, tier->bytes_out);
}

static void print_stats(const struct tw_settings *settings, const char *folder,
                        const struct tw_store *store, const struct tw_store_stats *stats)
{
    struct tw_tier_counts home, server;
    tw_store_read_counts(store, &home, &server);
    if (settings->json) {
        tw_answer_set(TW_DOCUMENT(cache, .folder = folder,
                                  .actions = json_integer((json_int_t)stats->actions),
                                  .blobs = json_integer((json_int_t)stats->blobs),
                                  .bytes = json_integer((json_int_t)stats->bytes),
                                  .stale = json_integer((json_int_t)stats->stale),
                                  .tiers = json_pack("[o, o]", tier_json("folder", &home),
                                                     tier_json("server", &server))));
        return;
    }
    fputs("folder   ", stdout);
    tw_text_write(stdout, folder, TW_TEXT_TERMINAL);
    printf("\nactions  %" PRIu64 "\nblobs    %" PRIu64 "\nbytes    %" PRIu64 "\nstale    %" PRIu64
           "\n\n%-8s %10s %10s %10s %14s %14s\n",
           stats->actions, stats->blobs, stats->bytes, stats->stale, "tier", "requests", "hits",
           "misses", "bytes in", "bytes out");
    print_tier("folder", &home);
    print_tier("server", &server);
}

static void print_freed(const struct tw_settings *settings, const char *folder, uint64_t freed)
{
    if (settings->json)
        tw_answer_set(
            TW_DOCUMENT(cache, .folder = folder, .freed = json_integer((json_int_t)freed)));
    else
        printf("freed %" PRIu64 " bytes\n", freed);
}

static int run(const struct tw_settings *settings, const char *verb, struct tw_store *store,
               const char *folder)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_store_stats stats = {0};
    uint64_t freed = 0;
    enum tw_status status = TW_OK;
    if (strcmp(verb, "gc") == 0) {
        status = tw_store_gc(store, settings->max_size, &freed, &error);
        if (status == TW_OK)
            print_freed(settings, folder, freed);
    } else if (strcmp(verb, "clear") == 0) {
        status = tw_store_clear(store, &error);
        tw_history_clear(folder);
        tw_answer_set(TW_DOCUMENT(cache, .folder = folder));
    } else {
        status = tw_store_stats(store, &stats, &error);
        if (status == TW_OK)
            print_stats(settings, folder, store, &stats);
    }
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_cmd_cache(const struct tw_settings *settings, char **operands)
{
    const char *folder = tw_console_cache_dir(settings->cache_dir);
    if (!folder)
        return tw_console_usage("there is no cache folder: set --cache-dir or HOME");
    bool push = strcmp(operands[0], "push") == 0, share = push || strcmp(operands[0], "pull") == 0;
    if (share && settings->operand_count == 1)
        return tw_console_usage("cache %s: an operand is missing; expected RECIPE...", operands[0]);
    if (share)
        return tw_cache_share(settings, folder, push, operands + 1, settings->operand_count - 1);
    if (settings->operand_count > 1)
        return tw_console_usage("cache %s: '%s' is one operand too many; expected none",
                                operands[0], operands[1]);
    struct tw_error error = {.status = TW_OK};
    struct tw_store *store = NULL;
    if (tw_store_open(folder, 0, &store, &error) != TW_OK)
        return tw_console_error(&error);
    int code = run(settings, operands[0], store, folder);
    tw_store_close(store);
    return code;
}
