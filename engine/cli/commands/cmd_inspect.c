/* SPDX-License-Identifier: MIT */
/* thalweg inspect: describes files that thalweg or other programs wrote. */
#include "base/os/file.h"
#include "base/text/json.h"
#include "cli/cli.h"
#include "cli/commands/inspect.h"
#include "cli/options.h"
#include "console/answer.h"
#include "console/documents.h"
#include "console/output_file.h"
#include "console/stop.h"

#include <stdlib.h>

/* Collects the files' JSON and their worst exit code for one answer at the end. */
struct session {
    const struct tw_settings *settings;
    json_t *files;
    int code;
};

static void keep_code(struct session *session, int code)
{
    if (code > session->code)
        session->code = code;
}

static int write_picture(const struct session *session, const char *file,
                         const struct tw_inspection *inspection)
{
    const struct tw_overwrite_guard none = {0}; /* tw_console_check_outputs() checked the path */
    struct tw_error error = {.status = TW_OK};
    struct tw_bytes png = {0};
    enum tw_status status = TW_OK;
    if (!inspection->value.data)
        status = tw_error_set(&error, TW_INPUT, "%s is a %s; expected a map for --picture", file,
                              inspection->format);
    if (status == TW_OK)
        status = tw_inspect_draw(&inspection->value, &png, &error);
    if (status == TW_OK)
        status = tw_console_write_output(&none, session->settings->picture, &png, &error);
    free(png.at);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

static json_t *error_json(const char *file, const struct tw_error *error)
{
    return TW_DOCUMENT(inspect_file, .file = file,
                       .error = json_pack("{s:s, s:o}", "status", tw_status_text(error->status),
                                          "message", tw_json_text(error->message)));
}

static void fail(struct session *session, const char *file, struct tw_error *error)
{
    (void)tw_file_as_input(error->status, error);
    if (session->settings->json)
        json_array_append_new(session->files, error_json(file, error));
    if (!error->file[0])
        snprintf(error->file, sizeof error->file, "%s", file);
    keep_code(session, tw_console_error(error));
}

static void report(struct session *session, const char *file,
                   const struct tw_inspection *inspection)
{
    if (session->settings->json)
        json_array_append_new(session->files, tw_inspect_json(file, inspection));
    else if (!tw_console_is_stdout(session->settings->picture))
        tw_inspect_print(stdout, file, inspection);
    if (inspection->mismatch)
        keep_code(session, tw_status_exit_code(TW_DIFFERENCE));
    if (session->settings->picture)
        keep_code(session, write_picture(session, file, inspection));
}

static void inspect(struct session *session, const char *file)
{
    const struct tw_settings *settings = session->settings;
    const struct tw_inspect_request request = {.width = settings->size.width,
                                               .height = settings->size.height,
                                               .big_endian = settings->endian != 0, /* little|big */
                                               .is_signed = settings->is_signed,
                                               .band = settings->band,
                                               .ranged = settings->range.given,
                                               .low = settings->range.low,
                                               .high = settings->range.high,
                                               .how = "--size WxH"};
    struct tw_error error = {.status = TW_OK};
    struct tw_inspection *inspection = calloc(1, sizeof *inspection);
    if (!inspection) {
        tw_error_set(&error, TW_MEMORY, "out of memory");
        fail(session, file, &error);
        return;
    }
    if (tw_inspect(file, &request, inspection, &error) == TW_OK)
        report(session, file, inspection);
    else
        fail(session, file, &error);
    tw_inspection_release(inspection);
    free(inspection);
}

int tw_cmd_inspect(const struct tw_settings *settings, char **operands)
{
    struct session session = {.settings = settings};
    if (!tw_stdin_check("inspect", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    if (settings->picture && operands[1])
        return tw_console_usage("--picture draws one file; %d were given", settings->operand_count);
    if (settings->json)
        session.files = json_array();
    tw_stop_catch();
    for (; *operands; operands++)
        inspect(&session, *operands);
    if (!settings->json)
        return session.code;
    tw_answer_set(TW_DOCUMENT(inspect, .files = session.files));
    return session.code;
}
