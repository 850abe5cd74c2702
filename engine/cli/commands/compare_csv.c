/* SPDX-License-Identifier: MIT */
/* Writes rows as seeds finish, so that memory holds at most one buffer of them. */
#include "cli/commands/compare_csv.h"

#include "base/text/text.h"
#include "console/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

static enum tw_status write_failed(const struct tw_compare_csv *csv, struct tw_error *err)
{
    return tw_error_set(err, TW_IO, "cannot write %s: %s", csv->path, strerror(errno));
}

static enum tw_status flush(struct tw_compare_csv *csv, struct tw_error *err)
{
    size_t length = csv->used;
    csv->used = 0;
    if (csv->is_stdout)
        return tw_console_write_stdout(csv->buffer, length, err);
    return tw_file_write_all(csv->file.descriptor, csv->buffer, length) ? TW_OK
                                                                        : write_failed(csv, err);
}

static enum tw_status put(struct tw_compare_csv *csv, const char *text, size_t length,
                          struct tw_error *err)
{
    enum tw_status status = TW_OK;
    while (status == TW_OK && length > 0) {
        size_t part = BUFFER - csv->used < length ? BUFFER - csv->used : length;
        memcpy(csv->buffer + csv->used, text, part);
        csv->used += part;
        text += part;
        length -= part;
        if (csv->used == BUFFER)
            status = flush(csv, err);
    }
    return status;
}

/* Appends the output of `print` to the buffer. */
static enum tw_status print_rows(struct tw_compare_csv *csv,
                                 void (*print)(FILE *out, const void *what), const void *what,
                                 struct tw_error *err)
{
    char *rows = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&rows, &length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    print(out, what);
    enum tw_status status = fclose(out) == 0 ? put(csv, rows, length, err)
                                             : tw_error_set(err, TW_MEMORY, "out of memory");
    free(rows);
    return status;
}

static void print_head(FILE *out, const void *what)
{
    const struct tw_experiment *e = what;
    fputs("variant,seed", out);
    for (int32_t m = 0; m < e->measure_count; m++) {
        fputc(',', out);
        tw_text_write(out, e->measures[m].name, TW_TEXT_CSV);
    }
    fputs("\n", out);
}

struct sampled {
    const struct tw_experiment *experiment;
    uint64_t seed;
    const double *samples;
};

static void print_samples(FILE *out, const void *what)
{
    const struct sampled *sampled = what;
    const struct tw_experiment *e = sampled->experiment;
    const double *sample = sampled->samples;
    for (int32_t v = 0; v < e->run_count; v++) {
        tw_text_write(out, e->variants[v].name, TW_TEXT_CSV);
        fprintf(out, ",%" PRIu64, sampled->seed);
        for (int32_t m = 0; m < e->measure_count; m++)
            fprintf(out, ",%.9g", *sample++);
        fputs("\n", out);
    }
}

enum tw_status tw_compare_csv_open(const struct tw_experiment *experiment, const char *path,
                                   struct tw_compare_csv *csv, struct tw_error *err)
{
    *csv = (struct tw_compare_csv){.experiment = experiment,
                                   .path = path,
                                   .is_stdout = tw_console_is_stdout(path),
                                   .buffer = malloc(BUFFER)};
    if (!csv->buffer)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!csv->is_stdout) {
        enum tw_status status = tw_file_make_folder_of(path, err);
        if (status != TW_OK)
            return status;
        tw_temporary_sweep(path);
        csv->is_open = tw_temporary_open(path, &csv->file);
        if (!csv->is_open)
            return write_failed(csv, err);
    }
    return print_rows(csv, print_head, experiment, err);
}

enum tw_status tw_compare_csv_add(struct tw_compare_csv *csv, uint64_t seed, const double *samples,
                                  struct tw_error *err)
{
    const struct sampled sampled = {csv->experiment, seed, samples};
    return print_rows(csv, print_samples, &sampled, err);
}

enum tw_status tw_compare_csv_finish(struct tw_compare_csv *csv, struct tw_error *err)
{
    enum tw_status status = flush(csv, err);
    if (status != TW_OK || csv->is_stdout)
        return status;
    if (!tw_file_sync(csv->file.descriptor))
        return write_failed(csv, err);
    csv->is_open = false;
    return tw_temporary_finish(&csv->file, csv->path) ? TW_OK : write_failed(csv, err);
}

void tw_compare_csv_release(struct tw_compare_csv *csv)
{
    if (csv->is_open)
        tw_temporary_remove(&csv->file);
    free(csv->buffer);
    *csv = (struct tw_compare_csv){0};
}
