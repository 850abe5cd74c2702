/* SPDX-License-Identifier: MIT */
/* water.rivers against plain rivers on land without hollows, where the steepest neighbour is all
 * that counts; and what holds on any land. */
#include "support/dice.h"
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 41, H = 33, CELLS = W * H };

static const int opposite[8] = {7, 6, 5, 4, 3, 2, 1, 0};

/* ---- plain rivers ---- */

struct net {
    bool wrap, outlet[CELLS];
    int to[CELLS]; /* direction, -1 at an outlet */
    double q[CELLS];
    float threshold;
    int order[CELLS];
};

static void shift(int k, int *dx, int *dy)
{
    int at = k < 4 ? k : k + 1;
    *dx = at % 3 - 1;
    *dy = at / 3 - 1;
}

static int beside(const struct net *net, int cell, int k)
{
    int dx, dy;
    shift(k, &dx, &dy);
    int x = cell % W + dx, y = cell / W + dy;
    if (!net->wrap && (x < 0 || x >= W || y < 0 || y >= H))
        return -1;
    return (y + H) % H * W + (x + W) % W;
}

static void find_receivers(struct net *net, const float *z, const float *sea)
{
    float lowest = 9;
    for (int i = 0; i < CELLS; i++)
        lowest = fminf(lowest, z[i]);
    for (int i = 0; i < CELLS; i++) {
        int x = i % W, y = i / W;
        bool border = x == 0 || y == 0 || x == W - 1 || y == H - 1;
        float best = 0;
        net->outlet[i] = net->wrap ? z[i] == lowest : border || sea[i] >= 0.5f;
        net->to[i] = -1;
        for (int k = 0; k < 8 && !net->outlet[i]; k++) {
            int next = beside(net, i, k);
            bool straight = k == 1 || k == 3 || k == 4 || k == 6;
            float drop = (z[i] - z[next]) * (straight ? 1.0f : 0.70710678f);
            net->to[i] = drop > best ? k : net->to[i];
            best = fmaxf(best, drop);
        }
        assert_true(net->outlet[i] || net->to[i] >= 0);
    }
}

static void find_flow(struct net *net, const float *rain)
{
    double total = 0;
    memset(net->q, 0, sizeof net->q);
    for (int i = 0; i < CELLS; i++) {
        total += (double)rain[i];
        for (int cell = i;; cell = beside(net, cell, net->to[cell])) {
            net->q[cell] += (double)rain[i];
            if (net->outlet[cell])
                break;
        }
    }
    for (int i = 0; i < CELLS; i++)
        net->q[i] /= total;
}

static bool runs(const struct net *net, int cell) { return (float)net->q[cell] >= net->threshold; }

/* The donor k of a river's cell that is a river, else -1. */
static int donor(const struct net *net, int cell, int k)
{
    int from = beside(net, cell, k);
    return from >= 0 && net->to[from] == opposite[k] && runs(net, from) ? from : -1;
}

static int find_order(struct net *net, int cell)
{
    int count[32] = {0}, highest = 0;
    for (int k = 0; k < 8; k++)
        if (donor(net, cell, k) >= 0) {
            int order = find_order(net, donor(net, cell, k));
            count[order]++;
            highest = order > highest ? order : highest;
        }
    net->order[cell] = highest == 0 ? 1 : highest + (count[highest] > 1);
    return net->order[cell];
}

/* ---- plain lines ---- */

struct spot {
    double x, y, level, flow;
    bool stays;
};

struct line {
    int end, count; /* its last own cell; points */
    double flow;
    struct spot spots[4 * CELLS];
};

static int river_donors(const struct net *net, int cell)
{
    int count = 0;
    for (int k = 0; k < 8; k++)
        count += donor(net, cell, k) >= 0;
    return count;
}

static int main_donor(const struct net *net, int cell)
{
    int best = -1;
    for (int k = 0; k < 8; k++) {
        int from = donor(net, cell, k);
        if (from >= 0 && (best < 0 || net->q[from] > net->q[best] ||
                          (net->q[from] == net->q[best] && from < best)))
            best = from;
    }
    return best;
}

