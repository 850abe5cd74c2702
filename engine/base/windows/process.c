/* SPDX-License-Identifier: MIT */
#include "base/os/process.h"

#include "base/os/temporary.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include <shellapi.h>

enum { SIGNAL_TERM = SIGTERM, FILES_MAX = 2048 /* of the C library's descriptors */ };

/* Bytes are bytes: no line end becomes two. Consoles get UTF-8 and understand colours. */
void tw_process_start(void)
{
    DWORD mode;
    HANDLE consoles[] = {GetStdHandle(STD_OUTPUT_HANDLE), GetStdHandle(STD_ERROR_HANDLE)};
    _fmode = _O_BINARY;
    for (int i = 0; i < 3; i++)
        (void)_setmode(i, _O_BINARY);
    for (int i = 0; i < 2; i++)
        if (GetConsoleMode(consoles[i], &mode))
            (void)SetConsoleMode(consoles[i], mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    (void)SetConsoleOutputCP(CP_UTF8);
    (void)SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX); /* no dialogues */
}

/* Backslashes of paths become '/'. What has other characters that no path has is no path. */
static void use_slashes(char *argument)
{
    if (strpbrk(argument, "\"\n<>|*?{}"))
        return;
    for (char *at = argument; (at = strchr(at, '\\'));)
        *at = '/';
}

static char *to_utf8(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

char **tw_process_arguments(int *count, char **arguments)
{
    int found = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &found);
    char **all = wide ? calloc((size_t)found + 1, sizeof *all) : NULL;
    for (int i = 0; all && i < found; i++) {
        if (!(all[i] = to_utf8(wide[i])))
            return arguments;
        if (i > 0)
            use_slashes(all[i]);
    }
    LocalFree(wide);
    if (!all)
        return arguments;
    *count = found;
    return all;
}

/* A pipe whose reader has gone: other systems end the process by a signal. */
void tw_process_end_unread(void)
{
    HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD written;
    if (GetFileType(output) != FILE_TYPE_PIPE || WriteFile(output, "", 0, &written, NULL) != 0 ||
        (GetLastError() != ERROR_NO_DATA && GetLastError() != ERROR_BROKEN_PIPE))
        return;
    tw_temporary_remove_all();
    _Exit(128 + 13);
}

static void (*on_stop)(int number);

/* Windows calls it on a thread of its own, and ends the process soon after closing a console. */
static BOOL WINAPI stop(DWORD event)
{
    on_stop(event == CTRL_C_EVENT ? SIGINT : SIGNAL_TERM);
    return TRUE;
}

void tw_process_on_stop(void (*handler)(int number))
{
    on_stop = handler;
    (void)SetConsoleCtrlHandler(stop, TRUE);
}

const char *tw_process_signal_name(int number) { return number == SIGTERM ? "SIGTERM" : "SIGINT"; }

long tw_process_id(void) { return (long)GetCurrentProcessId(); }
uint64_t tw_process_file_limit(void) { return FILES_MAX; }
void tw_process_raise_file_limit(void) {}
uint64_t tw_process_memory_limit(void) { return UINT64_MAX; }

bool tw_process_can_open(int count)
{
    int files[32], opened = 0;
    while (opened < count && (files[opened] = _open("NUL", _O_RDONLY)) >= 0)
        opened++;
    for (int i = 0; i < opened; i++)
        (void)_close(files[i]);
    return opened == count;
}

bool tw_process_is_terminal(FILE *stream) { return uv_guess_handle(_fileno(stream)) == UV_TTY; }

/* ---- other programs ---- */

struct child {
    uv_process_t process;
    uv_pipe_t output;
    struct tw_bytes *bytes;
    char block[4096];
    int64_t exit_code;
    bool ended, lost;
};

static void give_block(uv_handle_t *handle, size_t size, uv_buf_t *part)
{
    struct child *child = handle->data;
    (void)size;
    *part = uv_buf_init(child->block, sizeof child->block);
}

static void take_block(uv_stream_t *stream, ssize_t length, const uv_buf_t *part)
{
    struct child *child = stream->data;
    if (length < 0) {
        child->lost |= length != UV_EOF;
        uv_close((uv_handle_t *)stream, NULL);
        return;
    }
    child->lost |= tw_bytes_append(child->bytes, part->base, (size_t)length, NULL) != TW_OK;
}

