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
        fprintf(stderr, TW_TERMINAL_REWRITE "%3d %% %s", percent, node);
        if (percent >= 100)
            tw_terminal_clear_progress();
    } else if (percent >= session->percent + 10 || (percent == 100 && session->percent < 100)) {
        fprintf(stderr, "%3d %% %s\n", percent, node);
        session->percent = percent;
    }
}

void tw_session_on_warning(void *context, const struct tw_error *warning)
{
    tw_terminal_clear_progress();
    tw_console_diagnostic(context, false, warning, NULL);
}

void tw_session_keep_fault(struct tw_recipe_entry *part, const struct tw_error *error)
{
    if (part->fault.status == TW_OK)
        part->fault = *error;
}

void tw_session_report_failure(struct tw_session *session, const struct tw_error *error)
{
    if (!session->settings->quiet)
        tw_terminal_clear_progress();
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
