/* SPDX-License-Identifier: MIT */
#include "cli/stop.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static volatile int cancel;

static void on_signal(int number)
{
    if (caught)
        _exit(128 + number);
    caught = number;
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED); /* keeps errno */
}

void tw_stop_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

const volatile int *tw_stop_flag(void) { return &cancel; }

int tw_stop_exit_code(void) { return 128 + (caught ? (int)caught : SIGINT); }

void tw_stop_abandon(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    _exit(tw_stop_exit_code());
}
