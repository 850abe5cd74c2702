/* SPDX-License-Identifier: MIT */
/* Two runs per seed: the first finds the range of heights that all pictures share, the second
 * draws. */
#include "report/gallery/gallery.h"

#include "gate/map_difference.h"
#include "report/gallery/private.h"
#include "report/pictures/value_picture.h"
#include "report/verdict/verdict.h"
#include "runner/runner.h"

#include <math.h>
#include <stdlib.h>

/* The range of heights is drawn as this share of the map's side. */
static const double relief = 0.2;

static bool is_chosen(const struct tw_gallery *g, uint64_t seed)
{
    for (int32_t s = 0; s < g->seed_count; s++)
        if (g->seeds[s] == seed)
            return true;
    return false;
}

/* The comparison's first seeds that are not chosen yet. */
static void choose_small(const struct tw_comparison *c, int32_t pictures, struct tw_gallery *g)
{
    int32_t most = g->seed_count + pictures / (g->variants.count > 0 ? g->variants.count : 1);
    most = most < TW_GALLERY_SEEDS ? most : TW_GALLERY_SEEDS;
    for (int32_t i = 0; i < c->count && g->seed_count < most; i++) {
        if (is_chosen(g, c->seeds[i]))
            continue;
        g->small[g->seed_count] = true;
        g->seeds[g->seed_count++] = c->seeds[i];
    }
}

enum tw_status tw_gallery_choose(const struct tw_comparison *c, const uint64_t *further,
                                 int32_t small, struct tw_gallery *g, struct tw_error *err)
{
    struct tw_seed_choice seeds;
    if (!tw_choose_seeds(c, &seeds))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const uint64_t at[] = {seeds.best, seeds.median, seeds.worst, further ? *further : 0};
    static const char *const judged[] = {"best", "median", "worst", NULL};
    static const char *const ranked[] = {"highest", "median", "lowest", NULL};
    const struct tw_experiment *e = c->experiment;
    const char *const *why = e->measures[tw_verdict_measure(e)].goal ? judged : ranked;
    g->variants = tw_choose_variants(c, TW_GALLERY_VARIANTS);
    for (int i = 0; i < (further ? 4 : 3); i++) {
        if (is_chosen(g, at[i]))
            continue;
        g->why[g->seed_count] = why[i];
        g->seeds[g->seed_count++] = at[i];
    }
    choose_small(c, small, g);
    return TW_OK;
}

void tw_gallery_release(struct tw_gallery *g)
{
    for (int32_t i = 0; g->plates && i < g->seed_count * g->variants.count; i++) {
        free(g->plates[i].shade.at);
        free(g->plates[i].view.at);
        free(g->plates[i].difference.at);
        tw_field_clear(&g->plates[i].seen);
        tw_field_clear(&g->plates[i].heights);
    }
    free(g->plates);
    g->plates = NULL;
}

/* ---- first run: heights ---- */

static void widen_range(struct tw_gallery *g, const struct tw_value *map)
{
    const float *at = tw_floats(map);
    double steep = tw_gallery_steepest(map);
    if (!g->has_heights)
        g->low = g->high = (double)at[0];
    for (size_t i = 0; i < tw_value_count(map); i++) {
        g->low = (double)at[i] < g->low ? (double)at[i] : g->low;
        g->high = (double)at[i] > g->high ? (double)at[i] : g->high;
    }
    g->steepest = steep > g->steepest ? steep : g->steepest;
    g->has_heights = true;
}

static enum tw_status take_heights(const struct tw_gallery_run *run, struct tw_gallery *g,
                                   int32_t seed, const struct tw_result *result,
                                   struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t k = 0; status == TW_OK && k < g->variants.count; k++) {
        const struct tw_value *map = tw_gallery_output(result, k, "map");
        if (!map || map->type == TW_IMAGE)
            continue;
        widen_range(g, map);
        if (run->shades && !g->small[seed])
            status = tw_value_reduce(map, TW_GALLERY_SIDE, &tw_plate_of(g, seed, k)->heights, err);
    }
    return status;
}

static int32_t baseline_of(const struct tw_gallery *g, const struct tw_experiment *e)
{
    for (int32_t k = 0; k < g->variants.count; k++)
        if (g->variants.at[k] == e->baseline)
            return k;
    return -1;
}

/* Finds one scale for all differences and one for all heights. */
static void find_scales(struct tw_gallery *g, const struct tw_experiment *e)
{
    int32_t base = baseline_of(g, e);
    for (int32_t s = 0; base >= 0 && s < g->seed_count; s++)
        for (int32_t k = 0; k < g->variants.count; k++) {
            const struct tw_value *a = &tw_plate_of(g, s, base)->heights;
            const struct tw_value *b = &tw_plate_of(g, s, k)->heights;
            if (!a->data || !b->data || !tw_map_is_comparable(a, b))
                continue;
            double most = tw_map_difference_find(a, b).greatest;
            g->difference = most > g->difference ? most : g->difference;
        }
    double spacing = 1e-6 * fabs(g->low); /* more than the spacing of floats there */
    if (!(g->high > g->low))
        g->high = g->low + (spacing > 1 ? spacing : 1);
    g->exaggeration = relief / (g->high - g->low);
}

