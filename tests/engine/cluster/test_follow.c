/* SPDX-License-Identifier: MIT */
/* A batch is followed to its end: what is sent and how often, what progress says, why tasks are
 * given up. Slurm is played by commands that say what look number n is to see. */
#include "cluster/follow.h"

#include "cluster/script.h"
#include "support/gate.h"

#include <math.h>
#include <sys/stat.h>

enum { TASKS = 3, LOOKS = 64 };

/* What a test gives. */
static struct {
    const char *rows[LOOKS]; /* of look 1, 2, ...; the last goes on. NULL: Slurm does not answer */
    int looks;
    int done[TASKS + 1];  /* the look from which on its result is there; 0: never */
    int found[TASKS + 1]; /* how often find() is asked until it says yes; 0: never */
    int cancel_at;        /* look */
    int cancel_in_pause;  /* when it has been slept so often */
} given;

/* What came of it. */
static struct {
    int looks, asked[TASKS + 1], befores, notices;
    struct tw_batch_progress progress[LOOKS];
    char notice[LOOKS][160];
    int sleeps;
    double longest, slept[LOOKS]; /* seconds: one sleep, all after each look */
} seen;

static char old_path[4096], folder[2048];
static volatile int cancelled;

static void write_program(const char *name, const char *text)
{
    char path[32];
    snprintf(path, sizeof path, "bin/%s", name);
    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

static int set_up(void **state)
{
    char path[8192];
    (void)state;
    command_enter();
    assert_int_equal(mkdir("bin", 0777), 0);
    write_program("sbatch", "#!/bin/sh\necho \"$5\" >> sent\necho 41\n");
    write_program("squeue", "#!/bin/sh\nexec cat rows\n");
    write_program("scancel", "#!/bin/sh\necho \"$*\" >> stopped\nexit $(cat refuse)\n");
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    snprintf(path, sizeof path, "%s/bin:%s", folder, old_path);
    setenv("PATH", path, 1);
    write_text("refuse", "0");
    write_text("sent", "");
    write_text("stopped", "");
    memset(&given, 0, sizeof given);
    memset(&seen, 0, sizeof seen);
    cancelled = 0;
    return 0;
}

static int end(void **state)
{
    setenv("PATH", old_path, 1);
    return command_tear_down(state);
}

/* For the next look of squeue. */
static void set_rows(void)
{
    int next = seen.looks < given.looks ? seen.looks : given.looks - 1;
    if (given.rows[next])
        write_text("rows", given.rows[next]);
    else
        (void)remove("rows");
}

static enum tw_status look(void *context, bool *done, struct tw_error *err)
{
    (void)context;
    (void)err;
    seen.looks++;
    assert_true(seen.looks < LOOKS);
    for (int i = 1; i <= TASKS; i++)
        done[i] |= given.done[i] > 0 && given.done[i] <= seen.looks;
    if (seen.looks == given.cancel_at)
        cancelled = 1;
    set_rows();
    return TW_OK;
}

static bool find(void *context, int32_t task)
{
    (void)context;
    if (given.found[task] == 0 || ++seen.asked[task] < given.found[task])
        return false;
    given.done[task] = seen.looks + 1;
    return true;
}

static enum tw_status before(void *context, struct tw_error *err)
{
    seen.befores++;
    return context ? tw_error_set(err, TW_LIMIT, "not today") : TW_OK;
}

static void on_progress(void *context, const struct tw_batch_progress *progress)
{
    (void)context;
    seen.progress[seen.looks] = *progress;
}

static void on_notice(void *context, const struct tw_error *notice)
{
    (void)context;
    snprintf(seen.notice[seen.notices++], sizeof seen.notice[0], "%s", notice->message);
}

static void on_sleep(void *context, double seconds)
{
    (void)context;
    seen.slept[seen.looks] += seconds;
    seen.longest = seconds > seen.longest ? seconds : seen.longest;
    if (++seen.sleeps == given.cancel_in_pause)
        cancelled = 1;
}

static struct tw_batch_request request(void)
{
    return (struct tw_batch_request){.job = {"w-1", folder, "run.sh", NULL},
                                     .count = TASKS,
                                     .before = before,
                                     .look = look,
                                     .find = find,
                                     .progress = on_progress,
                                     .notice = on_notice,
                                     .sleep = on_sleep,
                                     .cancel = &cancelled};
}

static void follow(const struct tw_batch_request *r, enum tw_status status, const char *message)
{
    struct tw_error error = {.status = TW_OK};
    set_rows();
    enum tw_status ended = tw_batch_follow(r, &error);
    if (ended != status || strcmp(error.message, message) != 0)
        fail_msg("%d: %s", (int)ended, error.message);
    if (strstr(message, "have no result")) {
        char hint[2200];
        snprintf(hint, sizeof hint, "logs: %.180s/log-*.txt", folder);
        contains(error.hint, hint);
    }
}

static void expect_file(const char *name, const char *lines)
{
    char *text = read_text(name);
    assert_string_equal(text, lines);
    free(text);
}

static void expect_progress(int at, int done, int running, int waiting, double left)
{
    const struct tw_batch_progress *p = &seen.progress[at];
    if (p->count != TASKS || p->done != done || p->running != running || p->waiting != waiting ||
        fabs(p->left - left) > 1e-9)
        fail_msg("look %d: %d done, %d running, %d waiting of %d, %g s left", at, (int)p->done,
                 (int)p->running, (int)p->waiting, (int)p->count, p->left);
}

/* ---- a cluster that works ---- */

static void progress_tells_what_is_left(void **state)
{
    (void)state;
    given.looks = 4;
    given.rows[0] = "";
    given.rows[1] = "1 RUNNING 41 0:10\n2 PENDING 41 0:00\n3 PENDING 41 0:00\n";
    given.rows[2] = "1 COMPLETING 41 0:20\n2 RUNNING 41 0:12\n3 RUNNING 41 0:05\n";
    given.rows[3] = "3 RUNNING 41 1:00\n";
    given.done[1] = 3;
    given.done[2] = 4;
    given.done[3] = 5;
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    assert_int_equal(seen.looks, 5);
    assert_int_equal(seen.befores, 1);
    assert_int_equal(seen.notices, 0);
    expect_file("sent", "--array=1-3\n");
    expect_progress(1, 0, 0, 3, -1);
    expect_progress(2, 0, 1, 2, 20);   /* 3 of 10 s, less 10, by one */
    expect_progress(3, 1, 2, 0, 11.5); /* 2 of 20 s, less 17, by two */
    expect_progress(4, 2, 1, 0, 0);
    expect_progress(5, 3, 0, 0, -1);
}

static void what_is_expected_of_a_task_counts(void **state)
{
    (void)state;
    given.looks = 2;
    given.rows[0] = "1 RUNNING 41 0:10\n2 RUNNING 41 0:10\n";
    given.rows[1] = "1 RUNNING 41 2:10\n2 PENDING 41 0:00\n";
    given.done[1] = given.done[2] = given.done[3] = 3;
    struct tw_batch_request r = request();
    r.task_seconds = 60;
    follow(&r, TW_OK, "");
    expect_file("sent", "--array=3\n"); /* the others are there already */
    expect_progress(1, 0, 2, 1, (3 * 60 - 20) / 2.0);
    expect_progress(2, 0, 1, 2, 3 * 130 - 130);
}

/* Times are whole seconds, and of a task that has just begun nothing follows. */
static void short_tasks_have_an_end(void **state)
{
    (void)state;
    given.looks = 3;
    given.rows[0] = "2 RUNNING 41 0:00\n3 PENDING 41 0:00\n";
    given.rows[1] = "2 RUNNING 41 0:01\n3 PENDING 41 0:00\n";
    given.rows[2] = "2 COMPLETING 41 0:02\n3 RUNNING 41 0:01\n";
    given.done[1] = 1;
    given.done[2] = 3;
    given.done[3] = 4;
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    expect_progress(1, 1, 1, 1, -1);
    expect_progress(2, 1, 1, 1, 1);
    expect_progress(3, 2, 1, 0, 1);
}

/* Also the first, and whatever an earlier call left of them. */
static void all_tasks_are_waited_for(void **state)
{
    (void)state;
    given.looks = 3;
    given.rows[0] = "";
    given.rows[1] = "1 PENDING 41 0:00\n2 PENDING 41 0:00\n3 PENDING 41 0:00\n";
    given.rows[2] = "";
    given.done[2] = given.done[3] = 4;
    given.done[1] = 6;
    write_text("failed-1-of-3", "9\n");
    write_text("failed-2-of-3", "9\n");
    write_text("failed-3-of-3", "9\n");
    struct tw_batch_request r = request();
    r.task_seconds = 60;
    follow(&r, TW_OK, "");
    assert_int_equal(seen.looks, 6);
    for (int i = 1; i < 4; i++)
        expect_progress(i, 0, 0, 3, -1);
    expect_progress(4, 2, 0, 1, -1);
}

static void what_a_server_has_is_not_sent(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    given.found[1] = 1; /* before it is sent */
    given.found[2] = 2; /* right after its end */
    given.found[3] = 3; /* a while later */
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    expect_file("sent", "--array=2-3\n");
    assert_int_equal(seen.asked[1], 1);
    assert_int_equal(seen.asked[2], 2);
    assert_int_equal(seen.asked[3], 3);
    assert_int_equal(seen.looks, 1 + 6 + 1);
}

static void nothing_is_sent_when_something_is_in_the_way(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    struct tw_batch_request r = request();
    r.context = &r;
    follow(&r, TW_LIMIT, "not today");
    expect_file("sent", "");
}

/* ---- tasks without results ---- */

static void lost_tasks_are_sent_three_times(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    given.done[1] = given.done[3] = 3;
    write_text("failed-2-of-3", "9\n"); /* of an earlier call */
    const struct tw_batch_request r = request();
    follow(&r, TW_IO, "1 of 3 tasks have no result: task 2 was lost by the cluster, three times");
    expect_file("sent", "--array=1-3\n--array=2\n--array=2\n");
    assert_int_equal(seen.looks, 1 + 3 * 6);
    assert_int_equal(seen.befores, 1);
    expect_progress(1 + 3 * 6, 2, 0, 0, -1);
}

static void a_task_may_be_sent_once_only(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    given.done[1] = 1;
    struct tw_batch_request r = request();
    r.submissions = 1;
    follow(&r, TW_NODE, "2 of 3 tasks have no result: task 2 ended without a result");
    expect_file("sent", "--array=2-3\n");
    assert_int_equal(seen.looks, 1 + 6);
}

/* A task that is on the cluster again in between is nowhere for the first time afterwards. */
static void patience_begins_anew(void **state)
{
    (void)state;
    given.looks = 7;
    for (int i = 0; i < 7; i++)
        given.rows[i] = i == 5 ? "2 PENDING 41 0:00\n" : "";
    given.done[1] = given.done[3] = 1;
    given.done[2] = 12;
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    expect_file("sent", "--array=2\n");
}

static enum tw_status fail_task(void *context, bool *done, struct tw_error *err)
{
    if (seen.looks == 1) {
        static const char end[] = "\n\nlast\twords\n\n";
        static char log[(1 << 16) + 999]; /* longer than what is read of it */
        memset(log, 'x', sizeof log - sizeof end);
        memcpy(log + sizeof log - sizeof end, end, sizeof end);
        write_text("failed-1-of-3", "7\n");
        write_text("log-1.txt", log);
    }
    return look(context, done, err);
}

static void why_tasks_failed_is_said(void **state)
{
    (void)state;
    given.looks = 2;
    given.rows[0] = "";
    given.rows[1] = "2 CANCELLED 41 0:01\n3 OUT_OF_MEMORY 41 0:02\n";
    struct tw_batch_request r = request();
    r.look = fail_task;
    follow(&r, TW_NODE, "3 of 3 tasks have no result: task 1 ended with exit code 7: last?words");
    assert_int_equal(seen.looks, 1 + 6);
    expect_progress(2, 0, 0, 2, -1);
    expect_progress(6, 0, 0, 2, -1);
    expect_progress(7, 0, 0, 0, -1);
    expect_file("sent", "--array=1-3\n");
}

static void what_slurm_says_of_an_end(void **state)
{
    (void)state;
    given.looks = 2;
    given.rows[0] = "";
    given.rows[1] = "2 CANCELLED 41 0:01\n";
    given.done[1] = given.done[3] = 1;
    struct tw_batch_request r = request();
    follow(&r, TW_IO, "1 of 3 tasks have no result: task 2 was cancelled");
    given.rows[1] = "2 OUT_OF_MEMORY 41 0:01\n";
    seen.looks = 0;
    follow(&r, TW_NODE, "1 of 3 tasks have no result: task 2 ended as OUT_OF_MEMORY");
}

/* ---- no answer, no time ---- */

static void silence_is_borne_when_it_began_well(void **state)
{
    (void)state;
    given.looks = 11;
    for (int i = 0; i < 11; i++)
        given.rows[i] = i == 0 || i == 10 ? "2 RUNNING 41 0:01\n" : NULL;
    given.done[1] = given.done[3] = 1;
    given.done[2] = 12;
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    assert_int_equal(seen.notices, 2);
    assert_string_equal(seen.notice[0], "Slurm does not answer; waiting for it, and for results");
    assert_string_equal(seen.notice[1], "Slurm answers again");
    expect_file("sent", "");
}

static void without_slurm_it_ends_soon(void **state)
{
    (void)state;
    given.looks = 1;
    const struct tw_batch_request r = request();
    struct tw_error error;
    set_rows();
    assert_int_equal(tw_batch_follow(&r, &error), TW_IO);
    contains(error.message, "squeue ends with code 1: cat: rows");
    assert_int_equal(seen.looks, 5);
    assert_int_equal(seen.notices, 1);
    expect_file("sent", "");
}

static void stopping_cancels_what_was_sent(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    given.cancel_at = 2;
    const struct tw_batch_request r = request();
    follow(&r, TW_CANCELLED, "stopped; the tasks are cancelled");
    expect_file("stopped", "--me --name=w-1\n");
    assert_int_equal(seen.looks, 2);
    assert_int_equal(seen.notices, 0);
}

/* However long the pause is. */
static void stopping_ends_a_pause(void **state)
{
    (void)state;
    given.looks = 1;
    given.rows[0] = "";
    given.cancel_in_pause = 3;
    struct tw_batch_request r = request();
    r.poll_seconds = 3600;
    follow(&r, TW_CANCELLED, "stopped; the tasks are cancelled");
    assert_int_equal(seen.sleeps, 3);
    assert_true(seen.longest < 0.1);
}

static void stopping_may_be_refused(void **state)
{
    (void)state;
    write_text("refuse", "1");
    given.looks = 1;
    given.rows[0] = "";
    given.cancel_at = 1;
    const struct tw_batch_request r = request();
    follow(&r, TW_CANCELLED, "stopped");
    expect_file("stopped", "--me --name=w-1\n--me --name=w-1\n--me --name=w-1\n--me --name=w-1\n"
                           "--me --name=w-1\n");
    assert_true(fabs(seen.slept[1] - 5 * 0.5) < 1e-9);
    assert_string_equal(seen.notice[0],
                        "Slurm does not answer: its tasks go on; scancel --me --name=w-1");
}

static void tasks_that_do_not_begin_are_cancelled(void **state)
{
    (void)state;
    given.looks = 2;
    given.rows[0] = "";
    given.rows[1] = "1 PENDING 41 0:00\n2 PENDING 41 0:00\n3 PENDING 41 0:00\n";
    struct tw_batch_request r = request();
    r.poll_seconds = 3;
    r.start_seconds = 12;
    follow(&r, TW_LIMIT, "no task began within 12 seconds");
    expect_file("stopped", "--me --name=w-1\n");
    assert_int_equal(seen.looks, 5);
    given.rows[1] = "1 PENDING 41 0:00\n3 RUNNING 41 0:00\n";
    given.done[1] = given.done[2] = given.done[3] = 20;
    seen.looks = 0;
    follow(&r, TW_OK, "");
    expect_file("stopped", "--me --name=w-1\n");
}

/* Half a second, then longer by three tenths each time, up to eight seconds; anew after something
 * was sent. */
static void looks_become_rarer(void **state)
{
    enum { LOST = 20, AGAIN = LOST + 6, END = AGAIN + 3 }; /* looks */
    double pause = 0.5;
    (void)state;
    given.looks = END;
    for (int i = 0; i < END; i++)
        given.rows[i] = i == 0 || i >= LOST ? "" : "2 PENDING 41 0:00\n";
    given.done[1] = given.done[3] = 1;
    given.done[2] = END;
    const struct tw_batch_request r = request();
    follow(&r, TW_OK, "");
    expect_file("sent", "--array=2\n--array=2\n");
    for (int i = 1; i < END; i++) {
        pause = i == AGAIN ? 0.5 : pause;
        if (fabs(seen.slept[i] - pause) > 1e-9)
            fail_msg("look %d: a pause of %g s, expected %g", i, seen.slept[i], pause);
        pause = fmin(1.3 * pause, 8);
    }
    assert_int_equal(seen.looks, END);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(progress_tells_what_is_left),
        TEST(what_is_expected_of_a_task_counts),
        TEST(short_tasks_have_an_end),
        TEST(all_tasks_are_waited_for),
        TEST(what_a_server_has_is_not_sent),
        TEST(nothing_is_sent_when_something_is_in_the_way),
        TEST(lost_tasks_are_sent_three_times),
        TEST(a_task_may_be_sent_once_only),
        TEST(patience_begins_anew),
        TEST(why_tasks_failed_is_said),
        TEST(what_slurm_says_of_an_end),
        TEST(silence_is_borne_when_it_began_well),
        TEST(without_slurm_it_ends_soon),
        TEST(stopping_cancels_what_was_sent),
        TEST(stopping_ends_a_pause),
        TEST(stopping_may_be_refused),
        TEST(tasks_that_do_not_begin_are_cancelled),
        TEST(looks_become_rarer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
