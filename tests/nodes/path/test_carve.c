/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 72, HEIGHT = 50, CELLS = WIDTH * HEIGHT, LINES = 9, POINTS = 60 };
enum { RIVER, ROAD, CUT, RAISE };
static const char *const kinds[] = {"river", "road", "cut", "raise"};
static const double PI = 3.141592653589793;

/* ---- a plain reference: every cell against every segment of every image ---- */

struct found {
    double low, high, mask, ratio, level, near, road;
    bool bed;
};

static double clip(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static double smooth(double t) { return clip(t) * clip(t) * (3 - 2 * clip(t)); }

static void see_river(struct found *f, double r, double z, double d, double w, double ground)
{
    const double half = w / 2, top = 1.8 * half, crest = z + d / 4, u = (r - top) / (4 * w);
    if (r <= half) {
        f->low = fmin(f->low, z - d * (1 - (r / half) * (r / half)));
        f->bed = true;
    } else if (u < 1) {
        double p = r < top ? z + d / 4 * smooth((r - half) / (top - half))
                           : crest + smooth(u) * (ground - crest);
        f->low = fmin(f->low, p);
        f->high = fmax(f->high, fmin(p, ground + 0.02));
    }
}

static void see_road(struct found *f, double r, double z, double w, double ground)
{
    const double over = r - w / 2, side = 0.15 * WIDTH;
    if (over <= 0 && r < f->near) {
        f->near = r;
        f->road = z;
    }
    if (over <= 0 || over >= 1.5 * w)
        return;
    double low = z - tan(34 * PI / 180) / side * over, high = z + over / side;
    double to = ground + (1 - smooth(over / (1.5 * w))) * (fmin(fmax(ground, low), high) - ground);
    f->low = fmin(f->low, to);
    f->high = fmax(f->high, to);
}

static void see(struct found *f, int kind, const struct tw_line_point *a,
                const struct tw_line_point *b, double x, double y, double ground)
{
    const double ax = (double)a->x * WIDTH, ay = (double)a->y * HEIGHT;
    const double ux = (double)b->x * WIDTH - ax, uy = (double)b->y * HEIGHT - ay;
    const double length = ux * ux + uy * uy;
    const double t = length > 0 ? clip(((x - ax) * ux + (y - ay) * uy) / length) : 0;
    const double r = hypot(x - ax - t * ux, y - ay - t * uy);
    const double wa = fmax((double)a->width * WIDTH, 1), wb = fmax((double)b->width * WIDTH, 1);
    const double w = wa + t * (wb - wa), z = (double)a->z + t * ((double)b->z - (double)a->z);
    const double d = (double)a->depth + t * ((double)b->depth - (double)a->depth);
    f->mask = fmax(f->mask, clip(w / 2 - r + 0.5));
    if (r / w < f->ratio) {
        f->ratio = r / w;
        f->level = z;
    }
    if (kind == RIVER)
        see_river(f, r, z, d, w, ground);
    if (kind == ROAD)
        see_road(f, r, z, w, ground);
    if (kind == CUT && r <= w / 2)
        f->low = fmin(f->low, z - d * (1 - smooth(2 * r / w)));
    if (kind == RAISE && r <= w / 2)
        f->high = fmax(f->high, z + d * (1 - smooth(2 * r / w)));
}

/* One cell; the images are those of up to two maps around. */
static struct found look(int kind, bool wrap, const struct tw_value *lines, int32_t cell,
                         double ground)
{
    struct found f = {.low = ground, .high = ground, .ratio = 1e9, .near = 1e9};
    const struct tw_line_point *p = tw_line_points(lines);
    const int images = wrap ? 2 : 0;
    for (int32_t i = 0; i < lines->width; i++) {
        bool ends = i + 1 == lines->width || p[i + 1].line != p[i].line;
        bool alone = ends && (i == 0 || p[i - 1].line != p[i].line);
        if (ends && !alone)
            continue;
        for (int y = -images; y <= images; y++)
            for (int x = -images; x <= images; x++)
                see(&f, kind, p + i, alone ? p + i : p + i + 1, cell % WIDTH + 0.5 + x * WIDTH,
                    cell / WIDTH + 0.5 + y * HEIGHT, ground);
    }
    return f;
}

static double result_of(const struct found *f, int kind, double ground)
{
    if (kind == ROAD && f->near < 1e9)
        return f->road;
    return f->bed ? f->low : f->low + f->high - ground;
}

/* ---- running the node ---- */

static float plane[CELLS], share[CELLS];
static const struct tw_value plane_map = {TW_HEIGHTMAP, WIDTH, HEIGHT, plane};
static const struct tw_value share_map = {TW_MASK, WIDTH, HEIGHT, share};
static struct tw_line_point store[LINES * POINTS];
static struct tw_value lines = {TW_LINES, 0, 1, store};

static double draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

/* Wandering lines that fall and grow; one is a point, one has equal points, one leaves the map. */
static void scatter(uint32_t seed)
{
    lines.width = 0;
    for (int32_t line = 0; line < LINES; line++) {
        double x = draw(&seed) * 1.4 - 0.2, y = draw(&seed) * 1.4 - 0.2, angle = 6.28 * draw(&seed);
        double z = 0.8, width = 0.002 + 0.03 * draw(&seed), depth = 0.02, step = 0.06 * draw(&seed);
        int32_t count = line == 0 ? 1 : line == 1 ? POINTS : 5 + 4 * line;
        for (int32_t i = 0; i < count; i++) {
            store[lines.width++] = (struct tw_line_point){
                line, (float)x, (float)y, (float)z, (float)width, (float)depth, 0};
            if (line == 2 && i < 3)
                continue;
            angle += draw(&seed) - 0.5;
            x += step * cos(angle);
            y += step * sin(angle);
            z -= 0.02 * draw(&seed);
            width *= 1.03;
            depth *= 1.03;
        }
    }
}

static struct tw_result *carve(const char *rest, const char *head)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nm: {type: test.mask, slot: 1}\nl: {type: test.lines, slot: 2}\n"
             "out: {type: path.carve, in: in, lines: [l], %s}\n",
             rest);
    harness_give(1, &share_map);
    harness_give(2, &lines);
    return harness_run(&(struct harness){
        .width = WIDTH,
        .height = HEIGHT,
        .head = head,
        .nodes = nodes,
        .outputs =
            "mask: out.mask\ndepth: out.depth\nshoulder: out.shoulder\nledger: out.ledger\n"});
}

