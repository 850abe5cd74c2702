/* SPDX-License-Identifier: MIT */
#include "console/stop.h"

#include "base/os/process.h"
#include "base/os/temporary.h"
#include "console/terminal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNKNOWN_SIGNAL = 130 }; /* the code of SIGINT */

static atomic_int caught; /* lock-free, hence safe in a handler */
static volatile int cancel;

static void on_signal(int number)
{
    if (atomic_load(&caught)) {
        tw_temporary_remove_all();
        _Exit(128 + number);
    }
    atomic_store(&caught, number);
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED); /* preserves errno */
}

void tw_stop_catch(void) { tw_process_on_stop(on_signal); }

const volatile int *tw_stop_flag(void) { return &cancel; }

bool tw_stop_was_caught(void) { return atomic_load(&caught) != 0; }

void tw_stop_give_way(void) { __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED); }

bool tw_stop_go_on(void)
{
    __atomic_store_n(&cancel, 0, __ATOMIC_RELAXED);
    if (!tw_stop_was_caught())
        return true; /* a later signal sets the flag itself */
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    return false;
}

int tw_stop_exit_code(void)
{
    int number = atomic_load(&caught);
    return number ? 128 + number : UNKNOWN_SIGNAL;
}

const char *tw_stop_signal_name(void) { return tw_process_signal_name(atomic_load(&caught)); }

void tw_stop_abandon(void)
{
    tw_terminal_clear_progress();
    _Exit(tw_stop_exit_code());
}
