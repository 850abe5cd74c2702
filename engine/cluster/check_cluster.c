/* SPDX-License-Identifier: MIT */
/* Compares a node of the cluster with this machine. */
#include "cluster/check.h"
#include "cluster/node_probe.h"

#include <inttypes.h>
#include <string.h>

enum { CLOCK_FAILED = 60 /* seconds */ };

struct comparison {
    const struct tw_settings *settings;
    const struct tw_check_sink *sink;
    struct tw_probe_report report;
};

static void take(const struct comparison *c, const char *name, const struct tw_check *check)
{
    c->sink->take(c->sink->context, name, check);
}

static void check_version(const struct comparison *c)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    snprintf(check.value, sizeof check.value, "%s", c->report.version);
    if (strcmp(c->report.version, "thalweg " TW_VERSION) != 0) {
        check.state = TW_CHECK_FAILED;
        snprintf(check.value, sizeof check.value, "on %s there is '%s'; expected %s",
                 c->report.host, c->report.version, "thalweg " TW_VERSION);
        snprintf(check.hint, sizeof check.hint, "a task there would compute nothing");
    }
    take(c, "node version", &check);
}

/* Reports by how much the node's time falls outside of the interval between sending the task and
 * seeing its report. */
static void check_clock(const struct comparison *c)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    int64_t off = tw_check_clock_off(c->report.time, c->report.sent, c->report.seen);
    snprintf(check.value, sizeof check.value,
             off > TW_CLOCK_NOTE ? "it is at least %" PRId64 " s off" : "it agrees with this one",
             off);
    if (off > TW_CLOCK_NOTE) {
        check.state = off > CLOCK_FAILED ? TW_CHECK_FAILED : TW_CHECK_NOTE;
        snprintf(
            check.hint, sizeof check.hint,
            "no result depends on it, but which cache entries and temporary files are old does");
    }
    take(c, "node clock", &check);
}

static void check_cache(const struct comparison *c)
{
    struct tw_check check = {.state = TW_CHECK_OK};
    snprintf(check.value, sizeof check.value, "the node sees this machine's");
    if (c->settings->no_cache) {
        snprintf(check.value, sizeof check.value, "none is used");
    } else if (c->settings->cache_url && c->settings->cache_mode != TW_CACHE_OFF) {
        snprintf(check.value, sizeof check.value, "the server of --cache-url is between them");
    } else if (strcmp(c->report.witnessed, "shared") != 0) {
        check.state = TW_CHECK_NOTE;
        snprintf(check.value, sizeof check.value, "the node does not see this machine's");
        snprintf(check.hint, sizeof check.hint,
                 "run and verify --on slurm need one that both see: --cache-dir or --cache-url");
    }
    take(c, "node cache", &check);
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

static void check_digest(const struct comparison *c)
{
    struct tw_check here = {.state = TW_CHECK_OK}, check = {.state = TW_CHECK_OK};
    const char *there = digest_of(c->report.checks);
    tw_check_determinism(c->settings, &here);
    snprintf(check.value, sizeof check.value, "as here: %s", there);
    if (strcmp(here.value, there) != 0) {
        check.state = TW_CHECK_FAILED;
        snprintf(check.value, sizeof check.value, "on %s %s", c->report.host, there);
        snprintf(check.hint, sizeof check.hint, "here %s", here.value);
    }
    take(c, "node digest", &check);
}

/* Passes on the node's own failed checks, except determinism, which is compared by digest. */
static void check_others(const struct comparison *c)
{
    size_t i;
    json_t *there;
    json_array_foreach(c->report.checks, i, there)
    {
        struct tw_check check = {.state = TW_CHECK_FAILED};
        char name[60];
        if (strcmp(text_of(there, "state"), "failed") != 0 ||
            strcmp(text_of(there, "name"), "determinism") == 0)
            continue;
        snprintf(name, sizeof name, "node %s", text_of(there, "name"));
        snprintf(check.value, sizeof check.value, "%s", text_of(there, "value"));
        snprintf(check.hint, sizeof check.hint, "%s", text_of(there, "hint"));
        take(c, name, &check);
    }
}

static void check_node(const struct comparison *c)
{
    check_version(c);
    check_clock(c);
    check_digest(c);
    check_cache(c);
    check_others(c);
}

enum tw_status tw_check_cluster(const struct tw_settings *settings, const char *root,
                                double start_seconds, const struct tw_check_sink *sink)
{
    struct comparison c = {.settings = settings, .sink = sink};
    struct tw_check check = {.state = TW_CHECK_OK, .source = "--on"};
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = tw_node_probe(settings, root, start_seconds, &c.report, &error);
    if (status == TW_OK) {
        snprintf(check.value, sizeof check.value,
                 "a task looked at %s; its report was here after %" PRId64 " s", c.report.host,
                 c.report.seen - c.report.sent);
    } else {
        check.state = status == TW_LIMIT ? TW_CHECK_NOTE : TW_CHECK_FAILED;
        snprintf(check.value, sizeof check.value, "%s", error.message);
        snprintf(check.hint, sizeof check.hint, "%s", error.hint);
    }
    if (status != TW_CANCELLED)
        take(&c, "slurm", &check);
    if (status == TW_OK)
        check_node(&c);
    tw_probe_report_release(&c.report);
    return status;
}