static const float *map_of(struct tw_result *result, const char *name)
{
    return tw_floats(tw_result_output(result, name));
}

static void close_to(double found, double expected, double by, const char *what, int32_t cell)
{
    if (!(fabs(found - expected) <= by))
        fail_msg("%s at %d, %d is %.8g; expected %.8g", what, cell % WIDTH, cell / WIDTH, found,
                 expected);
}

static void compare(int kind, bool wrap, const struct tw_value *land)
{
    char rest[80];
    snprintf(rest, sizeof rest, "kind: %s, border: %s", kinds[kind], wrap ? "wrap" : "closed");
    struct tw_result *result = carve(rest, NULL);
    double cut = 0, fill = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const double ground = (double)tw_floats(land)[i], out = (double)map_of(result, "out")[i];
        struct found f = look(kind, wrap, &lines, i, ground);
        close_to(out, result_of(&f, kind, ground), 4e-6, kinds[kind], i);
        close_to((double)map_of(result, "mask")[i], f.mask, 1e-4, "mask", i);
        close_to((double)map_of(result, "depth")[i], f.mask > 0 ? fmax(f.level - out, 0) : 0, 1e-5,
                 "depth", i);
        cut += fmax(ground - out, 0);
        fill += fmax(out - ground, 0);
    }
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    close_to(*tw_record_find(ledger, "cut"), cut, 1e-9, "cut", 0);
    close_to(*tw_record_find(ledger, "fill"), fill, 1e-9, "fill", 0);
    tw_result_release(result);
}

static void equals_the_plain_reference(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        struct tw_value land = harness_terrain(WIDTH, HEIGHT, seed);
        harness_give(0, &land);
        harness_give(1, &share_map);
        scatter(seed);
        for (int kind = RIVER; kind <= RAISE; kind++)
            for (int wrap = 0; wrap < 2; wrap++)
                compare(kind, wrap, &land);
        free(land.data);
    }
}

static void set_plane(float height)
{
    for (int32_t i = 0; i < CELLS; i++)
        plane[i] = height;
    harness_give(0, &plane_map);
    harness_give(1, &share_map);
}

