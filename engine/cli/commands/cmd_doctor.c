/* SPDX-License-Identifier: MIT */
/* thalweg doctor: shows what sets cache, limits and optional parts, and checks that they work. */
#include "base/net/web_server.h"
#include "base/os/cpu.h"
#include "base/os/process.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/commands/doctor.h"
#include "cluster/cluster.h"
#include "cluster/node_probe.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/stop.h"
#include "format/format.h"
#include "runner/runner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

static void check_version(const struct tw_settings *settings, struct tw_check *check)
{
    (void)settings;
    snprintf(check->value, sizeof check->value, "%s", TW_VERSION);
}

static void check_threads(const struct tw_settings *settings, struct tw_check *check)
{
    const struct tw_run_options options = {.threads = settings->threads};
    snprintf(check->value, sizeof check->value, "%d, of %d processors",
             (int)tw_run_threads(&options), (int)tw_cpu_count());
    check->source = settings->threads > 0 ? "--threads" : "default";
}

static void check_simd(const struct tw_settings *settings, struct tw_check *check)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    const char *asked = getenv("THALWEG_SIMD");
    (void)settings;
    enum tw_simd level = tw_cpu_simd();
    snprintf(check->value, sizeof check->value, "%s", names[level]);
    check->source = asked ? "THALWEG_SIMD" : "processor";
    bool known = !asked;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known |= asked && strcmp(asked, names[i]) == 0;
    if (known)
        return;
    check->state = TW_CHECK_FAILED;
    snprintf(check->hint, sizeof check->hint,
             "THALWEG_SIMD is none of base, avx2 and avx512, and has no effect");
}

static void check_memory(const struct tw_settings *settings, struct tw_check *check)
{
    uint64_t all = uv_get_total_memory(), group = uv_get_constrained_memory();
    uint64_t space = tw_process_memory_limit();
    char more[120] = "";
    if (group > 0 && group < all)
        snprintf(more, sizeof more, ", %" PRIu64 " MiB for this control group", group >> 20);
    if (space != UINT64_MAX)
        snprintf(more + strlen(more), sizeof more - strlen(more),
                 ", %" PRIu64 " MiB of addresses (ulimit -v)", space >> 20);
    if (settings->max_memory > 0)
        snprintf(check->value, sizeof check->value, "%" PRIu64 " MiB a run",
                 settings->max_memory >> 20);
    else
        snprintf(check->value, sizeof check->value, "no limit a run");
    snprintf(check->value + strlen(check->value), sizeof check->value - strlen(check->value),
             "; the machine has %" PRIu64 " MiB%s", all >> 20, more);
    check->source = settings->max_memory > 0 ? "--max-memory" : "default";
    if (settings->max_memory <= all)
        return;
    check->state = TW_CHECK_FAILED;
    snprintf(check->hint, sizeof check->hint, "--max-memory is more than there is");
}

static void check_files(const struct tw_settings *settings, struct tw_check *check)
{
    enum { NEEDED = 32 }; /* for a run's threads, pipes and files */
    uint64_t limit = tw_process_file_limit();
    (void)settings;
    if (limit == UINT64_MAX)
        snprintf(check->value, sizeof check->value, "no limit");
    else
        snprintf(check->value, sizeof check->value, "%" PRIu64, limit);
    check->source = "ulimit -n";
    if (tw_process_can_open(NEEDED))
        return;
    check->state = TW_CHECK_FAILED;
    snprintf(check->hint, sizeof check->hint, "a run opens up to %d more", NEEDED);
}

/* Whether an earlier format has the same ending and lacks the same. */
static bool is_again(const struct tw_format *const *format)
{
    for (const struct tw_format *const *earlier = tw_formats; earlier < format; earlier++)
        if ((*earlier)->lacks && strcmp((*earlier)->ending, (*format)->ending) == 0)
            return true;
    return false;
}

/* Lists the formats whose library this build lacks. */
static void check_formats(const struct tw_settings *settings, struct tw_check *check)
{
    size_t used = 0;
    (void)settings;
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if ((*format)->lacks && !is_again(format) && used < sizeof check->value)
            used += (size_t)snprintf(check->value + used, sizeof check->value - used,
                                     "%swithout %s files: %s", used ? "; " : "", (*format)->ending,
                                     (*format)->lacks);
    if (used > 0) {
        check->state = TW_CHECK_NOTE;
        check->source = "build";
        return;
    }
    snprintf(check->value, sizeof check->value, "all are built in");
}

/* Lists what is read, and GDAL for everything else. */
static void check_elevation(const struct tw_settings *settings, struct tw_check *check)
{
    const char *version = tw_format_gdal_version();
    char known[160];
    (void)settings;
    tw_format_list_read(known, sizeof known);
    snprintf(check->value, sizeof check->value, "%s%s%s", known,
             version ? "; others through GDAL " : "", version ? version : "");
    if (version)
        return;
    check->state = TW_CHECK_NOTE;
    snprintf(check->hint, sizeof check->hint,
             "other elevation models need GDAL (libgdal32 in Debian)");
}

