/* SPDX-License-Identifier: MIT */
/* The folder's name is a digest of what is computed: edited work starts in a new folder, and
 * unchanged work resumes in its old one, whatever happened to its jobs. */
#include "cluster/cluster.h"

#include "base/os/file.h"
#include "base/text/number.h"
#include "cluster/check.h"
#include "cluster/follow.h"
#include "cluster/script.h"
#include "console/diagnostic.h"
#include "console/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    TASK_SECONDS = 20, /* shortest task worth starting; the start alone takes about one second */
    ID_DIGITS = 12,
    TASK_AGAIN = 75
};

int tw_cluster_check_options(const struct tw_settings *settings, const char *excludes)
{
    bool away = settings->on != TW_ON_HERE;
    if (away && excludes)
        return tw_console_usage("--on slurm and %s exclude each other", excludes);
    if (!away && (settings->sbatch.count > 0 || settings->poll > 0 || settings->tasks > 0))
        return tw_console_usage("--sbatch, --tasks and --poll come with --on slurm");
    return 0;
}

int tw_cluster_exit_code(const struct tw_settings *settings, enum tw_status status)
{
    bool short_of = status == TW_IO || status == TW_MEMORY;
    return short_of && settings->shard.of > 0 ? TASK_AGAIN : tw_status_exit_code(status);
}

static enum tw_status make_folder(struct tw_cluster *cluster, struct tw_error *err)
{
    char hex[2 * sizeof(struct tw_sha256) + 1], path[PATH_MAX];
    tw_hex(cluster->identity.at, sizeof cluster->identity.at, hex);
    snprintf(path, sizeof path, "%s/%.*s", cluster->root, ID_DIGITS, hex);
    enum tw_status status = tw_file_make_folder(path, err);
    if (status == TW_OK && !tw_file_real_path(path, cluster->folder))
        return tw_error_set(err, TW_IO, "cannot find the folder %s", path);
    return status;
}

/* ---- how many tasks ---- */

/* Path of the file that keeps the number of tasks for this number of units. Tasks already submitted
 * carry their share of that number, so later calls must not choose another one. */
static void plan_path(const struct tw_cluster *cluster, char *path)
{
    snprintf(path, PATH_MAX, "%s/tasks-for-%d", cluster->folder, (int)cluster->units);
}

static bool read_plan(struct tw_cluster *cluster)
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
              tasks <= (uint64_t)cluster->units && tasks <= TW_CLUSTER_TASKS_MAX;
    cluster->tasks = (int32_t)tasks;
    free(text);
    return ok;
}

static enum tw_status plan(struct tw_cluster *cluster, struct tw_error *err)
{
    char path[PATH_MAX], text[32];
    int32_t units = cluster->units;
    double seconds = 0;
    if (cluster->settings->tasks > 0) {
        cluster->tasks = cluster->settings->tasks < units ? cluster->settings->tasks : units;
        return TW_OK;
    }
    if (read_plan(cluster))
        return TW_OK;
    enum tw_status status = cluster->measure(cluster->context, &seconds, err);
    if (status != TW_OK)
        return status;
    double block = seconds > 0 ? ceil(TASK_SECONDS / seconds) : units;
    double least = ceil((double)units / TW_CLUSTER_TASKS_MAX);
    block = block > least ? block : least;
    cluster->tasks = block >= units ? 1 : (int32_t)(units / block);
    cluster->task_seconds = seconds * units / cluster->tasks;
    int length = snprintf(text, sizeof text, "%d\n", (int)cluster->tasks);
    plan_path(cluster, path);
    return tw_file_write(path, text, (size_t)length, err);
}

enum tw_status tw_cluster_open(struct tw_cluster *cluster, struct tw_error *err)
{
    enum tw_status status = make_folder(cluster, err);
    return status == TW_OK ? plan(cluster, err) : status;
}

/* ---- what a task runs ---- */

static size_t count_words(const struct tw_cluster *cluster)
{
    size_t count = 0;
    while (cluster->command[count])
        count++;
    return count + TW_CLUSTER_WORDS_MAX + 1;
}

void tw_cluster_add_forwarded(const struct tw_settings *settings, int takers,
                              struct tw_cluster_names *names, const char **words)
{
    for (int32_t i = 0; i < settings->forwarded_count; i++) {
        if (!(settings->forwarded[i].commands & takers))
            continue;
        snprintf(names->at[i], sizeof names->at[i], "--%s", settings->forwarded[i].name);
        *words++ = names->at[i];
        if (settings->forwarded[i].value)
            *words++ = settings->forwarded[i].value;
    }
    *words = NULL;
}

/* Lists the command's words, then the forwarded options with the values that the user gave. */
static void list_words(const struct tw_cluster *cluster, struct tw_cluster_names *names,
                       const char **words)
{
    for (const char *const *word = cluster->command; *word;)
        *words++ = *word++;
    tw_cluster_add_forwarded(cluster->settings, TW_FOR_ALL, names, words);
}

static enum tw_status print_script(const struct tw_cluster *cluster, struct tw_bytes *text,
                                   struct tw_error *err)
{
    char here[PATH_MAX], program[PATH_MAX];
    struct tw_cluster_names names;
    const char **words = calloc(count_words(cluster), sizeof *words);
    size_t size = sizeof program;
    struct tw_batch_script script = {.folder = here,
                                     .results = cluster->folder,
                                     .program = program,
                                     .version = "thalweg " TW_VERSION,
                                     .command = words,
                                     .tasks = cluster->tasks,
                                     .marks_done = cluster->marks_done};
    enum tw_status status = TW_OK;
    if (!words)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    list_words(cluster, &names, words);
    if (!tw_file_real_path(".", here) || uv_exepath(program, &size) != 0)
        status = tw_error_set(err, TW_IO, "cannot find this folder, or this program");
    if (status == TW_OK)
        status = tw_batch_script_print(&script, text, err);
    free(words);
    return status;
}

