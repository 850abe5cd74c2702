/* SPDX-License-Identifier: MIT */
/* The folder is named after what is computed, so that an experiment that was edited begins anew and
 * one that was not goes on, whatever became of the jobs. */
#include "cli/compare_cluster.h"

#include "base/file.h"
#include "base/number.h"
#include "base/process.h"
#include "batch/follow.h"
#include "batch/script.h"
#include "cli/cli.h"
#include "cli/stop.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    TASK_SECONDS = 20, /* a task takes at least; starting one takes about one */
    ID_DIGITS = 12,
    WORDS_MAX = 2 * TW_OPTIONS_FORWARDED_MAX + 8
};

struct cluster {
    const struct tw_settings *settings;
    const struct tw_compare_request *request;
    struct tw_compare_line *line;
    struct tw_comparison *c;
    struct tw_shard_origin origin;
    struct tw_shard_list list;
    char folder[PATH_MAX]; /* of this experiment's shards */
    int32_t tasks;
    double task_seconds; /* 0: not known */
};

static enum tw_status make_folder(struct cluster *cluster, struct tw_error *err)
{
    char hex[2 * sizeof(struct tw_sha256) + 1], path[PATH_MAX];
    tw_hex(cluster->origin.identity.at, sizeof cluster->origin.identity.at, hex);
    snprintf(path, sizeof path, "%s/%.*s", cluster->settings->out, ID_DIGITS, hex);
    enum tw_status status = tw_file_make_folder(path, err);
    if (status == TW_OK && !tw_file_real_path(path, cluster->folder))
        return tw_error_set(err, TW_IO, "cannot find the folder %s", path);
    return status;
}

/* ---- how many tasks ---- */

/* What was decided for this number of seeds is kept: tasks that are on their way have its numbers.
 */
static void plan_path(const struct cluster *cluster, char *path)
{
    snprintf(path, PATH_MAX, "%s/tasks-for-%d", cluster->folder,
             (int)cluster->c->experiment->seed_count);
}

static bool read_plan(struct cluster *cluster)
{
    char path[PATH_MAX];
    unsigned char *text = NULL;
    size_t length = 0;
    uint64_t tasks = 0;
    plan_path(cluster, path);
    if (tw_file_read(path, 64, &text, &length, NULL) != TW_OK)
        return false;
    text[strcspn((const char *)text, "\n")] = 0;
    bool ok = tw_number_parse_whole((const char *)text, &tasks) && tasks >= 1 &&
              tasks <= (uint64_t)cluster->c->experiment->seed_count &&
              tasks <= TW_CLUSTER_TASKS_MAX;
    cluster->tasks = (int32_t)tasks;
    free(text);
    return ok;
}

/* Seconds of one processor for a seed: those of the second, since what no seed changes is computed
 * with the first. Also the proof that the experiment runs at all. */
static enum tw_status measure_seed(struct cluster *cluster, double *seconds, struct tw_error *err)
{
    struct tw_comparison c = {0};
    struct tw_seed_range range = {0, 1};
    struct tw_compare_request request = {
        .load = cluster->request->load, .run = cluster->request->run, .range = &range};
    enum tw_status status = tw_comparison_create(cluster->c->experiment, &c, err);
    for (int32_t i = 0; status == TW_OK && i < 2 && i < c.experiment->seed_count; i++) {
        range = (struct tw_seed_range){i, i + 1};
        double before = tw_process_seconds();
        status = tw_compare_run(&request, &c, err);
        *seconds = tw_process_seconds() - before;
        if (status == TW_NODE || status == TW_LIMIT)
            status = TW_OK; /* a seed that fails is no reason: others may not */
    }
    /* Hits cost what computing cost. */
    for (int32_t v = 0; c.seconds && v < c.experiment->run_count; v++)
        if (c.seconds[v].mean > *seconds)
            *seconds = c.seconds[v].mean;
    tw_comparison_release(&c);
    return status;
}

static enum tw_status plan(struct cluster *cluster, struct tw_error *err)
{
    char path[PATH_MAX], text[32];
    int32_t seeds = cluster->c->experiment->seed_count;
    double seconds = 0;
    if (cluster->settings->tasks > 0) {
        cluster->tasks = cluster->settings->tasks < seeds ? cluster->settings->tasks : seeds;
        return TW_OK;
    }
    if (read_plan(cluster))
        return TW_OK;
    enum tw_status status = measure_seed(cluster, &seconds, err);
    if (status != TW_OK)
        return status;
    double block = seconds > 0 ? ceil(TASK_SECONDS / seconds) : seeds;
    double least = ceil((double)seeds / TW_CLUSTER_TASKS_MAX);
    block = block > least ? block : least;
    cluster->tasks = block >= seeds ? 1 : (int32_t)(seeds / block);
    cluster->task_seconds = seconds * seeds / cluster->tasks;
    int length = snprintf(text, sizeof text, "%d\n", (int)cluster->tasks);
    plan_path(cluster, path);
    return tw_file_write(path, text, (size_t)length, err);
}

