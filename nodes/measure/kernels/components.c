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

struct labelling {
    const uint8_t *in;
    int32_t *label;
    int32_t width, height;
};

enum { ROWS_A_STRIP = 64 };

static int32_t strip_begin(const struct labelling *l, int32_t strip)
{
    int32_t row = strip * ROWS_A_STRIP;
    return (row < l->height ? row : l->height) * l->width;
}

/* Gives place i of the row that starts at cell `row` its western neighbour's label, and joins it to
 * its northern one unless those of their west have been joined already. */
static void join_before(const struct labelling *l, int32_t i, int32_t row, bool has_north)
{
    const uint8_t *in = l->in;
    bool west = i > row && in[i - 1], north = has_north && in[i - l->width];
    l->label[i] = west ? l->label[i - 1] : i;
    if (north && !(west && in[i - 1 - l->width]))
        join(l->label, i, i - l->width);
}

/* Strips of rows by themselves: every place gets the first cell of its group within the strip. */
static void label_strips(void *context, int32_t begin_strip, int32_t end_strip)
{
    const struct labelling *l = context;
    for (int32_t strip = begin_strip; strip < end_strip; strip++) {
        int32_t first = strip_begin(l, strip), last = strip_begin(l, strip + 1);
        for (int32_t row = first; row < last; row += l->width) {
            for (int32_t i = row; i < row + l->width; i++) {
                l->label[i] = -1;
                if (l->in[i])
                    join_before(l, i, row, row > first);
            }
            if (l->in[row] && l->in[row + l->width - 1])
                join(l->label, row, row + l->width - 1);
        }
        for (int32_t i = first; i < last; i++)
            if (l->in[i])
                l->label[i] = l->label[l->label[i]];
    }
}

/* Joins the groups of the rows that start at cells `upper` and `lower`. Ways lead over first cells
 * of strips' groups, so that the other places keep theirs. */
static void join_rows(const struct labelling *l, int32_t upper, int32_t lower)
{
    for (int32_t x = 0; x < l->width; x++)
        if (l->in[upper + x] && l->in[lower + x])
            join(l->label, l->label[upper + x], l->label[lower + x]);
}

/* The strips' groups that meet others get the first cell of all that are joined. */
static void shorten_ways(const struct labelling *l, int32_t row)
{
    for (int32_t i = row; i < row + l->width; i++) {
        if (!l->in[i])
            continue;
        int32_t root = root_of(l->label, l->label[i]);
        l->label[l->label[i]] = root;
        l->label[i] = root; /* which may be the strip's first cell itself */
    }
}

static void join_strips(const struct labelling *l, int32_t strips)
{
    for (int32_t strip = 0; strip < strips; strip++) {
        int32_t first = strip_begin(l, strip);
        join_rows(l, (first ? first : l->width * l->height) - l->width, first);
    }
    for (int32_t strip = 0; strip < strips; strip++) {
        shorten_ways(l, strip_begin(l, strip));
        shorten_ways(l, strip_begin(l, strip + 1) - l->width);
    }
}

/* What lies outside the strip is a first cell already. */
static void finish_strips(void *context, int32_t begin_strip, int32_t end_strip)
{
    const struct labelling *l = context;
    for (int32_t strip = begin_strip; strip < end_strip; strip++) {
        int32_t first = strip_begin(l, strip), last = strip_begin(l, strip + 1);
        for (int32_t i = first; i < last; i++)
            if (l->in[i] && l->label[i] >= first && l->label[i] < last)
                l->label[i] = l->label[l->label[i]];
    }
}

enum tw_status tw_components_label(struct tw_task *task, const uint8_t *in, int32_t *label)
{
    struct labelling labelling = {in, label, tw_task_width(task), tw_task_height(task)};
    int32_t strips = (labelling.height - 1) / ROWS_A_STRIP + 1;
    tw_rows(task, strips, 1, label_strips, &labelling);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    join_strips(&labelling, strips);
    tw_rows(task, strips, 1, finish_strips, &labelling);
    return TW_OK;
}

struct groups {
    int32_t width, height;
    size_t count;
    uint8_t *places;
    int32_t *label, *cells; /* group of a place; cells that a group covers, at its first place */
    int32_t *first, *last;  /* of each group: rows met in the column at hand */
    int32_t best;           /* the group that covers most */
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

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct groups *s = context;
    size_t w = (size_t)s->width;
    memset(s->cells + (size_t)begin * w, 0, (size_t)(end - begin) * w * sizeof *s->cells);
}

/* Runs of one group at once. */
static void count_places(const struct groups *s)
{
    for (size_t i = 0; i < s->count;) {
        size_t first = i++;
        if (!s->places[first])
            continue;
        while (i < s->count && s->places[i] && s->label[i] == s->label[first])
            i++;
        s->cells[s->label[first]] += (int32_t)(i - first);
    }
}

static void keep_rows(void *context, int32_t begin, int32_t end)
{
    const struct groups *s = context;
    size_t w = (size_t)s->width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++)
        s->places[i] = s->places[i] && s->label[i] == s->best;
}

static enum tw_status measure(struct tw_task *task, struct groups *s, int32_t size)
{
    tw_rows(task, s->height, 32, clear_rows, s);
    if (size == 1) {
        count_places(s);
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
    s.count = (size_t)s.width * (size_t)s.height;
    s.places = places;
    if (!allocate(task, size, &s))
        return tw_task_no_memory(task);
    enum tw_status status = tw_components_label(task, places, s.label);
    if (status == TW_OK)
        status = measure(task, &s, size);
    for (size_t i = 1; status == TW_OK && i < s.count; i++)
        if (s.cells[i] > s.cells[s.best])
            s.best = (int32_t)i;
    if (status == TW_OK)
        tw_rows(task, s.height, 32, keep_rows, &s);
    return status;
}

void tw_components_forecast(struct tw_forecast *f, int32_t size)
{
    struct groups s;
    tw_forecast_maps(f, 1, sizeof *s.label + sizeof *s.cells);
    if (size != 1)
        tw_forecast_maps(f, 1, sizeof *s.first + sizeof *s.last);
}