/* Ends of lines by falling flow, then index; returns their number. */
static int list_ends(const struct net *net, int *ends)
{
    int count = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (!runs(net, cell))
            continue;
        int into = net->outlet[cell] ? -1 : beside(net, cell, net->to[cell]);
        if (into < 0 ? river_donors(net, cell) == 0 : main_donor(net, into) == cell)
            continue;
        int at = count++;
        for (; at > 0 && net->q[ends[at - 1]] < net->q[cell]; at--)
            ends[at] = ends[at - 1];
        ends[at] = cell;
    }
    return count;
}

static struct spot spot_at(const struct net *net, const float *z, int cell, int own)
{
    double sinks = 0.01 * (pow(net->q[cell], 0.4) - pow(net->q[own], 0.4)) / 4;
    return (struct spot){(cell % W + 0.5) / W, (cell / W + 0.5) / H, (double)z[cell] - sinks,
                         net->q[own], river_donors(net, cell) > 1};
}

static void cut_corners(struct line *line)
{
    static struct spot cut[4 * CELLS];
    int count = 0;
    for (int i = 0; i < line->count; i++) {
        const struct spot *s = line->spots;
        if (s[i].stays) {
            cut[count++] = s[i];
            continue;
        }
        for (int side = -1; side <= 1; side += 2) {
            const struct spot *a = &s[i], *b = &s[i + side];
            cut[count++] = (struct spot){0.75 * a->x + 0.25 * b->x, 0.75 * a->y + 0.25 * b->y,
                                         0.75 * a->level + 0.25 * b->level,
                                         0.75 * a->flow + 0.25 * b->flow, false};
        }
    }
    memcpy(line->spots, cut, (size_t)count * sizeof *cut);
    line->count = count;
}

static void trace(const struct net *net, const float *z, int end, struct line *line)
{
    int cells[CELLS + 1], count = 0;
    if (!net->outlet[end])
        cells[count++] = beside(net, end, net->to[end]);
    for (int cell = end; cell >= 0; cell = main_donor(net, cell))
        cells[count++] = cell;
    line->count = 0;
    for (int i = count; i-- > 0;)
        line->spots[line->count++] =
            spot_at(net, z, cells[i], i == 0 && !net->outlet[end] ? end : cells[i]);
    line->spots[0].stays = line->spots[count - 1].stays = true;
    for (int i = 1; i < count && net->wrap; i++) { /* the nearest of its copies */
        line->spots[i].x -= round(line->spots[i].x - line->spots[i - 1].x);
        line->spots[i].y -= round(line->spots[i].y - line->spots[i - 1].y);
    }
    cut_corners(line);
    cut_corners(line);
}

static double off(double a, double b, bool wrap)
{
    double gap = fabs(a - b);
    return wrap ? fabs(gap - round(gap)) : gap;
}

static void check_line(const struct net *net, const struct tw_line_point *points,
                       const struct line *line, int number)
{
    for (int i = 0; i < line->count; i++) {
        const struct spot *s = &line->spots[i];
        assert_int_equal(points[i].line, number);
        assert_true(off((double)points[i].x, s->x, net->wrap) < 1e-6);
        assert_true(off((double)points[i].y, s->y, net->wrap) < 1e-6);
        assert_true(fabs((double)points[i].z - s->level + 0.01 * pow(s->flow, 0.4) / 4) < 1e-6);
        assert_true(fabs((double)points[i].flow - s->flow) < 1e-6);
        assert_true(i == 0 || (fabsf(points[i].x - points[i - 1].x) * W < 1.5f &&
                               fabsf(points[i].y - points[i - 1].y) * H < 1.5f));
    }
}

static void compare(struct net *net, const float *z, struct tw_result *result)
{
    static struct line line;
    static int ends[CELLS];
    const struct tw_value *lines = tw_result_output(result, "out");
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    const int32_t *order = tw_labels(tw_result_output(result, "order"));
    int count = list_ends(net, ends), at = 0;
    assert_true(count > 4);
    for (int cell = 0; cell < CELLS; cell++)
        if (net->outlet[cell])
            find_order(net, cell);
    for (int cell = 0; cell < CELLS; cell++) {
        assert_true(fabs((double)flow[cell] - net->q[cell]) < 1e-7);
        assert_int_equal(order[cell], runs(net, cell) ? net->order[cell] : 0);
    }
    for (int i = 0; i < count; i++, at += line.count) {
        trace(net, z, ends[i], &line);
        assert_true(at + line.count <= lines->width);
        check_line(net, tw_line_points(lines) + at, &line, i);
    }
    assert_int_equal(at, lines->width);
    assert_true(record_number(tw_result_output(result, "record"), "lines") == count);
}

