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

static UINT code_page; /* of the console, before this program */

/* The console outlives the program. */
static void restore_code_page(void) { (void)SetConsoleOutputCP(code_page); }

/* Bytes are bytes: no line end becomes two. Consoles get UTF-8 in whole letters (libc.h), and
 * understand colours if they can. */
void tw_process_start(void)
{
    enum { BUFFER = 4096 };
    const DWORD ends[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    DWORD mode;
    _fmode = _O_BINARY;
    for (int i = 0; i < 3; i++)
        (void)_setmode(i, _O_BINARY);
    for (int i = 0; i < 2; i++)
        if (GetConsoleMode(GetStdHandle(ends[i]), &mode))
            (void)SetConsoleMode(GetStdHandle(ends[i]), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    tw_libc_output_is_console = GetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), &mode) != 0;
    if (tw_libc_output_is_console)
        (void)setvbuf(stdout, NULL, _IOFBF, BUFFER);
    (void)setvbuf(stderr, NULL, _IOFBF, BUFFER);
    code_page = GetConsoleOutputCP();
    if (code_page != 0 && code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
        (void)atexit(restore_code_page);
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

/* Windows calls it on a thread of its own. When a console closes or a user logs off, the process
 * ends as soon as this returns, or after some seconds: so it waits for the process to end itself.
 */
static BOOL WINAPI stop(DWORD event)
{
    on_stop(event == CTRL_C_EVENT ? SIGINT : SIGNAL_TERM);
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE);
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

/* A console that understands no control sequences would show them. */
bool tw_process_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode) &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

double tw_process_seconds(void)
{
    struct timespec used = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Windows counts a thread's processor time in ticks of 1/64 s, wine in those of 1/100 s: most nodes
 * would have taken none. So this is the time on the clock, which other load makes longer. */
double tw_process_thread_seconds(void) { return (double)uv_hrtime() / 1e9; }
