/* SPDX-License-Identifier: MIT */
/* Files where Windows differs: names in UTF-8, lengths of paths, open files, locks, times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/tally.h"
#include "base/os/dir.h"
#include "base/os/file.h"
#include "base/os/posix.h"
#include "base/os/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static char root[PATH_MAX];

static int make_root(void **state)
{
    struct tw_error err;
    (void)state;
    return tw_file_make_temporary_folder(root, &err) == TW_OK ? 0 : -1;
}

/* Under wine 8 the long folders stay. */
static int remove_root(void **state)
{
    (void)state;
    tw_file_remove_folder(root);
    return 0;
}

static const char *below(const char *name)
{
    static char path[2][PATH_MAX];
    static int turn;
    turn = !turn;
    snprintf(path[turn], PATH_MAX, "%.2000s/%.2000s", root, name);
    return path[turn];
}

static void put(const char *path, const char *text)
{
    struct tw_error err;
    if (tw_file_write(path, text, strlen(text), &err) != TW_OK)
        fail_msg("%s: %s", path, err.message);
}

static void expect_text(const char *path, const char *text)
{
    struct tw_error err;
    unsigned char *data;
    size_t length;
    if (tw_file_read(path, 1000, &data, &length, &err) != TW_OK)
        fail_msg("%s: %s", path, err.message);
    assert_int_equal(length, strlen(text));
    assert_memory_equal(data, text, length);
    free(data);
}

static enum tw_status count_name(void *context, const char *name, const struct tw_file_info *info,
                                 struct tw_error *err)
{
    (void)err;
    assert_int_equal(info->size, 4);
    assert_string_equal(name, "h\xC3\xB6he \xE5\xB1\xB1.txt");
    ++*(int *)context;
    return TW_OK;
}

static void names_are_utf8(void **state)
{
    const char *name = "h\xC3\xB6he \xE5\xB1\xB1.txt";
    struct tw_error err;
    int count = 0;
    (void)state;
    assert_true(tw_file_make_folder(below("\xC3\xBC"), &err) == TW_OK);
    put(below("\xC3\xBC/h\xC3\xB6he \xE5\xB1\xB1.txt"), "a\r\nb");
    expect_text(below("\xC3\xBC/h\xC3\xB6he \xE5\xB1\xB1.txt"), "a\r\nb");
    int dir = tw_dir_open(below("\xC3\xBC"), false);
    assert_true(dir >= 0);
    assert_true(tw_dir_list(dir, ".", count_name, &count, &err) == TW_OK);
    assert_int_equal(count, 1);
    assert_true(tw_dir_remove(dir, name));
    assert_true(tw_file_close(dir));
}

/* 300 bytes in all: above the old limit of 260. */
static const char *make_long_folder(void)
{
    static char path[PATH_MAX];
    struct tw_error err;
    snprintf(path, sizeof path, "%.2000s", root);
    while (strlen(path) < 300)
        snprintf(path + strlen(path), sizeof path - strlen(path), "/%032d", 7);
    if (tw_file_make_folder(path, &err) != TW_OK)
        fail_msg("%s", err.message);
    return path;
}

/* Not where they really are: wine 8 finds no final path of more than 260 characters. */
static void long_paths_work(void **state)
{
    char path[PATH_MAX];
    const char *folder = make_long_folder();
    (void)state;
    snprintf(path, sizeof path, "%s/a.txt", folder);
    put(path, "long");
    expect_text(path, "long");
    put(path, "again"); /* replaces it */
    expect_text(path, "again");
    assert_int_equal(unlink(path), 0);
}

static void relative_paths_below_a_long_folder_work(void **state)
{
    char before[PATH_MAX], path[PATH_MAX];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_true(SetCurrentDirectoryA(root));
    snprintf(path, sizeof path, "%0100d", 1);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_true(SetCurrentDirectoryA(path));
    snprintf(path, sizeof path, "%0150d", 2);
    put(path, "short name");
    expect_text(path, "short name");
    assert_int_equal(unlink(path), 0);
    assert_true(SetCurrentDirectoryA(before));
}

