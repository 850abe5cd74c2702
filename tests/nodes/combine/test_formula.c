/* SPDX-License-Identifier: MIT */
/* Formulas against their equations in plain C, with libm for the elementary functions; what is
 * defined where mathematics defines nothing. */
#include "support/pointwise.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define FORMULA(text)                                                                              \
    "\"a\": {type: test.map}\n"                                                                    \
    "b: {type: test.map, slot: 1}\n"                                                               \
    "c: {type: test.map, slot: 2}\n"                                                               \
    "out: {type: combine.formula, a: a, b: b, c: c, formula: '" text "'}\n"

static float sums(float a, float b, float c)
{
    double x = a, y = b, z = c;
    return (float)(0.25 * x + y * (x - z) - (1 - y) / 3 + x / (1 + z));
}

static float choices(float a, float b, float c)
{
    double x = a, y = b, z = c;
    if (x < y && !(z >= 0.5))
        return (float)(x * x * x);
    if (x > 1 || y == z)
        return (float)fmax(fabs(x), y);
    return (float)fmin(fmin(y, z), 0.7);
}

static float steps(float a, float b, float c)
{
    double x = a, y = b, z = c, t = (x - 0.2) / (0.8 - 0.2);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double clamped = x < 0.1 ? 0.1 : x > y + 0.5 ? y + 0.5 : x;
    return (float)((1 - z) * floor(x * 4) / 4 + z * round(clamped * 8) / 8 +
                   (x < 0.5 ? 0.0 : 1.0) * t * t * (3 - 2 * t) + sqrt(y * z));
}

static void exact_operations_equal_their_equation(void **state)
{
    (void)state;
    pointwise_check(FORMULA("0.25 * a + b * (a - c) - (1 - b) / 3 + a / (1 + c)"), sums);
    pointwise_check(FORMULA("a < b && !(c >= 0.5) ? a^3 : a > 1 || b == c ? max(abs(a), b) : "
                            "min(b, c, 0.7)"),
                    choices);
    pointwise_check(
        FORMULA("(1 - c) * floor(a * 4) / 4 + c * round(clamp(a, 0.1, b + 0.5) * 8) / 8 "
                "+ step(0.5, a) * smooth(0.2, 0.8, a) + sqrt(b * c)"),
        steps);
}

/* Values of a over a range, on every instruction set, within a float's rounding of `reference`. */
static void near(const char *formula, double low, double high, double (*reference)(double))
{
    enum { COUNT = 1000 };
    static float cells[COUNT];
    char nodes[300];
    const struct tw_value map = {TW_HEIGHTMAP, COUNT, 1, cells};
    for (int i = 0; i < COUNT; i++)
        cells[i] = (float)(low + (high - low) * i / (COUNT - 1));
    harness_give(0, &map);
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: combine.formula, a: a, formula: '%s'}\n", formula);
    const struct harness harness = {.width = COUNT, .height = 1, .nodes = nodes};
    struct tw_result *result = harness_run(&harness);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < COUNT; i++) {
        double expected = reference((double)cells[i]);
        if (fabs((double)out[i] - expected) > 6.1e-8 * fabs(expected) + 1e-9)
            fail_msg("%s of %.9g is %.9g, not %.9g", formula, (double)cells[i], (double)out[i],
                     expected);
    }
    everywhere(harness, "out", out);
    tw_result_release(result);
}

/* Rays through the origin in every direction: a is the angle of (cos a, sin a). */
static double turned_back(double v) { return atan2(sin(v), cos(v)); }

static double cubic_root(double v) { return pow(fabs(v), 1 / 3.0); }
static double inverse_square(double v) { return v == 0 ? 0 : pow(v, -2); }

static void elementary_functions_are_near_libm(void **state)
{
    (void)state;
    near("exp(a)", -80, 80, exp);
    near("exp(a)", -1e-3, 1e-3, exp);
    near("ln(a)", 1e-6, 4, log);
    near("ln(a)", 1, 1e9, log);
    near("sin(a)", -20, 20, sin);
    near("sin(a)", -1e-4, 1e-4, sin);
    near("cos(a)", -20, 20, cos);
    near("sin(a)", 1e6, 1.01e6, sin);
    near("atan2(sin(a), cos(a))", -3.14, 3.14, turned_back);
    near("atan2(a, 1)", -50, 50, atan);
    near("pow(abs(a), 1 / 3)", -50, 50, cubic_root);
    near("a ^ -2", -5, 5, inverse_square);
}

/* The value of a formula where a is `a` and b is 0.5. */
static float value_of(const char *formula, float a)
{
    char nodes[400];
    float b = 0.5f;
    const struct tw_value first = {TW_HEIGHTMAP, 1, 1, &a}, second = {TW_HEIGHTMAP, 1, 1, &b};
    harness_give(0, &first);
    harness_give(1, &second);
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nb: {type: test.map, slot: 1}\n"
             "out: {type: combine.formula, a: a, b: b, formula: '%s'}\n",
             formula);
    struct tw_result *result =
        harness_run(&(struct harness){.width = 1, .height = 1, .nodes = nodes});
    float value = tw_floats(tw_result_output(result, "out"))[0];
    tw_result_release(result);
    return value;
}