static void on_exit_of(uv_process_t *process, int64_t code, int number)
{
    struct child *child = process->data;
    (void)number;
    child->exit_code = code;
    child->ended = true;
    uv_close((uv_handle_t *)process, NULL);
}

/* Lets the program write to a pipe that the loop reads; with `errors` also its errors. */
static bool spawn(uv_loop_t *loop, struct child *child, const char *const *arguments,
                  char **environment, bool errors, uv_file output)
{
    uv_stdio_container_t ends[3] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    uv_process_options_t options = {.exit_cb = on_exit_of,
                                    .file = arguments[0],
                                    .args = (char **)arguments,
                                    .env = environment,
                                    .flags = UV_PROCESS_WINDOWS_HIDE,
                                    .stdio_count = 3,
                                    .stdio = ends};
    for (int i = 1; i < (errors ? 3 : 2); i++) {
        ends[i].flags = UV_INHERIT_FD;
        ends[i].data.fd = output;
    }
    if (uv_spawn(loop, &child->process, &options) == 0)
        return true;
    uv_close((uv_handle_t *)&child->process, NULL);
    return false;
}

/* Starts a program; its output comes while the loop runs. False if it cannot be started. */
static bool start(uv_loop_t *loop, struct child *child, const char *const *arguments,
                  char **environment, bool errors)
{
    uv_file ends[2];
    child->output.data = child->process.data = child;
    if (uv_pipe(ends, UV_NONBLOCK_PIPE, 0) != 0)
        return false;
    (void)uv_pipe_init(loop, &child->output, 0);
    child->lost = uv_pipe_open(&child->output, ends[0]) != 0;
    const bool started =
        !child->lost && spawn(loop, child, arguments, environment, errors, ends[1]);
    (void)_close(ends[1]);
    if (child->lost)
        (void)_close(ends[0]);
    if (!started || uv_read_start((uv_stream_t *)&child->output, give_block, take_block) != 0) {
        uv_close((uv_handle_t *)&child->output, NULL);
        child->lost = true;
    }
    return started;
}

/* Returns the exit code; -1 when the program did not run or its output was lost. */
static int run(const char *const *arguments, char **environment, bool errors,
               struct tw_bytes *output)
{
    uv_loop_t loop;
    struct child child = {.bytes = output};
    if (uv_loop_init(&loop) != 0)
        return -1;
    const bool started = start(&loop, &child, arguments, environment, errors);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&loop);
    return started && child.ended && !child.lost ? (int)child.exit_code : -1;
}

/* Returns a copy of the environment with NAME=value; its texts are those of `items`. */
static char **add_variable(const char *variable, const uv_env_item_t *items, int count)
{
    const size_t length = strcspn(variable, "=");
    char **all = calloc((size_t)count + 2, sizeof *all);
    size_t used = 0;
    for (int i = 0; all && i < count; i++) {
        const size_t name = strlen(items[i].name), value = strlen(items[i].value);
        char *text = malloc(name + value + 2);
        if (!text)
            break;
        snprintf(text, name + value + 2, "%s=%s", items[i].name, items[i].value);
        if (name == length && _strnicmp(text, variable, length) == 0)
            free(text);
        else
            all[used++] = text;
    }
    if (all && !(all[used] = _strdup(variable)))
        all[0] = NULL;
    return all;
}

bool tw_process_run(const char *const *arguments, const char *variable, struct tw_bytes *output)
{
    uv_env_item_t *items;
    int count, code = -1;
    if (uv_os_environ(&items, &count) != 0)
        return false;
    char **environment = add_variable(variable, items, count);
    if (environment && environment[0])
        code = run(arguments, environment, false, output);
    for (char **at = environment; at && *at; at++)
        free(*at);
    free(environment);
    uv_os_free_environ(items, count);
    return code == 0;
}

int tw_process_ask(const char *const *arguments, struct tw_bytes *output)
{
    return run(arguments, NULL, true, output);
}

bool tw_process_finds(const char *program)
{
    char path[4096];
    return SearchPathA(NULL, program, ".exe", sizeof path, path, NULL) > 0;
}

static double used_seconds(clockid_t clock)
{
    struct timespec used = {0};
    (void)clock_gettime(clock, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

double tw_process_seconds(void) { return used_seconds(CLOCK_PROCESS_CPUTIME_ID); }
double tw_process_thread_seconds(void) { return used_seconds(CLOCK_THREAD_CPUTIME_ID); }
