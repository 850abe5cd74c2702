/* SPDX-License-Identifier: MIT */
#include "cluster/node_probe.h"

#include "base/os/file.h"
#include "base/os/process.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "cache/remote.h"
#include "cluster/check.h"
#include "cluster/cluster.h"
#include "cluster/follow.h"
#include "cluster/script.h"
#include "console/remote.h"
#include "console/stop.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { REPORT_BYTES = 1 << 20 };

struct probe {
    const struct tw_settings *settings;
    struct tw_remote *remote; /* NULL: none */
    char folder[PATH_MAX], report[PATH_MAX + 40], witness[PATH_MAX + 40], script[40], name[64];
    char report_as[2 * sizeof(struct tw_sha256) + 1]; /* name on the server; "": not used */
    int64_t sent, seen;
    char *text;
};

static struct tw_sha256 report_key(const char *name) { return tw_sha256_of(name, strlen(name)); }

/* ---- where the report goes ---- */

/* Returns the command's connection or opens another one; NULL if the cache may not be written. */
static struct tw_remote *open_remote(const struct tw_settings *settings)
{
    const struct tw_remote_options options = tw_console_remote_options(settings);
    struct tw_remote *remote = NULL;
    if (!settings->cache_url || settings->no_cache || settings->cache_mode != TW_CACHE_READWRITE)
        return NULL;
    if (settings->remote)
        return settings->remote;
    return tw_remote_open(&options, &remote, NULL) == TW_OK ? remote : NULL;
}

static void close_remote(const struct tw_settings *settings, struct tw_remote *remote)
{
    if (remote != settings->remote)
        tw_remote_release(remote);
}

/* Chooses a name for the report that no other probe has, whichever machine sends it. */
static void name_report(struct probe *probe)
{
    char host[UV_MAXHOSTNAMESIZE] = "", text[PATH_MAX + UV_MAXHOSTNAMESIZE + 64];
    size_t size = sizeof host;
    (void)uv_os_gethostname(host, &size);
    int length = snprintf(text, sizeof text, "%s %s %s %" PRId64, host, probe->folder, probe->name,
                          tw_check_now());
    struct tw_sha256 name = tw_sha256_of(text, (size_t)length);
    tw_hex(name.at, sizeof name.at, probe->report_as);
}

static enum tw_status choose_names(struct probe *probe, const char *root, struct tw_error *err)
{
    char path[PATH_MAX], cache[PATH_MAX] = "";
    const char *given =
        probe->settings->no_cache ? NULL : tw_console_cache_dir(probe->settings->cache_dir);
    long id = tw_process_id();
    snprintf(path, sizeof path, "%s/doctor", root);
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
    if (probe->remote)
        name_report(probe);
    return status;
}

/* ---- the task ---- */

static enum tw_status write_script(const struct probe *probe, struct tw_error *err)
{
    char here[PATH_MAX], program[PATH_MAX], path[PATH_MAX + 48];
    const char *words[TW_CLUSTER_WORDS_MAX + 5] = {"doctor", "--json", "--report-as",
                                                   probe->report_as};
    struct tw_cluster_names names;
    struct tw_bytes text = {0};
    size_t size = sizeof program;
    const struct tw_batch_probe what = {here, probe->report, probe->witness, program, words};
    tw_cluster_add_forwarded(probe->settings, TW_FOR_DOCTOR, &names,
                             words + (probe->report_as[0] ? 4 : 2));
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
        probe->seen = tw_check_now();
        done[1] = true;
    }
    return TW_OK;
}

/* Fetches the report from the server, where a node leaves it that cannot see the folder. */
static bool on_find(void *context, int32_t task)
{
    struct probe *probe = context;
    struct tw_bytes text = {0};
    struct tw_sha256 key = report_key(probe->report_as);
    (void)task;
    if (!probe->remote || !tw_remote_take_text(probe->remote, &key, &text) ||
        tw_bytes_append(&text, "", 1, NULL) != TW_OK) {
        free(text.at);
        return false;
    }
    probe->text = (char *)text.at;
    return true;
}

