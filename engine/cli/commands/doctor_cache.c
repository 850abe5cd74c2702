/* SPDX-License-Identifier: MIT */
/* Checks the cache: its folder, secret, file locks, free space, size limit and server. */
#include "cli/cli.h"
#include "cli/commands/doctor.h"
#include "console/remote.h"

#include "base/os/file.h"
#include "base/os/temporary.h"
#include "cache/remote.h"
#include "cache/store.h"
#include "project/project.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *folder_source(const struct tw_settings *settings)
{
    char folder[4096];
    if (settings->no_cache)
        return "--no-cache";
    if (settings->cache_dir)
        return settings->cache_of_project ? TW_PROJECT_FILE : "--cache-dir";
    const char *variable = tw_file_cache_folder(folder, sizeof folder);
    return variable ? variable : "HOME";
}

/* Returns the cache folder; if there is none, makes the check say so and returns NULL. */
static const char *folder_of(const struct tw_settings *settings, struct tw_check *check)
{
    const char *folder = settings->no_cache ? NULL : tw_console_cache_dir(settings->cache_dir);
    check->source = folder_source(settings);
    if (folder)
        return folder;
    check->state = settings->no_cache ? TW_CHECK_NOTE : TW_CHECK_FAILED;
    snprintf(check->value, sizeof check->value, "there is none");
    if (!settings->no_cache)
        snprintf(check->hint, sizeof check->hint, "set HOME, XDG_CACHE_HOME or --cache-dir");
    return NULL;
}

static void fail(struct tw_check *check, const char *hint)
{
    check->state = TW_CHECK_FAILED;
    snprintf(check->hint, sizeof check->hint, "%s", hint);
}

void tw_check_cache(const struct tw_settings *settings, struct tw_check *check)
{
    const char *folder = folder_of(settings, check);
    struct tw_error error = {.status = TW_OK};
    struct tw_store *store = NULL;
    struct tw_store_stats stats = {0};
    if (!folder)
        return;
    enum tw_status status = tw_store_open(folder, 0, &store, &error);
    const char *trouble = store ? tw_store_trouble(store) : error.message;
    if (status != TW_OK || !tw_store_is_open(store) || trouble) {
        snprintf(check->value, sizeof check->value, "%s: %s", folder,
                 trouble ? trouble : "it cannot be used");
        fail(check, "runs work, but compute each time what they cannot read or keep there");
    } else if (tw_store_stats(store, &stats, &error) == TW_OK) {
        snprintf(check->value, sizeof check->value, "%s, %" PRIu64 " entries, %" PRIu64 " MiB",
                 folder, stats.actions, stats.bytes >> 20);
    } else {
        snprintf(check->value, sizeof check->value, "%s: %s", folder, error.message);
        fail(check, "'thalweg cache clear' starts a new one");
    }
    tw_store_close(store);
}

void tw_check_secret(const struct tw_settings *settings, struct tw_check *check)
{
    const char *folder = folder_of(settings, check);
    char path[4096];
    unsigned char *secret = NULL;
    size_t length = 0;
    struct tw_error error = {.status = TW_OK};
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/" TW_STORE_SECRET, folder);
    enum tw_status status =
        tw_file_read_private(path, sizeof(struct tw_secret), &secret, &length, &error);
    free(secret);
    if (status == TW_OK) {
        snprintf(check->value, sizeof check->value, "only its owner can read it");
        return;
    }
    snprintf(check->value, sizeof check->value, "%s", error.message);
    fail(check, status == TW_PATH ? "who reads it can write entries that count as right"
                                  : "a run makes a new one where there is none");
}

void tw_check_locks(const struct tw_settings *settings, struct tw_check *check)
{
    const char *folder = folder_of(settings, check);
    if (!folder)
        return;
    if (tw_temporary_check_locks(folder)) {
        snprintf(check->value, sizeof check->value, "files in the cache folder can be locked");
        return;
    }
    snprintf(check->value, sizeof check->value, "%s: %s", folder, strerror(errno));
    fail(check, "a file system with locks tells files being written from left ones");
}

void tw_check_space(const struct tw_settings *settings, struct tw_check *check)
{
    const uint64_t little = (uint64_t)64 << 20;
    const char *folder = folder_of(settings, check);
    uint64_t bytes = 0;
    if (!folder)
        return;
    if (!tw_file_free_space(folder, &bytes)) {
        check->state = TW_CHECK_NOTE;
        snprintf(check->value, sizeof check->value, "not known: %s", strerror(errno));
        return;
    }
    snprintf(check->value, sizeof check->value, "%" PRIu64 " MiB", bytes >> 20);
    if (bytes < little)
        fail(check, "'thalweg cache gc' makes room");
}

void tw_check_cache_size(const struct tw_settings *settings, struct tw_check *check)
{
    const uint64_t initial = (uint64_t)8 << 30;
    snprintf(check->value, sizeof check->value, "%" PRIu64 " MiB", settings->cache_size >> 20);
    check->source = settings->cache_size == initial ? "default" : "--cache-size";
}

static void describe(const struct tw_remote_probe *probe, bool reads, struct tw_check *check)
{
    int ms = (int)(1000 * probe->seconds + 0.5);
    if (probe->problem[0]) {
        snprintf(check->value, sizeof check->value, "%s%s",
                 probe->answers ? "it takes nothing that is sent: " : "", probe->problem);
        fail(check, "runs work without it, but compute what others have computed");
    } else if (reads) {
        snprintf(check->value, sizeof check->value, "it answers in %d ms; nothing is sent", ms);
    } else {
        snprintf(check->value, sizeof check->value, "an entry was sent and received again in %d ms",
                 ms);
    }
}

/* Notes a server clock that differs from ours. It never fails: no result depends on that clock. */
static void check_server_clock(int64_t date, int64_t from, int64_t to, struct tw_check *check)
{
    size_t used = strlen(check->value), room = sizeof check->value - used;
    int64_t off = tw_check_clock_off(date, from, to);
    if (date == 0) {
        snprintf(check->value + used, room, "; it does not say what time it is");
    } else if (off <= TW_CLOCK_NOTE) {
        snprintf(check->value + used, room, "; its clock agrees with this one");
    } else {
        snprintf(check->value + used, room, "; its clock is at least %" PRId64 " s off", off);
        check->state = TW_CHECK_NOTE;
        snprintf(check->hint, sizeof check->hint,
                 "no result depends on it, but which objects the server deletes by age does");
    }
}

void tw_check_server(const struct tw_settings *settings, struct tw_check *check)
{
    const struct tw_remote_options options = tw_console_remote_options(settings);
    struct tw_remote *remote = NULL;
    struct tw_error error = {.status = TW_OK};
    struct tw_remote_probe probe;
    snprintf(check->value, sizeof check->value, "none is named");
    if (!settings->cache_url || settings->no_cache || settings->cache_mode == TW_CACHE_OFF)
        return;
    check->source = "--cache-url";
    if (tw_remote_open(&options, &remote, &error) != TW_OK) {
        snprintf(check->value, sizeof check->value, "%s", error.message);
        fail(check, error.hint[0] ? error.hint : "docs/cache.md says what a server needs");
        return;
    }
    int64_t before = tw_check_now();
    tw_remote_probe(remote, &probe);
    describe(&probe, options.read_only, check);
    if (check->state == TW_CHECK_OK)
        check_server_clock(probe.date, before, tw_check_now(), check);
    tw_remote_release(remote);
}
