/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplet_rounds.h"

#include <string.h>

/* A round has one drop for 16 cells: small enough that drops of a tile see what their neighbours
 * did, large enough that threads have work. */
enum { TILE = 64, CELLS_PER_DROP = 16, ROUND_MIN = 64, ROUND_MAX = 1 << 20, START_GRAIN = 512 };

struct round {
    const struct tw_droplet_rounds *drops;
    int32_t width, height, side; /* of the map, of a tile */
    int32_t left, top;           /* cells of the first column and row of tiles beyond the border */
    int32_t tiles_across, tiles_down;
    bool whole;                     /* one tile is the map */
    uint32_t turn;                  /* turns so far, of all rounds */
    uint32_t first;                 /* index of the round's first drop */
    unsigned char *at;              /* the drops */
    int32_t *live, live_count;      /* drops that are not done, by index */
    int32_t *by_tile, *tile_begins; /* live drops tile after tile, where a tile's begin */
    int32_t colour;
};

static struct tw_droplet *drop_at(const struct round *round, int32_t i)
{
    return (struct tw_droplet *)(void *)(round->at + (size_t)i * round->drops->size);
}

static void start_drops(void *context, int32_t begin, int32_t end)
{
    const struct round *round = context;
    for (int32_t i = begin; i < end; i++) {
        struct tw_droplet *drop = drop_at(round, i);
        memset(drop, 0, round->drops->size);
        drop->index = round->first + (uint32_t)i;
        round->drops->start(round->drops->context, drop);
        round->live[i] = i;
    }
}

static int32_t tile_of(const struct round *round, int32_t i)
{
    const struct tw_droplet *drop = drop_at(round, i);
    int32_t across = (drop->x + round->left) / round->side;
    int32_t down = (drop->y + round->top) / round->side;
    return down * round->tiles_across + across;
}

/* Counting sort of the live drops by tile, which keeps their order. */
static void sort_by_tile(struct round *round)
{
    int32_t tiles = round->tiles_across * round->tiles_down, sum = 0;
    int32_t *begins = round->tile_begins;
    memset(begins, 0, ((size_t)tiles + 1) * sizeof *begins);
    for (int32_t i = 0; i < round->live_count; i++)
        begins[tile_of(round, round->live[i])]++;
    for (int32_t t = 0; t < tiles; t++) {
        int32_t count = begins[t];
        begins[t] = sum;
        sum += count;
    }
    for (int32_t i = 0; i < round->live_count; i++)
        round->by_tile[begins[tile_of(round, round->live[i])]++] = round->live[i];
    for (int32_t t = tiles; t > 0; t--)
        begins[t] = begins[t - 1];
    begins[0] = 0;
}

/* Where drops of a tile may be: up to half a tile around it, less their reach, but up to the map's
 * edge where that is near. */
static struct tw_droplet_area area_of(const struct round *round, int32_t across, int32_t down)
{
    int32_t margin = round->side / 2, reach = round->drops->reach;
    int32_t left = across * round->side - round->left - margin;
    int32_t top = down * round->side - round->top - margin;
    int32_t right = left + round->side + 2 * margin, bottom = top + round->side + 2 * margin;
    return (struct tw_droplet_area){left <= 0 ? 0 : left + reach, top <= 0 ? 0 : top + reach,
                                    right >= round->width ? round->width : right - reach,
                                    bottom >= round->height ? round->height : bottom - reach};
}

/* From the edges of a tile's area to those of the tile; none at the border of the map. */
static struct tw_droplet_area inset_of(const struct round *round,
                                       const struct tw_droplet_area *area)
{
    int32_t inset = round->side / 2 - round->drops->reach;
    return (struct tw_droplet_area){area->left > 0 ? inset : 0, area->top > 0 ? inset : 0,
                                    area->right < round->width ? inset : 0,
                                    area->bottom < round->height ? inset : 0};
}

static int32_t tiles_of_colour(const struct round *round, int32_t *across)
{
    *across = (round->tiles_across + 1 - round->colour % 2) / 2;
    return *across * ((round->tiles_down + 1 - round->colour / 2) / 2);
}

bool tw_droplet_next_tile(struct tw_droplet_tiles *tiles, struct tw_droplet_tile *tile)
{
    const struct round *round = tiles->round;
    int32_t columns = 0;
    tiles_of_colour(round, &columns);
    if (tiles->next >= tiles->end)
        return false;
    int32_t k = tiles->next++;
    int32_t across = 2 * (k % columns) + round->colour % 2;
    int32_t down = 2 * (k / columns) + round->colour / 2;
    const int32_t *begins = round->tile_begins + down * round->tiles_across + across;
    struct tw_droplet_area area = area_of(round, across, down);
    *tile = (struct tw_droplet_tile){.area = area,
                                     .inset = inset_of(round, &area),
                                     .turn = round->turn,
                                     .numbers = round->by_tile + begins[0],
                                     .left = begins[1] - begins[0],
                                     .at = round->at,
                                     .size = round->drops->size};
    return true;
}

