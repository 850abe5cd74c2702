/* SPDX-License-Identifier: MIT */
/* A step of incision has the bytes of one that takes cell after cell, each after its receivers. */
#include "common/drainage/outlets.h"
#include "common/ground_maps.h"
#include "common/rising_land/incision.h"
#include "support/probe.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <math.h>
#include <string.h>

enum { W = 70, H = 300, CELLS = W * H };
enum { DROPPED = 23 - TW_INCISION_FINE };

static struct {
    bool hard;
    uint64_t seed;
} given;

static float noise(int32_t cell, uint32_t what)
{
    return tw_uniform(tw_random(given.seed, (uint32_t)cell, what, 0, 0).at[0]);
}

/* ---- one cell after the other ---- */

static float plain_z[CELLS];
static bool done[CELLS];

static float plain_weight(const struct tw_incision *s, float area, float corner)
{
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    const float *at = s->powers + ((bits >> DROPPED) - (127 << TW_INCISION_FINE));
    float within = (float)(bits & ((1u << DROPPED) - 1)) * (1.0f / (1 << DROPPED));
    float power = at[0] + within * (at[1] - at[0]);
    double length = sqrt(1 + (double)(corner * corner));
    return (float)(length / (length + (double)power));
}

static float plain_height(const struct tw_incision *s, float base, float top, float weight,
                          float corner)
{
    float drop = top - base, left = weight * drop;
    float steepest = s->talus_rise * sqrtf(1 + corner * corner);
    float next = base + (left < steepest ? left : steepest);
    return drop > 0 && next < top ? next : top;
}

static void plain_lower(const struct tw_incision *s, const struct tw_flow_lines *f,
                        const float *area, int32_t cell)
{
    float corner = f->corner[cell], top = plain_z[cell];
    if (done[cell] || f->facet[cell] == TW_FLOW_LINES_NONE)
        return;
    done[cell] = true;
    const struct tw_flow_lines_steps steps = tw_flow_lines_steps(f->d);
    struct tw_receivers to = tw_flow_lines_receivers(f, &steps, cell, f->facet[cell]);
    if (corner < 1)
        plain_lower(s, f, area, to.cardinal);
    if (corner > 0)
        plain_lower(s, f, area, to.corner);
    float first = plain_z[corner >= 1 ? to.corner : to.cardinal];
    float second = plain_z[corner <= 0 ? to.cardinal : to.corner];
    float weight = plain_weight(s, area[cell], corner);
    float next = plain_height(s, first + corner * (second - first), top, weight, corner);
    if (s->hardness && next < top)
        next = tw_strength_blend(top, next, tw_softness(s->hardness[cell]));
    plain_z[cell] = next;
}

/* ---- the kernel ---- */

static enum tw_status step(struct tw_task *task)
{
    static struct tw_incision s;
    static float z[CELLS], area[CELLS], hardness[CELLS];
    static uint8_t outlet[CELLS];
    struct tw_drainage d;
    struct tw_flow_lines f;
    for (int32_t i = 0; i < CELLS; i++) {
        z[i] = (float)(i / W) * 0.003f * (float)(given.seed % 3) + noise(i, 0);
        hardness[i] = noise(i, 1);
        outlet[i] = i == CELLS / 3 || i % W == 0;
    }
    tw_incision_init(&s, 0.4, 0.5, 1, 12, W);
    s.hardness = given.hard ? hardness : NULL;
    probe_require(tw_drainage_init(task, &d) == TW_OK);
    probe_require(tw_drainage_open(task, outlet, false, &d) == TW_OK);
    probe_require(tw_flow_lines_init(task, &f, &d) == TW_OK);
    probe_require(tw_flow_lines_route(task, &f, &d, z, area) == TW_OK);
    probe_require(f.strips > 3);
    tw_incision_widen(task, &s, &f, area);
    memcpy(plain_z, z, sizeof z);
    memset(done, 0, sizeof done);
    for (int32_t cell = 0; cell < CELLS; cell++)
        plain_lower(&s, &f, area, cell);
    probe_require(memcmp(plain_z, z, sizeof z) != 0);
    tw_incision_step(task, &s, &f, area, z);
    probe_require(memcmp(plain_z, z, sizeof z) == 0);
    return TW_OK;
}

static void test_heights_are_those_of_cell_after_cell(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        given.seed = seed;
        given.hard = seed > 3;
        probe_run(step, W, H, 1 + (int32_t)seed % 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_those_of_cell_after_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
