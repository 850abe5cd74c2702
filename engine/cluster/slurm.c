/* SPDX-License-Identifier: MIT */
#include "cluster/slurm.h"

#include "base/memory/bytes.h"
#include "base/os/process.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 80, PATH_BYTES = 4096 };

char *tw_slurm_array_text(const int32_t *numbers, int32_t count)
{
    struct tw_bytes text = {0};
    enum tw_status status = tw_bytes_print(&text, NULL, "%s", "");
    for (int32_t i = 0, last; status == TW_OK && i < count; i = last + 1) {
        for (last = i; last + 1 < count && numbers[last + 1] == numbers[last] + 1;)
            last++;
        status = tw_bytes_print(&text, NULL, last > i ? "%s%d-%d" : "%s%d", i > 0 ? "," : "",
                                (int)numbers[i], (int)numbers[last]);
    }
    if (status == TW_OK)
        return (char *)text.at;
    free(text.at);
    return NULL;
}

/* ---- submitting ---- */

/* Copies the last line that is not empty, for an error message. */
static void last_line(struct tw_bytes *text, char *line, size_t size)
{
    line[0] = 0;
    if (tw_bytes_append(text, "", 1, NULL) != TW_OK)
        return;
    char *rest = (char *)text->at;
    for (char *word; (word = strtok_r(rest, "\n", &rest));)
        snprintf(line, size, "%s", word);
    tw_text_clean(line);
}

/* Parses the line "id" or "id;cluster", which sbatch --parsable prints after any warnings. */
static bool read_id(const char *line, int64_t *id)
{
    char digits[32];
    uint64_t number = 0;
    size_t length = strcspn(line, ";");
    if (length == 0 || length >= sizeof digits)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length, line);
    if (!tw_number_parse_whole(digits, &number) || number > INT64_MAX)
        return false;
    *id = (int64_t)number;
    return true;
}

static enum tw_status fail_to_start(const char *program, struct tw_error *err)
{
    return tw_error_set(err, TW_IO, "cannot start %s; is Slurm installed here?", program);
}

