/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/droplet_carry.h"

#include "common/ground_maps.h"
#include "common/regrid.h"

#include <thalweg/kernel.h>

/* Regridded maps overshoot a little next to steps. Where one falls below 0, both are raised alike,
 * which keeps the cell's net change. */
static void apply_change(const float *in, size_t count, float *eroded, const struct tw_beyer *model)
{
    for (size_t i = 0; i < count; i++) {
        float least = tw_min(0, tw_min(eroded[i], model->deposited[i]));
        model->deposited[i] -= least;
        if (model->flow)
            model->flow[i] = tw_max(0, model->flow[i]);
        model->cells[i] = in[i] - (eroded[i] - least) + model->deposited[i];
    }
}

/* Computes what soft ground would have given: it is carried in place of what the means of hardness
 * gave, so that within a cell of the small map each cell gives as much as it is soft. */
static void soften(float *eroded, const float *hardness, size_t count)
{
    for (size_t i = 0; hardness && i < count; i++) {
        float soft = tw_softness(hardness[i]);
        eroded[i] = soft > 0 ? eroded[i] / soft : 0;
    }
}

/* Hard ground gives less, and no overshoot of what is put down lowers it. */
static void harden(float *eroded, float *deposited, const float *hardness, size_t count)
{
    for (size_t i = 0; hardness && i < count; i++) {
        float soft = tw_softness(hardness[i]);
        eroded[i] *= soft;
        deposited[i] = deposited[i] < 0 ? deposited[i] * soft : deposited[i];
    }
}

enum tw_status tw_droplet_carry_change(struct tw_task *task, const struct tw_droplet_carry *c)
{
    const struct tw_beyer *small = c->small, *model = c->model;
    struct tw_regrid_size size = {small->width, small->height};
    size_t count = (size_t)model->width * (size_t)model->height;
    soften(c->small_eroded, small->hardness, (size_t)size.width * (size_t)size.height);
    struct tw_regrid regrid;
    enum tw_status status = tw_regrid_init(task, &regrid, size, false);
    if (status != TW_OK)
        return status;
    tw_regrid_spread(task, &regrid, c->small_eroded, c->eroded);
    tw_regrid_spread(task, &regrid, small->deposited, model->deposited);
    if (model->flow)
        tw_regrid_spread(task, &regrid, small->flow, model->flow);
    harden(c->eroded, model->deposited, model->hardness, count);
    apply_change(c->in, count, c->eroded, model);
    return TW_OK;
}