/* A line along the middle of row 20, level at `z`, 8 cells wide. */
static void set_level_line(float z, float depth)
{
    for (int32_t i = 0; i < 2; i++)
        store[i] = (struct tw_line_point){0, (float)i, 20.5f / HEIGHT, z, 8.0f / WIDTH, depth, 0};
    lines.width = 2;
}

/* Cells of column 30 at a distance of 0 to 15 rows. */
static void section(const char *rest, const double *expected, int32_t count)
{
    struct tw_result *result = carve(rest, NULL);
    for (int32_t r = 0; r < count; r++) {
        close_to((double)map_of(result, "out")[(20 + r) * WIDTH + 30], expected[r], 1e-6, rest, r);
        if (r < 20)
            close_to((double)map_of(result, "out")[(20 - r) * WIDTH + 30], expected[r], 1e-6, rest,
                     r);
    }
    tw_result_release(result);
}

static void sections_follow_the_formula(void **state)
{
    (void)state;
    double expected[12];
    set_plane(0.5f);
    set_level_line(0.5f, 0.04f);
    for (int32_t r = 0; r < 12; r++) /* the plain is 1 cell wide */
        expected[r] = r <= 4    ? 0.5 - 0.04 * (1 - r * r / 16.0)
                      : r <= 7  ? 0.5 + 0.01 * smooth((r - 4) / 3.2)
                      : r < 8.2 ? 0.51 + smooth((r - 7.2) / 1) * -0.01
                                : 0.5;
    section("border: closed, plain: 0.125", expected, 12);
    for (int32_t r = 0; r < 12; r++)
        expected[r] = r < 4 ? 0.5 - 0.04 * (1 - smooth(r / 4.0)) : 0.5;
    section("border: closed, kind: cut", expected, 12);
    for (int32_t r = 0; r < 12; r++)
        expected[r] = r < 4 ? 0.5 + 0.04 * (1 - smooth(r / 4.0)) : 0.5;
    section("border: closed, kind: raise", expected, 12);
    set_level_line(0.6f, 0);
    for (int32_t r = 0; r < 12; r++)
        expected[r] =
            r <= 4 ? 0.6 : 0.5 + (1 - smooth((r - 4) / 12.0)) * fmax(0.1 - 3.6 / 72 * (r - 4), 0);
    section("border: closed, kind: road, fill: 3.6", expected, 12);
    set_level_line(0.4f, 0);
    for (int32_t r = 0; r < 12; r++)
        expected[r] =
            r <= 4 ? 0.4 : 0.5 - (1 - smooth((r - 4) / 12.0)) * fmax(0.1 - 3.6 / 72 * (r - 4), 0);
    section("border: closed, kind: road, cut: 3.6", expected, 12);
}

/* A levee stands 0.02 above the ground at most, and none stands in a bed. */
static void levees_are_low(void **state)
{
    (void)state;
    set_plane(0.2f);
    set_level_line(0.5f, 0.04f);
    struct tw_result *result = carve("border: closed", NULL);
    for (int32_t i = 0; i < CELLS; i++) {
        bool bed = abs(i / WIDTH - 20) <= 4;
        assert_true(map_of(result, "out")[i] <= (bed ? 0.2f : 0.2f + 0.02f));
    }
    assert_true(map_of(result, "out")[26 * WIDTH + 30] == 0.2f + 0.02f);
    tw_result_release(result);
}

