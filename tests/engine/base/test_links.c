/* SPDX-License-Identifier: MIT */
/* Which paths lead through links, and which of these lead out of their folder. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/links.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct row {
    const char *path;
    bool linked;
    enum tw_status status;
} rows[] = {
    {"plain", false, TW_OK},
    {"./plain", false, TW_OK},
    {"none", false, TW_OK},
    {"deep/plain", false, TW_OK},
    {"deep/../plain", false, TW_OK},
    {"inner", true, TW_OK},
    {"deep/inner", true, TW_OK},
    {"deep//inner", true, TW_OK},
    {"deep/up", true, TW_PATH}, /* stays below the working folder, but leaves its own */
    {"out", true, TW_PATH},
    {"chain", true, TW_PATH},
    {"dangling", true, TW_PATH},
    {"around", true, TW_PATH},
    {"sibling", true, TW_PATH}, /* box2 begins as box does */
    {"folder/plain", true, TW_OK},
    {"folder/up", true, TW_PATH},
    {"parent/box/plain", true, TW_PATH},
    {"absolute", true, TW_PATH},
    {"deep/absolute", true, TW_PATH},
};

static void every_link_on_the_way_counts(void **state)
{
    char full[PATH_MAX + 100], here[PATH_MAX];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_error error = {.status = TW_OK};
        enum tw_status status = tw_links_check(rows[i].path, &error);
        if (tw_links_lead_to(rows[i].path) != rows[i].linked || status != rows[i].status ||
            error.status != status)
            fail_msg("%s: %d", rows[i].path, (int)status);
        snprintf(full, sizeof full, "%s/%s", here, rows[i].path);
        assert_int_equal(tw_links_lead_to(full), rows[i].linked);
        assert_int_equal(tw_links_check(full, NULL), status);
    }
}

static void a_path_from_a_folder_is_put_together(void **state)
{
    char joined[4096];
    (void)state;
    assert_true(tw_links_lead_from("deep", "inner", joined));
    assert_string_equal(joined, "deep/inner");
    assert_true(tw_links_lead_from("deep/", "inner", joined));
    assert_string_equal(joined, "deep/inner");
    assert_true(tw_links_lead_from("", "inner", joined));
    assert_string_equal(joined, "inner");
    assert_false(tw_links_lead_from("deep", "/", joined));
    assert_string_equal(joined, "/");
}

static void a_hidden_error_keeps_its_place(void **state)
{
    struct tw_error error;
    (void)state;
    tw_error_set(&error, TW_INPUT, "secret");
    snprintf(error.hint, sizeof error.hint, "secret");
    snprintf(error.file, sizeof error.file, "a.yaml");
    error.line = 3;
    tw_links_hide(&error);
    assert_null(strstr(error.message, "secret"));
    assert_string_equal(error.hint, "");
    assert_string_equal(error.file, "a.yaml");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.status, TW_INPUT);
}

static int enter(void **state)
{
    static const char *const links[][2] = {
        {"plain", "inner"},      {"../secret", "out"},    {"out", "chain"},
        {"nowhere", "dangling"}, {"around", "around"},    {"../box2/secret", "sibling"},
        {"deep", "folder"},      {"..", "parent"},        {"/dev/null", "absolute"},
        {"plain", "deep/inner"}, {"../plain", "deep/up"}, {"/dev/null", "deep/absolute"}};
    command_set_up(state);
    assert_int_equal(mkdir("box", 0777) | mkdir("box2", 0777) | chdir("box"), 0);
    assert_int_equal(mkdir("deep", 0777), 0);
    command_write("plain", "p", 1);
    command_write("deep/plain", "p", 1);
    command_write("../secret", "s", 1);
    command_write("../box2/secret", "s", 1);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_int_equal(symlink(links[i][0], links[i][1]), 0);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_on_the_way_counts),
        cmocka_unit_test(a_path_from_a_folder_is_put_together),
        cmocka_unit_test(a_hidden_error_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, enter, command_tear_down);
}
