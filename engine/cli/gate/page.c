/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate.h"

#include "console/output_file.h"
#include "report/gate_page.h"

/* Guards the files that the recipes read, and the file that --events is writing. */
static enum tw_status guard_files(const struct tw_settings *settings,
                                  const struct tw_gate_item *items, int32_t readers,
                                  struct tw_overwrite_guard *guard, struct tw_error *err)
{
    const char *events = settings->events;
    enum tw_status status = tw_gate_guard(items, readers, guard, err);
    if (status == TW_OK && events && !tw_console_is_stdout(events))
        status = tw_overwrite_guard_add(guard, events, "what --events writes", err);
    return status;
}

static int with_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                     int32_t count, int32_t readers,
                     enum tw_status (*work)(const struct tw_gate_page *page, struct tw_error *err))
{
    const struct tw_checkout checkout = {settings->checkout};
    struct tw_overwrite_guard guard = {.checkout = &checkout};
    struct tw_error error = {.status = TW_OK};
    const struct tw_gate_page page = {settings->out, &guard, items, count, settings->embed};
    enum tw_status status = guard_files(settings, items, readers, &guard, &error);
    if (status == TW_OK)
        status = work(&page, &error);
    tw_overwrite_guard_release(&guard);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_gate_check_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers)
{
    return with_page(settings, items, count, readers, tw_gate_page_check);
}

int tw_gate_write_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers)
{
    return with_page(settings, items, count, readers, tw_gate_page_write);
}
