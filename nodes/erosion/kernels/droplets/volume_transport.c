/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/volume_transport.h"

#include "erosion/kernels/droplets/droplet_rounds.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { STREAM_START, STREAM_VISIT, QUEUE = 8, LANES = 2 };
enum { WAITING = 2, ROWS = 4, COLUMNS = 3 }; /* drops whose cells are fetched, how far around */

struct drop {
    struct tw_droplet base;
    uint32_t visits;
    float load;
    bool loaded;
};

struct rain {
    struct tw_volume_transport model;
    int32_t width, height;
    uint64_t seed;
    enum tw_simd simd;
};

static void start(void *context, void *at)
{
    const struct rain *rain = context;
    struct drop *drop = at;
    struct tw_random4 r = tw_random(rain->seed, drop->base.index, 0, STREAM_START, 0);
    drop->base.x = (int32_t)((uint64_t)r.at[0] * (uint64_t)rain->width >> 32);
    drop->base.y = (int32_t)((uint64_t)r.at[1] * (uint64_t)rain->height >> 32);
    size_t cell = (size_t)drop->base.y * (size_t)rain->width + (size_t)drop->base.x;
    drop->loaded = /* loaded with nothing: it takes up no more, as if it did not fall */
        rain->model.rain_map && tw_uniform(r.at[2]) >= rain->model.rain_map[cell];
}

static bool on_edge(const struct rain *rain, int32_t x, int32_t y)
{
    return x == 0 || y == 0 || x == rain->width - 1 || y == rain->height - 1;
}

struct low {
    float height;
    int32_t number;
};

/* The lower of two, the first on ties. Without a branch, since none could be predicted. */
static TW_INLINE struct low lower(struct low a, struct low b)
{
    int32_t second = -(int32_t)(b.height < a.height);
    return (struct low){tw_min(b.height, a.height), (a.number & ~second) | (b.number & second)};
}

/* The number in reading order of the lowest of the 8 neighbours where it is strictly lower, the
 * first on ties; else 8. Not for cells on the edge. */
static TW_INLINE int32_t lowest_around(const struct rain *rain, size_t cell)
{
    const float *own = rain->model.cells + cell, *upper = own - rain->width,
                *under = own + rain->width;
    struct low nw = {upper[-1], 0}, n = {upper[0], 1}, ne = {upper[1], 2}, w = {own[-1], 3};
    struct low e = {own[1], 4}, sw = {under[-1], 5}, s = {under[0], 6}, se = {under[1], 7};
    struct low lowest = lower(lower(lower(nw, n), lower(ne, w)), lower(lower(e, sw), lower(s, se)));
    return lowest.height < *own ? lowest.number : 8;
}

/* Amounts still to be added to eroded and deposited, which are not near the heights in memory: each
 * waits until its cell has been fetched. */
struct ledger {
    float *at[QUEUE], amount[QUEUE];
    unsigned next;
};

static TW_INLINE void note(struct ledger *ledger, float *at, float amount)
{
    unsigned i = ledger->next++ % QUEUE;
    __builtin_prefetch(at, 1);
    *ledger->at[i] += ledger->amount[i];
    ledger->at[i] = at;
    ledger->amount[i] = amount;
}

/* A drop, and where it may go; NULL when there are no more. */
struct place {
    struct drop *at;
    struct tw_droplet_area area;
};

/* A drop on its way, the next ones of its tile or of other tiles, in a ring, and the tile that they
 * are taken from. */
struct lane {
    struct drop drop;
    float chance, share; /* random, of its next visit */
    struct place own, waiting[WAITING];
    unsigned next;
    struct tw_droplet_tile tile;
};

static TW_INLINE void draw(const struct rain *rain, struct lane *lane)
{
    struct tw_random4 r =
        tw_random(rain->seed, lane->drop.base.index, lane->drop.visits, STREAM_VISIT, 0);
    lane->chance = tw_uniform(r.at[0]);
    lane->share = tw_uniform(r.at[1]);
}

/* The next visit's random numbers are drawn ahead, while memory brings the heights. */
static TW_INLINE void take_up(const struct rain *rain, struct ledger *ledger, struct lane *lane,
                              size_t cell)
{
    struct drop *drop = &lane->drop;
    float chance = lane->chance, share = lane->share;
    drop->visits++;
    if (!(chance < rain->model.chance)) {
        draw(rain, lane);
        return;
    }
    float before = rain->model.cells[cell];
    drop->load = fabsf(before) * rain->model.pickup * share;
    drop->loaded = true;
    rain->model.cells[cell] = before - drop->load;
    if (rain->model.eroded)
        note(ledger, rain->model.eroded + cell, drop->load);
}

static TW_INLINE int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

/* Prefetches what the drop's first steps read and write: rows of large maps are far apart, and a
 * drop near the end of a cache line soon reads the next one. */
