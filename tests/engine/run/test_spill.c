/* SPDX-License-Identifier: MIT */
/* Runs that leave values on disk to stay within their memory limit: the same bytes, never more
 * memory than allowed, what the forecast says; on disks that fail, too, and after kill -9. */
#include "support/faulty_disk.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/until.h"

#include "base/os/file.h"
#include "run/state.h"
#include "runner/runner.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { NODES = 24, WIDTH = 16, HEIGHT = 8, MAP = WIDTH * HEIGHT * 4 };

/* ---- a node of two maps and scratch, cheap enough that it is not stored ---- */

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, TW_OPTIONAL, "map"}, {"b", TW_HEIGHTMAP, TW_OPTIONAL, "map"}, TW_PORT_END};
static const struct tw_port outputs[] = {{"x", TW_HEIGHTMAP, 0, "sum"},
                                         {"y", TW_HEIGHTMAP, TW_ON_DEMAND, "other sum"},
                                         {"z", TW_MASK, TW_ON_DEMAND, "of the cell alone"},
                                         TW_PORT_END};
struct params {
    float value;
    int32_t deed;
};
enum { NO_DEED, KILL, DAMAGE };
static const struct tw_param rows[] = {
    TW_PARAM_F32(struct params, value, 0, 0, 100, "", "added"),
    TW_PARAM_I32(struct params, deed, 0, 0, 2, "", "end the process, or damage its files"),
    TW_PARAM_END,
};

static void forecast_scratch(struct tw_forecast *forecast) { forecast->scratch = MAP; }

static atomic_int damaged;

/* Of every file without a name that is in the cache folder. */
static void damage_files(void)
{
    char path[64], target[256];
    for (int fd = 3; fd < 200; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        if (!strstr(target, ".tmp (deleted)"))
            continue;
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, 100, SEEK_SET), 0);
        assert_int_equal(fputc('x', file), 'x');
        assert_int_equal(fclose(file), 0);
        atomic_fetch_add(&damaged, 1);
    }
}

static enum tw_status run_mix(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *a = tw_task_input(task, 0), *b = tw_task_input(task, 1);
    struct tw_value *x = tw_task_output(task, 0), *y = tw_task_output(task, 1),
                    *z = tw_task_output(task, 2);
    if (p->deed == KILL)
        (void)raise(SIGKILL);
    if (p->deed == DAMAGE)
        damage_files();
    if (!tw_task_scratch(task, MAP, 1))
        return TW_MEMORY;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        float sum = p->value + (float)i;
        sum += a ? 0.5f * tw_floats(a)[i] : 0;
        sum -= b ? 0.25f * tw_floats(b)[i] : 0;
        if (y->data)
            tw_floats(y)[i] = sum * 0.75f + 1;
        if (z->data)
            tw_floats(z)[i] = (p->value + (float)(i % 7)) / 128;
        tw_floats(x)[i] = sum;
    }
    return TW_OK;
}

static const struct tw_node_type mix = {.name = "test.mix",
                                        .version = 1,
                                        .summary = "mix",
                                        .inputs = inputs,
                                        .outputs = outputs,
                                        .params = rows,
                                        .params_size = sizeof(struct params),
                                        .in_place = true,
                                        .forecast = forecast_scratch,
                                        .run = run_mix};
static const struct tw_node_type *const types[] = {&mix, NULL};

/* ---- graphs ---- */

static uint32_t draws;

static int chance(int below)
{
    return (int)(tw_random(11, draws++, 0, 0, 0).at[0] % (uint32_t)below);
}

static char text[8000];