#define NODES                                                                                      \
    "in: {type: test.map}\nsea: {type: test.mask, slot: 1}\nrain: {type: test.map, slot: 2}\n"
#define OUTPUTS "flow: out.flow\norder: out.order\nrecord: out.record\n"

/* Land on which water stands nowhere. */
static struct tw_value drained_terrain(uint64_t seed, bool wrap)
{
    struct tw_value in = harness_terrain(W, H, seed);
    harness_give(0, &in);
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes =
            wrap ? "in: {type: test.map}\n"
                   "out: {type: shape.fill_depressions, in: in, epsilon: 1, border: wrap}\n"
                 : "in: {type: test.map}\n"
                   "out: {type: shape.fill_depressions, in: in, epsilon: 1, border: closed}\n"});
    memcpy(in.data, tw_result_output(result, "out")->data, CELLS * sizeof(float));
    tw_result_release(result);
    return in;
}

static void equals_plain_rivers(void **state)
{
    static struct net net;
    struct dice dice = {.key = 3};
    (void)state;
    for (int run = 0; run < 8; run++) {
        float sea[CELLS], rain[CELLS];
        bool wrap = run % 2;
        struct tw_value in = drained_terrain((uint64_t)run, wrap);
        const struct tw_value sea_map = {TW_MASK, W, H, sea}, rain_map = {TW_HEIGHTMAP, W, H, rain};
        for (int i = 0; i < CELLS; i++) {
            sea[i] = !wrap && dice_below(&dice, 60) == 0 ? 0.5f : 0.49f;
            rain[i] = run < 4 ? 1 : (float)dice_below(&dice, 5);
        }
        net.wrap = wrap;
        net.threshold = 0.01f;
        find_receivers(&net, tw_floats(&in), sea);
        find_flow(&net, rain);
        harness_give(0, &in);
        harness_give(1, &sea_map);
        harness_give(2, &rain_map);
        struct tw_result *result = harness_run(&(struct harness){
            .width = W,
            .height = H,
            .nodes = wrap ? NODES "out: {type: water.rivers, in: in, sea: sea, rain: rain, "
                                  "threshold: 0.01, border: wrap}\n"
                          : NODES "out: {type: water.rivers, in: in, sea: sea, rain: rain, "
                                  "threshold: 0.01, border: closed}\n",
            .outputs = OUTPUTS});
        compare(&net, tw_floats(&in), result);
        tw_result_release(result);
        free(in.data);
    }
}

/* ---- on any land ---- */

static struct tw_result *run_rivers(const struct tw_value *in, const struct tw_value *rain,
                                    const char *with)
{
    char nodes[300];
    harness_give(0, in);
    harness_give(2, rain ? rain : in);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nrain: {type: test.map, slot: 2}\n"
             "area: {type: measure.flow, in: in%s}\n"
             "out: {type: water.rivers, in: in%s%s}\n",
             strstr(with, ", border"), with, rain ? ", rain: rain" : "");
    return harness_run(&(struct harness){
        .width = in->width, .height = in->height, .nodes = nodes, .outputs = OUTPUTS});
}

/* The point of an earlier line at this place, or NULL. */
static const struct tw_line_point *meeting(const struct tw_line_point *points,
                                           const struct tw_line_point *end)
{
    for (; points->line < end->line; points++)
        if (points->x == end->x && points->y == end->y)
            return points;
    return NULL;
}

static void check_course(const struct tw_value *lines, int width)
{
    const struct tw_line_point *points = tw_line_points(lines);
    for (int i = 0; i < lines->width; i++) {
        const struct tw_line_point *here = points + i, *next = here + 1;
        assert_true(fabs((double)here->width - 0.02 * sqrt((double)here->flow)) < 1e-8);
        assert_true(fabs((double)here->depth - 0.01 * pow((double)here->flow, 0.4)) < 1e-8);
        if (i + 1 < lines->width && next->line == here->line) {
            assert_true(next->z <= here->z && next->flow >= here->flow);
            assert_true(next->width >= here->width && next->depth >= here->depth);
            continue;
        }
        const struct tw_line_point *river = meeting(points, here);
        assert_true(i + 1 == lines->width || next->line == here->line + 1);
        if (river)
            assert_true(river->z == here->z && river->flow >= 2 * here->flow);
        else /* a mouth, at the centre of an outlet's cell */
            assert_true(off((double)here->x * width, 0.5, true) < 1e-4);
    }
}

