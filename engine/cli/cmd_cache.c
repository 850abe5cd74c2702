/* SPDX-License-Identifier: MIT */
/* thalweg cache: what it holds, and making room. */
#include "cli/cli.h"
#include "run/history.h"
#include "run/store.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static const char usage[] = "usage: thalweg cache stats|gc|clear [options]\n\n"
                            "  stats                 entries and bytes\n"
                            "  gc                    delete least recently used entries\n"
                            "  clear                 delete all entries\n\n"
                            "      --cache-dir DIR   (default: $XDG_CACHE_HOME/thalweg)\n"
                            "      --max-size SIZE   what gc leaves, as in 800M (default: 8G)\n"
                            "  -h, --help            this text";

static int run(const char *verb, struct tw_store *store, const char *folder, uint64_t max_bytes)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_store_stats stats = {0};
    uint64_t freed = 0;
    enum tw_status status = TW_OK;
    if (strcmp(verb, "gc") == 0) {
        status = tw_store_gc(store, max_bytes, &freed, &error);
        if (status == TW_OK)
            printf("freed %" PRIu64 " bytes\n", freed);
    } else if (strcmp(verb, "clear") == 0) {
        status = tw_store_clear(store, &error);
        tw_history_clear(folder);
    } else {
        status = tw_store_stats(store, &stats, &error);
        if (status == TW_OK)
            printf("folder   %s\nactions  %" PRIu64 "\nblobs    %" PRIu64 "\nbytes    %" PRIu64
                   "\nstale    %" PRIu64 "\n",
                   folder, stats.actions, stats.blobs, stats.bytes, stats.stale);
    }
    return status == TW_OK ? 0 : tw_cli_error(&error);
}

int tw_cmd_cache(int argc, char **argv)
{
    enum { CACHE_DIR = 1, MAX_SIZE };
    static const struct option options[] = {{"cache-dir", required_argument, NULL, CACHE_DIR},
                                            {"max-size", required_argument, NULL, MAX_SIZE},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *folder = NULL;
    uint64_t max_bytes = (uint64_t)8 << 30;
    for (int option; (option = tw_cli_option(argc, argv, "h", options)) != -1;) {
        if (option == 'h')
            return puts(usage), 0;
        if (option == '?' ||
            (option == CACHE_DIR && !tw_cli_text("--cache-dir", folder = optarg)) ||
            (option == MAX_SIZE && !(max_bytes = tw_cli_bytes("--max-size", optarg))))
            return 2;
    }
    const char *verb = optind == argc - 1 ? argv[optind] : "";
    if (strcmp(verb, "stats") != 0 && strcmp(verb, "gc") != 0 && strcmp(verb, "clear") != 0)
        return tw_cli_usage("cache takes one of stats, gc and clear; see thalweg cache --help");
    folder = tw_cli_cache_dir(folder);
    if (!folder)
        return tw_cli_usage("there is no cache folder: set --cache-dir or HOME");
    struct tw_error error = {.status = TW_OK};
    struct tw_store *store = NULL;
    if (tw_store_open(folder, 0, &store, &error) != TW_OK)
        return tw_cli_error(&error);
    int code = run(verb, store, folder, max_bytes);
    tw_store_close(store);
    return code;
}