/* Each node takes up to two earlier ones, far or near; files of one and of several values. */
static void draw_graph(void)
{
    int count = 6 + chance(NODES - 6);
    int used = sprintf(text, "thalweg: 1\nsize: [%d, %d]\nnodes:\n", WIDTH, HEIGHT);
    for (int i = 0; i < count; i++) {
        used += sprintf(text + used, "  n%d: {type: test.mix, value: %d", i, i);
        for (int k = 0; k < 2 && i > 0; k++)
            if (chance(4))
                used += sprintf(text + used, ", %c: n%d.%c", k ? 'b' : 'a',
                                chance(2) ? i - 1 : chance(i), chance(3) ? 'x' : 'y');
        used += sprintf(text + used, "}\n");
    }
    used += sprintf(text + used, "outputs: {last: n%d.x, one: n%d.y, two: n%d.x}\n", count - 1,
                    chance(count), chance(count));
    sprintf(text + used,
            "export: {last.npy: last, one.npy: one, two.npy: two, all.png: [n0.z, n%d.z, n%d.z]}\n",
            count / 2, count - 2);
}

static struct tw_recipe *load(void)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.types = types};
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
    return recipe;
}

/* ---- runs ---- */

static char folder[64], cache[96], out[96];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/thalweg-spill-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    return 0;
}

static int tear_down(void **state)
{
    struct disk_failure none;
    (void)state;
    (void)disk_end(&none);
    return folder_remove(folder);
}

static int count_temporary(void)
{
    char path[128];
    int count = 0;
    snprintf(path, sizeof path, "%s/v1/tmp", cache);
    DIR *list = opendir(path);
    for (const struct dirent *e; list && (e = readdir(list));)
        count += e->d_name[0] != '.';
    if (list)
        closedir(list);
    return count;
}

static int count_open_files(void)
{
    int count = 0;
    DIR *list = opendir("/proc/self/fd");
    while (list && readdir(list))
        count++;
    if (list)
        closedir(list);
    return count;
}

static volatile int cancelled;

struct ran {
    enum tw_status status;
    struct tw_error error;
    struct tw_run_summary report;
    struct tw_trace trace;
    struct tw_result *result;
    int warnings;
};

static void on_warning(void *context, const struct tw_error *warning)
{
    bool is_damage = strstr(warning->message, "damaged") != NULL;
    ((struct ran *)context)->warnings += is_damage;
    assert_true(is_damage || strstr(warning->message, "nothing more is cached"));
}

static struct ran run(const struct tw_recipe *recipe, const char *cache_dir, const char *to,
                      uint64_t limit, int32_t threads)
{
    struct ran ran = {.status = TW_OK};
    const struct tw_run_options options = {.threads = threads,
                                           .cache_dir = cache_dir,
                                           .max_memory = limit,
                                           .warning = on_warning,
                                           .cancel = &cancelled,
                                           .context = &ran};
    const struct tw_run_request request = {
        .options = &options, .export_folder = to, .report = &ran.report, .trace = &ran.trace};
    ran.status = tw_run_execute(recipe, &request, to ? NULL : &ran.result, &ran.error);
    return ran;
}

static void forget(struct ran *ran)
{
    tw_run_summary_release(&ran->report);
    tw_trace_release(&ran->trace);
    tw_result_release(ran->result);
    ran->result = NULL;
}

static void expect_values(const struct tw_recipe *recipe, const struct ran *ran)
{
    static const char *const names[] = {"last", "one", "two"};
    struct ran whole = run(recipe, NULL, NULL, 0, 1);
    assert_int_equal(whole.status, TW_OK);
    for (int k = 0; k < 3; k++)
        assert_memory_equal(tw_result_output(ran->result, names[k])->data,
                            tw_result_output(whole.result, names[k])->data, MAP);
    forget(&whole);
}

