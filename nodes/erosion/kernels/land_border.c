/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/land_border.h"

#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/stream_power/outlets.h"

#include <string.h>

bool tw_land_wraps(const struct tw_task *task, int32_t border)
{
    return tw_task_wraps(task, border < TW_LAND_FREE ? border : TW_BORDER_CLOSED);
}

bool tw_land_forecast_wraps(const struct tw_forecast *f, int32_t border)
{
    return border < TW_LAND_FREE && tw_forecast_wraps(f, border);
}

/* Adds the cells of the input `outlets`; false when it has none. */
static bool add_outlets(const struct tw_value *mask, uint8_t *outlet)
{
    bool found = false;
    for (size_t i = 0; i < tw_value_count(mask); i++) {
        bool here = tw_floats(mask)[i] >= 0.5f;
        outlet[i] |= here;
        found |= here;
    }
    return found;
}

static enum tw_outlets kind_of(const struct tw_task *task, int32_t border, unsigned closed)
{
    bool keeps_border = border == TW_LAND_FIXED || border == TW_LAND_LOW;
    if (tw_land_wraps(task, border) || closed == TW_SIDES_ALL)
        return TW_OUTLETS_LOWEST;
    return keeps_border ? TW_OUTLETS_BORDER : TW_OUTLETS_GATES;
}

enum tw_status tw_land_find_outlets(struct tw_task *task, int32_t border,
                                    const struct tw_labels *closed, const float *in,
                                    uint8_t *outlet)
{
    const struct tw_value *mask = tw_task_input(task, TW_LAND_OUTLETS);
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    const unsigned sides = tw_closed_sides(closed);
    const enum tw_outlets kind = kind_of(task, border, sides);
    enum tw_status status = tw_closed_check(task, closed, tw_land_wraps(task, border));
    if (status != TW_OK)
        return status;
    if (!mask || kind == TW_OUTLETS_BORDER)
        tw_outlets_mark(kind, in, width, height, sides, outlet);
    else
        memset(outlet, 0, (size_t)width * (size_t)height);
    if (mask && !add_outlets(mask, outlet))
        return tw_task_fail(task, "'outlets' is nowhere 0.5 or more; it must be somewhere");
    return TW_OK;
}

float tw_land_lowest(const float *in, size_t cells)
{
    float low = in[0];
    for (size_t i = 0; i < cells; i++)
        low = tw_min(low, in[i]);
    return low;
}

enum tw_status tw_land_store_ledger(struct tw_task *task, const float *raised, const float *z,
                                    double before)
{
    struct tw_mass_balance moved;
    struct tw_value *ledger = tw_task_output(task, TW_LAND_LEDGER);
    double rise = 0;
    if (tw_task_wants(task, TW_LAND_LEDGER)) /* before it is eroded */
        rise = tw_mass_balance_sum(task, raised) - before;
    enum tw_status status = tw_mass_balance_store(task, raised, z, (size_t)tw_task_width(task),
                                                  NULL, TW_LAND_ERODED, &moved);
    if (status != TW_OK || !tw_task_wants(task, TW_LAND_LEDGER))
        return status;
    status = tw_task_list(task, TW_LAND_LEDGER, 4);
    if (status != TW_OK)
        return status;
    tw_record_set(ledger, 0, "raised", rise);
    tw_record_set(ledger, 1, "eroded", moved.eroded);
    tw_record_set(ledger, 2, "deposited", moved.deposited);
    tw_record_set(ledger, 3, "exported", moved.eroded - moved.deposited);
    return TW_OK;
}
