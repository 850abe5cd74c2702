/* SPDX-License-Identifier: MIT */
/* A row per variant or trial: what it sets, its means of the two measures of front:, and whether it
 * is on the front. */
#include "cli/compare/compare.h"

#include "base/text/text.h"
#include "study/front.h"
#include "study/levels.h"

#include <stdlib.h>
#include <string.h>

struct columns {
    const char **names; /* parameters that points set */
    int32_t count, capacity;
};

static bool add_column(struct columns *columns, const char *name)
{
    for (int32_t i = 0; i < columns->count; i++)
        if (strcmp(columns->names[i], name) == 0)
            return true;
    if (columns->count == columns->capacity) {
        int32_t capacity = 2 * columns->capacity + 8;
        const char **names = realloc((void *)columns->names, (size_t)capacity * sizeof *names);
        if (!names)
            return false;
        columns->names = names;
        columns->capacity = capacity;
    }
    columns->names[columns->count++] = name;
    return true;
}

static bool find_columns(const struct tw_comparison *c, const struct tw_front_set *front,
                         struct columns *columns)
{
    for (int32_t k = 0; k < front->count; k++) {
        int32_t count;
        const struct tw_setting *settings = tw_front_settings(c, front, k, &count);
        for (int32_t i = 0; i < count; i++)
            if (!add_column(columns, settings[i].name))
                return false;
    }
    return true;
}

static void print_head(FILE *out, const struct tw_experiment *e, const struct columns *columns)
{
    fputs("of,level,variant,trial", out);
    for (int32_t i = 0; i < columns->count; i++) {
        fputs(",params.", out);
        tw_text_write(out, columns->names[i], TW_TEXT_CSV);
    }
    for (int i = 0; i < 2; i++) {
        fputs(",", out);
        tw_text_write(out, e->measures[e->front[i].measure].name, TW_TEXT_CSV);
    }
    fputs(",front,knee\n", out);
}

static void print_point(FILE *out, const struct tw_comparison *c, const struct tw_front_set *front,
                        int32_t point, const struct columns *columns)
{
    const struct tw_experiment *e = c->experiment;
    int32_t at = front->points[point].at, count;
    const struct tw_setting *settings = tw_front_settings(c, front, point, &count);
    if (front->level >= 0) {
        fprintf(out, "variants,%d,", (int)front->level + 1);
        tw_text_write(out, e->variants[at].name, TW_TEXT_CSV);
        fputs(",", out);
    } else {
        fprintf(out, "trials,,,%d", (int)at + 1);
    }
    for (int32_t i = 0; i < columns->count; i++) {
        fputs(",", out);
        for (int32_t k = 0; k < count; k++)
            if (strcmp(settings[k].name, columns->names[i]) == 0)
                tw_text_write(out, settings[k].text, TW_TEXT_CSV);
    }
    for (int i = 0; i < 2; i++)
        fprintf(out, ",%.9g", tw_front_mean(c, front, point, e->front[i].measure));
    fprintf(out, ",%d,%d\n", point < front->on, point == front->knee);
}

enum tw_status tw_compare_fronts_csv(FILE *out, const struct tw_comparison *c, struct tw_error *err)
{
    struct columns columns = {0};
    enum tw_status status = TW_OK;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; status == TW_OK && i < tw_front_count(c); i++) {
            struct tw_front_set front;
            status = tw_front_of(c, i, &front, err);
            if (status == TW_OK && pass == 0 && !find_columns(c, &front, &columns))
                status = tw_error_set(err, TW_MEMORY, "out of memory");
            if (status == TW_OK && pass == 1 && i == 0)
                print_head(out, c->experiment, &columns);
            for (int32_t k = 0; status == TW_OK && pass == 1 && k < front.count; k++)
                print_point(out, c, &front, k, &columns);
            tw_front_release(&front);
        }
    free((void *)columns.names);
    return status;
}
