/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    int32_t width, height, regions, points;
    const char *coefficients;
    bool euclidean, near_only;
};

/* Brute force: all points of all images of the torus around, sorted by distance. */
struct found {
    float distance;
    int32_t index;
};

static int by_distance(const void *a, const void *b)
{
    const struct found *f = a, *g = b;
    return f->distance < g->distance ? -1 : f->distance > g->distance;
}

static void place(const struct setting *s, int32_t index, float *x, float *y)
{
    int32_t k = index % s->points, region = index / s->points;
    int32_t rx = region % s->regions, ry = region / s->regions;
    struct tw_random4 words = tw_random(seed_of(7), (uint32_t)rx, (uint32_t)ry, (uint32_t)k, 0);
    *x = ((float)rx + tw_uniform(words.at[0])) / (float)s->regions;
    *y = ((float)ry + tw_uniform(words.at[1])) / (float)s->regions;
}

/* Whether a point's region is one of the 3 x 3 around the region of a place. */
static bool is_near(const struct setting *s, int32_t region, int32_t image, float at)
{
    return abs(region + image * s->regions - tw_floor(at * (float)s->regions)) <= 1;
}

static int32_t collect(const struct setting *s, float x, float y, struct found *found)
{
    int32_t count = 0, images = s->regions > 2 ? 1 : 3;
    for (int32_t i = 0; i < s->regions * s->regions * s->points; i++)
        for (int32_t v = -images; v <= images; v++)
            for (int32_t u = -images; u <= images; u++) {
                int32_t region = i / s->points;
                float px, py;
                if (s->near_only && !(is_near(s, region % s->regions, u, x) &&
                                      is_near(s, region / s->regions, v, y)))
                    continue;
                place(s, i, &px, &py);
                float dx = px + (float)u - x, dy = py + (float)v - y;
                found[count++] = (struct found){dx * dx + dy * dy, i};
            }
    qsort(found, (size_t)count, sizeof *found, by_distance);
    return count;
}

static void reference(const struct setting *s, float *out, int32_t *domain)
{
    struct found *found =
        malloc((size_t)(s->regions * s->regions * s->points * 49) * sizeof *found);
    float low = 1e30f, high = -1e30f;
    assert_non_null(found);
    for (int32_t i = 0; i < s->width * s->height; i++) {
        const char *factor = s->coefficients;
        collect(s, ((float)(i % s->width) + 0.5f) / (float)s->width,
                ((float)(i / s->width) + 0.5f) / (float)s->height, found);
        domain[i] = found[0].index;
        out[i] = 0;
        for (int32_t n = 0; *factor; n++) {
            float d = found[n].distance;
            out[i] += strtof(factor, (char **)&factor) * (s->euclidean ? sqrtf(d) : d);
            factor += *factor == ',';
        }
        low = tw_min(low, out[i]);
        high = tw_max(high, out[i]);
    }
    for (int32_t i = 0; i < s->width * s->height; i++)
        out[i] = (out[i] - low) / (high > low ? high - low : 1.0f);
    free(found);
}

static void check_domain(const struct harness *harness, const int32_t *domain)
{
    struct tw_result *result = harness_run(harness);
    const struct tw_value *out = tw_result_output(result, "d");
    assert_memory_equal(tw_labels(out), domain, tw_value_count(out) * sizeof *domain);
    tw_result_release(result);
}

static void check_setting(struct setting s)
{
    char nodes[256];
    size_t count = (size_t)s.width * (size_t)s.height;
    float *expected = malloc(count * sizeof *expected);
    int32_t *domain = malloc(count * sizeof *domain);
    assert_true(expected && domain);
    reference(&s, expected, domain);
    snprintf(nodes, sizeof nodes,
             "c: {type: voronoi.cells, seed: 7, regions: %d, points_per_region: %d, "
             "coefficients: [%s], metric: %s, search: %s}",
             s.regions, s.points, s.coefficients, s.euclidean ? "euclidean" : "squared",
             s.near_only ? "short" : "exact");
    struct harness harness = {
        .width = s.width, .height = s.height, .nodes = nodes, .outputs = "d: c.domain\n"};
    everywhere(harness, "c", expected);
    check_domain(&harness, domain);
    harness.outputs = NULL; /* labels that no one uses are not kept */
    everywhere(harness, "c", expected);
    free(expected);
    free(domain);
}

static void is_brute_force_bit_for_bit(void **state)
{
    (void)state;
    check_setting((struct setting){64, 64, 4, 1, "-1,1", false, false});
    check_setting((struct setting){129, 57, 5, 2, "0,0,1", true, false});
    check_setting((struct setting){33, 20, 3, 3, "-1,0.5,0,2,1", false, false});
}

static void is_brute_force_in_the_regions_around(void **state)
{
    (void)state;
    check_setting((struct setting){64, 64, 4, 1, "-1,1", false, true});
    check_setting((struct setting){61, 40, 8, 1, "1", true, true});
}

/* Fewer points than distances: images of the torus count, and regions smaller than cells. */
static void copes_with_extremes(void **state)
{
    (void)state;
    check_setting((struct setting){40, 40, 1, 1, "1,-1,1,-1", false, false});
    check_setting((struct setting){7, 5, 16, 1, "-1,1", false, false});
    check_setting((struct setting){1, 1, 4, 1, "-1,1", false, false});
    check_setting((struct setting){1, 37, 4, 1, "-1,1", true, false});
    check_setting((struct setting){61, 1, 4, 1, "-1,1", true, false});
}

static void gives_its_points(void **state)
{
    const struct setting s = {64, 64, 3, 2, "1", false, false};
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "c: {type: voronoi.cells, seed: 7, regions: 3, points_per_region: 2}\n",
        .outputs = "p: c.points\n"});
    const struct tw_value *points = tw_result_output(result, "p");
    assert_int_equal(points->width, 18);
    for (int32_t i = 0; i < 18; i++) {
        float x, y;
        place(&s, i, &x, &y);
        assert_true(tw_points(points)[i].x == x && tw_points(points)[i].y == y);
        assert_int_equal(tw_points(points)[i].feature, i);
    }
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_brute_force_bit_for_bit),
        cmocka_unit_test(is_brute_force_in_the_regions_around),
        cmocka_unit_test(copes_with_extremes),
        cmocka_unit_test(gives_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