/* In other order, and as two lists. */
static void order_changes_no_byte(void **state)
{
    static struct tw_line_point others[LINES * POINTS], part[LINES * POINTS];
    (void)state;
    struct tw_value land = harness_terrain(WIDTH, HEIGHT, 5), list = {TW_LINES, 0, 1, others};
    struct tw_value second = {TW_LINES, 0, 1, part};
    harness_give(0, &land);
    harness_give(3, &list);
    harness_give(4, &second);
    scatter(11);
    for (int32_t line = LINES - 1; line >= 0; line--)
        for (int32_t i = 0; i < lines.width; i++)
            if (store[i].line == line) {
                others[list.width++] = store[i];
                if (line % 2)
                    part[second.width++] = store[i];
            }
    for (int kind = RIVER; kind <= RAISE; kind++) {
        char nodes[600];
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nl: {type: test.lines, slot: 2}\n"
                 "o: {type: test.lines, slot: 3}\np: {type: test.lines, slot: 4}\n"
                 "a: {type: path.carve, in: in, lines: [l], kind: %s}\n"
                 "b: {type: path.carve, in: in, lines: [o], kind: %s}\n"
                 "c: {type: path.carve, in: in, lines: [p, l, o], kind: %s}\n",
                 kinds[kind], kinds[kind], kinds[kind]);
        harness_give(2, &lines);
        struct tw_result *result =
            harness_run(&(struct harness){.width = WIDTH,
                                          .height = HEIGHT,
                                          .nodes = nodes,
                                          .threads = 2,
                                          .outputs = "ad: a.depth\nbd: b.depth\ncd: c.depth\n"});
        harness_same(tw_result_output(result, "a"), map_of(result, "b"));
        harness_same(tw_result_output(result, "a"), map_of(result, "c"));
        harness_same(tw_result_output(result, "ad"), map_of(result, "bd"));
        harness_same(tw_result_output(result, "ad"), map_of(result, "cd"));
        tw_result_release(result);
    }
    free(land.data);
}

/* Where two roads cross, the one of the lower number goes through. */
static void the_earlier_road_goes_through(void **state)
{
    (void)state;
    set_plane(0.5f);
    for (int32_t i = 0; i < 4; i++)
        store[i] = (struct tw_line_point){i < 2 ? 7 : 3,
                                          i < 2 ? (float)i : 30.5f / WIDTH,
                                          i < 2 ? 20.5f / HEIGHT : (float)(i - 2),
                                          i < 2 ? 0.55f : 0.45f,
                                          4.0f / WIDTH,
                                          0,
                                          0};
    lines.width = 4;
    struct tw_result *result = carve("border: closed, kind: road", NULL);
    assert_true(map_of(result, "out")[20 * WIDTH + 30] == 0.45f);
    assert_true(map_of(result, "out")[20 * WIDTH + 32] == 0.55f);
    tw_result_release(result);
}

/* A mask of 0, and cells that no line reaches, keep their bits; -0 is among them. */
static void beyond_reach_nothing_changes(void **state)
{
    (void)state;
    set_plane(-0.0f);
    set_level_line(0, 0.04f);
    for (int32_t i = 0; i < CELLS; i++)
        share[i] = i % WIDTH < 36 ? 1 : 0;
    struct tw_result *result = carve("border: closed, plain: 1, mask: m", NULL);
    for (int32_t i = 0; i < CELLS; i++) {
        bool reached = abs(i / WIDTH - 20) < 16 && share[i] > 0;
        if (!reached && memcmp(&map_of(result, "out")[i], &plane[i], sizeof(float)) != 0)
            fail_msg("cell %d, %d changed", i % WIDTH, i / WIDTH);
    }
    assert_true(map_of(result, "out")[20 * WIDTH + 10] == -0.04f);
    tw_result_release(result);
}

/* Points that rise, and depths that shrink, make no bed rise: the centre of every cell that the
 * line passes is at most as high as the one before. */
static void beds_never_rise_downstream(void **state)
{
    (void)state;
    set_plane(0.7f);
    for (int32_t i = 0; i < 30; i++)
        store[i] = (struct tw_line_point){0,
                                          (float)(2 * i + 5) / WIDTH,
                                          20.5f / HEIGHT,
                                          0.6f - 0.002f * (float)i + (i % 3 ? 0.01f : 0),
                                          6.0f / WIDTH,
                                          0.05f - (i % 4 ? 0.03f : 0),
                                          0};
    lines.width = 30;
    struct tw_result *result = carve("border: closed", NULL);
    const float *row = map_of(result, "out") + (ptrdiff_t)(20 * WIDTH);
    for (int32_t x = 6; x < 63; x++)
        assert_true(row[x] <= row[x - 1]);
    assert_true(row[62] < row[6]);
    tw_result_release(result);
}