/* Whether Windows replaces a file that is open depends on its version; it is whole either way. */
static void a_file_that_is_read_stays_whole(void **state)
{
    struct tw_error err;
    (void)state;
    put(below("a"), "old");
    int reader = open(below("a"), O_RDONLY);
    assert_true(reader >= 0);
    const bool replaced = tw_file_write(below("a"), "new", 3, &err) == TW_OK;
    expect_text(below("a"), replaced ? "new" : "old");
    assert_int_equal(close(reader), 0);
    put(below("a"), "new");
    expect_text(below("a"), "new");
}

/* As a scanner opens it: without leave to replace it. */
static void a_file_that_others_hold_is_left_alone(void **state)
{
    struct tw_error err;
    (void)state;
    put(below("held"), "old");
    HANDLE held = CreateFileA(below("held"), GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, NULL);
    assert_ptr_not_equal(held, INVALID_HANDLE_VALUE);
    assert_int_equal(tw_file_write(below("held"), "new", 3, &err), TW_IO);
    assert_non_null(strstr(err.message, "held"));
    assert_true(CloseHandle(held));
    expect_text(below("held"), "old");
    put(below("held"), "new");
    expect_text(below("held"), "new");
}

static void locks_keep_others_out_but_not_readers(void **state)
{
    char text[4];
    (void)state;
    put(below("lock"), "text");
    int first = open(below("lock"), O_RDWR), second = open(below("lock"), O_RDWR);
    assert_true(first >= 0 && second >= 0);
    assert_int_equal(flock(first, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(flock(second, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    assert_int_equal(read(second, text, 4), 4);
    assert_int_equal(write(second, "more", 4), 4);
    assert_int_equal(close(first), 0);
    assert_int_equal(flock(second, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(close(second), 0);
    assert_true(tw_temporary_check_locks(root));
}

static void tallies_add_up(void **state)
{
    uint64_t numbers[2] = {3, 4};
    int dir = tw_dir_open(root, false);
    (void)state;
    assert_true(tw_tally_add(dir, "tally", numbers, 2) && tw_tally_add(dir, "tally", numbers, 2));
    assert_true(tw_tally_read(dir, "tally", numbers, 2));
    assert_int_equal(numbers[0], 6);
    assert_int_equal(numbers[1], 8);
    assert_true(tw_file_close(dir));
}

static FILETIME time_of(const char *path)
{
    WIN32_FILE_ATTRIBUTE_DATA facts;
    assert_true(GetFileAttributesExA(path, GetFileExInfoStandard, &facts));
    return facts.ftLastWriteTime;
}

/* Entries of the cache are open for reading only when a hit counts as their last use. */
static void a_file_that_is_only_read_can_be_touched(void **state)
{
    const FILETIME old = {.dwHighDateTime = 0x01D00000}; /* of 2014 */
    (void)state;
    put(below("entry"), "x");
    HANDLE file =
        CreateFileA(below("entry"), FILE_WRITE_ATTRIBUTES, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(SetFileTime(file, NULL, NULL, &old) && CloseHandle(file));
    FILETIME before = time_of(below("entry"));
    int descriptor = open(below("entry"), O_RDONLY);
    tw_file_touch(descriptor);
    assert_true(tw_file_close(descriptor));
    FILETIME after = time_of(below("entry"));
    assert_true(CompareFileTime(&after, &before) > 0);
}

/* What Windows says in other words, POSIX's callers understand. */
static void failures_are_those_of_posix(void **state)
{
    struct stat info;
    (void)state;
    assert_int_equal(open(below("none"), O_RDONLY), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mkdir(below(""), 0777), -1);
    assert_int_equal(errno, EEXIST);
    put(below("file"), "x");
    assert_int_equal(open(below("file"), O_WRONLY | O_CREAT | O_EXCL), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(open(below("file"), O_RDONLY | O_DIRECTORY), -1);
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(stat("", &info), -1);
    assert_int_equal(errno, ENOENT);
    int dir = tw_dir_open(root, false);
    assert_false(tw_dir_rename_new(dir, "file", "file"));
    assert_int_equal(errno, EEXIST);
    assert_true(tw_file_close(dir));
    assert_null(opendir(below("none")));
    assert_int_equal(errno, ENOENT);
}

/* A device waits for a keyboard or swallows what is written, a stream is hidden in another file,
 * and dots and spaces at the end are dropped. */
static void names_of_other_files_are_refused(void **state)
{
    static const char *const names[] = {"nul",     "NUL.txt",  "con",     "com1.png", "aux/a",
                                        "aa:b",    "aa:b.png", "a.",      "a ",       "./a.",
                                        "a./b",    "a/b:c",    "C:/nul",  "a*b",      "\\\\.\\COM1",
                                        "//./nul", "C:a:b",    "..\\nul", "lpt9 .x"};
    char before[PATH_MAX];
    struct stat info;
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_true(SetCurrentDirectoryA(root));
    put("a", "kept");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tw_error err = {.message = ""};
        unsigned char *data;
        size_t length;
        assert_int_equal(tw_file_write(names[i], "lost", 4, &err), TW_IO);
        if (!strstr(err.message, "Windows takes this name for a device or another file"))
            fail_msg("%s: %s", names[i], err.message);
        assert_int_not_equal(tw_file_read(names[i], 1000, &data, &length, &err), TW_OK);
        assert_int_not_equal(tw_file_make_folder(names[i], &err), TW_OK);
        assert_int_equal(stat(names[i], &info), -1);
    }
    expect_text("a", "kept");
    put("./a.b..c", "an ordinary name");
    put("..a", "another");
    assert_int_equal(stat("./", &info), 0);
    assert_int_equal(stat("..", &info), 0);
    assert_true(SetCurrentDirectoryA(before));
}

static void paths_with_drives_are_absolute(void **state)
{
    static const char *const absolute[] = {"C:/a", "c:\\a", "/a", "\\\\server\\share", "C:a", "C:"};
    static const char *const relative[] = {"a", "", ".", "../a", "a/C:"};
    (void)state;
    for (size_t i = 0; i < sizeof absolute / sizeof *absolute; i++)
        assert_true(tw_file_is_absolute(absolute[i]));
    for (size_t i = 0; i < sizeof relative / sizeof *relative; i++)
        assert_false(tw_file_is_absolute(relative[i]));
}

static void the_cache_is_where_applications_keep_theirs(void **state)
{
    char path[PATH_MAX];
    (void)state;
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(setenv("LOCALAPPDATA", "C:\\users\\\xC3\xBC\\Local", 1), 0);
    assert_string_equal(tw_file_cache_folder(path, sizeof path), "LOCALAPPDATA");
    assert_string_equal(path, "C:/users/\xC3\xBC/Local/thalweg");
    assert_null(tw_file_cache_folder(path, 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_utf8),
        cmocka_unit_test(long_paths_work),
        cmocka_unit_test(relative_paths_below_a_long_folder_work),
        cmocka_unit_test(a_file_that_is_read_stays_whole),
        cmocka_unit_test(a_file_that_others_hold_is_left_alone),
        cmocka_unit_test(locks_keep_others_out_but_not_readers),
        cmocka_unit_test(tallies_add_up),
        cmocka_unit_test(a_file_that_is_only_read_can_be_touched),
        cmocka_unit_test(failures_are_those_of_posix),
        cmocka_unit_test(names_of_other_files_are_refused),
        cmocka_unit_test(paths_with_drives_are_absolute),
        cmocka_unit_test(the_cache_is_where_applications_keep_theirs)};
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
