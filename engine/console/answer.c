/* SPDX-License-Identifier: MIT */
#include "console/answer.h"

#include "base/text/json.h"
#include "console/documents.h"
#include "console/stop.h"

#include <thalweg/thalweg.h>

#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 128 }; /* larger exit codes report signals */

static struct {
    const char *command;
    enum tw_answer_form form;
    json_t *fields;
    bool incomplete; /* memory ran out for the fields */
} answer;

void tw_answer_begin(const char *command, enum tw_answer_form form)
{
    json_decref(answer.fields);
    answer.command = command;
    answer.form = form;
    answer.fields = NULL;
    answer.incomplete = false;
    tw_findings_clear();
}

void tw_answer_drop(void) { tw_answer_begin(answer.command, answer.form); }

void tw_answer_set(json_t *fields)
{
    json_decref(answer.fields);
    answer.fields = fields;
    answer.incomplete |= !fields;
}

const char *tw_answer_status(int code)
{
    static const char *const names[] = {"done", "difference", "usage", "invalid", "failed"};
    if (code > SIGNALS)
        return "interrupted";
    return code >= 0 && code < (int)(sizeof names / sizeof *names) ? names[code] : "failed";
}

static const char *text_or_null(const char *text) { return text[0] ? text : NULL; }

json_t *tw_answer_error(const struct tw_error *error)
{
    bool placed = error->line > 0;
    return TW_DOCUMENT(finding, .status = tw_status_text(error->status),
                       .file = text_or_null(error->file),
                       .line = placed ? json_integer(error->line) : json_null(),
                       .column = placed ? json_integer(error->column) : json_null(),
                       .node = text_or_null(error->path), .message = error->message,
                       .hint = text_or_null(error->hint));
}

static json_t *list_findings(const struct tw_findings *findings, bool faults)
{
    json_t *list = json_array();
    for (int32_t i = 0; list && i < findings->count; i++)
        if (findings->at[i].fault == faults &&
            json_array_append_new(list, tw_answer_error(&findings->at[i].error)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* Rises when a field changes its meaning or disappears; a new field does not raise it. */
static int format_version(const char *command)
{
    static const char *const second[] = {"run", "serve", "compare"};
    for (size_t i = 0; i < sizeof second / sizeof *second; i++)
        if (strcmp(command, second[i]) == 0)
            return 2;
    return 1;
}

json_t *tw_answer_json(int code)
{
    const struct tw_findings *findings = tw_findings_get();
    const char *signal = code > SIGNALS ? tw_stop_signal_name() : NULL;
    char format[64];
    snprintf(format, sizeof format, "thalweg.%s/%d", answer.command,
             format_version(answer.command));
    if (findings->incomplete || answer.incomplete)
        return NULL;
    json_t *root = TW_DOCUMENT(frame, .format = format, .version = TW_VERSION, .exit_code = code,
                               .status = tw_answer_status(code), .interrupted = signal,
                               .errors = list_findings(findings, true),
                               .warnings = list_findings(findings, false));
    if (root && answer.fields && json_object_update(root, answer.fields) != 0) {
        json_decref(root);
        return NULL;
    }
    return root;
}

/* Allocates nothing. */
static void print_without_memory(int code)
{
    printf("{\"format\": \"thalweg.%s/%d\", \"version\": \"" TW_VERSION
           "\", \"exit_code\": %d, \"status\": \"%s\", \"interrupted\": null, \"errors\": "
           "[{\"status\": \"%s\", \"file\": null, \"line\": null, \"column\": null, \"node\": "
           "null, \"message\": \"out of memory\", \"hint\": null}], \"warnings\": []}\n",
           answer.command, format_version(answer.command), code, tw_answer_status(code),
           tw_status_text(TW_MEMORY));
}

static int print_json(json_t *root, int code)
{
    struct tw_bytes text = {0};
    if (tw_json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9), &text, NULL) == TW_OK) {
        (void)fwrite(text.at, 1, text.length, stdout);
        fputs("\n", stdout);
    } else {
        if (code == 0)
            fputs("thalweg: out of memory for the report\n", stderr);
        code = code ? code : tw_status_exit_code(TW_MEMORY);
        print_without_memory(code);
    }
    free(text.at);
    return code;
}

static void add_interruption(void)
{
    struct tw_error error;
    tw_case_end();
    tw_error_set(&error, TW_CANCELLED, "stopped by %s", tw_stop_signal_name());
    tw_findings_add(true, &error);
}

int tw_answer_print(int code)
{
    if (code > SIGNALS)
        add_interruption();
    if (answer.form == TW_ANSWER_JSON)
        code = print_json(tw_answer_json(code), code);
    else if (answer.form == TW_ANSWER_SARIF)
        code = print_json(tw_sarif(tw_findings_get(), code), code);
    else if (answer.form == TW_ANSWER_JUNIT)
        tw_junit_print(stdout, answer.command, tw_findings_get());
    tw_answer_drop();
    return code;
}