static void never_flows_up(void **state)
{
    static const char *const withs[] = {", threshold: 0.004, border: wrap",
                                        ", threshold: 0.004, border: closed",
                                        ", threshold: 0, border: closed"};
    (void)state;
    for (int i = 0; i < 9; i++) {
        struct tw_value in = harness_terrain(W, H, (uint64_t)i / 3);
        struct tw_result *result = run_rivers(&in, NULL, withs[i % 3]);
        const struct tw_value *flow = tw_result_output(result, "flow");
        check_course(tw_result_output(result, "out"), W);
        harness_same(flow, tw_floats(tw_result_output(result, "area")));
        double out = 0;
        for (int cell = 0; cell < CELLS && i % 3; cell++)
            if (cell % W == 0 || cell % W == W - 1 || cell / W == 0 || cell / W == H - 1)
                out += (double)tw_floats(flow)[cell];
        assert_true(i % 3 == 0 || fabs(out - 1) < 1e-5);
        tw_result_release(result);
        free(in.data);
    }
}

static void mirror(const float *from, float *to)
{
    for (int i = 0; i < CELLS; i++)
        to[i] = from[i / W * W + W - 1 - i % W];
}

/* Rain that differs from cell to cell leaves no ties. */
static void mirrored_land_has_mirrored_rivers(void **state)
{
    struct tw_value in = harness_terrain(W, H, 8);
    float heights[CELLS], rain[CELLS], mirrored[CELLS];
    const struct tw_value other = {TW_HEIGHTMAP, W, H, heights};
    const struct tw_value wet = {TW_HEIGHTMAP, W, H, rain}, turned = {TW_HEIGHTMAP, W, H, mirrored};
    struct dice dice = {.key = 4};
    (void)state;
    for (int i = 0; i < CELLS; i++)
        rain[i] = (float)dice_share(&dice);
    mirror(tw_floats(&in), heights);
    mirror(rain, mirrored);
    struct tw_result *a = run_rivers(&in, &wet, ", threshold: 0.01, border: closed");
    struct tw_result *b = run_rivers(&other, &turned, ", threshold: 0.01, border: closed");
    const struct tw_value *lines = tw_result_output(a, "out"), *back = tw_result_output(b, "out");
    assert_true(lines->width == back->width && lines->width > 100);
    for (int i = 0; i < lines->width; i++) {
        const struct tw_line_point *p = tw_line_points(lines) + i, *q = tw_line_points(back) + i;
        assert_true(p->line == q->line && fabsf(p->x + q->x - 1) < 1e-6f && p->y == q->y);
        assert_true(p->z == q->z && p->flow == q->flow && p->width == q->width);
    }
    tw_result_release(a);
    tw_result_release(b);
    free(in.data);
}

/* Four sources meet two by two; walls of land without rain lie between. */
enum { TREE_W = 17, TREE_H = 9 };
static void has_the_orders_of_a_drawn_tree(void **state)
{
    static const int columns[TREE_H][4] = {{-1, -1, -1, -1}, {2, 6, 10, 14}, {3, 5, 11, 13},
                                           {4, 4, 12, 12},   {5, 5, 11, 11}, {6, 6, 10, 10},
                                           {7, 7, 9, 9},     {8, 8, 8, 8},   {8, 8, 8, 8}};
    static const int first[4] = {2, 10, 6, 14}, last[4] = {8, 8, 4, 12};
    float z[TREE_W * TREE_H], rain[TREE_W * TREE_H] = {0};
    int expected[TREE_W * TREE_H] = {0}, at = 0;
    const struct tw_value in = {TW_HEIGHTMAP, TREE_W, TREE_H, z};
    const struct tw_value wet = {TW_HEIGHTMAP, TREE_W, TREE_H, rain};
    (void)state;
    for (int i = 0; i < TREE_W * TREE_H; i++)
        z[i] = 3.0f - (float)(i / TREE_W) * 0.1f;
    for (int y = 1; y < TREE_H; y++)
        for (int k = 0; k < 4; k++) {
            z[y * TREE_W + columns[y][k]] = 1.0f - (float)y * 0.1f;
            expected[y * TREE_W + columns[y][k]] = y < 3 ? 1 : y < 7 ? 2 : 3;
        }
    for (int k = 0; k < 4; k++)
        rain[TREE_W + columns[1][k]] = 1;
    struct tw_result *result = run_rivers(&in, &wet, ", border: closed");
    const struct tw_value *lines = tw_result_output(result, "out");
    for (int i = 0; i < TREE_W * TREE_H; i++)
        assert_int_equal(tw_labels(tw_result_output(result, "order"))[i], expected[i]);
    for (int line = 0; line < 4; line++) {
        const struct tw_line_point *point = tw_line_points(lines) + at;
        assert_true(fabsf(point->x * TREE_W - 0.5f - (float)first[line]) < 1e-5f);
        for (; at < lines->width && tw_line_points(lines)[at].line == line; at++)
            point = tw_line_points(lines) + at;
        assert_true(fabsf(point->x * TREE_W - 0.5f - (float)last[line]) < 1e-5f);
        assert_true(point->flow == (line == 0 ? 1 : line == 1 ? 0.5f : 0.25f));
    }
    assert_int_equal(at, lines->width);
    assert_true(record_number(tw_result_output(result, "record"), "order") == 3);
    assert_true(record_number(tw_result_output(result, "record"), "mouths") == 1);
    tw_result_release(result);
}

