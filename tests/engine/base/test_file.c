/* SPDX-License-Identifier: MIT */
/* The disk: whole files or none, and nothing from outside the folders that may be read. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum tw_status read_file(const char *path, size_t limit)
{
    unsigned char *data = NULL;
    size_t length = 0;
    enum tw_status status = tw_file_read(path, limit, &data, &length, NULL);
    assert_true((status == TW_OK) == (data != NULL));
    free(data);
    return status;
}

static void bytes_come_whole_or_not_at_all(void **state)
{
    char read[6] = "";
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_true(tw_file_write_all(ends[1], "ab", 2));
    assert_true(tw_file_write_all(ends[1], "cde", 3));
    assert_true(tw_file_read_all(ends[0], read, 4)); /* of two writes */
    assert_string_equal(read, "abcd");
    close(ends[1]);
    assert_false(tw_file_read_all(ends[0], read, 2)); /* one is left */
    assert_true(tw_file_read_all(ends[0], read, 0));
    close(ends[0]);
    assert_false(tw_file_read_all(ends[0], read, 1));
    assert_false(tw_file_write_all(ends[1], "a", 1));
}

static void a_file_is_read_whole_within_its_limit(void **state)
{
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    command_write("five", "ab\0cd", 5);
    command_write("empty", "", 0);
    assert_int_equal(read_file("five", 4), TW_LIMIT);
    assert_int_equal(read_file("five", 6), TW_OK);
    assert_int_equal(tw_file_read("five", 5, &data, &length, NULL), TW_OK);
    assert_int_equal(length, 5);
    assert_memory_equal(data, "ab\0cd", 6); /* with the zero after the end */
    free(data);
    assert_int_equal(tw_file_read("empty", 0, &data, &length, NULL), TW_OK);
    assert_int_equal(length, 0);
    assert_int_equal(data[0], 0);
    free(data);
}

static void a_part_is_there_or_is_not(void **state)
{
    char part[4] = "";
    (void)state;
    command_write("parts", "abcde", 5);
    assert_true(tw_file_read_part("parts", 2, part, 3));
    assert_string_equal(part, "cde");
    assert_true(tw_file_read_part("parts", 5, part, 0));
    assert_false(tw_file_read_part("parts", 3, part, 3));
    assert_false(tw_file_read_part("parts", 6, part, 0));
    assert_false(tw_file_read_part("parts", UINT64_MAX, part, 1)); /* which would wrap */
    assert_false(tw_file_read_part("no parts", 0, part, 1));
    assert_false(tw_file_read_part(".", 0, part, 1));
}

static void what_is_no_file_is_not_read(void **state)
{
    struct tw_error error;
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(read_file("pipe", 100), TW_IO); /* and does not wait for a writer */
    assert_int_equal(read_file(".", 100), TW_IO);
    assert_int_equal(read_file("/dev/zero", 100), TW_IO);
    assert_int_equal(tw_file_read("nowhere/x", 9, &data, &length, &error), TW_IO);
    assert_non_null(strstr(error.message, "nowhere/x"));
    assert_non_null(strstr(error.message, "No such file"));
}

