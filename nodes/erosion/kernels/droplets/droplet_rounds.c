/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/droplet_rounds.h"

#include <thalweg/scratch.h>

#include <string.h>

/* A round has one drop for 16 cells: small enough that drops of a tile see what their neighbours
 * did, large enough that threads have work. */
enum { TILE = 64, CELLS_PER_DROP = 16, ROUND_MIN = 64, ROUND_MAX = 1 << 20, START_GRAIN = 512 };
enum { COLOURS = 4, LEGS = 512 };            /* about as many for all tiles of a turn */
enum { PARTS = 16, DROPS_A_PART = 1 << 12 }; /* of the live drops, at most; at least */

struct round {
    const struct tw_task *task;
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
    int32_t parts;                  /* of the live drops, in their order */
    int32_t *places;                /* by part and tile: how many drops, then where the next goes */
    int32_t kept[PARTS];            /* drops of a part that are not done */
    int32_t leg_tiles, first_leg[COLOURS + 1];
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
    int32_t across = (drop->x + round->left) / TILE, down = (drop->y + round->top) / TILE;
    return round->whole ? 0 : down * round->tiles_across + across;
}

static int32_t parts_of(int32_t drops)
{
    int32_t parts = drops / DROPS_A_PART + 1;
    return parts < PARTS ? parts : PARTS;
}

/* Where a part of the live drops begins. */
static int32_t part_begin(const struct round *round, int32_t part)
{
    return (int32_t)((int64_t)round->live_count * part / round->parts);
}

static int32_t *places_of(const struct round *round, int32_t part)
{
    return round->places + (size_t)part * (size_t)(round->tiles_across * round->tiles_down);
}

static void count_parts(void *context, int32_t begin, int32_t end)
{
    const struct round *round = context;
    size_t tiles = (size_t)round->tiles_across * (size_t)round->tiles_down;
    for (int32_t part = begin; part < end; part++) {
        int32_t *counts = places_of(round, part);
        memset(counts, 0, tiles * sizeof *counts);
        for (int32_t i = part_begin(round, part); i < part_begin(round, part + 1); i++)
            counts[tile_of(round, round->live[i])]++;
    }
}

static void place_parts(void *context, int32_t begin, int32_t end)
{
    const struct round *round = context;
    for (int32_t part = begin; part < end; part++) {
        int32_t *places = places_of(round, part);
        for (int32_t i = part_begin(round, part); i < part_begin(round, part + 1); i++)
            round->by_tile[places[tile_of(round, round->live[i])]++] = round->live[i];
    }
}

