/* SPDX-License-Identifier: MIT */
#include "cluster/follow.h"

#include "base/os/file.h"
#include "base/text/text.h"
#include "cluster/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    SUBMISSIONS_MAX = 3, /* of one task in one call */
    GRACE = 6, /* polls without a trace of a task before it counts as lost: shared folders show new
                  files late */
    FIRST_LOOKS = 5, /* without an answer to any of these polls, Slurm is missing */
    LOG_BYTES = 1 << 16
};
#define SHORTEST_PAUSE 0.5 /* seconds */
#define LONGEST_PAUSE 8.0

struct task {
    int32_t submissions;
    int32_t nowhere; /* consecutive polls without a trace of the task */
    bool over;       /* its result will not arrive */
    char why[120];
};

struct following {
    const struct tw_batch_request *request;
    struct task *tasks; /* this and the next three arrays are indexed from 1 */
    struct tw_slurm_task *states;
    bool *done;
    int32_t *numbers; /* tasks to submit */
    int64_t since;    /* id of the last array that this call submitted */
    double seconds;   /* longest running time of a task so far, or the expected one */
    double pause;
    bool answered; /* Slurm has answered at least once */
    bool silent;   /* Slurm does not answer at present */
    bool sent;     /* this call has submitted a task */
    double waited; /* seconds */
    int32_t looks;
};

/* ---- outcome of a task ---- */

static bool read_mark(const struct following *f, int32_t i, int *code)
{
    char name[64];
    tw_batch_mark_name(i, f->request->count, name);
    return tw_batch_read_mark(f->request->job.folder, name, code);
}

static void give_up(struct task *task, const char *why)
{
    task->over = true;
    snprintf(task->why, sizeof task->why, "%s", why);
}

/* Searches the server before a task is submitted, and again when it would count as lost, since the
 * upload may finish after the task. */
static bool is_found(const struct following *f, int32_t i)
{
    const struct tw_batch_request *request = f->request;
    int32_t nowhere = f->tasks[i].nowhere;
    return request->find && (nowhere == 1 || nowhere == GRACE) &&
           request->find(request->context, i);
}

static int32_t most_submissions(const struct following *f)
{
    return f->request->submissions > 0 ? f->request->submissions : SUBMISSIONS_MAX;
}

/* Returns true if the task must be submitted, for the first time or again. */
static bool judge(struct following *f, int32_t i)
{
    struct task *task = &f->tasks[i];
    const struct tw_slurm_task *state = &f->states[i];
    char why[120];
    int code;
    if (f->done[i] || task->over)
        return false;
    bool live = state->state == TW_SLURM_PENDING || state->state == TW_SLURM_RUNNING;
    task->nowhere = live ? 0 : task->nowhere + 1;
    if (live)
        return false;
    if (is_found(f, i))
        return false;
    if (task->submissions == 0)
        return true;
    if (read_mark(f, i, &code)) {
        snprintf(why, sizeof why, "ended with exit code %d", code);
        give_up(task, why);
    } else if (task->nowhere < GRACE) {
        return false; /* its result may still arrive */
    } else if (state->state == TW_SLURM_CANCELLED) {
        give_up(task, "was cancelled");
    } else if (state->state == TW_SLURM_FAILED) {
        snprintf(why, sizeof why, "ended as %s", state->word);
        give_up(task, why);
    } else if (task->submissions >= most_submissions(f)) {
        give_up(task, most_submissions(f) == 1 ? "ended without a result"
                                               : "was lost by the cluster, three times");
    } else {
        return true;
    }
    return false;
}

static void remove_mark(const struct following *f, int32_t i)
{
    char name[64], path[4096];
    tw_batch_mark_name(i, f->request->count, name);
    snprintf(path, sizeof path, "%s/%s", f->request->job.folder, name);
    (void)remove(path);
}

