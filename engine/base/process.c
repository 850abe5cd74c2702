/* SPDX-License-Identifier: MIT */
#include "base/process.h"

#include <signal.h>
#include <unistd.h>

void tw_process_start(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void tw_process_on_stop(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

long tw_process_id(void) { return (long)getpid(); }

bool tw_process_is_terminal(FILE *stream) { return isatty(fileno(stream)); }
