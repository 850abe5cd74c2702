/* SPDX-License-Identifier: MIT */
/* Files below an open folder. */
#include "base/os/dir.h"

#include "base/os/file.h"
#include "support/command.h"
#include "support/harness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void folders_are_made_when_asked_for(void **state)
{
    (void)state;
    assert_int_equal(tw_dir_open("new/one", false), -1);
    int dir = tw_dir_open("new/one", true);
    assert_true(dir >= 0);
    assert_true(tw_dir_make(dir, "below"));
    assert_true(tw_dir_make(dir, "below")); /* is there */
    assert_true(tw_dir_is_writable(dir, "below"));
    assert_false(tw_dir_make(dir, "missing/below"));
    assert_false(tw_dir_is_writable(dir, "missing"));
    assert_true(tw_file_close(dir));
}

static void a_new_file_takes_no_ones_place(void **state)
{
    struct tw_file_info info;
    struct stat found;
    (void)state;
    /* the file system of the kernel's objects, where nobody makes folders */
    if (access("/sys/kernel", F_OK) == 0) {
        errno = 0;
        assert_int_equal(tw_dir_open("/sys/thalweg/v1", true), -1);
        assert_int_not_equal(errno, ENOENT);
    }
    int dir = tw_dir_open("create", true), file = tw_dir_create_file(dir, "a", true);
    assert_true(file >= 0);
    assert_true(tw_file_write_all(file, "abc", 3));
    assert_true(tw_file_close(file));
    assert_int_equal(stat("create/a", &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_int_equal(tw_dir_create_file(dir, "a", false), -1);
    assert_true(tw_dir_stat(dir, "a", &info));
    assert_int_equal(info.size, 3);
    assert_int_equal(info.seconds, found.st_mtime);
    assert_true(tw_dir_rename(dir, "a", "b"));
    assert_false(tw_dir_rename(dir, "a", "b"));
    assert_false(tw_dir_stat(dir, "a", &info));
    assert_true(tw_dir_remove(dir, "b"));
    assert_false(tw_dir_remove(dir, "b"));
    assert_true(tw_file_close(dir));
}

static void only_regular_files_have_a_size(void **state)
{
    struct tw_file_info info;
    uint64_t size = 0;
    (void)state;
    int dir = tw_dir_open("kinds", true);
    assert_int_equal(mkfifo("kinds/pipe", 0600), 0);
    assert_true(tw_dir_make(dir, "folder"));
    assert_false(tw_dir_stat(dir, "pipe", &info));
    assert_false(tw_dir_stat(dir, "folder", &info));
    int pipe = tw_dir_read_file(dir, "pipe"); /* and nobody writes */
    assert_true(pipe >= 0);
    assert_false(tw_file_size(pipe, &size));
    assert_true(tw_file_close(pipe));
    assert_false(tw_file_close(pipe));
    assert_true(tw_file_close(dir));
}

struct seen {
    int count;
    uint64_t bytes;
    enum tw_status answer;
};

static enum tw_status count(void *context, const char *name, const struct tw_file_info *info,
                            struct tw_error *err)
{
    struct seen *seen = context;
    (void)err;
    assert_true(strcmp(name, "one") == 0 || strcmp(name, "two") == 0);
    seen->count++;
    seen->bytes += info->size;
    return seen->answer;
}

static void a_list_has_the_regular_files(void **state)
{
    struct seen seen = {.answer = TW_OK};
    struct tw_error error;
    (void)state;
    int dir = tw_dir_open("list/deeper", true);
    assert_true(tw_file_close(dir));
    command_write("list/one", "1", 1);
    command_write("list/two", "22", 2);
    assert_int_equal(symlink("one", "list/link"), 0);
    assert_int_equal(mkfifo("list/pipe", 0600), 0);
    dir = tw_dir_open("list", false);
    assert_int_equal(tw_dir_list(dir, ".", count, &seen, NULL), TW_OK);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.bytes, 3);
    seen = (struct seen){.answer = TW_MEMORY}; /* ends the list */
    assert_int_equal(tw_dir_list(dir, ".", count, &seen, NULL), TW_MEMORY);
    assert_int_equal(seen.count, 1);
    assert_int_equal(tw_dir_list(dir, "missing", count, &seen, NULL), TW_OK);
    assert_int_equal(tw_dir_list(dir, "one", count, &seen, &error), TW_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
    assert_true(tw_file_close(dir));
}

static void a_file_is_itself_whatever_it_is_called(void **state)
{
    struct tw_file_id file, other, link, target;
    (void)state;
    assert_int_equal(mkdir("id", 0777), 0);
    command_write("id/file", "", 0);
    command_write("id/other", "", 0);
    assert_int_equal(symlink("file", "id/link"), 0);
    assert_int_equal(tw_file_identify("id/file", true, &file, NULL), TW_OK);
    assert_int_equal(tw_file_identify("id/../id/other", true, &other, NULL), TW_OK);
    assert_int_equal(tw_file_identify("id/link", false, &link, NULL), TW_OK);
    assert_int_equal(tw_file_identify("id/link", true, &target, NULL), TW_OK);
    assert_true(file.exists);
    assert_memory_equal(&file, &target, sizeof file);
    assert_memory_not_equal(&file, &other, sizeof file);
    assert_memory_not_equal(&file, &link, sizeof file);
}

/* Nothing there is an answer; not knowing is none. */
static void what_cannot_be_looked_at_is_an_error(void **state)
{
    struct tw_file_id id;
    struct tw_error error;
    (void)state;
    assert_int_equal(symlink("self", "self"), 0);
    command_write("plain", "", 0);
    assert_int_equal(tw_file_identify("none/file", false, &id, NULL), TW_OK);
    assert_false(id.exists);
    assert_int_equal(tw_file_identify("plain/file", false, &id, NULL), TW_OK);
    assert_false(id.exists);
    assert_int_equal(tw_file_identify("self", false, &id, NULL), TW_OK);
    assert_true(id.exists);
    assert_int_equal(tw_file_identify("self", true, &id, &error), TW_IO);
    assert_non_null(strstr(error.message, "cannot look at self: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_made_when_asked_for),
        cmocka_unit_test(a_new_file_takes_no_ones_place),
        cmocka_unit_test(only_regular_files_have_a_size),
        cmocka_unit_test(a_list_has_the_regular_files),
        cmocka_unit_test(a_file_is_itself_whatever_it_is_called),
        cmocka_unit_test(what_cannot_be_looked_at_is_an_error),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