static enum tw_status submit_missing(struct following *f, struct tw_error *err)
{
    int32_t count = 0;
    for (int32_t i = 1; i <= f->request->count; i++)
        if (judge(f, i))
            f->numbers[count++] = i;
    if (count == 0)
        return TW_OK;
    enum tw_status status = TW_OK;
    if (!f->sent && f->request->before)
        status = f->request->before(f->request->context, err);
    if (status != TW_OK)
        return status;
    f->sent = true;
    for (int32_t k = 0; k < count; k++)
        remove_mark(f, f->numbers[k]);
    int64_t id = f->since;
    status = tw_slurm_submit(&f->request->job, f->numbers, count, &id, err);
    f->since = id;
    for (int32_t k = 0; k < count; k++) {
        f->tasks[f->numbers[k]].submissions++;
        f->tasks[f->numbers[k]].nowhere = 0;
    }
    f->pause = SHORTEST_PAUSE;
    return status;
}

/* ---- progress ---- */

/* Reports progress. The longest running time so far is a lower bound on what one task takes. */
static void show(struct following *f)
{
    struct tw_batch_progress p = {.count = f->request->count, .left = -1};
    double ran = 0;
    for (int32_t i = 1; i <= p.count; i++) {
        bool open = !f->done[i] && !f->tasks[i].over;
        p.done += f->done[i];
        p.running += open && f->states[i].state == TW_SLURM_RUNNING;
        p.waiting += open && f->states[i].state != TW_SLURM_RUNNING;
        if (open && f->states[i].state == TW_SLURM_RUNNING)
            ran += f->states[i].seconds;
        if (f->states[i].seconds > f->seconds)
            f->seconds = f->states[i].seconds;
    }
    if (p.running > 0 && f->seconds > 0) {
        double work = (p.running + p.waiting) * f->seconds - ran;
        p.left = work > 0 ? work / p.running : 0;
    }
    if (f->request->progress)
        f->request->progress(f->request->context, &p);
}

static void notice_silence(struct following *f, bool answers)
{
    struct tw_error notice;
    f->answered |= answers;
    if (answers == !f->silent)
        return;
    f->silent = !answers;
    tw_error_set(&notice, TW_OK,
                 answers ? "Slurm answers again"
                         : "Slurm does not answer; waiting for it, and for results");
    if (f->request->notice)
        f->request->notice(f->request->context, &notice);
}

/* ---- the loop ---- */

static bool is_cancelled(const struct following *f)
{
    return f->request->cancel && *f->request->cancel;
}

static void sleep_for(const struct following *f, double seconds)
{
    if (f->request->sleep)
        f->request->sleep(f->request->context, seconds);
    else
        uv_sleep((unsigned)(1000 * seconds));
}

static void wait_a_little(struct following *f)
{
    const double step = 0.05;
    double left = f->request->poll_seconds > 0 ? f->request->poll_seconds : f->pause;
    f->waited += left;
    for (; left > 0 && !is_cancelled(f); left -= step)
        sleep_for(f, left < step ? left : step);
    f->pause = f->pause * 1.3 < LONGEST_PAUSE ? f->pause * 1.3 : LONGEST_PAUSE;
}

static bool is_at_end(const struct following *f)
{
    for (int32_t i = 1; i <= f->request->count; i++)
        if (!f->done[i] && !f->tasks[i].over)
            return false;
    return true;
}

static bool cancel_tasks(const struct following *f)
{
    enum { TRIES = 5 };
    for (int i = 0; i < TRIES; i++) {
        if (tw_slurm_cancel(&f->request->job))
            return true;
        sleep_for(f, SHORTEST_PAUSE);
    }
    return false;
}

static enum tw_status cancel(const struct following *f, struct tw_error *err)
{
    if (cancel_tasks(f))
        return tw_error_set(err, TW_CANCELLED, "stopped; the tasks are cancelled");
    struct tw_error notice;
    tw_error_set(&notice, TW_OK, "Slurm does not answer: its tasks go on; scancel --me --name=%s",
                 f->request->job.name);
    if (f->request->notice)
        f->request->notice(f->request->context, &notice);
    return tw_error_set(err, TW_CANCELLED, "stopped");
}

