/* SPDX-License-Identifier: MIT */
/* Builds an error from a place and a message and hands it to the sink with its source line. */
#include "base/text/fault_log.h"

#include "base/os/links.h"
#include "base/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t tw_line_break(const char *at, const char *end)
{
    static const char *const breaks[] = {"\r\n",     "\n",           "\r",
                                         "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    unsigned char first = (unsigned char)*at;
    if (first > '\r' && first != 0xC2 && first != 0xE2)
        return 0; /* the usual case */
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        size_t length = strlen(breaks[i]);
        if ((size_t)(end - at) >= length && memcmp(at, breaks[i], length) == 0)
            return length;
    }
    return 0;
}

void tw_quote_line(struct tw_place place, char *line, size_t size)
{
    const char *at = place.text, *end = place.text ? place.text + place.length : NULL;
    for (int32_t i = 1; at && at < end && i < place.line;) {
        size_t ends = tw_line_break(at, end);
        i += ends > 0;
        at += ends ? ends : 1;
    }
    size_t length = 0;
    while (at && at + length < end && !tw_line_break(at + length, end) && length + 1 < size)
        length++;
    if (length)
        memcpy(line, at, length);
    line[length] = 0;
    for (char *tab = line; (tab = strchr(tab, '\t'));)
        *tab = ' '; /* one column, as the caret counts it */
    tw_text_clean(line);
}

/* Appends where the author's recipe uses the one that the fault is in. */
static void add_user(struct tw_error *error, const struct tw_place *user)
{
    size_t used = strlen(error->message);
    if (!user->hidden)
        snprintf(error->message + used, sizeof error->message - used, "; used in %s:%d:%d",
                 user->file ? user->file : "", (int)user->line, (int)user->column);
}

static void build(struct tw_error *error, enum tw_status status, struct tw_place place,
                  const char *hint, const char *format, va_list arguments)
{
    *error = (struct tw_error){.status = status, .line = place.line, .column = place.column};
    snprintf(error->file, sizeof error->file, "%s", place.file ? place.file : "");
    snprintf(error->hint, sizeof error->hint, "%s", hint ? hint : "");
    vsnprintf(error->message, sizeof error->message, format, arguments);
    if (place.user)
        add_user(error, place.user);
    if (place.hidden) {
        tw_links_hide(error);
        error->line = error->column = 0;
    }
    tw_text_clean(error->file);
    tw_text_clean(error->hint);
    tw_text_clean(error->message);
}

/* False for a fault already reported, and beyond the limit. Ignores hints: later ones are
 * dropped. */
static bool is_new(struct tw_logged *reported, const struct tw_error *error)
{
    struct tw_digest digest = tw_digest_of(error, offsetof(struct tw_error, hint));
    for (int32_t i = 0; i < reported->count; i++)
        if (memcmp(reported->at[i].at, digest.at, sizeof digest.at) == 0)
            return false;
    if (reported->count == TW_FAULTS_REPORTED_MAX)
        return false;
    reported->at[reported->count++] = digest;
    return true;
}

/* Adds the node after is_new(), which compares faults without it: a recipe that ten nodes use has
 * each fault once. Nothing that a hidden file contains is shown, names of nodes included. */
static void add_node(const struct tw_fault_log *log, const struct tw_place *place,
                     struct tw_error *error)
{
    if (log->node && !place->hidden)
        snprintf(error->path, sizeof error->path, "%s%s", log->prefix, log->node);
    tw_text_clean(error->path);
}

static void deliver(struct tw_fault_log *log, bool fault, struct tw_place place,
                    struct tw_error *error)
{
    char line[512];
    const bool found = log->sink && is_new(&log->reported[fault], error);
    add_node(log, &place, error);
    if (fault && log->faults++ == 0)
        log->first = *error;
    if (!found)
        return;
    if (place.hidden)
        place.text = NULL;
    tw_quote_line(place, line, sizeof line);
    log->sink(log->context, fault, error, line);
}

enum tw_status tw_fault_log_add(struct tw_fault_log *log, enum tw_status status,
                                struct tw_place place, const char *hint, const char *format, ...)
{
    struct tw_error error;
    va_list arguments;
    va_start(arguments, format);
    build(&error, status, place, hint, format, arguments);
    va_end(arguments);
    deliver(log, true, place, &error);
    return status;
}

void tw_fault_log_warn(struct tw_fault_log *log, struct tw_place place, const char *format, ...)
{
    struct tw_error error;
    va_list arguments;
    va_start(arguments, format);
    build(&error, TW_OK, place, NULL, format, arguments);
    va_end(arguments);
    log->warnings++;
    deliver(log, false, place, &error);
}
