/* SPDX-License-Identifier: MIT */
/* A node as a task of its own sees it, held against this machine. The task runs `doctor` there and
 * writes what it finds into a file of --batch, which the node must see, as for all that is sent. */
#include "cli/doctor.h"

#include "base/file.h"
#include "base/number.h"
#include "base/process.h"
#include "base/text.h"
#include "batch/follow.h"
#include "batch/script.h"
#include "cli/cli.h"
#include "cli/cluster.h"
#include "cli/stop.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

enum { CLOCK_NOTE = 2, CLOCK_FAILED = 60 /* seconds */, REPORT_BYTES = 1 << 20 };

struct probe {
    const struct tw_settings *settings;
    const struct tw_check_sink *sink;
    char folder[PATH_MAX], report[PATH_MAX + 40], witness[PATH_MAX + 40], script[40], name[64];
    int64_t sent, seen; /* seconds since 1970 */
    char *text;         /* of the report */
    /* Parts of it. */
    int64_t time;
    const char *host, *version, *witnessed;
    json_t *checks;
};

static int64_t now(void)
{
    struct timespec at = {0};
    (void)timespec_get(&at, TIME_UTC);
    return (int64_t)at.tv_sec;
}

static void take(const struct probe *probe, const char *name, const struct tw_check *check)
{
    probe->sink->take(probe->sink->context, name, check);
}

/* ---- sending it ---- */

static enum tw_status choose_names(struct probe *probe, struct tw_error *err)
{
    char path[PATH_MAX], cache[PATH_MAX] = "";
    const char *given =
        probe->settings->no_cache ? NULL : tw_cli_cache_dir(probe->settings->cache_dir);
    long id = tw_process_id();
    snprintf(path, sizeof path, "%s/doctor", probe->settings->batch);
    enum tw_status status = tw_file_make_folder(path, err);
    if (status == TW_OK && !tw_file_real_path(path, probe->folder))
        status = tw_error_set(err, TW_IO, "cannot find the folder %s", path);
    snprintf(probe->script, sizeof probe->script, "probe-%ld.sh", id);
    snprintf(probe->name, sizeof probe->name, "thalweg-doctor-%ld", id);
    snprintf(probe->report, sizeof probe->report, "%s/probe-%ld.txt", probe->folder, id);
    if (given && tw_file_make_folder(given, NULL) == TW_OK && tw_file_real_path(given, cache))
        snprintf(probe->witness, sizeof probe->witness, "%s/doctor-%ld", cache, id);
    if (status == TW_OK && probe->witness[0] && tw_file_write(probe->witness, "", 0, NULL) != TW_OK)
        probe->witness[0] = 0;
    return status;
}

static enum tw_status write_script(const struct probe *probe, struct tw_error *err)
{
    char here[PATH_MAX], program[PATH_MAX], path[PATH_MAX + 48];
    const char *words[TW_CLUSTER_WORDS_MAX + 3] = {"doctor", "--json"};
    struct tw_cluster_names names;
    struct tw_bytes text = {0};
    size_t size = sizeof program;
    const struct tw_batch_probe what = {here, probe->report, probe->witness, program, words};
    tw_cluster_add_forwarded(probe->settings, &names, words + 2);
    if (!tw_file_real_path(".", here) || uv_exepath(program, &size) != 0)
        return tw_error_set(err, TW_IO, "cannot find this folder, or this program");
    enum tw_status status = tw_batch_probe_print(&what, &text, err);
    snprintf(path, sizeof path, "%s/%s", probe->folder, probe->script);
    if (status == TW_OK)
        status = tw_file_write(path, text.at, text.length, err);
    free(text.at);
    return status;
}

static enum tw_status on_look(void *context, bool *done, struct tw_error *err)
{
    struct probe *probe = context;
    unsigned char *text = NULL;
    size_t length = 0;
    (void)err;
    if (probe->text || tw_file_read(probe->report, REPORT_BYTES, &text, &length, NULL) == TW_OK) {
        probe->text = probe->text ? probe->text : (char *)text;
        probe->seen = now();
        done[1] = true;
    }
    return TW_OK;
}

static enum tw_status send_probe(struct probe *probe, struct tw_error *err)
{
    const struct tw_batch_request request = {.job = {.name = probe->name,
                                                     .folder = probe->folder,
                                                     .script = probe->script,
                                                     .options = probe->settings->sbatch.at},
                                             .count = 1,
                                             .poll_seconds = probe->settings->poll,
                                             .look = on_look,
                                             .context = probe,
                                             .cancel = tw_stop_flag()};
    enum tw_status status = choose_names(probe, err);
    if (status == TW_OK)
        status = write_script(probe, err);
    probe->sent = now();
    return status == TW_OK ? tw_batch_follow(&request, err) : status;
}

static void remove_files(const struct probe *probe)
{
    char path[PATH_MAX + 48];
    snprintf(path, sizeof path, "%s/%s", probe->folder, probe->script);
    (void)remove(path);
    (void)remove(probe->report);
    if (probe->witness[0])
        (void)remove(probe->witness);
}

/* ---- what it says ---- */

