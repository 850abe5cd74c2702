/* SPDX-License-Identifier: MIT */
/* Gaps of a map, such as the voids of radar data, closed by the smoothest surface that meets the
 * ground around them: a membrane (the discrete Laplace equation) or a thin plate (Briggs 1974,
 * "Machine contouring using minimum curvature"). */
#include "shape/kernels/gap_surface.h"

#include <thalweg/kernel.h>

struct params {
    int32_t surface;
    int32_t border;
};

enum { MEMBRANE, PLATE };

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, surface, MEMBRANE, "membrane|plate",
                  "what is stretched over gaps: a membrane, which stays within the heights around, "
                  "or a thin plate, which carries slopes on"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, GAPS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"gaps", TW_MASK, 0, "where it has no heights: 1/2 or more"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain without gaps"},
    TW_PORT_END,
};

/* Lowest and highest ground around a gap. */
struct around {
    float low, high;
};

struct work {
    struct tw_gap_surface surface;
    int32_t *gap; /* of gap cells: one of the same gap, in the end its first */
    struct around *around;
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    w->gap = tw_scratch_maps(s, 1, sizeof *w->gap);
    return tw_gap_surface_lay_out(s, &w->surface);
}

/* Returns the number of gap cells. */
static int32_t read_map(struct tw_task *task, struct work *w)
{
    const float *in = tw_floats(tw_task_input(task, IN));
    const float *gaps = tw_floats(tw_task_input(task, GAPS));
    struct tw_gap_grid *grid = &w->surface.grid[0];
    int32_t count = 0;
    for (int32_t i = 0; i < grid->width * grid->height; i++) {
        grid->z[i] = (double)in[i];
        grid->gap[i] = gaps[i] >= 0.5f;
        count += grid->gap[i];
    }
    return count;
}

/* ---- a membrane stays within the heights around its gap ---- */

static int32_t first_of(int32_t *gap, int32_t cell)
{
    while (gap[cell] != cell) {
        gap[cell] = gap[gap[cell]];
        cell = gap[cell];
    }
    return cell;
}

static void join(int32_t *gap, int32_t a, int32_t b)
{
    a = first_of(gap, a);
    b = first_of(gap, b);
    gap[a > b ? a : b] = a > b ? b : a;
}

/* The cell to the east (k = 0) or south (1), on a torus beyond the border; -1 for none. */
static int32_t next_cell(const struct work *w, int32_t cell, int k)
{
    const struct tw_gap_grid *grid = &w->surface.grid[0];
    int32_t x = cell % grid->width + (k == 0), y = cell / grid->width + (k == 1);
    if (w->surface.wrap)
        return y % grid->height * grid->width + x % grid->width;
    return x == grid->width || y == grid->height ? -1 : y * grid->width + x;
}

static void widen(struct around *a, float z)
{
    a->low = tw_min(a->low, z);
    a->high = tw_max(a->high, z);
}

static void find_around(struct work *w, const float *in)
{
    const struct tw_gap_grid *grid = &w->surface.grid[0];
    int32_t cells = grid->width * grid->height;
    for (int32_t i = 0; i < cells; i++) {
        w->gap[i] = i;
        w->around[i] = (struct around){INFINITY, -INFINITY};
    }
    for (int32_t i = 0; i < cells; i++)
        for (int k = 0; k < 2; k++) {
            int32_t next = next_cell(w, i, k);
            if (next >= 0 && grid->gap[i] && grid->gap[next])
                join(w->gap, i, next);
        }
    for (int32_t i = 0; i < cells; i++)
        for (int k = 0; k < 2; k++) {
            int32_t next = next_cell(w, i, k);
            if (next >= 0 && grid->gap[i] != grid->gap[next])
                widen(&w->around[first_of(w->gap, grid->gap[i] ? i : next)],
                      in[grid->gap[i] ? next : i]);
        }
}

static void write_map(struct tw_task *task, struct work *w, bool membrane)
{
    const float *in = tw_floats(tw_task_input(task, IN));
    float *out = tw_floats(tw_task_output(task, OUT));
    const struct tw_gap_grid *grid = &w->surface.grid[0];
    /* What the surface needed for its gaps holds their ranges. */
    w->around = (struct around *)(void *)w->surface.residual;
    if (membrane)
        find_around(w, in);
    for (int32_t i = 0; i < grid->width * grid->height; i++) {
        float z = grid->gap[i] ? (float)grid->z[i] : in[i];
        if (grid->gap[i] && membrane) {
            struct around a = w->around[first_of(w->gap, i)];
            z = tw_clamp(z, a.low, a.high);
        }
        out[i] = z;
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    struct work w = {
        .surface = {.plate = p->surface == PLATE, .wrap = tw_task_wraps(task, p->border)}};
    size_t cells = tw_value_count(in);
    if (cells > (size_t)1 << 28)
        return tw_task_fail(task, "gaps are filled on maps of up to 2^28 cells; this one has %zu",
                            cells);
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    int32_t count = read_map(task, &w);
    if (count == 0 || (size_t)count == cells) {
        memcpy(tw_floats(tw_task_output(task, OUT)), tw_floats(in), cells * sizeof(float));
        if (count > 0)
            tw_task_warn(task, "the whole map is a gap, so out is in: no ground tells how high it "
                               "lies");
        return TW_OK;
    }
    enum tw_status status = tw_gap_surface_find(task, &w.surface);
    if (status == TW_OK)
        write_map(task, &w, p->surface == MEMBRANE);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

extern const struct tw_node_type tw_node_shape_fill_gaps;
const struct tw_node_type tw_node_shape_fill_gaps = {
    .name = "shape.fill_gaps",
    .version = 1,
    .summary = "close gaps in data by the smoothest surface that meets the ground",
    .keywords = "voids, no data, holes, void fill, inpaint, interpolate, missing heights, SRTM, "
                "minimum curvature",
    .elsewhere = "gdal_fillnodata (GDAL), r.fillnulls (GRASS), Close Gaps (SAGA), "
                 "Elevation Void Fill (ArcGIS)",
    .detail =
        "Closes the gaps of elevation data: voids of radar, clouds, the sea of a clipped tile. "
        "`gaps` is an output of source.heightmap; any other mask cuts holes that are closed "
        "smoothly, to take away a building or a road. Choose shape.fill_depressions for hollows "
        "that hold water.\n"
        "Over the cells of gaps, those where `gaps` is 1/2 or more, out is the surface that "
        "changes least from the ground around. Every other cell keeps its bits.\n"
        "surface: membrane makes the sum of squared differences between neighbours in rows and "
        "columns, z - z_k, least:\n"
        "    4 z = sum of the four z_k.\n"
        "It is never higher or lower than the ground around its gap, and meets that at an angle. "
        "plate makes the bending of a thin plate least:\n"
        "    sum of z_xx^2 + 2 z_xy^2 + z_yy^2.\n"
        "It carries slopes on into the gap, so a hillside or a summit goes on, and it may rise "
        "above or fall below all ground around: wide gaps with steep ground on one side bulge. "
        "A plane comes back as a plane.\n"
        "Gaps may touch the border, where the surface ends freely; on a torus they go on at the "
        "other side. Where the whole map is a gap, out is in, and the run warns.\n"
        "Gaps of 120 cells across are solved to 1e-6 of the range of heights; only plates over much "
        "wider ones end with more, as steps are limited to those of a minute.",
    .cite = "briggs1974 bornemann1996",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.midpoint}\n"
               "holes: {type: mask.height, in: land, low: 0.55, high: 1}\n"
               "filled: {type: shape.fill_gaps, in: land, gaps: holes, surface: plate}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
