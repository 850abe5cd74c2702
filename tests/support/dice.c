/* SPDX-License-Identifier: MIT */
#include "support/dice.h"

#include "node/param.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_MAX = 40, ROWS_MAX = 6 };

/* Parameters whose extremes take hours rather than being wrong. */
static const struct {
    const char *type, *name;
    double min, max;
} costly[] = {{"erosion.creep", "dt", 0, 0.1},          {"erosion.creep", "diffusivity", 0, 0.1},
              {"erosion.pipes", "dt", 1e-9, 0.1},       {"erosion.pipes", "gravity", 1e-6, 100},
              {"erosion.pipes", "pipe_area", 1e-6, 10}, {"erosion.droplets", "density", 0, 2},
              {"island.scatter", "distance", 0.01, 1}};

double dice_share(struct dice *dice)
{
    return (double)tw_random(dice->key, dice->set, dice->throws++, 0, 0).at[0] / 4294967296.0;
}

int32_t dice_below(struct dice *dice, int32_t count) { return (int32_t)(dice_share(dice) * count); }

double dice_number(struct dice *dice, double min, double max, double initial)
{
    int32_t how = dice_below(dice, 10);
    if (how < 3)
        return how == 0 ? min : how == 1 ? max : initial;
    if (max - min <= 100)
        return min + dice_share(dice) * (max - min);
    double largest = fmax(fabs(min), fabs(max));
    double number = largest * pow(10, -9 * dice_share(dice));
    if (min < 0 && (max <= 0 || dice_share(dice) < 0.5))
        number = -number;
    return fmin(fmax(number, min), max);
}

/* Whole numbers are often counts of iterations: small ones test as much. */
static int32_t throw_whole(struct dice *dice, const struct tw_param *row)
{
    double max = fmin(row->max, fmax(row->min, 0) + WHOLE_MAX);
    return (int32_t)floor(dice_number(dice, row->min, max, fmin(row->initial, max)));
}

static int by_first(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

/* Returns a number or a word's index; now and then what a row leaves out. */
static float throw_cell(struct dice *dice, const struct tw_column *column)
{
    int length;
    const float cell =
        (float)dice_number(dice, fmax(column->min, -10), fmin(column->max, 10), column->initial);
    if (column->initial < column->min && dice_below(dice, 2))
        return (float)column->initial;
    return tw_column_word(column, 0, &length) ? floorf(cell) : cell;
}

static void throw_table(struct dice *dice, const struct tw_param *row, struct tw_table *table)
{
    static float cells[ROWS_MAX * TW_COLUMNS_MAX];
    int32_t columns = 0;
    while (row->columns[columns].name)
        columns++;
    *table = (struct tw_table){dice_below(dice, ROWS_MAX + 1), columns, cells};
    for (int32_t i = 0; i < table->rows * columns; i++)
        cells[i] = throw_cell(dice, &row->columns[i % columns]);
    if (dice_below(dice, 2)) /* many tables must rise */
        qsort(cells, (size_t)table->rows, (size_t)columns * sizeof *cells, by_first);
}

static int32_t count_labels(const struct tw_param *row)
{
    int32_t count = 0;
    int length;
    while (tw_param_label(row, count, &length))
        count++;
    return count;
}

static double throw_float(struct dice *dice, const struct tw_param *row, const char *type)
{
    double min = row->min, max = row->max;
    for (size_t i = 0; i < sizeof costly / sizeof *costly; i++)
        if (strcmp(costly[i].type, type) == 0 && strcmp(costly[i].name, row->name) == 0) {
            min = fmax(min, costly[i].min);
            max = fmin(max, costly[i].max);
        }
    return dice_number(dice, min, max, row->initial);
}

void dice_param(struct dice *dice, const struct tw_param *row, const char *type, void *params)
{
    void *field = (unsigned char *)params + row->offset;
    struct tw_list *list = field;
    struct tw_labels *labels = field;
    if (row->word && dice_below(dice, 4) == 0) {
        if (row->kind == TW_KIND_F32)
            *(float *)field = (float)row->stands_for;
        else
            *(int32_t *)field = (int32_t)row->stands_for;
        return;
    }
    switch (row->kind) {
    case TW_KIND_F32:
        *(float *)field = (float)throw_float(dice, row, type);
        break;
    case TW_KIND_I32:
        *(int32_t *)field = throw_whole(dice, row);
        if (strcmp(row->name, "side") == 0) /* a far smaller one would take hours */
            *(int32_t *)field = 16 + dice_below(dice, 64);
        break;
    case TW_KIND_BOOL:
        *(bool *)field = dice_below(dice, 2);
        break;
    case TW_KIND_ENUM:
        *(int32_t *)field = dice_below(dice, count_labels(row));
        break;
    case TW_KIND_LIST:
        list->count = dice_below(dice, 17);
        for (int32_t i = 0; i < list->count; i++)
            list->at[i] = (float)dice_number(dice, row->min, row->max, 0.5);
        break;
    case TW_KIND_LABELS:
        labels->count = 1 + dice_below(dice, 16);
        for (int32_t i = 0; i < labels->count; i++)
            labels->at[i] = dice_below(dice, count_labels(row));
        break;
    case TW_KIND_TABLE:
        if (dice_below(dice, 4)) /* otherwise keeps the example's */
            throw_table(dice, row, field);
        break;
    case TW_KIND_FILE:
    case TW_KIND_FORMULA:
        break;
    }
}
