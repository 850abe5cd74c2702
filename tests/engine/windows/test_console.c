/* SPDX-License-Identifier: MIT */
/* The command at a console, driven by the lines that it prints: Ctrl-C, --watch, and what
 * goes into a pipe. Wine 8 sends no Ctrl-Break. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/windows/own_folder.h"

#include "base/os/file.h"
#include "base/os/posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define NAME "h\xC3\xB6he \xE6\x97\xA5"

static char command[PATH_MAX];
static HANDLE program;
static FILE *lines; /* what it prints, to both of its streams */

/* Ctrl-C goes to every program of the console, this one included. */
static BOOL WINAPI stay(DWORD event)
{
    (void)event;
    return TRUE;
}

static int open_console(void **state)
{
    const DWORD length = GetFullPathNameA(TW_COMMAND, sizeof command, command, NULL);
    (void)FreeConsole();
    return length > 0 && length < sizeof command && AllocConsole() &&
                   SetConsoleCtrlHandler(stay, TRUE)
               ? enter_folder(state)
               : -1;
}

/* ---- the program ---- */

/* In Unicode, as only the command itself, by its manifest, has UTF-8. */
static void start(const char *arguments)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    PROCESS_INFORMATION started;
    HANDLE from, to;
    char text[2 * PATH_MAX];
    wchar_t line[2 * PATH_MAX];
    snprintf(text, sizeof text, "\"%s\" %s", command, arguments);
    assert_true(MultiByteToWideChar(CP_UTF8, 0, text, -1, line, 2 * PATH_MAX) > 0);
    assert_true(CreatePipe(&from, &to, &inherited, 0));
    assert_true(SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0));
    STARTUPINFOW options = {
        .cb = sizeof options, .dwFlags = STARTF_USESTDHANDLES, .hStdOutput = to, .hStdError = to};
    assert_true(CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &options, &started));
    assert_true(CloseHandle(to) && CloseHandle(started.hThread));
    program = started.hProcess;
    lines = _fdopen(_open_osfhandle((intptr_t)from, _O_RDONLY | _O_BINARY), "rb");
    assert_non_null(lines);
}

/* A pipe gets no control sequences, although there is a console. */
static bool read_line(char line[500])
{
    if (!fgets(line, 500, lines))
        return false;
    assert_null(strchr(line, '\033'));
    return true;
}

static void expect_line(const char *words)
{
    char line[500];
    while (read_line(line))
        if (strstr(line, words))
            return;
    fail_msg("the program ended before it printed '%s'", words);
}

static void expect_end(DWORD expected)
{
    char line[500];
    DWORD code;
    while (read_line(line))
        ;
    assert_int_equal(WaitForSingleObject(program, INFINITE), WAIT_OBJECT_0);
    assert_true(GetExitCodeProcess(program, &code));
    assert_int_equal(code, expected);
}

static int close_program(void **state)
{
    (void)state;
    if (program) {
        (void)TerminateProcess(program, 1);
        (void)CloseHandle(program);
    }
    if (lines)
        (void)fclose(lines);
    program = NULL;
    lines = NULL;
    return 0;
}

/* ---- files ---- */

static void save(const char *path, const char *text)
{
    struct tw_error err;
    if (tw_file_write(path, text, strlen(text), &err) != TW_OK)
        fail_msg("%s", err.message);
}

static void save_in_place(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_TRUNC);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(close(file), 0);
}

static const char *recipe_of(const char *low)
{
    static char text[400];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 32\nnodes:\n  noise: {type: noise.midpoint}\n"
             "  cut: {type: shape.clamp, in: noise, low: %s, high: 0.9}\n"
             "outputs: {\"" NAME "\": cut}\nexport: {\"" NAME ".npy\": \"" NAME "\"}\n",
             low);
    return text;
}

/* The folder has these names and no others; NULL: it is empty or missing. */
static void expect_names(const char *folder, const char *only)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    int count = 0;
    for (; list && (entry = readdir(list)); count++)
        if (!only || strcmp(entry->d_name, only) != 0)
            fail_msg("%s has %s", folder, entry->d_name);
    assert_int_equal(count, only ? 1 : 0);
    if (list)
        (void)closedir(list);
}

