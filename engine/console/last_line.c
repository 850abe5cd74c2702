/* SPDX-License-Identifier: MIT */
#include "console/last_line.h"

#include "base/text/stream.h"
#include "base/text/text.h"
#include "console/output_file.h"

#include <stdlib.h>

bool tw_console_has_document(const struct tw_settings *settings)
{
    return settings->json || tw_console_is_stdout(settings->trace) ||
           tw_console_is_stdout(settings->events) || tw_console_is_stdout(settings->depfile);
}

void tw_last_line_begin(struct tw_last_line *line, const struct tw_settings *settings)
{
    *line = (struct tw_last_line){.settings = settings};
    line->out = tw_stream_open(&line->text, &line->length);
}

static void put_fault(FILE *out, const struct tw_failed_recipe *failed, bool whole)
{
    const struct tw_error *fault = failed->fault;
    bool placed = fault && fault->file[0] && fault->line > 0;
    tw_text_write(out, placed ? fault->file : failed->file, TW_TEXT_TERMINAL);
    if (placed)
        fprintf(out, ":%d:%d", (int)fault->line, (int)fault->column);
    if (!whole || !fault || !fault->message[0])
        return;
    fputs(placed ? " " : ": ", out);
    tw_text_write(out, fault->message, TW_TEXT_TERMINAL);
}

void tw_last_line_fail(struct tw_last_line *line, const struct tw_failed_recipe *failed,
                       int32_t count, int32_t of)
{
    line->failed = count;
    if (!line->out || count == 0)
        return;
    fprintf(line->out, "%d of %d failed: ", (int)count, (int)of);
    for (int32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", line->out);
        put_fault(line->out, &failed[i], count == 1);
    }
    fputs("; ", line->out);
}

void tw_last_line_names(struct tw_last_line *line, const void *context, int32_t count,
                        const char *(*name)(const void *context, int32_t i))
{
    int32_t named = 0;
    for (int32_t i = 0; line->out && i < count; i++) {
        const char *text = name(context, i);
        if (!text)
            continue;
        fputs(named++ ? ", " : ": ", line->out);
        tw_text_write(line->out, text, TW_TEXT_TERMINAL);
    }
}

void tw_last_line_end(struct tw_last_line *line)
{
    bool elsewhere = tw_console_has_document(line->settings);
    if (!line->out)
        return;
    if (tw_stream_close(line->out) == 0) {
        (void)fflush(stdout);
        fprintf(elsewhere ? stderr : stdout, "%s\n", line->text);
    }
    free(line->text);
    line->out = NULL;
}
