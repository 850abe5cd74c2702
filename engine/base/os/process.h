/* SPDX-License-Identifier: MIT */
/* The process itself: what it is given by its parent and what may end it. */
#ifndef TW_ENGINE_BASE_OS_PROCESS_H
#define TW_ENGINE_BASE_OS_PROCESS_H

#include "base/memory/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Once, before anything else in main(): writing to a closed pipe or beyond a limit becomes an error
 * of the call, and no file that is opened later takes the place of standard input, output or error
 * where these are closed. */
void tw_process_start(void);
/* After a write to standard output has failed: ends the process by SIGPIPE, as other programs end,
 * when it is a pipe or socket that has lost its reader, and removes temporary files before. Returns
 * for any other reason, and when the parent ignores the signal. */
void tw_process_end_unread(void);
/* Calls `handler` with the number of a signal that asks the process to stop: SIGINT,
 * SIGTERM, and SIGHUP unless the parent ignores it, as nohup does. */
void tw_process_on_stop(void (*handler)(int number));
/* "SIGTERM", "SIGHUP", or "SIGINT" for any other number. */
const char *tw_process_signal_name(int number);
/* Differs between processes that run at the same time. */
long tw_process_id(void);
/* The most files that may be open, and bytes of addresses; UINT64_MAX for no limit. */
uint64_t tw_process_file_limit(void);
/* Raises the limit of open files to what the system allows the process at most. */
void tw_process_raise_file_limit(void);
uint64_t tw_process_memory_limit(void);
/* True when `count` files (32 at most) can be opened at the same time. */
bool tw_process_can_open(int count);
/* Runs a program that is looked up in PATH, with `variable` ("NAME=value") added to its environment
 * and nothing on its standard input, and waits for it. `output` gets what it prints on standard
 * output; its errors are dropped. False when it cannot run or does not end with 0. */
bool tw_process_run(const char *const *arguments, const char *variable, struct tw_bytes *output);
/* The same with what the program prints on standard error, too; its exit code. -1 when it cannot be
 * started, 128 and more when a signal ended it. */
int tw_process_ask(const char *const *arguments, struct tw_bytes *output);
/* Whether a program of this name is in PATH. */
bool tw_process_finds(const char *program);
/* Processor time of all threads so far; of the calling thread. */
double tw_process_seconds(void);
double tw_process_thread_seconds(void);
bool tw_process_is_terminal(FILE *stream);

#endif
