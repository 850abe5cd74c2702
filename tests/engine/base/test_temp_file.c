/* SPDX-License-Identifier: MIT */
/* Files are written whole, under their own name only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/folder.h"

#include "base/os/file.h"
#include "base/os/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/thalweg-test-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    return chdir("/") == 0 ? folder_remove(folder) : 1;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect(const char *name, const char *text)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(name, 100, &data, &length, NULL), TW_OK);
    assert_string_equal((const char *)data, text);
    free(data);
}

static int count_names(void)
{
    DIR *at = opendir(".");
    int count = -2; /* . and .. */
    assert_non_null(at);
    while (readdir(at))
        count++;
    closedir(at);
    return count;
}

static void a_file_is_replaced_whole(void **state)
{
    (void)state;
    put("map", "old and longer");
    assert_int_equal(tw_file_write("map", "new", 3, NULL), TW_OK);
    expect("map", "new");
    assert_int_equal(count_names(), 1);
}

/* "-0123abcd", of this kernel; "" where it has no boot id. */
static const char *own_mark(void)
{
    static char mark[10];
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && fscanf(file, "%8[0-9a-f]", mark + 1) == 1)
        mark[0] = '-';
    if (file)
        fclose(file);
    return mark;
}

/* Whoever may write to the folder must not choose where the bytes go. */
static void names_of_others_are_left_alone(void **state)
{
    char name[64];
    (void)state;
    put("other", "untouched");
    snprintf(name, sizeof name, "map.%ld-0%s.tmp", (long)getpid(), own_mark());
    assert_int_equal(symlink("other", name), 0);
    snprintf(name, sizeof name, "map.%ld-1%s.tmp", (long)getpid(), own_mark());
    put(name, "of a run that is under way");
    int owner = open(name, O_RDONLY);
    assert_int_equal(flock(owner, LOCK_EX), 0);
    assert_int_equal(tw_file_write("map", "new", 3, NULL), TW_OK);
    expect("map", "new");
    expect("other", "untouched");
    expect(name, "of a run that is under way");
    assert_int_equal(count_names(), 4);
    close(owner);
}

/* After so many names that others have, the fault is that they exist. */
static void a_hundred_names_are_tried(void **state)
{
    enum { NAMES = 100 };
    struct tw_temporary temporary;
    char name[NAMES][48];
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        snprintf(name[i], sizeof name[i], "map.%ld-%d%s.tmp", (long)getpid(), i, own_mark());
        put(name[i], "of another");
    }
    errno = 0;
    assert_false(tw_temporary_open("map", &temporary));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(count_names(), NAMES);
    assert_int_equal(unlink(name[NAMES - 1]), 0);
    assert_true(tw_temporary_open("map", &temporary));
    assert_string_equal(temporary.path, name[NAMES - 1]);
    tw_temporary_remove(&temporary);
    assert_int_equal(count_names(), NAMES - 1);
}

/* A process that has begun to write "map"; it waits to be killed, or removes what it has. */
static void begin_to_write(bool tidy)
{
    struct tw_temporary temporary;
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    int process = fork();
    if (process == 0) {
        if (!tw_temporary_open("map", &temporary))
            _exit(1);
        if (tidy)
            tw_temporary_remove_all();
        if (write(ends[1], &byte, 1) != 1 || tidy)
            _exit(2);
        pause();
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(count_names(), !tidy);
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, NULL, 0), process);
    close(ends[0]);
    close(ends[1]);
}

static void what_a_killed_run_left_is_swept(void **state)
{
    (void)state;
    begin_to_write(false);
    assert_int_equal(count_names(), 1);
    put("map.txt.12-0.tmp", "of another file");
    put("map.12-0.tmp.txt", "of another name");
    assert_int_equal(tw_file_write("map", "new", 3, NULL), TW_OK);
    expect("map", "new");
    assert_int_equal(count_names(), 3);
}

/* As after a recipe lost an export, or has another name for it. */
static void what_was_to_become_another_file_is_swept(void **state)
{
    static const char *const kept[] = {"old.12-0.tmp",           "old.12-0-0.tmp",
                                       "old.12-0-00000000.tmp",  "old.12-0-ffffffff.tmp",
                                       "old.12-0-01234567.tmp~", "old.x-0-01234567.tmp"};
    enum { KEPT = sizeof kept / sizeof *kept };
    char name[64];
    (void)state;
    if (!own_mark()[0]) {
        print_message("there is no boot id here\n");
        return;
    }
    begin_to_write(false); /* a "map" */
    for (int i = 0; i < KEPT; i++)
        put(kept[i], "of another");
    snprintf(name, sizeof name, "live.12-0%s.tmp", own_mark());
    put(name, "of a run that is under way");
    int owner = open(name, O_RDONLY);
    assert_int_equal(flock(owner, LOCK_EX), 0);
    snprintf(name, sizeof name, "dead.npy.12-0%s.tmp", own_mark());
    put(name, "of a run that was killed");
    snprintf(name, sizeof name, ".12-0%s.tmp", own_mark());
    put(name, "of no file");
    assert_int_equal(count_names(), 1 + KEPT + 3);
    assert_int_equal(tw_file_write("other", "new", 3, NULL), TW_OK);
    assert_int_equal(count_names(), KEPT + 1 /* live */ + 1 /* of no file */ + 1 /* other */);
    close(owner);
    assert_int_equal(tw_file_write("other", "new", 3, NULL), TW_OK);
    assert_int_equal(count_names(), KEPT + 2);
}

static void a_handler_can_remove_what_is_under_way(void **state)
{
    (void)state;
    begin_to_write(true);
    assert_int_equal(count_names(), 0);
}

static void a_file_that_cannot_be_written_leaves_nothing(void **state)
{
    struct tw_error error = {.status = TW_OK};
    (void)state;
    assert_int_equal(mkdir("map", 0777), 0);
    assert_int_equal(tw_file_write("map", "new", 3, &error), TW_IO);
    assert_non_null(strstr(error.message, "cannot write map"));
    assert_int_equal(tw_file_write("none/map", "new", 3, &error), TW_IO);
    assert_int_equal(count_names(), 1);
}

static void a_link_does_not_lead_out_of_the_folder(void **state)
{
    char path[4096];
    struct tw_error error = {.status = TW_OK};
    (void)state;
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(tw_file_make_place("a/out", "maps/deep/h.png", path, &error), TW_OK);
    assert_string_equal(path, "a/out/maps/deep/h.png");
    assert_int_equal(access("a/out/maps/deep", W_OK), 0);
    assert_int_equal(symlink("../../elsewhere", "a/out/link"), 0);
    assert_int_equal(tw_file_make_place("a/out", "link/new/h.png", path, &error), TW_PATH);
    assert_int_equal(access("elsewhere/new", F_OK), -1);
    assert_int_equal(symlink("maps", "a/out/inside"), 0);
    assert_int_equal(tw_file_make_place("a/out", "inside/h.png", path, &error), TW_OK);
    assert_int_equal(symlink("a/out", "results"), 0); /* the user's own choice */
    assert_int_equal(tw_file_make_place("results", "maps/h.png", path, &error), TW_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_replaced_whole),
        TEST(names_of_others_are_left_alone),
        TEST(a_hundred_names_are_tried),
        TEST(what_a_killed_run_left_is_swept),
        TEST(what_was_to_become_another_file_is_swept),
        TEST(a_handler_can_remove_what_is_under_way),
        TEST(a_link_does_not_lead_out_of_the_folder),
        TEST(a_file_that_cannot_be_written_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
