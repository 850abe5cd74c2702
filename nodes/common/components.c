/* SPDX-License-Identifier: MIT */
/* Runs of strips of rows are joined side by side, then those of neighbouring strips. The rest is
 * work for each run, of which there are few. */
#include "common/components.h"

#include <string.h>

enum { ROWS_A_STRIP = 64 };

/* Union-find by index: a root is the first run of its group, paths are halved on the way. */
static int32_t root_of(struct tw_cell_run *run, int32_t i)
{
    while (run[i].group != i)
        i = run[i].group = run[run[i].group].group;
    return i;
}

static void join(struct tw_cell_run *run, int32_t a, int32_t b)
{
    a = root_of(run, a);
    b = root_of(run, b);
    run[a > b ? a : b].group = a < b ? a : b;
}

/* ---- runs ---- */

struct finding {
    const struct tw_bitmap *map;
    const struct tw_cell_runs *runs;
};

/* Of word i of a row, the cells where runs begin and where they end. */
static uint64_t find_begins(const uint64_t *row, int32_t i)
{
    return row[i] & ~(row[i] << 1 | (i ? row[i - 1] >> 63 : 0));
}

static uint64_t find_ends(const uint64_t *row, int32_t i, int32_t words)
{
    return row[i] & ~(row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0));
}

/* `row` has at each place how many runs the row above has; their sums come after. */
static void count_rows(void *context, int32_t begin, int32_t end)
{
    const struct finding *f = context;
    for (int32_t y = begin; y < end; y++) {
        const uint64_t *row = tw_bitmap_row(f->map, y);
        int32_t count = 0;
        for (int32_t i = 0; i < f->map->stride; i++)
            count += tw_bitmap_count_word(find_begins(row, i));
        f->runs->row[y + 1] = count;
    }
}

static void find_row(const struct finding *f, int32_t y)
{
    const uint64_t *row = tw_bitmap_row(f->map, y);
    int32_t begun = f->runs->row[y], ended = begun;
    struct tw_cell_run *run = f->runs->run;
    for (int32_t i = 0; i < f->map->stride; i++) {
        for (uint64_t bits = find_begins(row, i); bits; bits &= bits - 1) {
            run[begun].begin = i * 64 + __builtin_ctzll(bits);
            run[begun].group = begun;
            begun++;
        }
        for (uint64_t bits = find_ends(row, i, f->map->stride); bits; bits &= bits - 1)
            run[ended++].end = i * 64 + __builtin_ctzll(bits) + 1;
    }
}

/* Joins the first and the last run of a row where the row's ends meet. */
static void join_ends(const struct finding *f, int32_t y)
{
    int32_t first = f->runs->row[y], last = f->runs->row[y + 1] - 1;
    struct tw_cell_run *run = f->runs->run;
    if (first < last && run[first].begin == 0 && run[last].end == f->map->width)
        join(run, first, last);
}

static void join_rows(const struct tw_cell_runs *runs, int32_t upper, int32_t lower)
{
    struct tw_cell_run *run = runs->run;
    int32_t i = runs->row[upper], i_end = runs->row[upper + 1];
    int32_t k = runs->row[lower], k_end = runs->row[lower + 1];
    while (i < i_end && k < k_end) {
        if (run[i].begin < run[k].end && run[k].begin < run[i].end)
            join(run, i, k);
        if (run[i].end < run[k].end)
            i++;
        else
            k++;
    }
}

static void find_strips(void *context, int32_t begin, int32_t end)
{
    const struct finding *f = context;
    int32_t last = end <= f->map->height / ROWS_A_STRIP ? end * ROWS_A_STRIP : f->map->height;
    for (int32_t y = begin * ROWS_A_STRIP; y < last; y++) {
        find_row(f, y);
        if (f->map->wrap)
            join_ends(f, y);
        if (y % ROWS_A_STRIP != 0)
            join_rows(f->runs, y - 1, y);
    }
}

static size_t most_runs(int32_t width, int32_t height)
{
    return ((size_t)width + 1) / 2 * (size_t)height;
}