static void every_number_has_a_result(void **state)
{
    static const struct {
        const char *formula;
        float a, value;
    } rows[] = {
        {"b / a", 0, 0},
        {"b / -a", 0, 0},
        {"1 / (a - a)", 3, 0},
        {"sqrt(a)", -4, 0},
        {"ln(a)", 0, 0},
        {"ln(a)", -1, 0},
        {"a ^ a", 0, 1},
        {"a ^ b", 0, 0},
        {"a ^ -b", 0, 0},
        {"a ^ 5", -2, -32},
        {"a ^ 6", -2, 64},
        {"a ^ -3", -2, -0.125f},
        {"a ^ b", -4, 0},
        {"a ^ 1e300", -1, 1},
        {"exp(a) > 1e304", 1e9f, 1},
        {"exp(a) / exp(a - 1)", 700, (float)2.718281828459045},
        {"exp(a)", 1e9f, FLT_MAX},
        {"-exp(a)", 1e9f, -FLT_MAX},
        {"exp(a) * exp(a) - exp(a) * exp(a)", 700, 0},
        {"exp(a) * exp(a) * 0", 700, 0},
        {"a * a * a", 3e38f, FLT_MAX},
        {"a ^ 4 * -1", 3e38f, -FLT_MAX},
        {"abs(sin(a)) <= 1", 3e38f, 1},
        {"abs(cos(a)) <= 1", -3e38f, 1},
        {"cos(a)", 0, 1},
        {"atan2(a, a)", 0, 0},
        {"atan2(a, -1)", 0, (float)3.141592653589793},
        {"atan2(-1, a)", 0, (float)-1.5707963267948966},
        {"atan2(a, exp(700) * exp(700))", 3e38f, 0},
        {"exp(a)", 0, 1},
        {"ln(a)", 1, 0},
        {"-a ^ 2", 2, -4},
        {"a ^ 3 ^ 2", 2, 512},
        {"a ^ -1", 2, 0.5f},
        {"floor(10 ^ 6) - a", 0, 1000000},
        {"floor(a ^ 5)", 5, 3125},
        {"floor(a ^ a)", 5, 3125},
        {"floor(a ^ a)", -5, -1},
        {"floor(a ^ (6 - a + a))", 10, 1000000},
        {"(-7.25) ^ (a ^ (a / a))", 3, -381.078125f},
        {"(a ^ 0.5) ^ 2", 5, 5},
        {"a - 3 - 2", 7, 2},
        {"a < 1 ? b / 0 : a", 2, 2},
        {"!a + !b", 0, 1},
        {"round(a)", -2.5f, -3},
        {"round(a)", 2.5f, 3},
        {"round(a)", 0x1.fffffep-2f, 0},
        {"floor(a)", -0.25f, -1},
        {"floor(a)", 16777216, 16777216},
        {"smooth(b, b, a)", 0.5f, 1},
        {"smooth(b, b, a)", 0.25f, 0},
        {"smooth(1, 0, a)", 0.25f, 0.84375f},
        {"mix(a, 3, 1) + mix(a, 3, 0)", 5, 8},
        {"clamp(a, 0, 1) + clamp(-a, -0.5, b)", 7, 0.5f},
        {"2", 0, 2},
        {"a", 0.1f, 0.1f},
        {"${3 * 4} ^ 2 + height", 0, 145},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float value = value_of(rows[i].formula, rows[i].a);
        if (value != rows[i].value)
            fail_msg("%s is %.9g, not %.9g", rows[i].formula, (double)value, (double)rows[i].value);
    }
}