static void begins_at_the_threshold(void **state)
{
    static const char *const withs[] = {", threshold: 0.002, border: wrap",
                                        ", threshold: 0.02, border: wrap",
                                        ", threshold: 1, border: wrap"};
    struct tw_value in = harness_terrain(W, H, 2);
    double before = 1e9;
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_result *result = run_rivers(&in, NULL, withs[i]);
        const float *flow = tw_floats(tw_result_output(result, "flow"));
        const int32_t *order = tw_labels(tw_result_output(result, "order"));
        double length = record_number(tw_result_output(result, "record"), "length");
        for (int cell = 0; cell < CELLS && i < 2; cell++)
            assert_true((order[cell] > 0) == (flow[cell] >= (i == 0 ? 0.002f : 0.02f)));
        assert_true(length < before);
        before = length;
        tw_result_release(result);
    }
    free(in.data);
}

static void no_rain_no_rivers(void **state)
{
    static float dry[CELLS];
    const struct tw_value rain = {TW_HEIGHTMAP, W, H, dry};
    struct tw_value in = harness_terrain(W, H, 2);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_result *result =
            run_rivers(&in, i ? &rain : NULL,
                       i ? ", threshold: 0, border: wrap" : ", threshold: 1, border: closed");
        const struct tw_value *record = tw_result_output(result, "record");
        assert_int_equal(tw_result_output(result, "out")->width, 0);
        assert_true(record_number(record, "lines") == 0 && record_number(record, "length") == 0);
        tw_result_release(result);
    }
    free(in.data);
}

static void shrinks_to_a_cell(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 9}, {3, 3}};
    (void)state;
    for (int i = 0; i < 12; i++) {
        struct tw_value in = harness_terrain(sizes[i / 2][0], sizes[i / 2][1], 3);
        struct tw_result *result = run_rivers(
            &in, NULL, i % 2 ? ", threshold: 0, border: closed" : ", threshold: 0, border: wrap");
        check_course(tw_result_output(result, "out"), in.width);
        tw_result_release(result);
        free(in.data);
    }
}

static void bytes_are_the_same_everywhere(void **state)
{
    struct tw_value in = harness_terrain(96, 96, 21);
    const struct harness harness = {.width = 96,
                                    .height = 96,
                                    .nodes = "in: {type: test.map}\n"
                                             "out: {type: water.rivers, in: in}\n",
                                    .outputs = OUTPUTS};
    (void)state;
    harness_give(0, &in);
    struct tw_result *result = harness_run(&harness);
    everywhere(harness, "flow", tw_floats(tw_result_output(result, "flow")));
    tw_result_release(result);
    free(in.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_plain_rivers),
        cmocka_unit_test(never_flows_up),
        cmocka_unit_test(mirrored_land_has_mirrored_rivers),
        cmocka_unit_test(has_the_orders_of_a_drawn_tree),
        cmocka_unit_test(begins_at_the_threshold),
        cmocka_unit_test(no_rain_no_rivers),
        cmocka_unit_test(shrinks_to_a_cell),
        cmocka_unit_test(bytes_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
