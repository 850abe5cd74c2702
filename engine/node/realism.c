/* SPDX-License-Identifier: MIT */
#include <thalweg/realism.h>

#define CELL_M 90.0
#define COARSE_CELL_M 127 /* above, cells are nearer to 180 m than to 90 m */

static const struct tw_realism_band fine[TW_REALISM_COUNT] = {
    [TW_REALISM_HOLLOWS] = {"hollows", 0.002974, 0.0104, 0.07967},
    [TW_REALISM_UPSIDE] = {"upside", 0.8669, 2.608, 3.526},
    [TW_REALISM_THETA] = {"theta", 0.1871, 0.2852, 0.4061},
    [TW_REALISM_SCATTER] = {"scatter", 1.09, 1.543, 2.129},
    [TW_REALISM_BRANCHING] = {"branching", 0.5049, 0.5695, 0.6641},
    [TW_REALISM_CRESTS] = {"crests", -0.2624, -0.1779, -0.05587},
    [TW_REALISM_FINE] = {"fine", 1.116, 1.261, 1.437},
    [TW_REALISM_STEEP] = {"steep", 1.761, 2.313, 4.723},
    [TW_REALISM_PROMINENCE] = {"prominence", 0.4648, 0.7008, 0.9586},
};

static const struct tw_realism_band coarse[TW_REALISM_COUNT] = {
    [TW_REALISM_HOLLOWS] = {"hollows", 0.00405, 0.01144, 0.07714},
    [TW_REALISM_UPSIDE] = {"upside", 1.221, 2.82, 3.796},
    [TW_REALISM_THETA] = {"theta", 0.2457, 0.3428, 0.4329},
    [TW_REALISM_SCATTER] = {"scatter", 1.179, 1.598, 1.92},
    [TW_REALISM_BRANCHING] = {"branching", 0.5102, 0.5594, 0.7208},
    [TW_REALISM_CRESTS] = {"crests", -0.2762, -0.1805, -0.07501},
    [TW_REALISM_FINE] = {"fine", 0.9488, 1.201, 1.257},
    [TW_REALISM_STEEP] = {"steep", 1.786, 2.276, 3.931},
    [TW_REALISM_PROMINENCE] = {"prominence", 0.512, 0.735, 0.9488},
};

const struct tw_realism_band *tw_realism_bands(double cell_m)
{
    return cell_m > COARSE_CELL_M ? coarse : fine;
}

int32_t tw_realism_factor(int32_t width, int32_t height, double cell_m)
{
    const int32_t most = (width < height ? width : height) / TW_REALISM_SIDE_MIN;
    const double wanted = cell_m > 0 ? CELL_M / cell_m + 0.5 : 1;
    int32_t factor = wanted < most ? (int32_t)wanted : most;
    return factor > 1 ? factor : 1;
}

int tw_realism_verdict(const struct tw_realism_band *band, double number)
{
    return number < band->p5 ? -1 : number > band->p95;
}

double tw_realism_place(const struct tw_realism_band *band, double number)
{
    const double half = number > band->p50 ? band->p95 - band->p50 : band->p50 - band->p5;
    return (number - band->p50) / half;
}