/* Numbers are computed by the functions of the cells, whichever operand is one. */
static void numbers_give_the_bits_of_cells(void **state)
{
    static const char *const rows[][4] = {
        {"exp(b + 0 * a)", "exp(0.5)", "", ""},
        {"sin(b + 0 * a)", "sin(0.5)", "", ""},
        {"ln(b + 0 * a)", "ln(0.5)", "", ""},
        {"pow(b, a)", "pow(0.5, 1.7000000476837158)", "pow(b, 1.7000000476837158)", "pow(0.5, a)"},
        {"b / a", "0.5 / 1.7000000476837158", "b / 1.7000000476837158", "0.5 / a"},
        {"smooth(0, a, b)", "smooth(0, 1.7000000476837158, 0.5)", "smooth(0, a, 0.5)",
         "smooth(0, 1.7000000476837158, b)"},
        {"atan2(b, a)", "atan2(0.5, 1.7000000476837158)", "atan2(b, 1.7000000476837158)",
         "atan2(0.5, a)"},
        {"mix(a, 2, b)", "mix(1.7000000476837158, 2, 0.5)", "mix(a, 2, 0.5)",
         "mix(1.7000000476837158, 2, b)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int j = 1; j < 4 && rows[i][j][0]; j++) {
            /* a sum that shows the last bits of the double */
            char text[2][200];
            for (int k = 0; k < 2; k++)
                snprintf(text[k], sizeof text[k], "(%s - floor(4 * (%s)) / 4) * 1e7",
                         rows[i][k * j], rows[i][k * j]);
            float first = value_of(text[0], 1.7f), second = value_of(text[1], 1.7f);
            if (first != second)
                fail_msg("%s: %.9g, not %.9g", rows[i][j], (double)second, (double)first);
        }
}

/* Of masks alone a mask within 0..1; one heightmap makes the result one. */
static void masks_give_a_mask(void **state)
{
    float cells[4] = {0, 0.25f, 0.75f, 1};
    const struct tw_value mask = {TW_MASK, 4, 1, cells}, map = {TW_HEIGHTMAP, 4, 1, cells};
    (void)state;
    harness_give(0, &mask);
    harness_give(1, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 4,
        .height = 1,
        .nodes = "a: {type: test.mask}\nb: {type: test.map, slot: 1}\n"
                 "m: {type: combine.formula, a: a, b: a, formula: '3 * a - b - 0.75'}\n"
                 "h: {type: combine.formula, a: a, b: b, formula: '3 * a - b - 0.75'}\n"});
    const struct tw_value *m = tw_result_output(result, "m"), *h = tw_result_output(result, "h");
    assert_int_equal(m->type, TW_MASK);
    assert_int_equal(h->type, TW_HEIGHTMAP);
    harness_same(m, (const float[]){0, 0, 0.75f, 1});
    harness_same(h, (const float[]){-0.75f, -0.25f, 0.75f, 1.25f});
    tw_result_release(result);
}

/* Every size has blocks of 256 cells that end within rows. */
static void x_and_y_are_the_centres_of_cells(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 700}, {700, 1}, {257, 129}, {64, 64}, {5, 300}};
    (void)state;
    for (int s = 0; s < 6; s++) {
        int32_t width = sizes[s][0], height = sizes[s][1];
        struct harness harness = {.width = width,
                                  .height = height,
                                  .nodes = "out: {type: combine.formula, formula: 'x + 8 * y'}\n"};
        struct tw_result *result = harness_run(&harness);
        const struct tw_value *out = tw_result_output(result, "out");
        assert_int_equal(out->type, TW_HEIGHTMAP);
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++)
                assert_true(tw_floats(out)[(size_t)y * (size_t)width + (size_t)x] ==
                            (float)((x + 0.5) / width + 8 * ((y + 0.5) / height)));
        everywhere(harness, "out", tw_floats(out));
        tw_result_release(result);
    }
}

static void masks_mix_with_the_place(void **state)
{
    static float cells[6] = {0, 0.25f, 0.5f, 0.75f, 1, 1};
    const struct tw_value mask = {TW_MASK, 3, 2, cells};
    (void)state;
    harness_give(0, &mask);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 3,
                          .height = 2,
                          .nodes = "a: {type: test.mask}\n"
                                   "out: {type: combine.formula, b: a, formula: 'b + 2 * x'}\n"});
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->type, TW_MASK);
    harness_same(out, (const float[]){(float)(1.0 / 3), 1, 1, 1, 1, 1});
    tw_result_release(result);
}

/* Many values wait, and every input is read. */
static void deep_formulas_keep_their_values(void **state)
{
    (void)state;
    assert_true(value_of("a+(a*(b+(a*(b+(a*(b+(a*(b+(a*(b+(a*(b+(a*(b+(a*b)))))))))))))))", 1) ==
                5);
}

static void all_inputs_are_read(void **state)
{
    static float cells[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    char nodes[800] = "";
    struct tw_value maps[8];
    (void)state;
    for (int i = 0; i < 8; i++) {
        maps[i] = (struct tw_value){TW_HEIGHTMAP, 1, 1, &cells[i]};
        harness_give(i, &maps[i]);
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "m%d: {type: test.map, slot: %d}\n", i, i);
    }
    strcat(nodes, "out: {type: combine.formula, a: m0, b: m1, c: m2, d: m3, e: m4, f: m5, g: m6, "
                  "h: m7, formula: 'a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h'}\n");
    struct tw_result *result =
        harness_run(&(struct harness){.width = 1, .height = 1, .nodes = nodes});
    assert_true(tw_floats(tw_result_output(result, "out"))[0] == 1793);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_operations_equal_their_equation),
        cmocka_unit_test(elementary_functions_are_near_libm),
        cmocka_unit_test(every_number_has_a_result),
        cmocka_unit_test(numbers_give_the_bits_of_cells),
        cmocka_unit_test(masks_give_a_mask),
        cmocka_unit_test(x_and_y_are_the_centres_of_cells),
        cmocka_unit_test(masks_mix_with_the_place),
        cmocka_unit_test(deep_formulas_keep_their_values),
        cmocka_unit_test(all_inputs_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
