/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate.h"

#include "base/os/checkout.h"
#include "base/os/file.h"
#include "base/os/temporary.h"

#include <stdlib.h>
#include <string.h>

static int refuse_in_ci(const char *lock)
{
    struct tw_error error;
    tw_error_set(&error, TW_USAGE, "%s is not replaced: CI is set, and --yes was not given", lock);
    snprintf(error.hint, sizeof error.hint,
             "update locks where somebody looks at the difference, and commit them");
    return tw_console_error(&error);
}

static int write_lock(const struct tw_settings *settings, struct tw_gate_item *item)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_bytes bytes = {0};
    unsigned char *old = NULL;
    size_t length = 0;
    const char *ci = getenv("CI");
    const struct tw_checkout checkout = {settings->checkout};
    int code = 0;
    struct tw_file_id id = {0};
    enum tw_status status = tw_lock_print(item->after, &bytes, &error);
    bool exists = tw_file_identify(item->lock_file, false, &id, NULL) != TW_OK || id.exists;
    bool same = tw_file_read(item->lock_file, (size_t)1 << 24, &old, &length, NULL) == TW_OK &&
                length == bytes.length && memcmp(old, bytes.at, length) == 0;
    if (status == TW_OK && exists && !same && ci && ci[0] && !settings->yes) {
        code = refuse_in_ci(item->lock_file);
    } else if (status == TW_OK && !same) {
        status = tw_checkout_take(&checkout, item->lock_file, &error);
        if (status == TW_OK)
            status = tw_file_write(item->lock_file, bytes.at, bytes.length, &error);
        item->written = status == TW_OK;
    } else if (status == TW_OK) {
        tw_temporary_sweep(item->lock_file);
    }
    free(old);
    free(bytes.at);
    if (status != TW_OK)
        code = item->code = tw_console_error(&error);
    return code;
}

/* Refuses to overwrite a file that is not a lock. An empty file passes, and so does a lock with
 * merge conflicts, which still starts like one. */
static enum tw_status check_kind(const char *file, struct tw_error *err)
{
    static const char beginning[] = "thalweg-lock:";
    unsigned char *head = NULL;
    size_t length = 0;
    uint64_t total = 0;
    if (tw_file_read_head(file, sizeof beginning - 1, &head, &length, &total, NULL) != TW_OK)
        return TW_OK; /* there is no file to overwrite */
    bool is_lock = total == 0 || (length == sizeof beginning - 1 &&
                                  memcmp(head, beginning, sizeof beginning - 1) == 0);
    free(head);
    return is_lock ? TW_OK
                   : tw_error_set(err, TW_PATH, "%s is not a lock, and would be overwritten", file);
}

static enum tw_status check_lock(const struct tw_overwrite_guard *guard, const char *file,
                                 struct tw_error *err)
{
    enum tw_status status = tw_overwrite_guard_check(guard, file, file, err);
    if (status == TW_OK)
        status = tw_file_check_new(file, err);
    return status == TW_OK ? check_kind(file, err) : status;
}

int tw_gate_check_locks(const struct tw_gate_item *items, int32_t count)
{
    struct tw_overwrite_guard guard = {0};
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = tw_gate_guard(items, count, &guard, &error);
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        status = check_lock(&guard, items[i].lock_file, &error);
    tw_overwrite_guard_release(&guard);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

int tw_gate_write_locks(const struct tw_settings *settings, struct tw_gate_item *items,
                        int32_t count)
{
    int worst = tw_gate_check_locks(items, count);
    bool goes_on = worst == 0;
    for (int32_t i = 0; goes_on && i < count; i++) {
        int code = write_lock(settings, &items[i]);
        worst = code > worst ? code : worst;
        goes_on = code == 0 || items[i].code != 0; /* what CI refuses, it refuses for all */
    }
    return worst;
}