/* ---- following ---- */

static enum tw_status on_look(void *context, bool *done, struct tw_error *err)
{
    struct cluster *cluster = context;
    int32_t seeds = cluster->c->experiment->seed_count;
    enum tw_status status =
        tw_shard_list_add(&cluster->list, &cluster->origin, cluster->folder, false, err);
    for (int32_t i = 1; status == TW_OK && i <= cluster->tasks; i++) {
        struct tw_seed_range own =
            tw_shard_seeds((struct tw_shard_number){i, cluster->tasks}, seeds);
        done[i] = tw_shard_list_gap(&cluster->list, own.from, own.to) >= own.to;
    }
    return status;
}

static void on_progress(void *context, const struct tw_batch_progress *progress)
{
    struct cluster *cluster = context;
    if (cluster->line)
        tw_compare_line_show_tasks(cluster->line, progress);
}

static void on_notice(void *context, const struct tw_error *notice)
{
    struct cluster *cluster = context;
    if (cluster->line)
        tw_compare_line_clear(cluster->line);
    tw_cli_diagnostic(NULL, false, notice, NULL);
}

static enum tw_status write_script(const struct cluster *cluster, const char *name,
                                   struct tw_error *err)
{
    char here[PATH_MAX], program[PATH_MAX], path[PATH_MAX], names[TW_OPTIONS_FORWARDED_MAX][40];
    const struct tw_settings *settings = cluster->settings;
    const char *words[WORDS_MAX] = {"compare", cluster->c->experiment->file, "--out",
                                    cluster->folder};
    size_t size = sizeof program, used = 4;
    if (!tw_file_real_path(".", here) || uv_exepath(program, &size) != 0)
        return tw_error_set(err, TW_IO, "cannot find this folder, or this program");
    for (int32_t i = 0; i < settings->forwarded_count; i++) {
        snprintf(names[i], sizeof names[i], "--%s", settings->forwarded[i].option->name);
        words[used++] = names[i];
        if (settings->forwarded[i].value)
            words[used++] = settings->forwarded[i].value;
    }
    const struct tw_batch_script script = {.folder = here,
                                           .results = cluster->folder,
                                           .program = program,
                                           .version = "thalweg " TW_VERSION,
                                           .command = words,
                                           .tasks = cluster->tasks};
    struct tw_bytes text = {0};
    enum tw_status status = tw_batch_script_print(&script, &text, err);
    snprintf(path, sizeof path, "%s/%s", cluster->folder, name);
    if (status == TW_OK)
        status = tw_file_write(path, text.at, text.length, err);
    free(text.at);
    return status;
}

static enum tw_status follow(struct cluster *cluster, struct tw_error *err)
{
    char name[128], script[64];
    const char *id = strrchr(cluster->folder, '/') + 1;
    snprintf(script, sizeof script, "task-of-%d.sh", (int)cluster->tasks);
    snprintf(name, sizeof name, "thalweg-%s-%d-%d", id, (int)cluster->c->experiment->seed_count,
             (int)cluster->tasks);
    const struct tw_batch_request request = {.job = {.name = name,
                                                     .folder = cluster->folder,
                                                     .script = script,
                                                     .options = cluster->settings->sbatch.at},
                                             .count = cluster->tasks,
                                             .task_seconds = cluster->task_seconds,
                                             .poll_seconds = cluster->settings->poll,
                                             .look = on_look,
                                             .progress = on_progress,
                                             .notice = on_notice,
                                             .context = cluster,
                                             .cancel = tw_stop_flag()};
    enum tw_status status = write_script(cluster, script, err);
    return status == TW_OK ? tw_batch_follow(&request, err) : status;
}

enum tw_status tw_compare_on_cluster(const struct tw_settings *settings,
                                     const struct tw_compare_request *request,
                                     struct tw_compare_line *line, struct tw_comparison *c,
                                     struct tw_error *err)
{
    struct cluster cluster = {.settings = settings, .request = request, .line = line, .c = c};
    enum tw_status status = tw_shard_prepare(request, c, &cluster.origin, err);
    if (status == TW_OK)
        status = make_folder(&cluster, err);
    if (status == TW_OK)
        status = plan(&cluster, err);
    if (status == TW_OK)
        status = follow(&cluster, err);
    if (status == TW_IO) /* perhaps nodes saw other files: then their shards say so */
        tw_shard_list_add(&cluster.list, &cluster.origin, cluster.folder, true, err);
    if (line)
        tw_compare_line_clear(line);
    if (status == TW_OK)
        status = tw_compare_gather(request, &cluster.origin, &cluster.list, c, err);
    tw_shard_list_release(&cluster.list);
    return status;
}
