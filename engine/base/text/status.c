/* SPDX-License-Identifier: MIT */
/* Fills in errors and names statuses. No allocation, no globals. */
#include "base/text/text.h"

#include <thalweg/status.h>

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *text;
    int exit_code;
} statuses[] = {
#define STATUS_ROW(name, code, text) [TW_##name] = {text, code},
    TW_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

enum tw_status tw_error_set(struct tw_error *err, enum tw_status status, const char *format, ...)
{
    if (!err)
        return status;
    *err = (struct tw_error){.status = status};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    tw_text_clean(err->message);
    return status;
}

const char *tw_status_text(enum tw_status status) { return statuses[status].text; }

int tw_status_exit_code(enum tw_status status) { return statuses[status].exit_code; }