static void run_tiles(void *context, int32_t begin, int32_t end)
{
    const struct round *round = context;
    struct tw_droplet_tiles tiles = {round, begin, end};
    round->drops->run_tiles(round->drops->context, &tiles);
}

static void keep_parked(struct round *round)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < round->live_count; i++)
        if (!drop_at(round, round->live[i])->done)
            round->live[kept++] = round->live[i];
    round->live_count = kept;
}

/* Moves the corner of the tiles, so that their seams, where drops are parked, never lie twice on
 * the same cells: turn by turn along the R2 sequence (Roberts 2018), multiples of 1 / p and 1 / p^2
 * with p^3 = p + 1 as 32 bits of fraction. */
static void place_tiles(struct round *round, uint32_t turn)
{
    uint32_t side = (uint32_t)round->side;
    if (round->whole)
        return;
    round->left = (int32_t)((uint64_t)(turn * 0xC13FA9A9u) * side >> 32);
    round->top = (int32_t)((uint64_t)(turn * 0x91E10DA6u) * side >> 32);
    round->tiles_across = (round->width + round->left - 1) / round->side + 1;
    round->tiles_down = (round->height + round->top - 1) / round->side + 1;
}

/* A round may be a million drops: it polls for cancellation before each colour. */
static void run_round(struct tw_task *task, struct round *round)
{
    tw_rows(task, round->live_count, START_GRAIN, start_drops, round);
    while (round->live_count > 0 && !tw_task_cancelled(task)) {
        place_tiles(round, round->turn++);
        sort_by_tile(round);
        for (round->colour = 0; round->colour < 4 && !tw_task_cancelled(task); round->colour++) {
            int32_t columns;
            int32_t count = tiles_of_colour(round, &columns), grain = round->drops->grain;
            tw_rows(task, count, grain, run_tiles, round);
        }
        keep_parked(round);
    }
}

static int32_t round_length(int32_t width, int32_t height, int32_t count)
{
    int64_t length = (int64_t)width * height / CELLS_PER_DROP;
    length = length < ROUND_MIN ? ROUND_MIN : length > ROUND_MAX ? ROUND_MAX : length;
    return length < count ? (int32_t)length : count;
}

enum tw_status tw_droplet_rounds_run(struct tw_task *task, const struct tw_droplet_rounds *drops)
{
    struct round round = {
        .drops = drops, .width = drops->width, .height = drops->height, .side = TILE};
    if (drops->count <= 0)
        return TW_OK;
    int32_t longer = round.width > round.height ? round.width : round.height;
    round.whole = drops->sequential || longer <= TILE;
    if (round.whole)
        round.side = longer;
    round.tiles_across = (round.width - 1) / round.side + 1 + !round.whole;
    round.tiles_down = (round.height - 1) / round.side + 1 + !round.whole;
    int32_t length = round_length(round.width, round.height, drops->count);
    int32_t tiles = round.tiles_across * round.tiles_down;
    round.at = tw_task_scratch(task, (size_t)length, drops->size);
    round.live = tw_task_scratch(task, 2 * (size_t)length, sizeof *round.live);
    round.tile_begins = tw_task_scratch(task, (size_t)tiles + 1, sizeof *round.tile_begins);
    if (!round.at || !round.live || !round.tile_begins)
        return tw_task_no_memory(task);
    round.by_tile = round.live + length;
    for (int64_t first = 0; first < drops->count; first += length) {
        round.first = (uint32_t)first;
        const int64_t left = drops->count - first;
        round.live_count = left < length ? (int32_t)left : length;
        run_round(task, &round);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_task_progress(task, left < length ? 1 : (double)(first + length) / (double)drops->count);
    }
    return TW_OK;
}

void tw_droplet_rounds_forecast(struct tw_forecast *f, int32_t count, size_t size, bool sequential)
{
    bool whole = sequential || (f->width <= TILE && f->height <= TILE);
    uint64_t across = ((uint64_t)f->width - 1) / TILE + 2;
    uint64_t down = ((uint64_t)f->height - 1) / TILE + 2;
    struct round round;
    if (count <= 0)
        return;
    tw_forecast_scratch(f, (uint64_t)round_length(f->width, f->height, count),
                        size + 2 * sizeof *round.live);
    tw_forecast_scratch(f, whole ? 2 : across * down + 1, sizeof *round.tile_begins);
}