enum tw_status tw_slurm_find(struct tw_error *err)
{
    static const char *const programs[] = {"squeue", "sbatch", "scancel"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (!tw_process_finds(programs[i]))
            return fail_to_start(programs[i], err);
    return TW_OK;
}

static enum tw_status fail(const char *program, int code, struct tw_bytes *output,
                           struct tw_error *err)
{
    char line[300];
    last_line(output, line, sizeof line);
    if (code == -1)
        return fail_to_start(program, err);
    return tw_error_set(err, TW_IO, "%s ends with code %d: %s", program, code,
                        line[0] ? line : "it says nothing");
}

static enum tw_status run_sbatch(const char *const *arguments, int64_t *id, struct tw_error *err)
{
    struct tw_bytes output = {0}, copy = {0};
    char line[300] = "";
    int code = tw_process_ask(arguments, &output);
    enum tw_status status = tw_bytes_append(&copy, output.at, output.length, err);
    if (status == TW_OK)
        last_line(&copy, line, sizeof line);
    if (status == TW_OK && (code != 0 || !read_id(line, id)))
        status = fail("sbatch", code, &output, err);
    free(output.at);
    free(copy.at);
    return status;
}

/* Prints the option for the log's file name, a pattern in which "%%" is a literal '%' of the
 * folder. */
static bool print_log(const char *folder, char log[PATH_BYTES])
{
    size_t used = (size_t)snprintf(log, PATH_BYTES, "--output=");
    for (; *folder && used < PATH_BYTES - 2; folder++) {
        if (*folder == '%')
            log[used++] = '%';
        log[used++] = *folder;
    }
    size_t rest = PATH_BYTES - used;
    return !*folder && snprintf(log + used, rest, "/log-%%a.txt") < (int)rest;
}

enum tw_status tw_slurm_submit(const struct tw_slurm_job *job, const int32_t *tasks, int32_t count,
                               int64_t *id, struct tw_error *err)
{
    char name[300], array[8192], log[PATH_BYTES], script[PATH_BYTES];
    const char *arguments[OPTIONS_MAX + 1] = {"sbatch", "--parsable", "--requeue",
                                              "--open-mode=append"};
    int used = 4;
    char *numbers = tw_slurm_array_text(tasks, count);
    if (!numbers)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    bool fits = snprintf(name, sizeof name, "--job-name=%s", job->name) < (int)sizeof name &&
                snprintf(array, sizeof array, "--array=%s", numbers) < (int)sizeof array &&
                print_log(job->folder, log) &&
                snprintf(script, sizeof script, "%s/%s", job->folder, job->script) < PATH_BYTES;
    free(numbers);
    if (!fits)
        return tw_error_set(err, TW_IO, "the path %.200s... is too long for a job", job->folder);
    arguments[used++] = name;
    arguments[used++] = array;
    arguments[used++] = log;
    const int own = used;
    for (const char *const *option = job->options; option && *option; option++) {
        if (used == OPTIONS_MAX - 1)
            return tw_error_set(err, TW_USAGE, "more than %d options for sbatch",
                                OPTIONS_MAX - 1 - own);
        arguments[used++] = *option;
    }
    arguments[used++] = script;
    arguments[used] = NULL;
    return run_sbatch(arguments, id, err);
}

/* ---- polling ---- */

static enum tw_slurm_state state_of(const char *word)
{
    static const struct {
        const char *word;
        enum tw_slurm_state state;
    } words[] = {
        {"PENDING", TW_SLURM_PENDING},       {"REQUEUED", TW_SLURM_PENDING},
        {"REQUEUE_HOLD", TW_SLURM_PENDING},  {"REQUEUE_FED", TW_SLURM_PENDING},
        {"RESV_DEL_HOLD", TW_SLURM_PENDING}, {"SPECIAL_EXIT", TW_SLURM_PENDING},
        {"RUNNING", TW_SLURM_RUNNING},       {"CONFIGURING", TW_SLURM_RUNNING},
        {"COMPLETING", TW_SLURM_RUNNING},    {"RESIZING", TW_SLURM_RUNNING},
        {"SIGNALING", TW_SLURM_RUNNING},     {"STAGE_OUT", TW_SLURM_RUNNING},
        {"STOPPED", TW_SLURM_RUNNING},       {"SUSPENDED", TW_SLURM_RUNNING},
        {"CANCELLED", TW_SLURM_CANCELLED},   {"REVOKED", TW_SLURM_CANCELLED},
        {"TIMEOUT", TW_SLURM_FAILED},        {"OUT_OF_MEMORY", TW_SLURM_FAILED},
        {"DEADLINE", TW_SLURM_FAILED},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0)
            return words[i].state;
    /* COMPLETED, NODE_FAIL, PREEMPTED, BOOT_FAIL; also FAILED: a task that fails by itself leaves a
     * mark, so one without a mark lost its node. */
    return TW_SLURM_ABSENT;
}

static bool is_live(enum tw_slurm_state state)
{
    return state == TW_SLURM_PENDING || state == TW_SLURM_RUNNING;
}

/* Parses "1-02:03:04", "2:03:04" or "03:04" as seconds. */
static double read_time(const char *text)
{
    double total = 0, part = 0;
    for (; *text; text++) {
        if (*text >= '0' && *text <= '9')
            part = 10 * part + (*text - '0');
        else if (*text == '-')
            total = 24 * part, part = 0;
        else if (*text == ':')
            total = 60 * (total + part), part = 0;
    }
    return total + part;
}

/* Prefers a live job to one that ended, then the later array to the earlier. */
static bool replaces(const struct tw_slurm_task *new, const struct tw_slurm_task *old)
{
    if (is_live(new->state) != is_live(old->state))
        return is_live(new->state);
    return new->job >= old->job;
}

/* Parses a row of squeue: "3 RUNNING 117 0:12". */
static void read_row(char *row, int64_t since, struct tw_slurm_task *tasks, int32_t count)
{
    char *rest = row, *index = strtok_r(rest, " ", &rest), *word = strtok_r(rest, " ", &rest);
    const char *array = strtok_r(rest, " ", &rest), *time = strtok_r(rest, " ", &rest);
    uint64_t number, job;
    if (!time || !tw_number_parse_whole(index, &number) || number < 1 || number > (uint64_t)count ||
        !tw_number_parse_whole(array, &job) || job > INT64_MAX)
        return;
    struct tw_slurm_task task = {.state = state_of(word), .job = (int64_t)job};
    if (!is_live(task.state) && task.job < since)
        return;
    snprintf(task.word, sizeof task.word, "%s", word);
    tw_text_clean(task.word);
    task.seconds = read_time(time);
    if (replaces(&task, &tasks[number]))
        tasks[number] = task;
}

enum tw_status tw_slurm_look(const struct tw_slurm_job *job, int64_t since,
                             struct tw_slurm_task *tasks, int32_t count, struct tw_error *err)
{
    char name[300];
    const char *const arguments[] = {"squeue",       "--me", "--noheader",           "--array",
                                     "--states=all", name,   "--format=%K %T %F %M", NULL};
    struct tw_bytes output = {0};
    for (int32_t i = 1; i <= count; i++)
        tasks[i] = (struct tw_slurm_task){.state = TW_SLURM_ABSENT};
    snprintf(name, sizeof name, "--name=%s", job->name);
    int code = tw_process_ask(arguments, &output);
    enum tw_status status =
        code == 0 ? tw_bytes_append(&output, "", 1, err) : fail("squeue", code, &output, err);
    char *rest = (char *)output.at;
    for (char *row; status == TW_OK && (row = strtok_r(rest, "\n", &rest));)
        read_row(row, since, tasks, count);
    free(output.at);
    return status;
}

bool tw_slurm_cancel(const struct tw_slurm_job *job)
{
    char name[300];
    const char *const arguments[] = {"scancel", "--me", name, NULL};
    struct tw_bytes output = {0};
    snprintf(name, sizeof name, "--name=%s", job->name);
    int code = tw_process_ask(arguments, &output);
    free(output.at);
    return code == 0;
}