static int files_in(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void a_file_is_replaced_at_once(void **state)
{
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(tw_file_make_folder("w", NULL), TW_OK);
    assert_int_equal(tw_file_write("w/a", "long old bytes", 14, NULL), TW_OK);
    FILE *reader = fopen("w/a", "rb"); /* goes on to see the old file */
    char old[32] = "";
    assert_non_null(reader);
    assert_int_equal(tw_file_write("w/a", "new", 3, NULL), TW_OK);
    assert_int_equal(fread(old, 1, sizeof old, reader), 14);
    assert_string_equal(old, "long old bytes");
    fclose(reader);
    assert_int_equal(tw_file_read("w/a", 99, &data, &length, NULL), TW_OK);
    assert_int_equal(length, 3);
    assert_memory_equal(data, "new", 3);
    free(data);
    assert_int_equal(files_in("w"), 1);
}

static void parts_follow_each_other(void **state)
{
    static const struct tw_file_part parts[] = {{"head", 4}, {NULL, 0}, {"cells", 5}};
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(tw_file_write_parts("parts", parts, 3, NULL), TW_OK);
    assert_int_equal(tw_file_read("parts", 99, &data, &length, NULL), TW_OK);
    assert_int_equal(length, 9);
    assert_memory_equal(data, "headcells", 9);
    free(data);
}

static void a_failed_write_leaves_nothing(void **state)
{
    char name[PATH_MAX + 8];
    (void)state;
    assert_int_equal(tw_file_make_folder("f/taken", NULL), TW_OK);
    assert_int_equal(tw_file_write("f/taken", "x", 1, NULL), TW_IO); /* a folder has the name */
    assert_int_equal(files_in("f"), 1);
    assert_int_equal(tw_file_write("missing/x", "x", 1, NULL), TW_IO);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_int_equal(tw_file_write(name, "x", 1, NULL), TW_IO);
}

static void folders_are_made_on_the_way(void **state)
{
    char name[PATH_MAX + 8];
    (void)state;
    assert_int_equal(tw_file_make_folder("a/b/c", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder("a/b/c/", NULL), TW_OK);
    assert_int_equal(access("a/b/c", W_OK), 0);
    command_write("a/file", "x", 1);
    assert_int_equal(tw_file_make_folder("a/file", NULL), TW_IO);
    assert_int_equal(tw_file_make_folder("a/file/d", NULL), TW_IO);
    assert_int_equal(tw_file_make_folder("", NULL), TW_IO);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_int_equal(tw_file_make_folder(name, NULL), TW_IO);
}

static enum tw_status resolve(const char *folder, const char *name, const char *const *allow)
{
    char resolved[PATH_MAX];
    return tw_file_resolve(folder, name, allow, resolved, NULL);
}

static void reading_is_confined_to_folders(void **state)
{
    static const char *const allow[] = {"nowhere", "beside/", NULL};
    char here[PATH_MAX], inside[PATH_MAX + 32], resolved[PATH_MAX];
    (void)state;
    assert_int_equal(tw_file_make_folder("home/below", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder("homeless", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder("beside", NULL), TW_OK);
    command_write("home/in", "x", 1);
    command_write("home/below/in", "x", 1);
    command_write("homeless/out", "x", 1);
    command_write("beside/out", "x", 1);
    assert_int_equal(symlink("../beside/out", "home/link"), 0);
    assert_int_equal(symlink("below/in", "home/short"), 0);
    assert_int_equal(resolve("home", "in", NULL), TW_OK);
    assert_int_equal(resolve("home/", "below/../in", NULL), TW_OK);
    assert_int_equal(resolve("home", "short", NULL), TW_OK);
    assert_int_equal(resolve("home", "link", NULL), TW_PATH);
    assert_int_equal(resolve("home", "link", allow), TW_OK);
    assert_int_equal(resolve("home", "../beside/out", NULL), TW_PATH);
    assert_int_equal(resolve("home", "../beside/out", allow), TW_OK);
    assert_int_equal(resolve("home", "../homeless/out", allow),
                     TW_PATH); /* not by its first letters */
    assert_int_equal(resolve("home", "/etc/passwd", allow), TW_PATH);
    assert_int_equal(resolve("home", "..", NULL), TW_PATH);
    assert_int_equal(resolve("home", ".", NULL), TW_PATH);
    assert_int_equal(resolve("home", "none", NULL), TW_IO);
    assert_int_equal(resolve("", "home/in", NULL), TW_OK);
    /* of what is outside not even that it does not exist */
    assert_int_equal(resolve("home", "below/none/none", NULL), TW_IO);
    assert_int_equal(resolve("home", "../none", NULL), TW_PATH);
    assert_int_equal(resolve("home", "../beside/none", NULL), TW_PATH);
    assert_int_equal(resolve("home", "../beside/none", allow), TW_IO);
    assert_int_equal(resolve("home", "/none/none", allow), TW_PATH);
    assert_int_equal(resolve("home", "/none", NULL), TW_PATH);
    assert_int_equal(resolve("home", "below/../../none", NULL), TW_PATH);
    assert_int_equal(resolve("", "none", NULL), TW_IO);
    assert_int_equal(resolve("", "none/none", NULL), TW_IO);
    assert_non_null(getcwd(here, sizeof here));
    snprintf(inside, sizeof inside, "%s/home/below/in", here);
    assert_int_equal(tw_file_resolve("home", inside, NULL, resolved, NULL), TW_OK);
    assert_string_equal(resolved, inside);
}

static void expect_hint(const char *name, const char *const *allow, const char *hint)
{
    char resolved[PATH_MAX];
    struct tw_error error = {.status = TW_OK};
    assert_int_equal(tw_file_resolve("maps", name, allow, resolved, &error), TW_IO);
    assert_string_equal(error.hint, hint);
}

/* Written as from a folder above: what its end names is offered where it may be read. */
static void a_path_from_another_folder_has_a_hint(void **state)
{
    static const char *const allow[] = {"secret", NULL};
    (void)state;
    assert_int_equal(tw_file_make_folder("maps/old", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder("secret", NULL), TW_OK);
    command_write("maps/old/hills.yaml", "x", 1);
    command_write("secret/key.yaml", "x", 1);
    assert_int_equal(symlink("../secret/key.yaml", "maps/key.yaml"), 0);
    expect_hint("maps/old/hills.yaml", NULL,
                "did you mean 'old/hills.yaml'? Paths are relative to the file that names them");
    expect_hint("a/maps/old//hills.yaml", NULL,
                "did you mean 'old//hills.yaml'? Paths are relative to the file that names them");
    expect_hint("maps/old/", NULL, "");
    expect_hint("maps/old", NULL, "");
    expect_hint("maps/none.yaml", NULL, "");
    expect_hint("./none.yaml", NULL, "");
    expect_hint("maps/key.yaml", NULL, "");
    expect_hint("maps/key.yaml", allow,
                "did you mean 'key.yaml'? Paths are relative to the file that names them");
}

static void a_path_beyond_the_limit_is_refused(void **state)
{
    char name[PATH_MAX + 8];
    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_int_equal(resolve("home", name, NULL), TW_PATH);
    char path[PATH_MAX];
    assert_int_equal(tw_file_make_place("home", name, path, NULL), TW_IO);
    assert_int_equal(tw_file_check_place("home", name, NULL), TW_PATH);
    name[PATH_MAX - 2] = 0; /* by itself it would fit */
    assert_int_equal(resolve("home", name, NULL), TW_PATH);
    assert_int_equal(tw_file_check_place("home", name, NULL), TW_PATH);
}

/* `begin` and further parts of it, up to `length` bytes. */
static char *long_path(const char *begin, size_t length)
{
    static char path[PATH_MAX + 8];
    size_t used = (size_t)snprintf(path, sizeof path, "%s", begin);
    for (size_t i = used; i < length; i++)
        path[i] = (i - used) % 200 == 100 && i < length - 1 ? '/' : 'n';
    path[length] = 0;
    return path;
}

/* The limit includes the zero at the end. */
static void the_longest_path_is_a_path(void **state)
{
    const size_t most = PATH_MAX - 1;
    char place[PATH_MAX], here[PATH_MAX];
    struct tw_error error;
    uint64_t bytes;
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_true(tw_file_place(long_path("/none/", most), place));
    assert_string_equal(place, long_path("/none/", most));
    assert_false(tw_file_place(long_path("/none/", most + 1), place));
    assert_true(tw_file_place(long_path("none/", most - strlen(here) - 1), place));
    assert_false(tw_file_place(long_path("none/", most - strlen(here)), place));
    assert_false(tw_file_place(long_path("none/", most), place));
    assert_int_equal(tw_file_check_new(long_path("none/", most - 2), &error), TW_IO);
    assert_int_equal(tw_file_check_place("none", long_path("x/", most - 5), NULL), TW_OK);
    assert_int_equal(tw_file_check_place("none", long_path("x/", most - 4), NULL), TW_PATH);
    assert_int_equal(tw_file_make_folder("home", NULL), TW_OK);
    assert_int_equal(resolve("home", long_path("x/", most - 5), NULL), TW_IO);
    assert_int_equal(resolve("home", long_path("x/", most - 4), NULL), TW_PATH);
    assert_true(tw_file_free_space(long_path("none/", most), &bytes));
    assert_false(tw_file_free_space(long_path("none/", most + 1), &bytes));
    command_write("plain", "", 0);
    assert_false(tw_file_free_space("plain/x", &bytes));
    assert_int_equal(tw_file_make_place("plain/x", "y", place, &error), TW_IO);
    assert_non_null(strstr(error.message, "cannot make folder plain"));
}

/* A root folder has no name that its files' paths could begin with. */
static void the_root_is_a_folder(void **state)
{
    char path[PATH_MAX];
    (void)state;
    assert_int_equal(resolve("/", "etc/passwd", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder("/", NULL), TW_OK);
    assert_int_equal(tw_file_make_place("/", "etc/new", path, NULL), TW_OK);
    assert_string_equal(path, "//etc/new");
    assert_int_equal(tw_file_check_place("/nowhere", "x/y", NULL),
                     access("/", W_OK) == 0 ? TW_OK : TW_IO);
    assert_int_equal(tw_file_check_place("", "missing", NULL),
                     access("/", W_OK) == 0 ? TW_OK : TW_IO);
}

static void a_place_is_within_its_folder(void **state)
{
    char path[PATH_MAX];
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_file_make_folder("place/in", NULL), TW_OK);
    assert_int_equal(symlink(".", "place/same"), 0);
    assert_int_equal(symlink("..", "place/up"), 0);
    assert_int_equal(symlink("nowhere", "place/gone"), 0);
    assert_int_equal(symlink("loop", "place/loop"), 0);
    assert_int_equal(tw_file_make_place("place", "same/in/new/x", path, NULL), TW_OK);
    assert_int_equal(access("place/in/new", W_OK), 0);
    assert_int_equal(tw_file_make_place("place", "up/x", path, &error), TW_PATH);
    assert_non_null(strstr(error.message, "leads out of the output folder"));
    assert_int_equal(tw_file_make_place("place", "gone/x", path, &error), TW_PATH);
    assert_int_equal(tw_file_make_place("place", "loop/x", path, &error), TW_IO);
    assert_int_equal(tw_file_check_place("place", "same/in/newer/x", NULL), TW_OK);
    assert_int_equal(tw_file_check_place("place", "up/x", &error), TW_PATH);
    assert_non_null(strstr(error.message, "leads out of the output folder"));
    assert_int_equal(tw_file_check_place("place", "up/new/x", NULL), TW_PATH);
    assert_int_equal(tw_file_check_place("place", "gone/x", NULL), TW_PATH);
    assert_int_equal(tw_file_check_place("place/up", "x/y", NULL), TW_OK);
    command_write("place/file", "", 0);
    assert_int_equal(tw_file_make_place("place", "file/x/y", path, &error), TW_IO);
    assert_int_equal(tw_file_check_place("place", "file/x", &error), TW_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
    assert_int_equal(tw_file_check_place("fresh", "a/b/c", NULL), TW_OK);
    assert_int_equal(access("fresh", F_OK), -1);
}

static void check_place(const char *path, const char *place)
{
    char found[PATH_MAX], here[PATH_MAX] = "", expected[2 * PATH_MAX];
    assert_true(place[0] == '/' || getcwd(here, sizeof here));
    snprintf(expected, sizeof expected, "%s%s%s", here, here[0] ? "/" : "", place);
    assert_true(tw_file_place(path, found));
    assert_string_equal(found, expected);
}

/* Whatever a path looks like, and whether the file and its folders are there. */
static void a_file_has_one_place(void **state)
{
    char place[PATH_MAX];
    (void)state;
    assert_int_equal(tw_file_make_folder("spot/in", NULL), TW_OK);
    assert_int_equal(symlink("spot", "turn"), 0);
    assert_int_equal(symlink("loop2", "loop2"), 0);
    check_place("x", "x");
    check_place("./spot/../x", "x");
    check_place("turn//in/x", "spot/in/x");
    check_place("turn/new/./deep/../x", "spot/new/x");
    check_place("turn/new/../../x", "x");
    check_place("/x", "/x");
    check_place("/none/../../x", "/x");
    assert_false(tw_file_place("loop2/x", place));
}

static void nothing_has_a_place_where_the_folder_is_gone(void **state)
{
    char here[PATH_MAX], place[PATH_MAX];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("leaving", 0777), 0);
    assert_int_equal(chdir("leaving"), 0);
    assert_int_equal(rmdir("../leaving"), 0);
    assert_false(tw_file_place("x", place));
    assert_false(tw_file_place("none/x", place));
    assert_true(tw_file_place("/none/x", place));
    assert_int_equal(chdir(here), 0);
}

static void a_new_file_needs_a_place(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_file_make_folder("spot/in", NULL), TW_OK);
    command_write("spot/file", "", 0);
    assert_int_equal(tw_file_check_new("spot/file", NULL), TW_OK);
    assert_int_equal(tw_file_check_new("spot/none/x", NULL), TW_OK);
    assert_int_equal(tw_file_check_new("spot/in", &error), TW_IO);
    assert_non_null(strstr(error.message, "Is a directory"));
    assert_int_equal(tw_file_check_new("spot/file/x", &error), TW_IO);
    assert_int_equal(tw_file_check_new("/dev/null", &error), TW_IO);
    assert_non_null(strstr(error.message, "files cannot be written there"));
    assert_int_equal(tw_file_check_new("/dev/new", NULL), TW_IO);
    assert_int_equal(tw_file_check_new("/proc/self/fd/1", NULL), TW_IO);
    assert_int_equal(mkfifo("spot/pipe", 0600), 0);
    assert_int_equal(tw_file_check_new("spot/pipe", &error), TW_IO);
    assert_non_null(strstr(error.message, "files cannot be written there"));
    assert_int_equal(tw_file_check_new("/none-here", &error),
                     access("/", W_OK) == 0 ? TW_OK : TW_IO);
    assert_int_equal(tw_file_make_folder_of("spot/a/b/x", NULL), TW_OK);
    assert_int_equal(access("spot/a/b", W_OK), 0);
    assert_int_equal(tw_file_make_folder_of("x", NULL), TW_OK);
    assert_int_equal(tw_file_make_folder_of("/x", NULL), TW_OK);
}

static void the_folder_of_a_file_has_no_links(void **state)
{
    char folder[PATH_MAX], here[PATH_MAX];
    (void)state;
    assert_int_equal(mkdir("nest", 0777), 0);
    assert_int_equal(symlink("nest", "way"), 0);
    command_write("nest/file", "a", 1);
    assert_non_null(getcwd(here, sizeof here));
    assert_true(tw_file_real_folder("way/file", folder));
    assert_memory_equal(folder, here, strlen(here));
    assert_string_equal(folder + strlen(here), "/nest/");
    assert_false(tw_file_real_folder("way/none", folder));
}

static void paths_within_the_working_folder_are_shown_from_there(void **state)
{
    char folder[PATH_MAX], path[PATH_MAX + 20];
    (void)state;
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/maps/a.yaml", folder);
    assert_string_equal(tw_file_shown(path), "maps/a.yaml");
    snprintf(path, sizeof path, "%s-maps/a.yaml", folder);
    assert_string_equal(tw_file_shown(path), path);
    assert_string_equal(tw_file_shown(folder), folder);
    assert_string_equal(tw_file_shown("/a.yaml"), "/a.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_whole_or_not_at_all),
        cmocka_unit_test(a_file_is_read_whole_within_its_limit),
        cmocka_unit_test(a_part_is_there_or_is_not),
        cmocka_unit_test(what_is_no_file_is_not_read),
        cmocka_unit_test(a_file_is_replaced_at_once),
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(a_failed_write_leaves_nothing),
        cmocka_unit_test(folders_are_made_on_the_way),
        cmocka_unit_test(reading_is_confined_to_folders),
        cmocka_unit_test(a_path_from_another_folder_has_a_hint),
        cmocka_unit_test(a_path_beyond_the_limit_is_refused),
        cmocka_unit_test(the_folder_of_a_file_has_no_links),
        cmocka_unit_test(the_longest_path_is_a_path),
        cmocka_unit_test(the_root_is_a_folder),
        cmocka_unit_test(a_place_is_within_its_folder),
        cmocka_unit_test(a_file_has_one_place),
        cmocka_unit_test(nothing_has_a_place_where_the_folder_is_gone),
        cmocka_unit_test(paths_within_the_working_folder_are_shown_from_there),
        cmocka_unit_test(a_new_file_needs_a_place),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