/* A file of several values, which waits for all of them. */
static void expect_splat(const struct tw_recipe *recipe)
{
    char whole[128], path[2][160];
    unsigned char *bytes[2];
    size_t sizes[2];
    snprintf(whole, sizeof whole, "%s/whole", folder);
    struct ran ran = run(recipe, NULL, whole, 0, 1);
    assert_int_equal(ran.status, TW_OK);
    forget(&ran);
    snprintf(path[0], sizeof path[0], "%s/all.png", whole);
    snprintf(path[1], sizeof path[1], "%s/all.png", out);
    for (int i = 0; i < 2; i++)
        assert_int_equal(tw_file_read(path[i], 1 << 16, &bytes[i], &sizes[i], NULL), TW_OK);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void expect_files(const struct tw_recipe *recipe)
{
    static const char *const names[] = {"last", "one", "two"};
    static unsigned char file[128 + MAP + 1];
    char path[128];
    struct ran whole = run(recipe, NULL, NULL, 0, 1);
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s.npy", out, names[k]);
        FILE *stream = fopen(path, "rb");
        assert_non_null(stream);
        assert_int_equal(fread(file, 1, sizeof file, stream), 128 + MAP);
        fclose(stream);
        const struct tw_value *value = tw_result_output(whole.result, names[k]);
        const float *cells = tw_floats(value);
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
            uint32_t bits;
            memcpy(&bits, &cells[i], sizeof bits);
            const unsigned char *at = &file[128 + 4 * i];
            assert_int_equal((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                                 (uint32_t)at[3] << 24,
                             bits);
        }
    }
    forget(&whole);
    expect_splat(recipe);
}

static int32_t count_events(const struct ran *ran, const char *kind)
{
    int32_t count = 0;
    for (size_t i = 0; i < ran->trace.count; i++)
        count += strcmp(ran->trace.events[i].kind, kind) == 0;
    return count;
}

/* ---- tests ---- */

/* Without a cache; the pool of threads and its files are there afterwards. */
static void expect_run(const struct tw_recipe *recipe)
{
    struct ran ran = run(recipe, NULL, NULL, 0, 1);
    assert_int_equal(ran.status, TW_OK);
    forget(&ran);
}

/* What a run takes that is refused for one byte less. */
static uint64_t least_limit(const struct tw_recipe *recipe, const char *to)
{
    for (uint64_t limit = MAP;; limit += MAP) {
        const struct tw_run_options options = {.cache_dir = cache, .max_memory = limit};
        const struct tw_run_request request = {.options = &options, .export_folder = to};
        if (tw_run_check(recipe, &request, NULL) == TW_OK)
            return limit;
        assert_true(limit < 64 * MAP);
    }
}

static void the_forecast_comes_true(const struct ran *cold)
{
    assert_int_equal(cold->report.spilled.values, cold->report.spill_forecast.values);
    assert_int_equal(cold->report.spilled.bytes, cold->report.spill_forecast.bytes);
    assert_int_equal(cold->report.spilled.read_bytes, cold->report.spill_forecast.read_bytes);
    assert_int_equal(count_events(cold, "spill"), cold->report.spilled.values);
}

static void random_graphs_stay_within_their_limit(void **state)
{
    uint64_t spilled = 0;
    (void)state;
    for (int g = 0; g < 60; g++) {
        draw_graph();
        struct tw_recipe *recipe = load();
        bool exports = g % 6 == 0; /* which wait for fsync */
        uint64_t limit = least_limit(recipe, exports ? out : NULL);
        assert_int_equal(folder_remove(folder), 0);
        assert_int_equal(set_up(NULL), 0);
        expect_run(recipe);
        int files_before = count_open_files();
        for (int round = 0; round < 2; round++) { /* the second finds entries, and few values */
            struct ran ran = run(recipe, cache, exports ? out : NULL, limit, 1 + chance(4));
            if (ran.status != TW_OK)
                fail_msg("%s\n%s", ran.error.message, text);
            if (ran.report.used_bytes > limit)
                fail_msg("%d bytes within %d\n%s", (int)ran.report.used_bytes, (int)limit, text);
            if (exports)
                expect_files(recipe);
            else
                expect_values(recipe, &ran);
            if (round == 0 && ran.report.spills)
                the_forecast_comes_true(&ran);
            assert_true(ran.report.peak_bytes <= limit);
            spilled += ran.report.spilled.values;
            forget(&ran);
            assert_int_equal(count_temporary(), 0);
        }
        assert_int_equal(count_open_files(), files_before);
        tw_recipe_release(recipe);
    }
    assert_true(spilled > 60);
}

