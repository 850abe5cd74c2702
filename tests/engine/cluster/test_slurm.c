/* SPDX-License-Identifier: MIT */
/* What Slurm's commands are called with, and what of their output counts. */
#include "cluster/slurm.h"

#include "support/gate.h"

#include <sys/stat.h>

static const struct tw_slurm_job job = {"w-1", "/somewhere", "run.sh", NULL};
static char old_path[4096];

/* A command in PATH that notes its words and prints the file `says`. */
static void write_program(const char *name)
{
    static const char text[] =
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > words\ncat says\nexit $(cat code)\n";
    char path[32];
    snprintf(path, sizeof path, "bin/%s", name);
    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

static int set_up(void **state)
{
    char here[2048], path[8192];
    (void)state;
    command_enter();
    assert_int_equal(mkdir("bin", 0777), 0);
    write_program("sbatch");
    write_program("squeue");
    write_program("scancel");
    assert_non_null(getcwd(here, sizeof here));
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    snprintf(path, sizeof path, "%s/bin:%s", here, old_path);
    setenv("PATH", path, 1);
    return 0;
}

static int end(void **state)
{
    setenv("PATH", old_path, 1);
    return command_tear_down(state);
}

static void answer(const char *text, const char *code)
{
    write_text("says", text);
    write_text("code", code);
}

static void called_with(const char *words)
{
    char *text = read_text("words");
    assert_string_equal(text, words);
    free(text);
}

static void numbers_are_ranges(void **state)
{
    static const int32_t numbers[] = {1, 3, 4, 5, 9, 11, 12};
    static const char *const texts[] = {"",      "1",       "1,3",        "1,3-4",
                                        "1,3-5", "1,3-5,9", "1,3-5,9,11", "1,3-5,9,11-12"};
    (void)state;
    for (int32_t count = 0; count <= 7; count++) {
        char *text = tw_slurm_array_text(numbers, count);
        assert_string_equal(text, texts[count]);
        free(text);
    }
}

/* ---- looking ---- */

enum { TASKS = 9 };
static struct tw_slurm_task tasks[TASKS + 2]; /* the last is not asked for */

static void look(const char *rows, int64_t since)
{
    struct tw_error error;
    answer(rows, "0");
    tasks[0].job = tasks[TASKS + 1].job = -5;
    if (tw_slurm_look(&job, since, tasks, TASKS, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_true(tasks[0].job == -5 && tasks[TASKS + 1].job == -5);
}

static void expect_task(int32_t i, enum tw_slurm_state state, int64_t id, double seconds)
{
    const struct tw_slurm_task *t = &tasks[i];
    if (t->state != state || t->job != id || t->seconds < seconds || t->seconds > seconds)
        fail_msg("task %d: state %d of array %d after %g s", (int)i, (int)t->state, (int)t->job,
                 t->seconds);
}

static void rows_are_read(void **state)
{
    (void)state;
    look("1 PENDING 41 0:00\n2 RUNNING 41 2-02:03:04\n3 COMPLETING 41 2:03:04\n"
         "4 STOPPED 41 3:04\n  5   REQUEUED 41   9 more\n",
         41);
    called_with("--me\n--noheader\n--array\n--states=all\n--name=w-1\n--format=%K %T %F %M\n");
    expect_task(1, TW_SLURM_PENDING, 41, 0);
    expect_task(2, TW_SLURM_RUNNING, 41, 180184);
    expect_task(3, TW_SLURM_RUNNING, 41, 7384);
    expect_task(4, TW_SLURM_RUNNING, 41, 184);
    expect_task(5, TW_SLURM_PENDING, 41, 9);
    expect_task(6, TW_SLURM_ABSENT, 0, 0);
    look("0 RUNNING 41 0:01\n10 RUNNING 41 0:01\nx RUNNING 41 0:01\n1 RUNNING 41\n\n2 RUNNING\n"
         "3\n4 RUNNING x 0:01\n5 RUNNING 99999999999999999999 0:01\n6 RUNNING 18446744073709551615 "
         "0:01\n-7 RUNNING 41 0:01\n9 RUNNING 9223372036854775807 0:01\n",
         41);
    for (int32_t i = 1; i < TASKS; i++)
        expect_task(i, TW_SLURM_ABSENT, 0, 0);
    expect_task(9, TW_SLURM_RUNNING, INT64_MAX, 1);
    assert_string_equal(tasks[9].word, "RUNNING");
}

static void what_is_live_and_later_counts(void **state)
{
    (void)state;
    look("1 TIMEOUT 40 0:01\n2 RUNNING 40 0:02\n3 TIMEOUT 41 0:03\n" /* before `since`, and not */
         "4 RUNNING 40 0:04\n4 TIMEOUT 42 0:05\n"
         "5 TIMEOUT 42 0:05\n5 PENDING 40 0:06\n"
         "6 PENDING 42 0:07\n6 RUNNING 41 0:08\n"
         "7 PENDING 41 0:09\n7 RUNNING 42 0:10\n"
         "8 CANCELLED 43 0:11\n8 TIMEOUT 42 0:12\n"
         "9 CANCELLED 43 0:13\n9 TIMEOUT 43 0:14\n",
         41);
    expect_task(1, TW_SLURM_ABSENT, 0, 0);
    expect_task(2, TW_SLURM_RUNNING, 40, 2);
    expect_task(3, TW_SLURM_FAILED, 41, 3);
    expect_task(4, TW_SLURM_RUNNING, 40, 4);
    expect_task(5, TW_SLURM_PENDING, 40, 6);
    expect_task(6, TW_SLURM_PENDING, 42, 7);
    expect_task(7, TW_SLURM_RUNNING, 42, 10);
    expect_task(8, TW_SLURM_CANCELLED, 43, 11);
    expect_task(9, TW_SLURM_FAILED, 43, 14);
}

static void slurms_words_have_meanings(void **state)
{
    static const char *const words[][8] = {
        [TW_SLURM_ABSENT] = {"COMPLETED", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "FAILED"},
        [TW_SLURM_PENDING] = {"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD",
                              "SPECIAL_EXIT"},
        [TW_SLURM_RUNNING] = {"RUNNING", "CONFIGURING", "COMPLETING", "RESIZING", "SIGNALING",
                              "STAGE_OUT", "STOPPED", "SUSPENDED"},
        [TW_SLURM_CANCELLED] = {"CANCELLED", "REVOKED"},
        [TW_SLURM_FAILED] = {"TIMEOUT", "OUT_OF_MEMORY", "DEADLINE"}};
    char rows[500] = "";
    (void)state;
    for (int kind = TW_SLURM_ABSENT; kind <= TW_SLURM_FAILED; kind++) {
        int used = 0, count = 0;
        for (; count < 8 && words[kind][count]; count++)
            used += snprintf(rows + used, sizeof rows - (size_t)used, "%d %s 41 0:01\n", count + 1,
                             words[kind][count]);
        look(rows, 41);
        for (int i = 1; i <= count; i++) {
            expect_task(i, (enum tw_slurm_state)kind, 41, 1);
            assert_string_equal(tasks[i].word, words[kind][i - 1]);
        }
    }
}

static void expect_look(const char *message)
{
    struct tw_error error;
    assert_int_equal(tw_slurm_look(&job, 0, tasks, TASKS, &error), TW_IO);
    assert_string_equal(error.message, message);
    expect_task(TASKS, TW_SLURM_ABSENT, 0, 0);
}

static void a_slurm_that_fails_is_quoted(void **state)
{
    char path[4096];
    (void)state;
    look("9 RUNNING 41 0:01\n", 41);
    answer("first\nslurm_load_jobs error:\tbusy\n\n", "1");
    expect_look("squeue ends with code 1: slurm_load_jobs error:?busy");
    answer("", "7");
    expect_look("squeue ends with code 7: it says nothing");
    char line[401], message[512];
    memset(line, 'x', 400);
    line[400] = 0;
    answer(line, "1");
    snprintf(message, sizeof message, "squeue ends with code 1: %.299s", line);
    expect_look(message);
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    expect_look("cannot start squeue; is Slurm installed here?");
    struct tw_error error;
    assert_int_equal(tw_slurm_find(&error), TW_IO);
    assert_string_equal(error.message, "cannot start squeue; is Slurm installed here?");
    setenv("PATH", path, 1);
}

/* ---- submitting and cancelling ---- */

static enum tw_status submit(const char *says, const char *code, int64_t *id, struct tw_error *err)
{
    static const int32_t numbers[] = {2, 3, 4};
    answer(says, code);
    return tw_slurm_submit(&job, numbers, 3, id, err);
}

static void an_id_is_the_last_line(void **state)
{
    static const char *const bad[] = {"",          "x\n",
                                      ";there\n",  "41 x\n",
                                      "-41\n",     "9223372036854775808\n",
                                      "41\nbye\n", "00000000000000000000000000000041\n"};
    struct tw_error error;
    int64_t id = 0;
    (void)state;
    assert_int_equal(submit("41\n", "0", &id, &error), TW_OK);
    assert_int_equal(id, 41);
    called_with("--parsable\n--requeue\n--open-mode=append\n--job-name=w-1\n--array=2-4\n"
                "--output=/somewhere/log-%a.txt\n/somewhere/run.sh\n");
    assert_int_equal(submit("warning\n\n42;there\n\n", "0", &id, &error), TW_OK);
    assert_int_equal(id, 42);
    assert_int_equal(submit("7\n", "0", &id, &error), TW_OK);
    assert_int_equal(id, 7);
    assert_int_equal(submit("9223372036854775807\n", "0", &id, &error), TW_OK);
    assert_true(id == INT64_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(submit(bad[i], "0", &id, &error), TW_IO);
    assert_true(id == INT64_MAX);
    assert_int_equal(submit("sbatch: error: no\n", "2", &id, &error), TW_IO);
    assert_string_equal(error.message, "sbatch ends with code 2: sbatch: error: no");
}

static void options_follow_the_jobs_own(void **state)
{
    const char *options[101] = {"--partition=short", "--time=1"};
    struct tw_slurm_job own = job;
    const int32_t number = 7;
    struct tw_error error;
    int64_t id;
    (void)state;
    own.options = options;
    answer("41\n", "0");
    assert_int_equal(tw_slurm_submit(&own, &number, 1, &id, &error), TW_OK);
    called_with("--parsable\n--requeue\n--open-mode=append\n--job-name=w-1\n--array=7\n"
                "--output=/somewhere/log-%a.txt\n--partition=short\n--time=1\n/somewhere/run.sh\n");
    for (int i = 0; i < 72; i++)
        options[i] = "-n1";
    assert_int_equal(tw_slurm_submit(&own, &number, 1, &id, &error), TW_OK);
    char expected[1000];
    int used = snprintf(expected, sizeof expected,
                        "--parsable\n--requeue\n--open-mode=append\n--job-name=w-1\n"
                        "--array=7\n--output=/somewhere/log-%%a.txt\n");
    for (int i = 0; i < 72; i++)
        used += snprintf(expected + used, sizeof expected - (size_t)used, "-n1\n");
    snprintf(expected + used, sizeof expected - (size_t)used, "/somewhere/run.sh\n");
    called_with(expected);
    options[72] = "-n1";
    assert_int_equal(tw_slurm_submit(&own, &number, 1, &id, &error), TW_USAGE);
    assert_string_equal(error.message, "more than 72 options for sbatch");
}

/* What follows a '%' of its own would mean something to Slurm, which then finds no folder. */
static void a_folders_name_is_no_pattern(void **state)
{
    struct tw_slurm_job own = job;
    const int32_t number = 7;
    int64_t id;
    (void)state;
    own.folder = "/50%/%a";
    answer("41\n", "0");
    assert_int_equal(tw_slurm_submit(&own, &number, 1, &id, NULL), TW_OK);
    called_with("--parsable\n--requeue\n--open-mode=append\n--job-name=w-1\n--array=7\n"
                "--output=/50%%/%%a/log-%a.txt\n/50%/%a/run.sh\n");
}

enum part { NAME, FOLDER, SCRIPT };

/* With a name, folder or script of `length` bytes. */
static bool fits(enum part part, size_t length)
{
    static char text[5000];
    struct tw_slurm_job own = job;
    const int32_t number = 7;
    struct tw_error error = {.status = TW_OK};
    int64_t id;
    memset(text, 'x', length);
    text[length] = 0;
    *(part == NAME ? &own.name : part == FOLDER ? &own.folder : &own.script) = text;
    answer("41\n", "0");
    enum tw_status status = tw_slurm_submit(&own, &number, 1, &id, &error);
    assert_true(status == TW_OK || strstr(error.message, "is too long for a job"));
    return status == TW_OK;
}

static void texts_have_an_end(void **state)
{
    static const struct {
        enum part part;
        const char *around;
        size_t capacity;
    } rows[] = {{NAME, "--job-name=", 300},
                {FOLDER, "--output=/log-%a.txt", 4096},
                {SCRIPT, "/somewhere/", 4096}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t most = rows[i].capacity - 1 - strlen(rows[i].around);
        assert_true(fits(rows[i].part, most));
        assert_false(fits(rows[i].part, most + 1));
    }
}

/* So many numbers, the last `five` of five digits and the others of four, with a gap between any.
 */
static bool fits_array(int32_t count, int32_t five)
{
    int32_t numbers[2000];
    struct tw_error error;
    int64_t id;
    for (int32_t i = 0; i < count; i++)
        numbers[i] = 1001 + 2 * i + (i < count - five ? 0 : 9000);
    answer("41\n", "0");
    return tw_slurm_submit(&job, numbers, count, &id, &error) == TW_OK;
}

static void arrays_have_an_end(void **state)
{
    (void)state;
    assert_true(fits_array(1636, 4));  /* "--array=" and 8183 bytes */
    assert_false(fits_array(1637, 0)); /* 8184 */
}

static void cancelling_is_by_name(void **state)
{
    (void)state;
    answer("", "0");
    assert_true(tw_slurm_cancel(&job));
    called_with("--me\n--name=w-1\n");
    answer("", "1");
    assert_false(tw_slurm_cancel(&job));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_ranges),
        TEST(rows_are_read),
        TEST(what_is_live_and_later_counts),
        TEST(slurms_words_have_meanings),
        TEST(a_slurm_that_fails_is_quoted),
        TEST(an_id_is_the_last_line),
        TEST(options_follow_the_jobs_own),
        TEST(a_folders_name_is_no_pattern),
        TEST(texts_have_an_end),
        TEST(arrays_have_an_end),
        TEST(cancelling_is_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
