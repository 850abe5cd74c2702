/* SPDX-License-Identifier: MIT */
#include "console/terminal.h"

#include "base/os/process.h"

#include <stdlib.h>
#include <string.h>

static bool is_dumb(void)
{
    const char *terminal = getenv("TERM");
    return terminal && strcmp(terminal, "dumb") == 0;
}

bool tw_terminal_has_colours(FILE *stream)
{
    const char *no = getenv("NO_COLOR");
    return tw_process_is_terminal(stream) && !(no && no[0]) && !is_dumb();
}

bool tw_terminal_shows_progress(void)
{
    const char *ci = getenv("CI");
    return tw_process_is_terminal(stderr) && !(ci && ci[0]) && !is_dumb();
}

void tw_terminal_clear_progress(void)
{
    if (tw_terminal_shows_progress())
        fputs(TW_TERMINAL_REWRITE, stderr);
}