/* Six maps that wait for a sum; the last of them is its first term. */
static void six_maps(const char *more)
{
    sprintf(text,
            "thalweg: 1\nsize: [%d, %d]\nnodes:\n"
            "  a: {type: test.mix, value: 1}\n  b: {type: test.mix, value: 2}\n"
            "  c: {type: test.mix, value: 3}\n  d: {type: test.mix, value: 4}\n"
            "  e: {type: test.mix, value: 5}\n  f: {type: test.mix, value: 6}\n"
            "  g: {type: test.mix, a: f, b: e%s}\n  h: {type: test.mix, a: g, b: d}\n"
            "  i: {type: test.mix, a: h, b: c}\n  j: {type: test.mix, a: i, b: b}\n"
            "  k: {type: test.mix, a: j, b: a}\n"
            "outputs: {last: k, one: k, two: k}\n",
            WIDTH, HEIGHT, more);
}

static void a_run_under_half_its_peak(void **state)
{
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    struct ran whole = run(recipe, NULL, NULL, 0, 2);
    uint64_t limit = 4 * MAP;
    struct ran ran = run(recipe, cache, NULL, limit, 2);
    assert_int_equal(ran.status, TW_OK);
    assert_true(limit < whole.report.peak_bytes);
    assert_in_range(ran.report.used_bytes, 1, limit);
    assert_int_equal(ran.report.spilled.values, 4);
    expect_values(recipe, &ran);
    forget(&ran);
    struct ran small = run(recipe, cache, NULL, limit - 1, 2);
    assert_int_equal(small.status, TW_LIMIT);
    assert_non_null(strstr(small.error.message, "when it computes test.mix"));
    assert_non_null(strstr(small.error.hint, "whole maps fit up to about"));
    forget(&small);
    struct ran refused = run(recipe, NULL, NULL, limit, 2);
    assert_int_equal(refused.status, TW_LIMIT);
    assert_non_null(strstr(refused.error.hint, "with a cache folder, values that wait"));
    forget(&refused);
    forget(&whole);
    tw_recipe_release(recipe);
}

/* Three maps in turn, with room for two: a file that is there is not written again. */
static void a_value_may_leave_several_times(void **state)
{
    (void)state;
    int used = sprintf(text, "thalweg: 1\nsize: [%d, %d]\nnodes:\n", WIDTH, HEIGHT);
    for (int i = 0; i < 3; i++)
        used += sprintf(text + used, "  n%d: {type: test.mix, value: %d}\n", i, i);
    for (int i = 3; i < 15; i++)
        used += sprintf(text + used, "  n%d: {type: test.mix, a: n%d, b: n%d}\n", i, i - 1, i % 3);
    sprintf(text + used, "outputs: {last: n14, one: n14, two: n14}\n");
    struct tw_recipe *recipe = load();
    struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
    assert_int_equal(ran.status, TW_OK);
    expect_values(recipe, &ran);
    the_forecast_comes_true(&ran);
    assert_in_range(ran.report.spilled.values, 2, 3);
    assert_in_range(ran.report.spilled.read_bytes, 6 * MAP, 12 * MAP);
    forget(&ran);
    tw_recipe_release(recipe);
}

/* ---- disks that fail ---- */