static void expect_export(void)
{
    struct stat info;
    expect_names("out", NAME ".npy");
    assert_int_equal(stat("out/" NAME ".npy", &info), 0);
    assert_int_equal(info.st_size, 128 + 32 * 32 * 4);
}

/* ---- tests ---- */

static void every_save_runs_again(void **state)
{
    (void)state;
    save(NAME ".yaml", recipe_of("0.1"));
    start("run \"" NAME ".yaml\" --watch -o out --no-cache");
    expect_line("2 of 2 nodes computed");
    expect_export();
    save_in_place(NAME ".yaml", recipe_of("0.2"));
    expect_line("changed: " NAME ".yaml");
    expect_line("1 of 2 nodes computed");
    save(NAME ".yaml", recipe_of("0.3")); /* another file of the same name, as editors save */
    expect_line("changed: " NAME ".yaml");
    expect_line("1 of 2 nodes computed");
    save(NAME ".yaml", recipe_of("zero"));
    expect_line("changed: " NAME ".yaml");
    expect_line("shape.clamp");
    expect_export(); /* the last that was fine */
    save_in_place(NAME ".yaml", recipe_of("0.2"));
    expect_line("changed: " NAME ".yaml");
    expect_line("of 2 nodes computed");
    assert_true(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0));
    expect_end(130);
    expect_export();
}

static void inputs_are_watched(void **state)
{
    static const char sidecar[] = "{\"schema\": \"thalweg.sidecar/1\", \"width\": 2, "
                                  "\"height\": 1, \"bpp\": 16, "
                                  "\"range\": {\"low\": 0, \"high\": 1}}";
    (void)state;
    save("m.yaml", "thalweg: 1\nsize: [2, 1]\nnodes: {m: {type: source.heightmap, file: m.r16}}\n"
                   "outputs: {h: m}\n");
    start("run m.yaml --watch -o out --no-cache");
    expect_line("cannot read m.r16");
    save("m.r16", "1234");
    expect_line("changed: ");
    expect_line("its size is missing; expected a sidecar");
    save("m.json", sidecar);
    expect_line("changed: ");
    expect_line("1 of 1 nodes computed");
    save_in_place("m.r16", "4321");
    expect_line("changed: ");
    expect_line("1 of 1 nodes computed");
    assert_true(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0));
    expect_end(130);
}

/* Minutes of work. The node that nothing uses says when the recipe has been read. */
static void ctrl_c_leaves_no_half_of_anything(void **state)
{
    (void)state;
    save("long.yaml", "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.perlin}\n"
                      "  worn: {type: erosion.thermal, in: noise, iterations: 100000}\n"
                      "  idle: {type: source.constant}\noutputs: {h: worn}\nexport: {h.npy: h}\n");
    start("run long.yaml -o stopped --cache-dir cache");
    expect_line("'idle' is not used");
    assert_true(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0));
    expect_end(130);
    expect_names("stopped", NULL);
    expect_names("cache/v1/tmp", NULL);
    (void)close_program(state);
    save("short.yaml", recipe_of("0.1"));
    for (int i = 0; i < 2; i++) {
        start("run short.yaml -o again --cache-dir cache --explain");
        expect_line(i == 0 ? "computed" : "hit");
        expect_end(0);
        (void)close_program(state);
    }
}

static void faults_in_a_pipe_are_plain_utf8(void **state)
{
    (void)state;
    save(NAME ".yaml", "thalweg: 1\nnodes: {}\noutputs: {" NAME ": gone}\n");
    start("check \"" NAME ".yaml\"");
    expect_line(NAME ".yaml:3:");
    expect_line("outputs: {" NAME ": gone}");
    expect_end(3);
}

#define CLOSING_TEST(test) cmocka_unit_test_teardown(test, close_program)

int main(void)
{
    const struct CMUnitTest tests[] = {CLOSING_TEST(every_save_runs_again),
                                       CLOSING_TEST(inputs_are_watched),
                                       CLOSING_TEST(ctrl_c_leaves_no_half_of_anything),
                                       CLOSING_TEST(faults_in_a_pipe_are_plain_utf8)};
    return cmocka_run_group_tests(tests, open_console, leave_folder);
}