/* A line whose coordinates lie whole maps away is the line itself. */
static void a_torus_shows_all_images(void **state)
{
    static struct tw_line_point away[LINES * POINTS];
    (void)state;
    struct tw_value land = harness_terrain(WIDTH, HEIGHT, 8);
    harness_give(0, &land);
    scatter(4);
    struct tw_result *here = carve("border: wrap", NULL);
    memcpy(away, store, sizeof away);
    for (int32_t i = 0; i < lines.width; i++) {
        store[i].x += (float)(store[i].line % 3 - 1) * 2;
        store[i].y -= (float)(store[i].line % 2) * 3;
    }
    struct tw_result *there = carve("border: wrap", NULL);
    for (int32_t i = 0; i < CELLS; i++)
        close_to((double)map_of(there, "out")[i], (double)map_of(here, "out")[i], 1e-5, "wrapped",
                 i);
    tw_result_release(here);
    tw_result_release(there);
    free(land.data);
}

/* 45 degrees are a rise of side / height per side. */
static void angles_follow_the_world(void **state)
{
    (void)state;
    set_plane(0.5f);
    set_level_line(0.1f, 0);
    struct tw_result *result = carve("border: closed, kind: road, shoulder: 8",
                                     "world: {side_m: 7200, height_m: 1000, sea_level: 0}\n");
    double fade = 1 - smooth(1 / 64.0);
    close_to((double)map_of(result, "out")[25 * WIDTH + 30], 0.5 + fade * (0.1 + 0.1 - 0.5), 1e-6,
             "cutting", 0);
    tw_result_release(result);
}

static void keeps_the_land(void)
{
    for (int kind = RIVER; kind <= RAISE; kind++) {
        char rest[80];
        snprintf(rest, sizeof rest, "kind: %s, border: closed", kinds[kind]);
        struct tw_result *result = carve(rest, NULL);
        harness_same(tw_result_output(result, "out"), plane);
        for (int32_t i = 0; i < CELLS; i++)
            assert_true(map_of(result, "mask")[i] == 0 && map_of(result, "depth")[i] == 0 &&
                        map_of(result, "shoulder")[i] == 0);
        assert_true(*tw_record_find(tw_result_output(result, "ledger"), "cut") == 0);
        tw_result_release(result);
    }
}

static void empty_lists_and_far_lines_change_nothing(void **state)
{
    (void)state;
    set_plane(0.5f);
    lines.width = 0;
    keeps_the_land();
    set_level_line(0.4f, 0.1f);
    store[0].y = store[1].y = 3;
    keeps_the_land();
}

/* A line of one point, or of equal points, is round. */
static void a_point_is_round(void **state)
{
    (void)state;
    for (int count = 1; count < 4; count++) {
        set_plane(0.5f);
        for (int32_t i = 0; i < count; i++)
            store[i] = (struct tw_line_point){
                0, 36.0f / WIDTH, 25.0f / HEIGHT, 0.5f, 8.0f / WIDTH, 0.1f, 0};
        lines.width = count;
        struct tw_result *result = carve("border: closed, kind: cut", NULL);
        for (int32_t i = 0; i < CELLS; i++) {
            double r = hypot(i % WIDTH + 0.5 - 36, i / WIDTH + 0.5 - 25);
            close_to((double)map_of(result, "out")[i], r < 4 ? 0.4 + 0.1 * smooth(r / 4) : 0.5,
                     1e-6, "point", i);
        }
        tw_result_release(result);
    }
}

static void refuses_absurd_lines(void **state)
{
    (void)state;
    set_plane(0.5f);
    for (int i = 0; i < 2; i++) {
        set_level_line(0.5f, 0.1f);
        if (i)
            store[1].x = 1e9f;
        else
            store[1].width = 7;
        harness_give(2, &lines);
        struct tw_error error = harness_fail(&(struct harness){
            .width = WIDTH,
            .height = HEIGHT,
            .nodes =
                "in: {type: test.map}\n"
                "l: {type: test.lines, slot: 2}\nout: {type: path.carve, in: in, lines: l}\n"});
        assert_non_null(strstr(error.message, "line 0 has a point at"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_reference),
        cmocka_unit_test(sections_follow_the_formula),
        cmocka_unit_test(levees_are_low),
        cmocka_unit_test(order_changes_no_byte),
        cmocka_unit_test(the_earlier_road_goes_through),
        cmocka_unit_test(beyond_reach_nothing_changes),
        cmocka_unit_test(beds_never_rise_downstream),
        cmocka_unit_test(a_torus_shows_all_images),
        cmocka_unit_test(angles_follow_the_world),
        cmocka_unit_test(empty_lists_and_far_lines_change_nothing),
        cmocka_unit_test(a_point_is_round),
        cmocka_unit_test(refuses_absurd_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