static void a_disk_without_room_ends_the_run(void **state)
{
    struct disk_failure failure;
    int ended = 0;
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    for (long which = 1; which < 40; which++) {
        assert_int_equal(folder_remove(folder), 0);
        assert_int_equal(set_up(NULL), 0);
        int before = count_open_files();
        disk_begin(&(struct disk_fault){.which = which, .error = ENOSPC, .only = "write"});
        struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
        bool failed = disk_end(&failure);
        if (ran.status == TW_IO) {
            ended++;
            assert_non_null(strstr(ran.error.message, "No space left"));
            assert_true(ran.error.line > 0 || strstr(ran.error.message, "do not fit into"));
        } else {
            assert_int_equal(ran.status, TW_OK);
            expect_values(recipe, &ran);
        }
        forget(&ran);
        assert_int_equal(count_temporary(), 0);
        assert_int_equal(count_open_files(), before);
        if (!failed)
            break;
    }
    assert_true(ended >= 4);
    tw_recipe_release(recipe);
}

/* Each value on disk keeps a file open: the limit is raised as far as it may be, and who has too
 * few all the same learns why. */
static void open_files_may_be_too_few(void **state)
{
    struct disk_failure failure;
    struct rlimit before, few;
    bool found = false;
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){50, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
    assert_int_equal(ran.status, TW_OK);
    expect_values(recipe, &ran);
    forget(&ran);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &few), 0);
    assert_true(few.rlim_cur > 50);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (long which = 1; which < 60 && !found; which++) {
        assert_int_equal(folder_remove(folder), 0);
        assert_int_equal(set_up(NULL), 0);
        disk_begin(
            &(struct disk_fault){.which = which, .ever = true, .error = EMFILE, .only = "openat"});
        ran = run(recipe, cache, NULL, 4 * MAP, 2);
        (void)disk_end(&failure);
        found = strstr(ran.error.hint, "every value on disk keeps a file open") != NULL;
        assert_true(!found || strstr(ran.error.message, "Too many open files"));
        forget(&ran);
    }
    assert_true(found);
    tw_recipe_release(recipe);
}

/* Beside the files of values 64 are for whatever else a run opens. */
static void only_a_low_limit_of_open_files_is_raised(void **state)
{
    enum { VALUES = 4, OTHERS = 64 };
    struct rlimit before, now;
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(before.rlim_max > VALUES + OTHERS);
    for (int spare = -1; spare <= 1; spare++) {
        const struct rlimit few = {(rlim_t)(VALUES + OTHERS + spare), before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
        assert_int_equal(ran.status, TW_OK);
        assert_int_equal(ran.report.spill_forecast.values, VALUES);
        forget(&ran);
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
        assert_int_equal(now.rlim_cur, spare < 0 ? before.rlim_max : few.rlim_cur);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    tw_recipe_release(recipe);
}

/* A dry run needs no folder for what it only forecasts. */
static void a_dry_run_writes_nothing(void **state)
{
    const struct tw_run_options options = {.cache_dir = cache, .max_memory = 4 * MAP};
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {.options = &options, .report = &report, .dry = true};
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    assert_int_equal(tw_run_execute(recipe, &request, NULL, NULL), TW_OK);
    assert_true(report.spills && report.spilled.values == 0 && report.spill_forecast.values == 4);
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
}

/* What cannot be read back, or is damaged, is computed again. */
static void a_disk_that_does_not_read_costs_time_only(void **state)
{
    struct disk_failure failure;
    int again = 0;
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    for (long which = 1; which < 60; which++) {
        assert_int_equal(folder_remove(folder), 0);
        assert_int_equal(set_up(NULL), 0);
        disk_begin(&(struct disk_fault){.which = which, .error = EIO, .only = "read"});
        struct ran ran = run(recipe, cache, NULL, 5 * MAP, 2);
        bool failed = disk_end(&failure);
        if (ran.status == TW_OK) {
            expect_values(recipe, &ran);
            again += ran.warnings;
            assert_in_range(ran.report.used_bytes, 1, 5 * MAP);
        } else {
            assert_int_equal(ran.status, TW_IO); /* the secret of the cache */
        }
        forget(&ran);
        if (!failed)
            break;
    }
    assert_true(again >= 3);
    tw_recipe_release(recipe);
}

/* ---- runs that end while a value leaves ---- */

static atomic_int ticks;
static bool cancels;

/* The linker puts these before the engine's own (tests/CMakeLists.txt). */
int __real_tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                          const struct tw_value *value, uint64_t *written);
int __wrap_tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                          const struct tw_value *value, uint64_t *written);
void __real_tw_progress_tick(struct tw_run *run);
void __wrap_tw_progress_tick(struct tw_run *run);

