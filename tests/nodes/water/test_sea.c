/* SPDX-License-Identifier: MIT */
/* water.sea against plain searches: regions by flooding again and again, distances to every cell.
 */
#include "support/everywhere.h"
#include "support/record.h"

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

/* ---- the record ---- */

/* Regions of land by 4-neighbour steps: every cell takes the least number beside it. */
static int reference_islands(const bool *sea, int w, int h, bool wrap)
{
    int *number = malloc((size_t)(w * h) * sizeof *number), islands = 0;
    bool changed = true;
    assert_non_null(number);
    for (int i = 0; i < w * h; i++)
        number[i] = i;
    while (changed) {
        changed = false;
        for (int i = 0; i < w * h; i++)
            for (int k = 0; k < 4 && !sea[i]; k++) {
                int x = i % w + (k == 0) - (k == 1), y = i / w + (k == 2) - (k == 3);
                int j = (y + h) % h * w + (x + w) % w;
                if ((!wrap && (x < 0 || y < 0 || x >= w || y >= h)) || sea[j] ||
                    number[j] >= number[i])
                    continue;
                number[i] = number[j];
                changed = true;
            }
    }
    for (int i = 0; i < w * h; i++)
        islands += !sea[i] && number[i] == i;
    free(number);
    return islands;
}

static bool has_edge(const bool *sea, int w, int h, int x, int y, int dx, int dy, bool wrap)
{
    bool inside = wrap || (x + dx < w && y + dy < h);
    return inside && sea[y * w + x] != sea[(y + dy) % h * w + (x + dx) % w];
}

static bool meets_coast(const bool *sea, int w, int h, int left, int top, int size, bool wrap)
{
    for (int y = top; y < top + size; y++)
        for (int x = left; x < left + size; x++)
            if (has_edge(sea, w, h, x, y, 1, 0, wrap) || has_edge(sea, w, h, x, y, 0, 1, wrap))
                return true;
    return false;
}

static double reference_dimension(const bool *sea, int w, int h, bool wrap)
{
    double x[5], y[5], mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    int sizes = 0;
    for (int size = 2; size <= 32; size *= 2) {
        int boxes = 0;
        for (int top = 0; top + size <= h; top += size)
            for (int left = 0; left + size <= w; left += size)
                boxes += meets_coast(sea, w, h, left, top, size, wrap);
        if (boxes == 0)
            continue;
        x[sizes] = log(size);
        y[sizes++] = log(boxes);
    }
    for (int i = 0; i < sizes; i++) {
        mean_x += x[i] / sizes;
        mean_y += y[i] / sizes;
    }
    for (int i = 0; i < sizes; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return sizes < 2 ? 0 : -xy / xx;
}

static double entry_of(const struct tw_result *result, const char *name)
{
    return record_number(tw_result_output(result, "record"), name);
}

static struct tw_result *run_record(const struct tw_value *in, float level, bool connected,
                                    bool wrap, char *nodes, size_t size)
{
    harness_give(0, in);
    snprintf(nodes, size,
             "in: {type: test.map}\n"
             "sea: {type: water.sea, in: in, level: %.9g, connected: %s, border: %s}\n",
             (double)level, connected ? "true" : "false", wrap ? "wrap" : "closed");
    return harness_run(&(struct harness){.width = in->width,
                                         .height = in->height,
                                         .nodes = nodes,
                                         .outputs = "record: sea.record\n"});
}

static void compare_record(const struct tw_value *in, float level, bool connected, bool wrap)
{
    char nodes[300];
    int w = in->width, h = in->height, cells = 0, edges = 0;
    bool *sea = malloc((size_t)(w * h) * sizeof *sea);
    struct tw_result *result = run_record(in, level, connected, wrap, nodes, sizeof nodes);
    const float *mask = tw_floats(tw_result_output(result, "sea"));
    struct tw_result *alone =
        harness_run(&(struct harness){.width = w, .height = h, .nodes = nodes});
    harness_same(tw_result_output(alone, "sea"), mask);
    assert_non_null(sea);
    for (int i = 0; i < w * h; i++) {
        sea[i] = mask[i] == 1;
        assert_true(sea[i] || mask[i] == 0);
        cells += sea[i];
    }
    for (int i = 0; i < w * h; i++)
        edges += has_edge(sea, w, h, i % w, i / w, 1, 0, wrap) +
                 has_edge(sea, w, h, i % w, i / w, 0, 1, wrap);
    assert_int_equal(tw_result_output(result, "record")->width, 4);
    assert_true(entry_of(result, "share") == (double)cells / (w * h));
    assert_true(entry_of(result, "islands") == reference_islands(sea, w, h, wrap));
    assert_true(entry_of(result, "shore") == (double)edges / w);
    assert_true(fabs(entry_of(result, "dimension") - reference_dimension(sea, w, h, wrap)) < 1e-9);
    tw_result_release(alone);
    tw_result_release(result);
    free(sea);
}

static void record_equals_plain_counts(void **state)
{
    const int32_t sizes[][2] = {{1, 1},   {1, 40},  {40, 1},  {2, 2},   {3, 5},
                                {33, 70}, {64, 64}, {65, 63}, {100, 37}};
    (void)state;
    for (int i = 0; i < 36; i++) {
        struct tw_value in = harness_terrain(sizes[i % 9][0], sizes[i % 9][1], (uint64_t)i);
        float least = 1e9f, greatest = -1e9f;
        for (size_t c = 0; c < tw_value_count(&in); c++) {
            least = fminf(least, tw_floats(&in)[c]);
            greatest = fmaxf(greatest, tw_floats(&in)[c]);
        }
        for (int k = 0; k <= 4; k++)
            compare_record(&in, least + (float)k * 0.26f * (greatest - least), i / 9 % 2, i / 18);
        free(in.data);
    }
}

/* Of a straight coast the dimension is 1, of one everywhere 2. */
static void knows_coasts(void **state)
{
    static float cells[128 * 128];
    const struct tw_value in = {TW_HEIGHTMAP, 128, 128, cells};
    char nodes[300];
    (void)state;
    for (int chequered = 0; chequered < 2; chequered++) {
        for (int i = 0; i < 128 * 128; i++)
            cells[i] = (float)(chequered ? (i + i / 128) % 2 : i % 128 > 60);
        struct tw_result *result = run_record(&in, 0.5f, false, false, nodes, sizeof nodes);
        assert_true(fabs(entry_of(result, "dimension") - 1 - chequered) < 1e-9);
        assert_true(entry_of(result, "islands") == (chequered ? 128 * 64 : 1));
        assert_true(entry_of(result, "shore") == (chequered ? 2 * 127 : 1));
        assert_true(entry_of(result, "share") == (chequered ? 0.5 : 61 / 128.0));
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_plain_searches),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(record_equals_plain_counts),
        cmocka_unit_test(knows_coasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
