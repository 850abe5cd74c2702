/* SPDX-License-Identifier: MIT */
/* thalweg serve: works like run --watch, but updates a page in the browser instead of files. */
#include "base/os/process.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/stop.h"
#include "serve/preview.h"

#include <stdio.h>

enum { USUAL_PORT = 8425 /* spells THAL on a telephone keypad */ };

static enum tw_status start_server(struct tw_preview *preview, struct tw_web_server *server,
                                   struct tw_error *err)
{
    const struct tw_web_site site = tw_preview_site(preview);
    enum tw_status status = tw_web_server_start(server, &site, err);
    if (status != TW_OK)
        return status;
    tw_preview_tell(preview, server);
    printf("http://127.0.0.1:%d/?k=%s\n", (int)tw_web_server_port(server), site.key);
    if (fflush(stdout) == 0)
        return TW_OK;
    tw_process_end_unread();
    return tw_error_set(err, TW_IO, "cannot write to standard output");
}

/* Serves until a signal. */
static int serve(const struct tw_preview_recipes *recipes)
{
    const struct tw_settings *settings = recipes->settings;
    struct tw_preview *preview = NULL;
    struct tw_web_server *server = NULL;
    struct tw_error error = {.status = TW_OK};
    const int32_t port = settings->port > 0 ? settings->port : USUAL_PORT;
    tw_stop_catch(); /* a signal may arrive as soon as the address is printed */
    enum tw_status status = tw_web_server_open(port, settings->port == 0, &server, &error);
    if (status == TW_OK)
        status = tw_preview_create(recipes, tw_web_server_port(server), &preview, &error);
    if (status == TW_OK)
        status = start_server(preview, server, &error);
    int code = 0;
    if (status == TW_OK) {
        const struct tw_run_call call = {.settings = settings,
                                         .viewer = tw_preview_viewer(preview)};
        code = tw_run_on_changes(&call, recipes->operands);
    } else {
        code = tw_console_error(&error);
    }
    tw_web_server_stop(server);
    tw_preview_release(preview);
    return code;
}

int tw_cmd_serve(const struct tw_settings *settings, char **operands)
{
    struct tw_settings own = *settings;
    if (!tw_stdin_check("serve", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    own.out = ".";   /* serve writes nothing there */
    own.json = true; /* the page receives what a run would print */
    own.watch = true;
    const struct tw_preview_recipes recipes = {
        .settings = &own, .operands = operands, .read_only = own.untrusted};
    return serve(&recipes);
}
