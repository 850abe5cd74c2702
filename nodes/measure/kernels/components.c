/* SPDX-License-Identifier: MIT */
#include "measure/kernels/components.h"

#include <string.h>

/* Union-find by index: a root is the first cell of its group, paths are halved on the way. */
static int32_t root_of(int32_t *label, int32_t i)
{
    while (label[i] != i)
        i = label[i] = label[label[i]];
    return i;
}

static void join(int32_t *label, int32_t a, int32_t b)
{
    a = root_of(label, a);
    b = root_of(label, b);
    label[a > b ? a : b] = a < b ? a : b;
}

/* Gives place i of the row that starts at cell `row` its western neighbour's label, and joins it to
 * its northern one unless those of their west have been joined already. */
static void join_before(const uint8_t *in, int32_t *label, int32_t width, int32_t i, int32_t row)
{
    bool west = i > row && in[i - 1], north = row > 0 && in[i - width];
    label[i] = west ? label[i - 1] : i;
    if (north && !(west && in[i - 1 - width]))
        join(label, i, i - width);
}

enum tw_status tw_components_label(struct tw_task *task, const uint8_t *in, int32_t *label)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    for (int32_t y = 0; y < height; y++) {
        int32_t row = y * width;
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        for (int32_t i = row; i < row + width; i++) {
            label[i] = -1;
            if (in[i])
                join_before(in, label, width, i, row);
        }
        if (in[row] && in[row + width - 1])
            join(label, row, row + width - 1);
    }
    for (int32_t x = 0, last = (height - 1) * width; x < width; x++)
        if (in[x] && in[last + x])
            join(label, x, last + x);
    for (int32_t i = 0; i < width * height; i++)
        if (in[i])
            label[i] = label[label[i]];
    return TW_OK;
}

struct groups {
    int32_t width, height;
    size_t count;
    uint8_t *places;
    int32_t *label, *cells; /* group of a place; cells that a group covers, at its first place */
    int32_t *first, *last;  /* of each group: rows met in the column at hand */
};

/* A place's square reaches along its row; what two groups reach in one row never overlaps. Makes
 * labels of places into labels of reached cells. */
static void stretch_labels(const struct groups *s, int32_t size)
{
    int32_t w = s->width, reach = size < w ? size : w;
    for (int32_t y = 0; y < s->height; y++) {
        int32_t *row = s->label + (size_t)y * (size_t)w, current = -1, left = 0;
        for (int32_t i = w - reach; i < w + w; i++) {
            int32_t x = i < w ? i : i - w;
            bool place = s->places[(size_t)y * (size_t)w + (size_t)x] != 0;
            left = place ? reach : left - (left > 0);
            current = place ? row[x] : left ? current : -1;
            if (i >= w)
                row[x] = current;
        }
    }
}

/* Adds to each group what it covers of column x: every reached cell covers `reach` rows, or as many
 * as there are to the next reached cell of the group. */
static void cover_column(const struct groups *s, int32_t x, int32_t reach)
{
    const int32_t *column = s->label + x;
    for (int32_t y = 0; y < s->height; y++) {
        int32_t group = column[(size_t)y * (size_t)s->width];
        if (group < 0)
            continue;
        if (s->first[group] >= 0)
            s->cells[group] += y - s->last[group] < reach ? y - s->last[group] : reach;
        else
            s->first[group] = y;
        s->last[group] = y;
    }
    for (int32_t y = 0; y < s->height; y++) {
        int32_t group = column[(size_t)y * (size_t)s->width];
        if (group < 0 || s->first[group] != y)
            continue;
        int32_t gap = y + s->height - s->last[group];
        s->cells[group] += gap < reach ? gap : reach;
        s->first[group] = -1;
    }
}

static enum tw_status measure(struct tw_task *task, const struct groups *s, int32_t size)
{
    memset(s->cells, 0, s->count * sizeof *s->cells);
    if (size == 1) {
        for (size_t i = 0; i < s->count; i++)
            if (s->places[i])
                s->cells[s->label[i]]++;
        return TW_OK;
    }
    stretch_labels(s, size);
    memset(s->first, 0xff, s->count * sizeof *s->first);
    for (int32_t x = 0; x < s->width; x++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        cover_column(s, x, size < s->height ? size : s->height);
    }
    return TW_OK;
}

static bool allocate(struct tw_task *task, int32_t size, struct groups *s)
{
    s->label = tw_task_scratch(task, s->count, sizeof *s->label);
    s->cells = tw_task_scratch(task, s->count, sizeof *s->cells);
    if (size == 1)
        return s->label && s->cells;
    s->first = tw_task_scratch(task, s->count, sizeof *s->first);
    s->last = tw_task_scratch(task, s->count, sizeof *s->last);
    return s->label && s->cells && s->first && s->last;
}

enum tw_status tw_components_keep_widest(struct tw_task *task, int32_t size, uint8_t *places)
{
    struct groups s = {.width = tw_task_width(task), .height = tw_task_height(task)};
    int32_t best = 0;
    s.count = (size_t)s.width * (size_t)s.height;
    s.places = places;
    if (!allocate(task, size, &s))
        return tw_task_no_memory(task);
    enum tw_status status = tw_components_label(task, places, s.label);
    if (status == TW_OK)
        status = measure(task, &s, size);
    for (size_t i = 1; status == TW_OK && i < s.count; i++)
        if (s.cells[i] > s.cells[best])
            best = (int32_t)i;
    for (size_t i = 0; status == TW_OK && i < s.count; i++)
        places[i] = places[i] && s.label[i] == best;
    return status;
}

void tw_components_forecast(struct tw_forecast *f, int32_t size)
{
    struct groups s;
    tw_forecast_maps(f, 1, sizeof *s.label + sizeof *s.cells);
    if (size != 1)
        tw_forecast_maps(f, 1, sizeof *s.first + sizeof *s.last);
}