static bool read_report(struct probe *probe)
{
    char *rest = probe->text;
    uint64_t time = 0;
    char *number = strtok_r(rest, "\n", &rest);
    probe->host = strtok_r(rest, "\n", &rest);
    probe->version = strtok_r(rest, "\n", &rest);
    probe->witnessed = strtok_r(rest, "\n", &rest);
    if (!probe->witnessed || !tw_number_parse_whole(number, &time) || time > INT64_MAX / 2)
        return false;
    probe->time = (int64_t)time;
    json_t *root = json_loads(rest, 0, NULL);
    probe->checks = json_incref(json_object_get(root, "checks"));
    json_decref(root);
    return true;
}

static void check_version(const struct probe *probe)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    snprintf(check.value, sizeof check.value, "%s", probe->version);
    if (strcmp(probe->version, "thalweg " TW_VERSION) != 0) {
        check.state = TW_CHECK_FAILED;
        snprintf(check.value, sizeof check.value, "on %s there is '%s'; expected %s", probe->host,
                 probe->version, "thalweg " TW_VERSION);
        snprintf(check.hint, sizeof check.hint, "a task there would compute nothing");
    }
    take(probe, "node version", &check);
}

/* Its time must lie between sending and seeing the report; how far it does not. */
static void check_clock(const struct probe *probe)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    int64_t off = probe->time < probe->sent   ? probe->sent - probe->time
                  : probe->time > probe->seen ? probe->time - probe->seen
                                              : 0;
    snprintf(check.value, sizeof check.value,
             off > CLOCK_NOTE ? "it is at least %" PRId64 " s off" : "it agrees with this one",
             off);
    if (off > CLOCK_NOTE) {
        check.state = off > CLOCK_FAILED ? TW_CHECK_FAILED : TW_CHECK_NOTE;
        snprintf(
            check.hint, sizeof check.hint,
            "no result depends on it, but which cache entries and temporary files are old does");
    }
    take(probe, "node clock", &check);
}

static void check_cache(const struct probe *probe)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    snprintf(check.value, sizeof check.value, "the node sees this machine's");
    if (probe->settings->no_cache) {
        snprintf(check.value, sizeof check.value, "none is used");
    } else if (strcmp(probe->witnessed, "shared") != 0) {
        check.state = TW_CHECK_NOTE;
        snprintf(check.value, sizeof check.value, "the node does not see this machine's");
        snprintf(check.hint, sizeof check.hint,
                 "run and verify --on slurm need one that both see: --cache-dir or --cache-url");
    }
    take(probe, "node cache", &check);
}

static const char *text_of(const json_t *check, const char *field)
{
    const char *text = json_string_value(json_object_get(check, field));
    return text ? text : "";
}

static const char *digest_of(const json_t *checks)
{
    size_t i;
    json_t *check;
    json_array_foreach(checks, i, check) if (strcmp(text_of(check, "name"), "determinism") ==
                                             0) return text_of(check, "value");
    return "nothing";
}

static void check_digest(const struct probe *probe)
{
    struct tw_check here = {.state = TW_CHECK_OK}, check = {.state = TW_CHECK_OK};
    const char *there = digest_of(probe->checks);
    tw_check_determinism(probe->settings, &here);
    snprintf(check.value, sizeof check.value, "as here: %s", there);
    if (strcmp(here.value, there) != 0) {
        check.state = TW_CHECK_FAILED;
        snprintf(check.value, sizeof check.value, "on %s %s", probe->host, there);
        snprintf(check.hint, sizeof check.hint, "here %s", here.value);
    }
    take(probe, "node digest", &check);
}

/* What fails there and was not held against this machine yet. */
static void check_others(const struct probe *probe)
{
    size_t i;
    json_t *there;
    json_array_foreach(probe->checks, i, there)
    {
        struct tw_check check = {.state = TW_CHECK_FAILED};
        char name[60];
        if (strcmp(text_of(there, "state"), "failed") != 0 ||
            strcmp(text_of(there, "name"), "determinism") == 0)
            continue;
        snprintf(name, sizeof name, "node %s", text_of(there, "name"));
        snprintf(check.value, sizeof check.value, "%s", text_of(there, "value"));
        snprintf(check.hint, sizeof check.hint, "%s", text_of(there, "hint"));
        take(probe, name, &check);
    }
}

static void check_node(const struct probe *probe)
{
    check_version(probe);
    check_clock(probe);
    check_digest(probe);
    check_cache(probe);
    check_others(probe);
}

void tw_check_cluster(const struct tw_settings *settings, const struct tw_check_sink *sink)
{
    struct probe probe = {.settings = settings, .sink = sink};
    struct tw_check check = {.state = TW_CHECK_FAILED, .source = "--on"};
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = send_probe(&probe, &error);
    bool ok = status == TW_OK && read_report(&probe);
    if (ok) {
        check.state = TW_CHECK_OK;
        snprintf(check.value, sizeof check.value,
                 "a task looked at %s; its report was here after %" PRId64 " s", probe.host,
                 probe.seen - probe.sent);
    } else {
        snprintf(check.value, sizeof check.value, "%s",
                 status == TW_OK ? "the task's report cannot be read" : error.message);
        snprintf(check.hint, sizeof check.hint, "%s", error.hint);
    }
    if (status != TW_CANCELLED)
        take(&probe, "slurm", &check);
    if (ok)
        check_node(&probe);
    remove_files(&probe);
    json_decref(probe.checks);
    free(probe.text);
}