static enum tw_status follow(struct probe *probe, double start_seconds, struct tw_error *err)
{
    const struct tw_batch_request request = {.job = {.name = probe->name,
                                                     .folder = probe->folder,
                                                     .script = probe->script,
                                                     .options = probe->settings->sbatch.at},
                                             .count = 1,
                                             .poll_seconds = probe->settings->poll,
                                             .start_seconds = start_seconds,
                                             .submissions = 1,
                                             .look = on_look,
                                             .find = on_find,
                                             .context = probe,
                                             .cancel = tw_stop_flag()};
    enum tw_status status = tw_batch_follow(&request, err);
    if (status == TW_NODE)
        snprintf(err->hint, sizeof err->hint,
                 "a node must see this folder and this thalweg, or reach --cache-url; log: %.120s",
                 probe->folder);
    return status;
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

/* ---- the report ---- */

/* Takes ownership of the probe's text. */
static enum tw_status read_report(struct probe *probe, struct tw_probe_report *report,
                                  struct tw_error *err)
{
    char *rest = report->text = probe->text;
    uint64_t time = 0;
    char *number = strtok_r(rest, "\n", &rest);
    report->sent = probe->sent;
    report->seen = probe->seen;
    report->host = strtok_r(rest, "\n", &rest);
    report->version = strtok_r(rest, "\n", &rest);
    report->witnessed = strtok_r(rest, "\n", &rest);
    if (!report->witnessed || !tw_number_parse_whole(number, &time) || time > INT64_MAX / 2)
        return tw_error_set(err, TW_IO, "the task's report cannot be read");
    report->time = (int64_t)time;
    json_t *root;
    if (tw_json_load(rest, strlen(rest), 0, &root, NULL) == TW_MEMORY)
        return tw_error_set(err, TW_MEMORY, "no memory to read the task's report");
    report->checks = json_incref(json_object_get(root, "checks"));
    json_decref(root);
    return TW_OK;
}

enum tw_status tw_node_probe(const struct tw_settings *settings, const char *root,
                             double start_seconds, struct tw_probe_report *report,
                             struct tw_error *err)
{
    struct probe probe = {.settings = settings, .remote = open_remote(settings)};
    *report = (struct tw_probe_report){0};
    enum tw_status status = choose_names(&probe, root, err);
    if (status == TW_OK)
        status = write_script(&probe, err);
    probe.sent = tw_check_now();
    if (status == TW_OK)
        status = follow(&probe, start_seconds, err);
    if (status == TW_OK)
        status = read_report(&probe, report, err);
    else
        free(probe.text);
    remove_files(&probe);
    close_remote(settings, probe.remote);
    return status;
}

void tw_probe_report_release(struct tw_probe_report *report)
{
    json_decref(report->checks);
    free(report->text);
}

enum tw_status tw_node_leave_report(const struct tw_settings *settings, json_t *checks,
                                    struct tw_error *err)
{
    char host[UV_MAXHOSTNAMESIZE] = "unknown";
    size_t size = sizeof host;
    struct tw_bytes text = {0};
    struct tw_remote *remote = open_remote(settings);
    struct tw_sha256 key = report_key(settings->report_as);
    json_t *answer = json_pack("{s:O}", "checks", checks);
    char *dump = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    (void)uv_os_gethostname(host, &size);
    enum tw_status status =
        dump ? tw_bytes_print(&text, err, "%" PRId64 "\n%s\nthalweg " TW_VERSION "\napart\n%s\n",
                              tw_check_now(), host, dump)
             : tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK && !(remote && tw_remote_give_text(remote, &key, text.at, text.length)))
        status = tw_error_set(err, TW_IO, "the server of --cache-url did not take it");
    free(dump);
    free(text.at);
    json_decref(answer);
    close_remote(settings, remote);
    return status;
}
