/* SPDX-License-Identifier: MIT */
#include "console/diagnostic.h"
#include "console/findings.h"
#include "console/terminal.h"
#include "session/session.h"

void tw_session_on_progress(void *context, const char *node, double done)
{
    struct tw_session *session = context;
    int percent = (int)((session->done + done * session->share) * 100 + 0.5);
    if (tw_terminal_shows_progress()) {
        fprintf(stderr, "\r\033[K%3d %% %s%s", percent, node, percent >= 100 ? "\r\033[K" : "");
    } else if (percent >= session->percent + 10 || (percent == 100 && session->percent < 100)) {
        fprintf(stderr, "%3d %% %s\n", percent, node);
        session->percent = percent;
    }
}

void tw_session_on_warning(void *context, const struct tw_error *warning)
{
    if (tw_terminal_shows_progress())
        fputs("\r\033[K", stderr);
    tw_console_diagnostic(context, false, warning, NULL);
}

void tw_session_keep_fault(struct tw_recipe_entry *part, const struct tw_error *error)
{
    if (part->fault.status == TW_OK)
        part->fault = *error;
}

void tw_session_report_failure(struct tw_session *session, const struct tw_error *error)
{
    if (tw_terminal_shows_progress() && !session->settings->quiet)
        fputs("\r\033[K", stderr);
    if (tw_status_exit_code(error->status) > tw_status_exit_code(session->failure))
        session->failure = error->status;
    tw_console_error(error);
}

/* Reports a failed node for each recipe that contains it, at its place in that recipe. */
static void report_failed_node(struct tw_session *session, struct tw_recipe_entry *part,
                               const struct tw_run_failure *failure)
{
    const struct tw_node *own = tw_recipe_set_find_node(&session->parts, part, failure->node);
    struct tw_error error = *failure->error;
    if (!own)
        return;
    tw_node_locate(&error, own);
    tw_session_keep_fault(part, &error);
    tw_session_report_failure(session, &error);
}

static void report_failed_export(struct tw_session *session, struct tw_recipe_entry *part,
                                 const struct tw_run_failure *failure)
{
    const struct tw_export *own = tw_recipe_set_find_export(&session->parts, part, failure->item);
    if (!own)
        return;
    tw_case_begin(part->file, "%s", own->file);
    struct tw_error error = *failure->error;
    if (error.line == 0) {
        snprintf(error.file, sizeof error.file, "%s", own->place.file);
        error.line = own->place.line;
        error.column = own->place.column;
    }
    tw_session_keep_fault(part, &error);
    tw_session_report_failure(session, &error);
    tw_case_end();
}

void tw_session_on_failed(void *context, const struct tw_run_failure *failure)
{
    struct tw_session *session = context;
    for (int32_t p = 0; p < session->parts.count; p++) {
        struct tw_recipe_entry *part = &session->parts.at[p];
        if (part->graph == session->graph && failure->item)
            report_failed_export(session, part, failure);
        else if (part->graph == session->graph)
            report_failed_node(session, part, failure);
    }
}