/* Checks for libmicrohttpd, which `thalweg serve` needs. */
static void check_web_server(const struct tw_settings *settings, struct tw_check *check)
{
    const char *lacks = tw_web_server_lacks();
    (void)settings;
    if (!lacks) {
        snprintf(check->value, sizeof check->value, "libmicrohttpd %s", tw_web_server_version());
        return;
    }
    check->state = TW_CHECK_NOTE;
    snprintf(check->value, sizeof check->value, "without %s", lacks);
    snprintf(check->hint, sizeof check->hint, "'thalweg serve' needs it");
}

static void check_git(const struct tw_settings *settings, struct tw_check *check)
{
    const char *const arguments[] = {"git", "--version", NULL};
    struct tw_bytes text = {0};
    (void)settings;
    check->source = "PATH";
    if (tw_process_run(arguments, "LC_ALL=C", &text) && text.length > 0) {
        snprintf(check->value, sizeof check->value, "%.*s", (int)(text.length - 1),
                 (const char *)text.at);
    } else {
        check->state = TW_CHECK_NOTE;
        snprintf(check->value, sizeof check->value, "there is no git");
        snprintf(check->hint, sizeof check->hint, "'thalweg diff HEAD~1:FILE' needs it");
    }
    free(text.at);
}

/* Fails if the clock shows a time before 2024: the cache orders its entries by time of use. */
static void check_clock(const struct tw_settings *settings, struct tw_check *check)
{
    const int64_t earliest = 1704067200; /* 2024-01-01 */
    struct timespec now;
    (void)settings;
    bool ok = timespec_get(&now, TIME_UTC) == TIME_UTC && (int64_t)now.tv_sec >= earliest;
    snprintf(check->value, sizeof check->value, "%s",
             ok ? "it is set" : "it says a time before this program was written");
    check->state = ok ? TW_CHECK_OK : TW_CHECK_FAILED;
}

const struct tw_check_row tw_check_rows[] = {
    {"version", check_version},
    {"cache folder", tw_check_cache},
    {"cache secret", tw_check_secret},
    {"cache size", tw_check_cache_size},
    {"cache server", tw_check_server},
    {"file locks", tw_check_locks},
    {"free space", tw_check_space},
    {"open files", check_files},
    {"memory", check_memory},
    {"threads", check_threads},
    {"simd", check_simd},
    {"formats", check_formats},
    {"files read", check_elevation},
    {"web server", check_web_server},
    {"git", check_git},
    {"clock", check_clock},
    {"determinism", tw_check_determinism},
    {NULL, NULL},
};

static const char *name_of(enum tw_check_state state)
{
    static const char *const names[] = {"ok", "note", "failed"};
    return names[state];
}

static void print_check(const char *name, const struct tw_check *check)
{
    printf("%-6s  %-12s  ", name_of(check->state), name);
    tw_text_write(stdout, check->value, TW_TEXT_TERMINAL);
    printf(check->source ? " (%s)\n" : "\n", check->source);
}

static json_t *check_json(const char *name, const struct tw_check *check)
{
    return TW_DOCUMENT(doctor_check, .name = name, .state = name_of(check->state),
                       .value = check->value, .source = check->source,
                       .hint = check->hint[0] ? check->hint : NULL);
}

/* Reports a failed check as an error, and a note about a missing part as a warning. */
static void report(const char *name, const struct tw_check *check)
{
    struct tw_error error;
    if (check->state == TW_CHECK_OK)
        return;
    tw_error_set(&error, check->state == TW_CHECK_FAILED ? TW_IO : TW_OK, "%s: %s", name,
                 check->value);
    snprintf(error.hint, sizeof error.hint, "%s", check->hint);
    tw_console_diagnostic(NULL, check->state == TW_CHECK_FAILED, &error, NULL);
}

struct answer {
    const struct tw_settings *settings;
    json_t *checks;
    bool failed;
};

static void take(void *context, const char *name, const struct tw_check *check)
{
    struct answer *answer = context;
    tw_case_begin("doctor", "%s", name);
    if (!answer->settings->json)
        print_check(name, check);
    report(name, check);
    json_array_append_new(answer->checks, check_json(name, check));
    answer->failed |= check->state == TW_CHECK_FAILED;
}

static void leave_report(struct answer *answer)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_check check = {.state = TW_CHECK_FAILED, .source = "--report-as"};
    if (tw_node_leave_report(answer->settings, answer->checks, &error) == TW_OK)
        return;
    snprintf(check.value, sizeof check.value, "%s", error.message);
    take(answer, "report", &check);
}

int tw_cmd_doctor(const struct tw_settings *settings, char **operands)
{
    struct answer answer = {.settings = settings};
    const struct tw_check_sink sink = {take, &answer};
    (void)operands;
    int refused = tw_cluster_check_options(settings, NULL);
    if (refused != 0)
        return refused;
    answer.checks = json_array();
    tw_stop_catch();
    for (const struct tw_check_row *row = tw_check_rows; row->name; row++) {
        struct tw_check check = {.state = TW_CHECK_OK};
        row->look(settings, &check);
        take(&answer, row->name, &check);
    }
    if (settings->on == TW_ON_SLURM)
        (void)tw_check_cluster(settings, settings->batch, 0, &sink);
    if (settings->report_as)
        leave_report(&answer);
    tw_answer_set(TW_DOCUMENT(doctor, .checks = answer.checks));
    if (*tw_stop_flag())
        return tw_stop_exit_code();
    return answer.failed ? tw_status_exit_code(TW_IO) : 0;
}
