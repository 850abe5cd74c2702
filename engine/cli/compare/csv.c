/* SPDX-License-Identifier: MIT */
/* Writes rows as seeds finish, so that memory holds at most one buffer of them. */
#include "cli/compare/csv.h"

#include "base/text/number.h"
#include "base/text/stream.h"
#include "base/text/text.h"
#include "console/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
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
    FILE *out = tw_stream_open(&rows, &length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    print(out, what);
    enum tw_status status = tw_stream_close(out) == 0
                                ? put(csv, rows, length, err)
                                : tw_error_set(err, TW_MEMORY, "out of memory");
    free(rows);
    return status;
}

static void put_cell(FILE *out, const char *text)
{
    fputc(',', out);
    if (text)
        tw_text_write(out, text, TW_TEXT_CSV);
}

static void print_head(FILE *out, const void *what)
{
    const struct tw_compare_csv *csv = what;
    const struct tw_experiment *e = csv->experiment;
    fputs("variant,seed,size", out);
    for (int32_t i = 0; i < csv->columns.count; i++)
        put_cell(out, csv->columns.names[i]);
    for (int32_t m = 0; csv->form == TW_CSV_WIDE && m < e->measure_count; m++)
        put_cell(out, e->measures[m].name);
    fputs(csv->form == TW_CSV_LONG ? ",measure,unit,value,digest\n" : "\n", out);
}

struct sampled {
    const struct tw_compare_csv *csv;
    uint64_t seed;
    const double *samples;
};

/* The cells that say what ran. */
static void print_run(FILE *out, const struct sampled *sampled, int32_t run)
{
    const struct tw_compare_columns *columns = &sampled->csv->columns;
    tw_text_write(out, sampled->csv->experiment->variants[run].name, TW_TEXT_CSV);
    fprintf(out, ",%" PRIu64 ",%s", sampled->seed, columns->sizes[run]);
    for (int32_t i = 0; i < columns->count; i++)
        put_cell(out, columns->values[(size_t)run * (size_t)columns->count + (size_t)i]);
}

static void print_wide(FILE *out, const void *what)
{
    const struct sampled *sampled = what;
    const struct tw_experiment *e = sampled->csv->experiment;
    const double *sample = sampled->samples;
    for (int32_t v = 0; v < e->run_count; v++) {
        print_run(out, sampled, v);
        for (int32_t m = 0; m < e->measure_count; m++)
            fprintf(out, ",%.9g", *sample++);
        fputs("\n", out);
    }
}

/* "s" of seconds, "1" of a share of cells; "" where the recipe decides. */
static const char *unit_of(const struct tw_measure *measure)
{
    if (tw_measure_is_seconds(measure))
        return "s";
    return measure->field && strstr(measure->field, "share(") ? "1" : "";
}

static void print_long(FILE *out, const void *what)
{
    const struct sampled *sampled = what;
    const struct tw_experiment *e = sampled->csv->experiment;
    const double *sample = sampled->samples;
    for (int32_t v = 0; v < e->run_count; v++)
        for (int32_t m = 0; m < e->measure_count; m++) {
            print_run(out, sampled, v);
            put_cell(out, e->measures[m].name);
            fprintf(out, ",%s,%.9g,%s\n", unit_of(&e->measures[m]), *sample++,
                    sampled->csv->columns.digests[v]);
        }
}

/* A parameter as a number if it is one. */
static json_t *value_json(const char *text)
{
    double number;
    if (!text)
        return json_null();
    if (!tw_number_parse(text, &number))
        return json_string(text);
    bool whole = fabs(number) < 1e15 && number == (double)(json_int_t)number;
    return whole ? json_integer((json_int_t)number) : json_real(number);
}

static void print_line(FILE *out, const struct sampled *sampled, int32_t run, int32_t measure,
                       double sample)
{
    const struct tw_compare_columns *columns = &sampled->csv->columns;
    const struct tw_experiment *e = sampled->csv->experiment;
    char seed[24]; /* a JSON number cannot hold all 64 bits */
    snprintf(seed, sizeof seed, "%" PRIu64, sampled->seed);
    json_t *line = json_pack("{s:s, s:s, s:o}", "variant", e->variants[run].name, "seed", seed,
                             "size", value_json(columns->sizes[run]));
    for (int32_t i = 0; i < columns->count; i++)
        json_object_set_new(
            line, columns->names[i],
            value_json(columns->values[(size_t)run * (size_t)columns->count + (size_t)i]));
    json_object_set_new(line, "measure", json_string(e->measures[measure].name));
    json_object_set_new(line, "unit", json_string(unit_of(&e->measures[measure])));
    json_object_set_new(line, "value", json_real(sample));
    json_object_set_new(line, "digest", json_string(columns->digests[run]));
    json_dumpf(line, out, JSON_COMPACT);
    json_decref(line);
    fputs("\n", out);
}

static void print_lines(FILE *out, const void *what)
{
    const struct sampled *sampled = what;
    const struct tw_experiment *e = sampled->csv->experiment;
    const double *sample = sampled->samples;
    for (int32_t v = 0; v < e->run_count; v++)
        for (int32_t m = 0; m < e->measure_count; m++)
            print_line(out, sampled, v, m, *sample++);
}

enum tw_status tw_compare_csv_open(const struct tw_experiment *experiment,
                                   const struct tw_compare_rounds *rounds,
                                   enum tw_compare_form form, const char *path,
                                   struct tw_compare_csv *csv, struct tw_error *err)
{
    *csv = (struct tw_compare_csv){.experiment = experiment,
                                   .form = form,
                                   .path = path,
                                   .is_stdout = tw_console_is_stdout(path),
                                   .buffer = malloc(BUFFER)};
    if (!csv->buffer)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        tw_compare_columns_find(experiment, rounds, form == TW_CSV_WIDE, &csv->columns, err);
    if (status == TW_OK && !csv->is_stdout) {
        status = tw_file_make_folder_of(path, err);
        if (status != TW_OK)
            return status;
        tw_temporary_sweep(path);
        csv->is_open = tw_temporary_open(path, &csv->file);
        if (!csv->is_open)
            return write_failed(csv, err);
    }
    if (status != TW_OK || form == TW_JSON_LINES)
        return status;
    return print_rows(csv, print_head, csv, err);
}

enum tw_status tw_compare_csv_add(struct tw_compare_csv *csv, uint64_t seed, const double *samples,
                                  struct tw_error *err)
{
    static void (*const forms[])(FILE *, const void *) = {
        [TW_CSV_WIDE] = print_wide, [TW_CSV_LONG] = print_long, [TW_JSON_LINES] = print_lines};
    const struct sampled sampled = {csv, seed, samples};
    return print_rows(csv, forms[csv->form], &sampled, err);
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
    tw_compare_columns_release(&csv->columns);
    *csv = (struct tw_compare_csv){0};
}