/* ---- second run: pictures ---- */

static enum tw_status encode(const struct tw_value *image, int32_t side, struct tw_bytes *png,
                             struct tw_error *err)
{
    struct tw_value small = {0};
    enum tw_status status = tw_value_reduce(image, side, &small, err);
    if (status == TW_OK)
        status = tw_gallery_encode(&small, png, err);
    tw_field_clear(&small);
    return status;
}

static enum tw_status draw_difference(const struct tw_gallery *g, int32_t seed, int32_t base,
                                      int32_t k, struct tw_error *err)
{
    struct tw_plate *plate = tw_plate_of(g, seed, k);
    const struct tw_value *from = base >= 0 ? &tw_plate_of(g, seed, base)->heights : NULL;
    struct tw_value image = {0};
    if (k == base || !from || !from->data || !plate->heights.data ||
        !tw_map_is_comparable(from, &plate->heights))
        return TW_OK;
    enum tw_status status =
        tw_map_difference_draw(from, &plate->heights, g->difference, &image, err);
    if (status == TW_OK)
        status = encode(&image, TW_GALLERY_SIDE, &plate->difference, err);
    tw_field_clear(&image);
    return status;
}

static enum tw_status take_pictures(const struct tw_gallery_run *run, struct tw_gallery *g,
                                    int32_t seed, const struct tw_result *result,
                                    struct tw_error *err)
{
    enum tw_status status = TW_OK;
    int32_t base = baseline_of(g, run->experiment);
    int32_t side = g->small[seed] ? TW_GALLERY_SMALL : TW_GALLERY_SIDE;
    for (int32_t k = 0; status == TW_OK && k < g->variants.count; k++) {
        struct tw_plate *plate = tw_plate_of(g, seed, k);
        const struct tw_value *map = tw_gallery_output(result, k, "map");
        const struct tw_value *view = tw_gallery_output(result, k, "view");
        const struct tw_value *shade = tw_gallery_output(result, k, "shade");
        if (map && map->type == TW_IMAGE)
            shade = map;
        else if (map)
            tw_gallery_count(
                map, g, k, 1.0 / ((double)tw_value_count(map) * (g->seed_count - g->failed_count)));
        if (run->keeps_seen && (view || shade))
            status = tw_field_copy(&plate->seen, view ? view : shade, err);
        if (status == TW_OK && view)
            status = encode(view, TW_GALLERY_SIDE, &plate->view, err);
        if (status == TW_OK && shade)
            status = encode(shade, side, &plate->shade, err);
        if (status == TW_OK && run->shades && !g->small[seed])
            status = draw_difference(g, seed, base, k, err);
    }
    return status;
}

static enum tw_status run_seed(const struct tw_gallery_run *run, struct tw_gallery *g, int32_t seed,
                               bool looks, struct tw_error *err)
{
    struct tw_gallery_graph graph = {.count = 0};
    struct tw_result *result = NULL;
    const struct tw_run_request request = {.options = run->run};
    struct tw_gallery_run own = *run;
    own.view_width = g->small[seed] ? 0 : run->view_width;
    enum tw_status status = tw_gallery_graph_build(&own, g, g->seeds[seed], looks, &graph, err);
    if (status == TW_OK)
        status = tw_run_execute(graph.merged, &request, &result, err);
    if (status == TW_OK && looks)
        status = take_pictures(run, g, seed, result, err);
    else if (status == TW_OK)
        status = take_heights(run, g, seed, result, err);
    tw_result_release(result);
    tw_gallery_graph_release(&graph);
    return status;
}

/* Continues with other seeds after a node fails on one. */
static enum tw_status run_seeds(const struct tw_gallery_run *run, struct tw_gallery *g, bool looks,
                                struct tw_error *err)
{
    for (int32_t s = 0; s < g->seed_count; s++) {
        enum tw_status status = g->failed[s] ? TW_OK : run_seed(run, g, s, looks, err);
        if (status == TW_OK)
            continue;
        if ((status != TW_NODE && status != TW_LIMIT) || ++g->failed_count == g->seed_count)
            return status;
        g->failed[s] = true;
        run->failed(run->context, g->seeds[s], err);
    }
    return TW_OK;
}

enum tw_status tw_gallery_fill(const struct tw_gallery_run *run, struct tw_gallery *g,
                               struct tw_error *err)
{
    g->plates = calloc((size_t)(g->seed_count * g->variants.count) + 1, sizeof *g->plates);
    if (!g->plates)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = run_seeds(run, g, false, err);
    if (status == TW_OK) {
        find_scales(g, run->experiment);
        status = run_seeds(run, g, true, err);
    }
    return status;
}