static TW_INLINE void fetch(const struct rain *rain, const struct drop *drop)
{
    int32_t x = drop->base.x, y = drop->base.y;
    const float *own = rain->model.cells + (size_t)y * (size_t)rain->width + (size_t)x;
    int32_t above = lesser(y, ROWS), below = lesser(rain->height - 1 - y, ROWS);
    int32_t left = lesser(x, COLUMNS), right = lesser(rain->width - 1 - x, COLUMNS);
    for (int32_t row = -above; row <= below; row++) {
        const float *middle = own + (ptrdiff_t)row * (ptrdiff_t)rain->width;
        __builtin_prefetch(middle - left, 1);
        __builtin_prefetch(middle + right, 1);
    }
}

/* Takes the drop that has waited longest and lets another wait in its place; false when there was
 * none. */
static TW_INLINE bool fill_lane(const struct rain *rain, struct tw_droplet_tiles *tiles,
                                struct lane *lane)
{
    struct place *place = &lane->waiting[lane->next++ % WAITING];
    lane->own = *place;
    while (!(place->at = tw_droplet_next(&lane->tile, 2 * WAITING)) &&
           tw_droplet_next_tile(tiles, &lane->tile))
        ;
    if (place->at) {
        place->area = tw_droplet_area_of(&lane->tile, &place->at->base);
        fetch(rain, place->at);
    }
    if (!lane->own.at)
        return false;
    lane->drop = *lane->own.at;
    if (!lane->drop.loaded)
        draw(rain, lane);
    return true;
}

/* One step of a drop; false when it is done or has left its area. */
static TW_INLINE bool step(const struct rain *rain, struct ledger *ledger, struct lane *lane)
{
    static const int8_t dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    struct drop *drop = &lane->drop;
    int32_t x = drop->base.x, y = drop->base.y, next = 8;
    size_t cell = (size_t)y * (size_t)rain->width + (size_t)x;
    if (!drop->loaded)
        take_up(rain, ledger, lane, cell);
    if (rain->model.flow && drop->visits > 0) /* else it did not fall */
        rain->model.flow[cell]++;
    if (!on_edge(rain, x, y))
        next = lowest_around(rain, cell);
    if (next == 8) {
        rain->model.cells[cell] += drop->load;
        if (rain->model.deposited)
            note(ledger, rain->model.deposited + cell, drop->load);
        lane->own.at->base.done = true;
        return false;
    }
    drop->base.x = x + dx[next];
    drop->base.y = y + dy[next];
    if (tw_droplet_inside(&lane->own.area, drop->base.x, drop->base.y))
        return true;
    *lane->own.at = *drop;
    return false;
}

/* Drops of several tiles step in turn: each waits for the heights around it. */
static TW_INLINE void take_turns_body(const struct rain *rain, struct tw_droplet_tiles *tiles)
{
    struct lane lanes[LANES] = {{.own.at = NULL}};
    struct ledger ledger = {.next = 0};
    float nothing = 0;
    int busy = 0;
    for (int i = 0; i < QUEUE; i++)
        ledger.at[i] = &nothing;
    for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < WAITING; i++)
            fill_lane(rain, tiles, &lanes[busy]);
        busy += fill_lane(rain, tiles, &lanes[busy]);
    }
    while (busy > 0)
        for (int l = 0; l < busy; l++)
            if (!step(rain, &ledger, &lanes[l]) && !fill_lane(rain, tiles, &lanes[l]))
                lanes[l--] = lanes[--busy];
    for (int i = 0; i < QUEUE; i++)
        note(&ledger, &nothing, 0);
}
TW_SIMD_KERNEL(take_turns, (const struct rain *rain, struct tw_droplet_tiles *tiles), (rain, tiles))

static void run_tiles(void *context, struct tw_droplet_tiles *tiles)
{
    const struct rain *rain = context;
    take_turns(rain->simd)(rain, tiles);
}

enum tw_status tw_volume_transport_run(struct tw_task *task,
                                       const struct tw_volume_transport *model, int32_t count,
                                       bool sequential)
{
    struct rain rain = {.model = *model,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .seed = tw_task_seed(task),
                        .simd = tw_task_simd(task)};
    const struct tw_droplet_rounds drops = {.width = rain.width,
                                            .height = rain.height,
                                            .count = count,
                                            .size = sizeof(struct drop),
                                            .reach = 1,
                                            .sequential = sequential,
                                            .context = &rain,
                                            .start = start,
                                            .run_tiles = run_tiles,
                                            .grain = 3 * LANES};
    return tw_droplet_rounds_run(task, &drops);
}

void tw_volume_transport_forecast(struct tw_forecast *f, int32_t count, bool sequential)
{
    tw_droplet_rounds_forecast(f, count, sizeof(struct drop), sequential);
}
