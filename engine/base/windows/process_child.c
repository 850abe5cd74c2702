/* SPDX-License-Identifier: MIT */
/* Other programs, by libuv. It looks for them in the working folder first, where a project that was
 * copied from elsewhere may have a git.exe: so they are found here, in the folders of PATH only. */
#include "base/os/process.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

/* ---- where a program is ---- */

static wchar_t *copy_path_variable(void)
{
    const DWORD size = GetEnvironmentVariableW(L"PATH", NULL, 0);
    wchar_t *list = size > 0 ? malloc(size * sizeof *list) : NULL;
    if (list && GetEnvironmentVariableW(L"PATH", list, size) >= size) {
        free(list);
        return NULL;
    }
    return list;
}

static bool search_path(const char *program, const wchar_t *ending, char found[PATH_MAX])
{
    wchar_t name[PATH_MAX], at[PATH_MAX];
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, program, -1, name, PATH_MAX) == 0)
        return false;
    wchar_t *list = copy_path_variable();
    const DWORD length = list ? SearchPathW(list, name, ending, PATH_MAX, at, NULL) : 0;
    free(list);
    return length > 0 && length < PATH_MAX &&
           WideCharToMultiByte(CP_UTF8, 0, at, -1, found, PATH_MAX, NULL, NULL) > 0;
}

/* Windows starts a batch file by cmd.exe, which reads the quotes and percent signs of arguments in
 * its own way: the name of a file could run another program ("BatBadBut", CVE-2024-24576). Dots and
 * spaces at the end do not count. */
static bool is_batch(const char *program)
{
    size_t length = strlen(program);
    while (length > 0 && strchr(". ", program[length - 1]))
        length--;
    const char *ending = program + length - (length < 4 ? length : 4);
    return _strnicmp(ending, ".bat", 4) == 0 || _strnicmp(ending, ".cmd", 4) == 0;
}

/* Sets `found` to where a program is: a name without a folder is looked for in PATH. */
static bool find_program(const char *program, char found[PATH_MAX])
{
    if (strpbrk(program, "/\\:")) {
        if (snprintf(found, PATH_MAX, "%s", program) >= PATH_MAX)
            return false;
    } else if (!search_path(program, L".exe", found)) {
        return false;
    }
    return !is_batch(found);
}

bool tw_process_finds(const char *program)
{
    char found[PATH_MAX];
    return find_program(program, found);
}

const char *tw_process_refusal(const char *program)
{
    char found[PATH_MAX];
    const bool batch =
        is_batch(program) ||
        (!strpbrk(program, "/\\:") && !search_path(program, L".exe", found) &&
         (search_path(program, L".cmd", found) || search_path(program, L".bat", found)));
    return batch ? ", a batch file: cmd.exe could take a part of a file's name for a command; "
                   "expected an .exe"
                 : "";
}

/* ---- starting it ---- */

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
    char program[PATH_MAX];
    uv_stdio_container_t ends[3] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    uv_process_options_t options = {.exit_cb = on_exit_of,
                                    .file = program,
                                    .args = (char **)arguments,
                                    .env = environment,
                                    .flags = UV_PROCESS_WINDOWS_HIDE,
                                    .stdio_count = 3,
                                    .stdio = ends};
    for (int i = 1; i < (errors ? 3 : 2); i++) {
        ends[i].flags = UV_INHERIT_FD;
        ends[i].data.fd = output;
    }
    if (!find_program(arguments[0], program))
        return false;
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
