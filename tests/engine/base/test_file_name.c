/* SPDX-License-Identifier: MIT */
/* Names that every system has, and which two are one on some. */
#include "support/harness.h"

#include "base/os/file_name.h"

#include <stdio.h>
#include <string.h>

static void expect_allowed(const char *name)
{
    struct tw_file_name_fault fault;
    if (!tw_file_name_check(name, &fault))
        fail_msg("'%s': %s", name, fault.message);
}

/* `word` is in the message. */
static void expect_refused(const char *name, size_t at, const char *word)
{
    struct tw_file_name_fault fault = {0};
    if (tw_file_name_check(name, &fault))
        fail_msg("'%s' is allowed", name);
    if (fault.at != at || !strstr(fault.message, word))
        fail_msg("'%s': at %zu, %s; expected at %zu, %s", name, fault.at, fault.message, at, word);
}

static void names_of_every_system_are_allowed(void **state)
{
    static const char *const names[] = {"a.png",
                                        "maps/A-1_b (2)/h.x.png",
                                        ".hidden",
                                        "a..b",
                                        "./a",
                                        "../a",
                                        "a//b",
                                        "",
                                        "console.png",
                                        "auxiliary.png",
                                        "com.png",
                                        "com10.png",
                                        "lpt.png",
                                        "comx.png",
                                        "nul1.png",
                                        "xaux.png",
                                        "a.aux",
                                        "a.con/b.nul",
                                        "conin.png",
                                        "com\xC2\xB4.png",
                                        "com\xC3\xB1.png",
                                        "a b.png",
                                        " a.png",
                                        "$x{y}~!#%&'+,;=@[]^`.png",
                                        "h\xC3\xB6he.png",
                                        "\xE2\x82\xAC.png"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_allowed(names[i]);
}

static void characters_are_refused_where_they_are(void **state)
{
    static const char signs[] = "<>:\"|?*\\";
    char name[40], shown[8];
    (void)state;
    for (size_t i = 0; signs[i]; i++) {
        snprintf(name, sizeof name, "maps/a%cb.png", signs[i]);
        snprintf(shown, sizeof shown, "'%c'", signs[i]);
        expect_refused(name, 6, shown);
        snprintf(name, sizeof name, "m%cps/a.png", signs[i]);
        expect_refused(name, 1, shown);
    }
    for (int c = 1; c < ' '; c++) {
        snprintf(name, sizeof name, "a%c.png", c);
        snprintf(shown, sizeof shown, "%d", c);
        expect_refused(name, 1, shown);
    }
    expect_refused("a\x7F.png", 1, "control character 127");
    expect_refused("..\\up.png", 2, "'\\'");
    expect_refused("C:/x.png", 1, "':'");
}

static void devices_are_refused_in_any_folder(void **state)
{
    static const char *const devices[] = {"aux",    "CON",     "nul",         "Prn",
                                          "com1",   "COM9",    "lpt0",        "LPT5",
                                          "CONIN$", "conout$", "com\xC2\xB9", "lpt\xC2\xB3"};
    char name[60], word[40];
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        snprintf(word, sizeof word, "'%s' is a device", devices[i]);
        expect_refused(devices[i], 0, word);
        snprintf(name, sizeof name, "%s.png", devices[i]);
        expect_refused(name, 0, word);
        snprintf(name, sizeof name, "a/%s.tar.gz", devices[i]);
        expect_refused(name, 2, word);
        snprintf(name, sizeof name, "%s/a.png", devices[i]);
        expect_refused(name, 0, word);
        snprintf(name, sizeof name, "b/%s  .png", devices[i]);
        expect_refused(name, 2, word);
    }
}

static void ends_that_are_dropped_are_refused(void **state)
{
    (void)state;
    expect_refused("a.png ", 5, "' ' at the end");
    expect_refused("a.png.", 5, "'.' at the end");
    expect_refused("maps /a.png", 4, "' ' at the end");
    expect_refused("maps./a.png", 4, "'.' at the end");
    expect_refused("a/.../b.png", 4, "'.' at the end");
    expect_refused(" ", 0, "' ' at the end");
}

static void expect_clean(const char *from, const char *to)
{
    char name[40];
    snprintf(name, sizeof name, "%s", from);
    tw_file_name_clean(name);
    assert_string_equal(name, to);
    expect_allowed(name);
}

static void names_are_cleaned(void **state)
{
    (void)state;
    expect_clean("a.yaml.height", "a.yaml.height");
    expect_clean("a/b\\c:d?e", "a_b_c_d_e");
    expect_clean("aux.yaml.height", "_ux.yaml.height");
    expect_clean("x. . ", "x. ._");
    expect_clean("\x01", "_");
}

static void expect_folded(const char *from, const char *to)
{
    char name[60];
    snprintf(name, sizeof name, "%s", from);
    tw_file_name_fold(name);
    assert_string_equal(name, to);
}

static void case_is_folded(void **state)
{
    (void)state;
    expect_folded("Maps/A-Z.PNG", "maps/a-z.png");
    expect_folded("\xC3\x84\xC3\x97\xC5\xB8\xC4\xB2",
                  "\xC3\xA4\xC3\x97\xC3\xBF\xC4\xB3");                     /* Latin */
    expect_folded("\xCE\xA3\xCF\x82\xCE\x86", "\xCF\x83\xCF\x83\xCE\xAC"); /* Greek */
    expect_folded("\xD0\x81\xD0\xAF\xD3\x80", "\xD1\x91\xD1\x8F\xD3\x8F"); /* Cyrillic */
    expect_folded("\xD4\xB1", "\xD5\xA1");                                 /* Armenian */
    expect_folded("\xE1\xBA\xA0\xE1\xBA\x9E\xE1\xB8\x80",
                  "\xE1\xBA\xA1\xE1\xBA\x9E\xE1\xB8\x81"); /* of pairs */
    expect_folded("\xC6\x81\xC6\x8E", "\xC9\x93\xC7\x9D"); /* Hausa, Kanuri */
    expect_folded("\xE1\x82\xA0", "\xE2\xB4\x80");         /* Georgian */
    expect_folded("\xE1\xBC\x89\xE1\xBE\xBA",
                  "\xE1\xBC\x81\xE1\xBD\xB0"); /* Greek with breathings */
    expect_folded("\xEF\xBC\xA1\xE2\x85\xA2", "\xEF\xBD\x81\xE2\x85\xB2"); /* wide A, Roman 3 */
    expect_folded("\xEA\x99\x80\xEA\x99\x81", "\xEA\x99\x81\xEA\x99\x81");
    expect_folded("\xF0\x9D\x90\x80", "\xF0\x9D\x90\x80");
    expect_folded("\xE6\xB0\xB4.PNG", "\xE6\xB0\xB4.png");
    expect_folded("\xC3", "\xC3"); /* cut off */
    expect_folded("\xE1\xBA", "\xE1\xBA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_every_system_are_allowed),
        cmocka_unit_test(characters_are_refused_where_they_are),
        cmocka_unit_test(devices_are_refused_in_any_folder),
        cmocka_unit_test(ends_that_are_dropped_are_refused),
        cmocka_unit_test(names_are_cleaned),
        cmocka_unit_test(case_is_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
