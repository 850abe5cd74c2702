/* SPDX-License-Identifier: MIT */
/* The process itself: its limits, its signals, and other programs it runs. */
#ifndef TW_ENGINE_BASE_OS_PROCESS_H
#define TW_ENGINE_BASE_OS_PROCESS_H

#include "base/memory/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Call once, first in main(): writing to a closed pipe or beyond a limit becomes an error of the
 * call, standard input, output and error wait, and no file opened later takes the descriptor of a
 * closed one. */
void tw_process_start(void);
/* Returns the arguments of main() in UTF-8, paths with '/', and sets *count. They live as long as
 * the process. */
char **tw_process_arguments(int *count, char **arguments);
/* Call after a failed write to standard output: if that is a pipe or socket without a reader,
 * removes temporary files and ends the process by SIGPIPE, as other programs end. Returns for any
 * other reason, and when the parent ignores the signal. */
void tw_process_end_unread(void);
/* Calls `handler` with the number of a signal that asks the process to stop: SIGINT, SIGTERM, and
 * SIGHUP unless the parent ignores it, as nohup does. */
void tw_process_on_stop(void (*handler)(int number));
/* Returns "SIGTERM", "SIGHUP", or "SIGINT" for any other number. */
const char *tw_process_signal_name(int number);
/* Returns an id that differs between processes running at one time. */
long tw_process_id(void);
/* Return the limit on open files, and on bytes of address space; UINT64_MAX for no limit. */
uint64_t tw_process_file_limit(void);
/* Raises the limit on open files to the most that the system allows the process. */
void tw_process_raise_file_limit(void);
uint64_t tw_process_memory_limit(void);
/* Returns true if `count` files (32 at most) can be open at a time. */
bool tw_process_can_open(int count);
/* Runs a program found in PATH, with `variable` ("NAME=value") added to its environment and nothing
 * on its standard input, and waits for it. `output` receives its standard output; its errors are
 * dropped. False if it cannot run or does not exit with 0. */
bool tw_process_run(const char *const *arguments, const char *variable, struct tw_bytes *output);
/* Runs a program and collects both its standard output and standard error. Returns its exit code:
 * -1 if it cannot be started, 128 or more if a signal ended it. */
int tw_process_ask(const char *const *arguments, struct tw_bytes *output);
/* Returns whether a program of this name is in PATH. */
bool tw_process_finds(const char *program);
/* Returns why the system's rules forbid to start a program of this name, in words that follow
 * "cannot run 'NAME'"; "" if they do not. */
const char *tw_process_refusal(const char *program);
/* Return the processor time of all threads so far, and of the calling thread. The latter counts
 * microseconds: where a system counts threads' time in ticks, it is the time on the clock. */
double tw_process_seconds(void);
double tw_process_thread_seconds(void);
/* Returns whether a stream is a terminal that understands control sequences. */
bool tw_process_is_terminal(FILE *stream);

#endif