void __wrap_tw_progress_tick(struct tw_run *run)
{
    atomic_fetch_add(&ticks, 1);
    __real_tw_progress_tick(run);
}

/* The file is there when the run has noticed that it is to end: a tick polls after it is counted.
 */
int __wrap_tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                          const struct tw_value *value, uint64_t *written)
{
    int file = __real_tw_store_spill(store, stamp, value, written);
    if (cancels) {
        __atomic_store_n(&cancelled, 1, __ATOMIC_RELAXED);
        int now = atomic_load(&ticks);
        UNTIL(atomic_load(&ticks) >= now + 2);
    }
    return file;
}

static void a_run_that_is_cancelled_keeps_no_file_open(void **state)
{
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    expect_run(recipe);
    int before = count_open_files();
    cancels = true;
    struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
    cancels = false;
    cancelled = 0;
    assert_int_equal(ran.status, TW_CANCELLED);
    assert_int_equal(count_events(&ran, "spill"), 1);
    assert_int_equal(ran.report.spilled.values, 1);
    assert_int_equal(count_temporary(), 0);
    assert_int_equal(count_open_files(), before);
    forget(&ran);
    tw_recipe_release(recipe);
}

static void a_damaged_file_is_never_read_as_a_value(void **state)
{
    (void)state;
    six_maps(", deed: 2");
    struct tw_recipe *recipe = load();
    struct ran ran = run(recipe, cache, NULL, 5 * MAP, 2);
    if (ran.status != TW_OK)
        fail_msg("%s", ran.error.message);
    assert_true(atomic_load(&damaged) >= 3);
    assert_true(ran.warnings >= 3);
    atomic_store(&damaged, 0);
    expect_values(recipe, &ran);
    assert_in_range(ran.report.used_bytes, 1, 5 * MAP);
    forget(&ran);
    tw_recipe_release(recipe);
}

static void a_killed_run_leaves_no_file(void **state)
{
    int how = 0;
    (void)state;
    six_maps(", deed: 1");
    pid_t child = fork();
    if (child == 0) {
        struct tw_recipe *recipe = load();
        (void)run(recipe, cache, NULL, 4 * MAP, 2);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    assert_int_equal(count_temporary(), 0);
    six_maps("");
    struct tw_recipe *recipe = load();
    struct ran ran = run(recipe, cache, NULL, 4 * MAP, 2);
    assert_int_equal(ran.status, TW_OK);
    expect_values(recipe, &ran);
    forget(&ran);
    tw_recipe_release(recipe);
}

/* Nothing is computed that could not be kept. */
static void a_cache_that_cannot_be_written_to(void **state)
{
    (void)state;
    six_maps("");
    struct tw_recipe *recipe = load();
    struct ran ran = run(recipe, "/dev/null/cache", NULL, 4 * MAP, 2);
    assert_int_equal(ran.status, TW_IO);
    assert_non_null(strstr(ran.error.message,
                           "expected a folder for 1 MiB that do not fit into the memory limit of"));
    assert_int_equal(count_events(&ran, "compute"), 0);
    forget(&ran);
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First: a sanitizer of threads wants none where a process forks. */
        cmocka_unit_test_setup_teardown(a_killed_run_leaves_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_graphs_stay_within_their_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_under_half_its_peak, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_value_may_leave_several_times, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disk_without_room_ends_the_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disk_that_does_not_read_costs_time_only, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_run_that_is_cancelled_keeps_no_file_open, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_never_read_as_a_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(open_files_may_be_too_few, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_a_low_limit_of_open_files_is_raised, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_dry_run_writes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cache_that_cannot_be_written_to, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
