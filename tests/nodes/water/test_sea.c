/* SPDX-License-Identifier: MIT */
/* water.sea against plain searches: regions by flooding again and again, distances to every cell.
 */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 37, H = 23, CELLS = W * H };

/* The neighbour i of 9 of a cell, -1 beyond a border. */
static int beside(int cell, int i, bool wrap)
{
    int x = cell % W + i % 3 - 1, y = cell / W + i / 3 - 1;
    if (!wrap && (x < 0 || x >= W || y < 0 || y >= H))
        return -1;
    return (y + H) % H * W + (x + W) % W;
}

/* The region of cell `first`: its cells in `in`, spread until nothing changes. */
static int region(const bool *low, int first, bool wrap, bool *in)
{
    bool changed = true;
    int count = 0;
    memset(in, 0, CELLS);
    in[first] = true;
    while (changed) {
        changed = false;
        for (int cell = 0; cell < CELLS; cell++)
            for (int i = 0; i < 9 && !in[cell] && low[cell]; i++) {
                int other = beside(cell, i, wrap);
                if (other >= 0 && in[other])
                    changed = in[cell] = true;
            }
    }
    for (int cell = 0; cell < CELLS; cell++)
        count += in[cell];
    return count;
}

static void reference_sea(const float *z, float level, bool connected, bool wrap, bool *sea)
{
    static bool low[CELLS], in[CELLS];
    int best = 0;
    for (int i = 0; i < CELLS; i++)
        low[i] = z[i] < level;
    memcpy(sea, low, CELLS);
    if (!connected)
        return;
    memset(sea, 0, CELLS);
    for (int cell = 0; cell < CELLS; cell++) {
        bool at_border = cell % W == 0 || cell % W == W - 1 || cell / W == 0 || cell / W == H - 1;
        if (!low[cell] || (!wrap && !at_border))
            continue;
        int count = region(low, cell, wrap, in);
        if (wrap && count <= best)
            continue;
        for (int i = 0; i < CELLS; i++)
            sea[i] = in[i] || (!wrap && sea[i]);
        best = count;
    }
}

static double reference_shore(const bool *sea, int cell, bool wrap)
{
    double best = 1e9;
    for (int other = 0; other < CELLS; other++) {
        double dx = abs(cell % W - other % W), dy = abs(cell / W - other / W);
        if (wrap) {
            dx = fmin(dx, W - dx);
            dy = fmin(dy, H - dy);
        }
        if (sea[other] != sea[cell])
            best = fmin(best, sqrt(dx * dx + dy * dy));
    }
    double distance = best == 1e9 ? 2 : (best - 0.5) / W;
    return sea[cell] ? -distance : distance;
}

static void check(const struct tw_value *in, float level, bool connected, bool wrap)
{
    static bool sea[CELLS];
    static float mask[CELLS];
    char nodes[200];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "sea: {type: water.sea, in: in, level: %g, connected: %s, border: %s}\n",
             (double)level, connected ? "true" : "false", wrap ? "wrap" : "closed");
    const struct harness harness = {
        .width = W, .height = H, .nodes = nodes, .outputs = "shore: sea.shore\n"};
    struct tw_result *result = harness_run(&harness);
    const float *shore = tw_floats(tw_result_output(result, "shore"));
    reference_sea(tw_floats(in), level, connected, wrap, sea);
    assert_int_equal(tw_result_output(result, "sea")->type, TW_MASK);
    for (int i = 0; i < CELLS; i++) {
        mask[i] = sea[i];
        assert_true(fabs((double)shore[i] - reference_shore(sea, i, wrap)) < 1e-6);
    }
    harness_same(tw_result_output(result, "sea"), mask);
    everywhere(harness, "shore", shore);
    tw_result_release(result);
}

static void equals_plain_searches(void **state)
{
    struct tw_value in = harness_terrain(W, H, 11);
    float least = 1, greatest = 0;
    (void)state;
    harness_give(0, &in);
    for (int i = 0; i < CELLS; i++) {
        least = fminf(least, tw_floats(&in)[i]);
        greatest = fmaxf(greatest, tw_floats(&in)[i]);
    }
    for (int i = 0; i < 16; i++) {
        float share = (float)(i / 4) * 0.2f + 0.2f;
        check(&in, least + share * (greatest - least), i % 2, i / 2 % 2);
    }
    check(&in, least, true, false); /* no cell is below the level */
    check(&in, 2, true, true);      /* all are */
    free(in.data);
}

/* Of two equal seas on a torus the first stays; on ground that ends both at the border do. */
static void ties_go_to_the_first(void **state)
{
    static float cells[CELLS];
    const struct tw_value in = {TW_HEIGHTMAP, W, H, cells};
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = 1;
    cells[5 * W + 20] = cells[6 * W + 21] = 0; /* joined over a corner */
    cells[9 * W] = cells[9 * W + W - 1] = 0;   /* joined over the border of a torus */
    harness_give(0, &in);
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *result = harness_run(&(struct harness){
            .width = W,
            .height = H,
            .nodes = wrap ? "in: {type: test.map}\n"
                            "sea: {type: water.sea, in: in, connected: true, border: wrap}\n"
                          : "in: {type: test.map}\n"
                            "sea: {type: water.sea, in: in, connected: true, border: closed}\n"});
        const float *sea = tw_floats(tw_result_output(result, "sea"));
        assert_true(sea[5 * W + 20] == (float)wrap && sea[6 * W + 21] == (float)wrap);
        assert_true(sea[9 * W] == (float)!wrap && sea[9 * W + W - 1] == (float)!wrap);
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_plain_searches),
        cmocka_unit_test(ties_go_to_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