/* Returns true if no task has started within `start_seconds`. */
static bool is_late(const struct following *f)
{
    double limit = f->request->start_seconds;
    bool pending = false;
    for (int32_t i = 1; i <= f->request->count; i++) {
        if (f->done[i] || f->states[i].state == TW_SLURM_RUNNING)
            return false;
        pending |= f->states[i].state == TW_SLURM_PENDING;
    }
    return limit > 0 && pending && f->waited >= limit;
}

static enum tw_status give_up_waiting(const struct following *f, struct tw_error *err)
{
    (void)cancel_tasks(f);
    return tw_error_set(err, TW_LIMIT, "no task began within %.6g seconds",
                        f->request->start_seconds);
}

/* Copies the last line of a task's log. */
static void quote_log(const struct following *f, int32_t i, char *line, size_t size)
{
    char path[4096];
    unsigned char *text = NULL;
    size_t length = 0;
    uint64_t total;
    line[0] = 0;
    snprintf(path, sizeof path, "%s/log-%d.txt", f->request->job.folder, (int)i);
    if (tw_file_read_head(path, LOG_BYTES, &text, &length, &total, NULL) != TW_OK)
        return;
    if (total > length) /* a long log: read its end */
        (void)tw_file_read_part(path, total - length, text, length);
    char *rest = (char *)text;
    for (char *word; (word = strtok_r(rest, "\n", &rest));)
        snprintf(line, size, "%s", word);
    tw_text_clean(line);
    free(text);
}

static enum tw_status report(const struct following *f, struct tw_error *err)
{
    int32_t missing = 0, first = 0;
    bool failed = false;
    char line[160];
    for (int32_t i = f->request->count; i >= 1; i--)
        if (!f->done[i]) {
            missing++;
            first = i;
            failed |= strncmp(f->tasks[i].why, "ended", 5) == 0;
        }
    if (missing == 0)
        return TW_OK;
    quote_log(f, first, line, sizeof line);
    tw_error_set(err, failed ? TW_NODE : TW_IO, "%d of %d tasks have no result: task %d %s%s%s",
                 (int)missing, (int)f->request->count, (int)first, f->tasks[first].why,
                 line[0] ? ": " : "", line);
    snprintf(err->hint, sizeof err->hint,
             "the same command goes on with what is missing; logs: %.180s/log-*.txt",
             f->request->job.folder);
    return err->status;
}

static enum tw_status follow(struct following *f, struct tw_error *err)
{
    const struct tw_batch_request *r = f->request;
    for (;;) {
        struct tw_error why = {.status = TW_OK};
        bool answers = tw_slurm_look(&r->job, f->since, f->states, r->count, &why) == TW_OK;
        enum tw_status status = r->look(r->context, f->done, err); /* after tw_slurm_look() */
        if (status == TW_OK && !answers && !f->answered && !is_at_end(f))
            status = tw_slurm_find(err);
        if (status == TW_OK && (answers || !is_at_end(f)))
            notice_silence(f, answers);
        if (is_cancelled(f))
            return cancel(f, err);
        if (status == TW_OK && !f->answered && ++f->looks == FIRST_LOOKS) {
            *err = why;
            return why.status;
        }
        if (status == TW_OK && answers)
            status = submit_missing(f, err);
        if (status != TW_OK)
            return status;
        show(f);
        if (is_at_end(f))
            return report(f, err);
        if (is_late(f))
            return give_up_waiting(f, err);
        wait_a_little(f);
    }
}

enum tw_status tw_batch_follow(const struct tw_batch_request *request, struct tw_error *err)
{
    size_t count = (size_t)request->count + 1;
    struct following f = {.request = request,
                          .tasks = calloc(count, sizeof *f.tasks),
                          .states = calloc(count, sizeof *f.states),
                          .done = calloc(count, sizeof *f.done),
                          .numbers = calloc(count, sizeof *f.numbers),
                          .since = INT64_MAX,
                          .seconds = request->task_seconds,
                          .pause = SHORTEST_PAUSE};
    enum tw_status status = f.tasks && f.states && f.done && f.numbers
                                ? follow(&f, err)
                                : tw_error_set(err, TW_MEMORY, "out of memory");
    free(f.tasks);
    free(f.states);
    free(f.done);
    free(f.numbers);
    return status;
}