static enum tw_status write_script(const struct tw_cluster *cluster, const char *name,
                                   struct tw_error *err)
{
    char path[PATH_MAX];
    struct tw_bytes text = {0};
    enum tw_status status = print_script(cluster, &text, err);
    snprintf(path, sizeof path, "%s/%s", cluster->folder, name);
    if (status == TW_OK)
        status = tw_file_write(path, text.at, text.length, err);
    free(text.at);
    return status;
}

/* ---- following ---- */

static enum tw_status on_look(void *context, bool *done, struct tw_error *err)
{
    struct tw_cluster *cluster = context;
    return cluster->look(cluster->context, done, err);
}

static bool on_find(void *context, int32_t task)
{
    struct tw_cluster *cluster = context;
    return cluster->find && cluster->find(cluster->context, task);
}

static void show_tasks(struct tw_compare_line *line, const struct tw_batch_progress *progress)
{
    double share = (double)progress->done / progress->count;
    char words[40], text[sizeof line->text];
    tw_compare_words_left(progress->done < progress->count ? progress->left : -1, words);
    snprintf(text, sizeof text, "%3d %% %d of %d tasks done, %d running, %d waiting%s",
             (int)(100 * share), (int)progress->done, (int)progress->count, (int)progress->running,
             (int)progress->waiting, words);
    tw_compare_line_put(line, share, text);
}

static void on_progress(void *context, const struct tw_batch_progress *progress)
{
    struct tw_cluster *cluster = context;
    if (cluster->line)
        show_tasks(cluster->line, progress);
}

void tw_cluster_notice(struct tw_cluster *cluster, const struct tw_error *notice)
{
    if (cluster->line)
        tw_compare_line_clear(cluster->line);
    tw_console_diagnostic(NULL, false, notice, NULL);
}

static void on_notice(void *context, const struct tw_error *notice)
{
    tw_cluster_notice(context, notice);
}

/* Context of on_check(): stores a node's first failure in *err and reports notes at once. */
struct finding {
    struct tw_cluster *cluster;
    struct tw_error *err;
};

static void on_check(void *context, const char *name, const struct tw_check *check)
{
    struct finding *finding = context;
    bool failed = check->state == TW_CHECK_FAILED, first = finding->err->status == TW_OK;
    bool by_cache = finding->cluster->marks_done; /* results travel through the cache */
    bool matters = strcmp(name, "slurm") == 0 || (by_cache && strcmp(name, "node cache") == 0);
    struct tw_error notice;
    const char *before = ""; /* prefix of the name, which is "slurm" if no task ran */
    if (failed && strcmp(name, "slurm") == 0)
        before = "nothing was sent: ";
    else if (failed)
        before = "nothing was sent, since a task that looked at a node found: ";
    tw_error_set(&notice, failed ? TW_IO : TW_OK, "%s%s: %s", before, name, check->value);
    snprintf(notice.hint, sizeof notice.hint, "%s%s", check->hint,
             failed ? "; --probe 0 sends work all the same" : "");
    if (failed && first)
        *finding->err = notice;
    else if (check->state == TW_CHECK_NOTE && matters)
        tw_cluster_notice(finding->cluster, &notice);
}

static enum tw_status on_first(void *context, struct tw_error *err)
{
    struct tw_cluster *cluster = context;
    struct tw_error found = {.status = TW_OK};
    struct finding finding = {cluster, &found};
    const struct tw_check_sink sink = {on_check, &finding};
    double wait = cluster->settings->probe;
    if (wait <= 0)
        return TW_OK;
    enum tw_status status = tw_check_cluster(cluster->settings, cluster->root, wait, &sink);
    if (status == TW_CANCELLED)
        return tw_error_set(err, status, "stopped; nothing was sent");
    if (found.status != TW_OK)
        *err = found;
    return found.status;
}

enum tw_status tw_cluster_follow(struct tw_cluster *cluster, struct tw_error *err)
{
    char name[128], script[64];
    const char *id = strrchr(cluster->folder, '/') + 1;
    snprintf(script, sizeof script, "task-of-%d.sh", (int)cluster->tasks);
    snprintf(name, sizeof name, "thalweg-%s-%d-%d", id, (int)cluster->units, (int)cluster->tasks);
    const struct tw_batch_request request = {.job = {.name = name,
                                                     .folder = cluster->folder,
                                                     .script = script,
                                                     .options = cluster->settings->sbatch.at},
                                             .count = cluster->tasks,
                                             .task_seconds = cluster->task_seconds,
                                             .poll_seconds = cluster->settings->poll,
                                             .before = on_first,
                                             .look = on_look,
                                             .find = on_find,
                                             .progress = on_progress,
                                             .notice = on_notice,
                                             .context = cluster,
                                             .cancel = tw_stop_flag()};
    enum tw_status status = write_script(cluster, script, err);
    if (status == TW_OK)
        status = tw_batch_follow(&request, err);
    if (cluster->line)
        tw_compare_line_clear(cluster->line);
    return status;
}
