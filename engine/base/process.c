/* SPDX-License-Identifier: MIT */
#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void tw_process_start(void)
{
    int descriptor;
    /* the lowest numbers are given first; for reading, so that output still fails */
    while ((descriptor = open("/dev/null", O_RDONLY)) >= 0 && descriptor <= STDERR_FILENO)
        ;
    if (descriptor >= 0)
        close(descriptor);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void tw_process_on_stop(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction parents;
    if (sigaction(SIGHUP, NULL, &parents) == 0 && parents.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

long tw_process_id(void) { return (long)getpid(); }

bool tw_process_can_open(int count)
{
    int opened[32], made = 0;
    while (made < count && (opened[made] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        made++;
    for (int i = 0; i < made; i++)
        close(opened[i]);
    return made == count;
}

bool tw_process_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

const char *tw_process_signal_name(int number) { return number == SIGTERM ? "SIGTERM" : "SIGINT"; }
