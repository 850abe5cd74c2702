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

static enum tw_status refuse(const struct tw_result_facts *said, const char *what,
                             const char *found, const char *expected, struct tw_error *err)
{
    tw_error_set(err, TW_INPUT, "%s: %s is %s; its SHA-256 is that of %s", said->name, what, found,
                 expected);
    if (err) {
        err->line = said->line;
        err->column = said->column;
        snprintf(err->hint, sizeof err->hint,
                 "the lock was edited: write it anew with 'thalweg lock'");
    }
    return TW_INPUT;
}

static enum tw_status check_number(const struct tw_result_facts *said, const char *what,
                                   double found, double expected, struct tw_error *err)
{
    char texts[2][32];
    /* cells' values are printed as floats; means are sums, whose order may change */
    if ((float)found == (float)expected || fabs(found - expected) <= 1e-9 * fabs(expected))
        return TW_OK;
    tw_number_print(texts[0], sizeof texts[0], found);
    tw_number_print(texts[1], sizeof texts[1], expected);
    return refuse(said, what, texts[0], texts[1], err);
}

static enum tw_status check(const struct tw_result_facts *said, const struct tw_result_facts *is,
                            struct tw_error *err)
{
    char texts[2][32];
    enum tw_status status = TW_OK;
    if (strcmp(said->type, is->type) != 0)
        return refuse(said, "type", said->type, is->type, err);
    if (said->width != is->width || said->height != is->height) {
        snprintf(texts[0], sizeof texts[0], "[%d, %d]", (int)said->width, (int)said->height);
        snprintf(texts[1], sizeof texts[1], "[%d, %d]", (int)is->width, (int)is->height);
        return refuse(said, "size", texts[0], texts[1], err);
    }
    if (!said->ranged || !is->ranged)
        return TW_OK;
    status = check_number(said, "least", said->least, is->least, err);
    if (status == TW_OK)
        status = check_number(said, "greatest", said->greatest, is->greatest, err);
    return status == TW_OK ? check_number(said, "mean", said->mean, is->mean, err) : status;
}

static enum tw_status check_all(const struct tw_result_facts *said, int32_t count,
                                const struct tw_result_facts *now, int32_t now_count,
                                struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < count; i++) {
        const struct tw_result_facts *is = find(now, now_count, &said[i]);
        status = is ? check(&said[i], is, err) : TW_OK;
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