/* Counting sort of the live drops by tile, which keeps their order. */
static void sort_by_tile(struct tw_task *task, struct round *round)
{
    int32_t tiles = round->tiles_across * round->tiles_down, sum = 0;
    round->parts = parts_of(round->live_count);
    tw_rows(task, round->parts, 1, count_parts, round);
    for (int32_t t = 0; t < tiles; t++) {
        round->tile_begins[t] = sum;
        for (int32_t part = 0; part < round->parts; part++) {
            int32_t *place = &places_of(round, part)[t], count = *place;
            *place = sum;
            sum += count;
        }
    }
    round->tile_begins[tiles] = sum;
    tw_rows(task, round->parts, 1, place_parts, round);
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

/* Columns and rows of the tiles of one colour. */
struct chequer {
    int32_t columns, rows;
};

static struct chequer chequer_of(const struct round *round, int32_t colour)
{
    return (struct chequer){(round->tiles_across + 1 - colour % 2) / 2,
                            (round->tiles_down + 1 - colour / 2) / 2};
}

bool tw_droplet_next_tile(struct tw_droplet_tiles *tiles, struct tw_droplet_tile *tile)
{
    const struct round *round = tiles->round;
    if (tiles->next >= tiles->end)
        return false;
    int32_t k = tiles->next++, columns = chequer_of(round, tiles->colour).columns;
    int32_t across = 2 * (k % columns) + tiles->colour % 2;
    int32_t down = 2 * (k / columns) + tiles->colour / 2;
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

/* ---- a turn: some tiles of a colour are a leg, which follows those of earlier colours ---- */

static void plan_legs(struct round *round)
{
    int32_t tiles = round->tiles_across * round->tiles_down, grain = round->drops->grain;
    round->leg_tiles = tiles / LEGS > grain ? tiles / LEGS : grain;
    for (int32_t colour = 0; colour < COLOURS; colour++) {
        struct chequer chequer = chequer_of(round, colour);
        int32_t count = chequer.columns * chequer.rows;
        round->first_leg[colour + 1] =
            round->first_leg[colour] + (count + round->leg_tiles - 1) / round->leg_tiles;
    }
}

/* Waits for the tiles of an earlier colour that touch these. */
static void wait_for_colour(const struct round *round, struct tw_relay *relay,
                            const struct tw_droplet_tiles *tiles, int32_t colour)
{
    struct chequer own = chequer_of(round, tiles->colour), other = chequer_of(round, colour);
    int32_t top = tiles->next / own.columns;
    int32_t bottom = (tiles->end - 1) / own.columns + tiles->colour / 2 - colour / 2;
    bottom = bottom < other.rows ? bottom : other.rows - 1;
    int32_t first = top * other.columns, last = (bottom + 1) * other.columns - 1;
    for (int32_t i = first / round->leg_tiles; first <= last && i <= last / round->leg_tiles; i++)
        tw_relay_wait(relay, round->first_leg[colour] + i, 1);
}

static void run_leg(void *context, struct tw_relay *relay, int32_t leg)
{
    const struct round *round = context;
    struct tw_droplet_tiles tiles = {.round = round};
    while (leg >= round->first_leg[tiles.colour + 1])
        tiles.colour++;
    struct chequer chequer = chequer_of(round, tiles.colour);
    int32_t count = chequer.columns * chequer.rows;
    tiles.next = (leg - round->first_leg[tiles.colour]) * round->leg_tiles;
    tiles.end = count - tiles.next < round->leg_tiles ? count : tiles.next + round->leg_tiles;
    for (int32_t colour = 0; colour < tiles.colour; colour++)
        wait_for_colour(round, relay, &tiles, colour);
    if (!tw_task_cancelled(round->task))
        round->drops->run_tiles(round->drops->context, &tiles);
    tw_relay_reach(relay, leg, 1);
}

static void keep_parts(void *context, int32_t begin, int32_t end)
{
    struct round *round = context;
    for (int32_t part = begin; part < end; part++) {
        int32_t first = part_begin(round, part), kept = first;
        for (int32_t i = first; i < part_begin(round, part + 1); i++)
            if (!drop_at(round, round->live[i])->done)
                round->live[kept++] = round->live[i];
        round->kept[part] = kept - first;
    }
}

/* Those that are not done stay, in their order. */
static void keep_parked(struct tw_task *task, struct round *round)
{
    int32_t kept = 0;
    tw_rows(task, round->parts, 1, keep_parts, round);
    for (int32_t part = 0; part < round->parts; part++) {
        memmove(round->live + kept, round->live + part_begin(round, part),
                (size_t)round->kept[part] * sizeof *round->live);
        kept += round->kept[part];
    }
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

static void run_round(struct tw_task *task, struct round *round)
{
    tw_rows(task, round->live_count, START_GRAIN, start_drops, round);
    while (round->live_count > 0 && !tw_task_cancelled(task)) {
        place_tiles(round, round->turn++);
        sort_by_tile(task, round);
        plan_legs(round);
        tw_relay_run(task, round->first_leg[COLOURS], round->first_leg[1], run_leg, round);
        keep_parked(task, round);
    }
}

static int32_t round_length(int32_t width, int32_t height, int32_t count)
{
    int64_t length = (int64_t)width * height / CELLS_PER_DROP;
    length = length < ROUND_MIN ? ROUND_MIN : length > ROUND_MAX ? ROUND_MAX : length;
    return length < count ? (int32_t)length : count;
}

static bool lay_out(struct tw_scratch *s, struct round *round, int32_t length)
{
    const struct tw_droplet_rounds *drops = round->drops;
    int32_t longer = drops->width > drops->height ? drops->width : drops->height;
    round->whole = drops->sequential || longer <= TILE;
    round->side = round->whole ? longer : TILE;
    round->tiles_across = (drops->width - 1) / round->side + 1 + !round->whole;
    round->tiles_down = (drops->height - 1) / round->side + 1 + !round->whole;
    uint64_t tiles = (uint64_t)round->tiles_across * (uint64_t)round->tiles_down;
    round->at = tw_scratch_take(s, (uint64_t)length, drops->size);
    round->live = tw_scratch_take(s, 2 * (uint64_t)length, sizeof *round->live);
    round->tile_begins = tw_scratch_take(s, tiles + 1, sizeof *round->tile_begins);
    round->places = tw_scratch_take(s, tiles, sizeof *round->places * (size_t)parts_of(length));
    return tw_scratch_is_laid(s);
}

enum tw_status tw_droplet_rounds_run(struct tw_task *task, const struct tw_droplet_rounds *drops)
{
    struct round round = {
        .task = task, .drops = drops, .width = drops->width, .height = drops->height};
    if (drops->count <= 0)
        return TW_OK;
    int32_t length = round_length(round.width, round.height, drops->count);
    if (!lay_out(&(struct tw_scratch){.task = task}, &round, length))
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
    const struct tw_droplet_rounds drops = {
        .width = f->width, .height = f->height, .size = size, .sequential = sequential};
    struct round round = {.drops = &drops};
    if (count > 0)
        lay_out(&(struct tw_scratch){.forecast = f}, &round,
                round_length(f->width, f->height, count));
}