bool tw_cell_runs_lay_out(struct tw_scratch *s, struct tw_cell_runs *runs)
{
    runs->height = tw_scratch_height(s);
    runs->run = tw_scratch_take(s, most_runs(tw_scratch_width(s), runs->height), sizeof *runs->run);
    runs->row = tw_scratch_take(s, (uint64_t)runs->height + 1, sizeof *runs->row);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_cell_runs_find(struct tw_task *task, const struct tw_bitmap *map,
                                 struct tw_cell_runs *runs)
{
    struct finding finding = {map, runs};
    int32_t strips = (map->height - 1) / ROWS_A_STRIP + 1;
    tw_rows(task, map->height, 64, count_rows, &finding);
    runs->row[0] = 0;
    for (int32_t y = 0; y < map->height; y++)
        runs->row[y + 1] += runs->row[y];
    tw_rows(task, strips, 1, find_strips, &finding);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    for (int32_t y = map->wrap ? 0 : ROWS_A_STRIP; y < map->height; y += ROWS_A_STRIP)
        join_rows(runs, (y ? y : map->height) - 1, y);
    for (int32_t i = 0; i < runs->row[map->height]; i++) /* groups come before what joined them */
        runs->run[i].group = runs->run[runs->run[i].group].group;
    return TW_OK;
}

/* ---- the widest group ---- */

struct groups {
    int32_t width, height, size;
    const struct tw_bitmap *places;
    struct tw_cell_runs runs;
    int32_t *cells;        /* that a group covers, at its first run */
    int32_t *label;        /* the group whose squares reach a cell along its row, or -1 */
    int32_t *first, *last; /* of each group: rows met in the column at hand */
    int32_t best;          /* the group that covers most */
};

/* The cells that two groups reach in one row never overlap. */
static void label_rows(void *context, int32_t begin, int32_t end)
{
    const struct groups *s = context;
    int32_t w = s->width, reach = s->size < w ? s->size : w;
    for (int32_t y = begin; y < end; y++) {
        int32_t *row = s->label + (size_t)y * (size_t)w;
        memset(row, 0xff, (size_t)w * sizeof *row);
        for (int32_t i = s->runs.row[y]; i < s->runs.row[y + 1]; i++) {
            const struct tw_cell_run *run = &s->runs.run[i];
            for (int32_t x = run->begin; x < run->end + reach - 1 && x < run->begin + w; x++)
                row[x < w ? x : x - w] = run->group;
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

static enum tw_status cover_columns(struct tw_task *task, struct groups *s, size_t runs)
{
    tw_rows(task, s->height, 32, label_rows, s);
    memset(s->first, 0xff, runs * sizeof *s->first);
    for (int32_t x = 0; x < s->width; x++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        cover_column(s, x, s->size < s->height ? s->size : s->height);
    }
    return TW_OK;
}

static enum tw_status measure(struct tw_task *task, struct groups *s)
{
    const struct tw_cell_run *run = s->runs.run;
    int32_t runs = s->runs.row[s->height];
    memset(s->cells, 0, (size_t)runs * sizeof *s->cells);
    for (int32_t i = 0; s->size == 1 && i < runs; i++)
        s->cells[run[i].group] += run[i].end - run[i].begin;
    enum tw_status status = s->size == 1 ? TW_OK : cover_columns(task, s, (size_t)runs);
    for (int32_t i = 1; i < runs; i++)
        if (s->cells[i] > s->cells[s->best])
            s->best = i;
    return status;
}

static void clear_run(uint64_t *row, const struct tw_cell_run *run)
{
    int32_t first = run->begin / 64, last = (run->end - 1) / 64;
    uint64_t from_begin = ~(uint64_t)0 << run->begin % 64;
    uint64_t to_end = ~(uint64_t)0 >> (63 - (run->end - 1) % 64);
    if (first == last) {
        row[first] &= ~(from_begin & to_end);
        return;
    }
    row[first] &= ~from_begin;
    memset(row + first + 1, 0, (size_t)(last - first - 1) * sizeof *row);
    row[last] &= ~to_end;
}

/* Keeps only the best group's runs. */
static void keep_rows(void *context, int32_t begin, int32_t end)
{
    const struct groups *s = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t i = s->runs.row[y]; i < s->runs.row[y + 1]; i++)
            if (s->runs.run[i].group != s->best)
                clear_run(tw_bitmap_row(s->places, y), &s->runs.run[i]);
}

static bool lay_out(struct tw_scratch *scratch, struct groups *s)
{
    uint64_t most = most_runs(tw_scratch_width(scratch), tw_scratch_height(scratch));
    tw_cell_runs_lay_out(scratch, &s->runs);
    s->cells = tw_scratch_take(scratch, most, sizeof *s->cells);
    if (s->size > 1) {
        s->label = tw_scratch_maps(scratch, 1, sizeof *s->label);
        s->first = tw_scratch_take(scratch, most, sizeof *s->first);
        s->last = tw_scratch_take(scratch, most, sizeof *s->last);
    }
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_components_keep_widest(struct tw_task *task, int32_t size,
                                         struct tw_bitmap *places)
{
    struct groups s = {
        .width = places->width, .height = places->height, .size = size, .places = places};
    if (!lay_out(&(struct tw_scratch){.task = task}, &s))
        return tw_task_no_memory(task);
    enum tw_status status = tw_cell_runs_find(task, places, &s.runs);
    if (status == TW_OK)
        status = measure(task, &s);
    if (status == TW_OK)
        tw_rows(task, s.height, 32, keep_rows, &s);
    return status;
}

void tw_components_forecast(struct tw_forecast *f, int32_t size)
{
    struct groups s = {.size = size};
    lay_out(&(struct tw_scratch){.forecast = f}, &s);
}
