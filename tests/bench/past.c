/* SPDX-License-Identifier: MIT */
#include "bench/past.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_past {
    json_t *root;
    int slower, faster, alike, missing;
};

struct bench_past *bench_past_read(const char *path, const char *clock, int32_t threads)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *old_clock = json_string_value(json_object_get(root, "clock"));
    json_int_t old_threads = json_integer_value(json_object_get(root, "threads"));
    struct bench_past *past = calloc(1, sizeof *past);
    if (!root && error.line < 1)
        fprintf(stderr, "bench: %s\n", error.text);
    else if (!root)
        fprintf(stderr, "bench: %s:%d: %s\n", path, error.line, error.text);
    else if (!format || !old_clock || strcmp(format, "thalweg.bench/1") != 0)
        fprintf(stderr, "bench: %s: found no result of bench --json\n", path);
    else if (strcmp(old_clock, clock) != 0 || old_threads != threads)
        fprintf(stderr,
                "bench: %s: measured by the %s clock with --threads %d; expected the same as now\n",
                path, old_clock, (int)old_threads);
    else if (past) {
        past->root = root;
        return past;
    }
    json_decref(root);
    free(past);
    return NULL;
}

static const json_t *find(const struct bench_past *past, const char *name, int32_t width)
{
    const json_t *rows = json_object_get(past->root, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *text = json_string_value(json_object_get(row, "name"));
        if (text && strcmp(text, name) == 0 &&
            json_integer_value(json_object_get(row, "width")) == width)
            return row;
    }
    return NULL;
}

static struct bench_range read_range(const json_t *row)
{
    double middle = json_number_value(json_object_get(row, "node_ns"));
    const json_t *low = json_object_get(row, "low_ns"), *high = json_object_get(row, "high_ns");
    return (struct bench_range){middle, low ? json_number_value(low) : middle * 0.9,
                                high ? json_number_value(high) : middle * 1.1};
}

void bench_past_compare(struct bench_past *past, const char *name, int32_t width,
                        const struct bench_range *now)
{
    const json_t *row = find(past, name, width);
    if (!row) {
        past->missing++;
        return;
    }
    struct bench_range old = read_range(row);
    bool slower = now->low > old.high, faster = now->high < old.low;
    past->slower += slower;
    past->faster += faster;
    past->alike += !slower && !faster;
    if (slower || faster)
        fprintf(stderr, "%s: %s at %d: %.3f ns (%.3f to %.3f) -> %.3f (%.3f to %.3f), %.2f times\n",
                slower ? "slower" : "faster", name, width, old.middle, old.low, old.high,
                now->middle, now->low, now->high,
                slower ? now->middle / old.middle : old.middle / now->middle);
}

int bench_past_finish(struct bench_past *past)
{
    int slower = past->slower;
    fprintf(stderr, "%d rows slower, %d faster, %d within the noise, %d not in the old result\n",
            slower, past->faster, past->alike, past->missing);
    json_decref(past->root);
    free(past);
    return slower;
}
