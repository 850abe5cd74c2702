/* SPDX-License-Identifier: MIT */
/* Compares what a lock records of results with the results that have the same digest. */
#include "gate/lock.h"

#include "base/text/number.h"

#include <math.h>
#include <string.h>

static const struct tw_result_facts *find(const struct tw_result_facts *list, int32_t count,
                                          const struct tw_result_facts *other)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(list[i].name, other->name) == 0 && strcmp(list[i].sha256, other->sha256) == 0)
            return &list[i];
    return NULL;
}

static enum tw_status refuse(const struct tw_result_facts *recorded, const char *what,
                             const char *found, const char *expected, struct tw_error *err)
{
    tw_error_set(err, TW_INPUT, "%s: %s is %s; its SHA-256 is that of %s", recorded->name, what,
                 found, expected);
    if (err) {
        err->line = recorded->line;
        err->column = recorded->column;
        snprintf(err->hint, sizeof err->hint,
                 "the lock was edited: write it anew with 'thalweg lock'");
    }
    return TW_INPUT;
}

static enum tw_status check_number(const struct tw_result_facts *recorded, const char *what,
                                   double found, double expected, struct tw_error *err)
{
    char texts[2][32];
    /* cells' values are printed as floats; means are sums, whose order may change */
    if ((float)found == (float)expected || fabs(found - expected) <= 1e-9 * fabs(expected))
        return TW_OK;
    tw_number_print(texts[0], sizeof texts[0], found);
    tw_number_print(texts[1], sizeof texts[1], expected);
    return refuse(recorded, what, texts[0], texts[1], err);
}

static enum tw_status check(const struct tw_result_facts *recorded,
                            const struct tw_result_facts *actual, struct tw_error *err)
{
    char texts[2][32];
    enum tw_status status = TW_OK;
    if (strcmp(recorded->type, actual->type) != 0)
        return refuse(recorded, "type", recorded->type, actual->type, err);
    if (recorded->width != actual->width || recorded->height != actual->height) {
        snprintf(texts[0], sizeof texts[0], "[%d, %d]", (int)recorded->width,
                 (int)recorded->height);
        snprintf(texts[1], sizeof texts[1], "[%d, %d]", (int)actual->width, (int)actual->height);
        return refuse(recorded, "size", texts[0], texts[1], err);
    }
    if (!recorded->ranged || !actual->ranged)
        return TW_OK;
    status = check_number(recorded, "least", recorded->least, actual->least, err);
    if (status == TW_OK)
        status = check_number(recorded, "greatest", recorded->greatest, actual->greatest, err);
    return status == TW_OK ? check_number(recorded, "mean", recorded->mean, actual->mean, err)
                           : status;
}

static enum tw_status check_all(const struct tw_result_facts *recorded, int32_t count,
                                const struct tw_result_facts *now, int32_t now_count,
                                struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < count; i++) {
        const struct tw_result_facts *actual = find(now, now_count, &recorded[i]);
        status = actual ? check(&recorded[i], actual, err) : TW_OK;
    }
    return status;
}

enum tw_status tw_lock_check(const struct tw_snapshot *lock, const struct tw_snapshot *now,
                             struct tw_error *err)
{
    enum tw_status status =
        check_all(lock->outputs, lock->output_count, now->outputs, now->output_count, err);
    return status == TW_OK
               ? check_all(lock->exports, lock->export_count, now->exports, now->export_count, err)
               : status;
}
