/* SPDX-License-Identifier: MIT */
/* The numbers of graphs/olsen/ground.yaml in docs/decision.md, found anew from the samples:
 * Student's intervals by integration, Wilcoxon's test by counting all signs, Holm's correction,
 * Morris' effects, the front by comparing all pairs, and the matched means by running the pilot
 * seeds without matching. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 10,
    SIZES = 3,
    MEASURES = 3,
    PARAMS = 5,
    TRAJECTORIES = 8,
    PILOT = 8,
    TESTS = SIZES * MEASURES
};

static const char *const measures[MEASURES] = {"score.building", "score.erosion",
                                               "height.deviation"};
static const char *const params[PARAMS] = {"K", "steps", "creep", "density", "capacity"};
static const double ranges[PARAMS] = {19, 38, 0.004, 2, 19};
static const int sizes[SIZES] = {128, 192, 256};

static struct command_result result;
static char page[1 << 16];
static double samples[2][SIZES][MEASURES][SEEDS]; /* of olsen and streams */
static double pilot[2][SIZES][MEASURES];          /* their means over the pilot seeds */
static char matched[SIZES][20];                   /* K of streams, as the samples have it */
static double plan[TRAJECTORIES][PARAMS + 1][MEASURES], at[TRAJECTORIES][PARAMS + 1][PARAMS];
static json_t *root;

static void expect_shown(const char *words)
{
    if (!strstr(page, words))
        fail_msg("docs/decision.md does not show '%s'", words);
}

/* ---- samples ---- */

/* Splits a row at commas that are not within quotes; returns the number of cells. */
static int split(char *row, char **cells, int most)
{
    int count = 0;
    for (bool quoted = false; *row && count < most; count++) {
        cells[count] = row + (*row == '"');
        for (; *row && (*row != ',' || quoted); row++)
            quoted ^= *row == '"';
        if (*row)
            *row++ = 0;
    }
    return count;
}

/* Columns: variant, seed, size, five of terrain.yaml, five of streams.yaml, measures. */
static void take_row(char **cells)
{
    int seed = atoi(cells[1]) - 101, size = 0, trajectory, point;
    bool streams = strcmp(cells[0], "streams") == 0;
    if (sscanf(cells[0], "morris/%d.%d/", &trajectory, &point) == 2) {
        for (int m = 0; m < MEASURES; m++)
            plan[trajectory - 1][point][m] += atof(cells[13 + m]) / SEEDS;
        for (int p = 0; p < PARAMS; p++)
            at[trajectory - 1][point][p] = atof(cells[8 + p]);
        return;
    }
    while (size < SIZES && sizes[size] != atoi(cells[2]))
        size++;
    assert_true(size < SIZES && seed >= 0 && seed < SEEDS);
    if (streams)
        snprintf(matched[size], sizeof matched[size], "%s", cells[8]);
    for (int m = 0; m < MEASURES; m++)
        samples[streams][size][m][seed] = atof(cells[13 + m]);
}

/* Compares and gives `take` each row of the samples; returns the number of rows. */
static int read_samples(const char *experiment, void (*take)(char **))
{
    static char row[1000];
    char *cells[16], line[200];
    int rows = -1;
    snprintf(line, sizeof line, "compare %s -q --json --csv samples.csv --allow-path " TW_GRAPHS,
             experiment);
    command_expect(line, 0, &result);
    FILE *file = fopen("samples.csv", "r");
    assert_non_null(file);
    for (; fgets(row, sizeof row, file); rows++) {
        assert_int_equal(split(row, cells, 16), 16);
        if (rows >= 0)
            take(cells);
    }
    fclose(file);
    return rows;
}

static void take_pilot_row(char **cells)
{
    int size = 0;
    while (sizes[size] != atoi(cells[2]))
        size++;
    for (int m = 0; m < MEASURES; m++)
        pilot[strcmp(cells[0], "streams") == 0][size][m] += atof(cells[13 + m]) / PILOT;
}

/* The K that was found, on the seeds from 10,000,000 after the experiment's first. */
static void run_pilot(int size)
{
    char text[900];
    int length = snprintf(
        text, sizeof text,
        "thalweg-experiment: 1\nrecipe: " TW_GRAPHS "/olsen/streams.yaml\nsize: %d\n"
        "seeds: {from: 10000101, count: %d}\nvariants:\n"
        "  olsen: {recipe: " TW_GRAPHS "/olsen/terrain.yaml, params: {talus: 12}}\n"
        "  streams: {params: {steps: 23, creep: 0.0024, density: 1, capacity: 10, K: %s}}\n"
        "measure: [score.building, score.erosion, height.deviation]\n",
        sizes[size], PILOT, matched[size]);
    assert_in_range(length, 1, (int)sizeof text - 1);
    command_write("pilot.yaml", text, (size_t)length);
    assert_int_equal(read_samples("pilot.yaml", take_pilot_row), 2 * PILOT);
}

static int prepare(void **state)
{
    (void)state;
    FILE *file = fopen(TW_DOCS "/decision.md", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    command_enter();
    int rows = read_samples(TW_GRAPHS "/olsen/ground.yaml", take_row);
    assert_int_equal(rows, SEEDS * (2 * SIZES + TRAJECTORIES * (PARAMS + 1)));
    root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    for (int size = 0; size < SIZES; size++)
        run_pilot(size);
    return 0;
}

static int finish(void **state)
{
    json_decref(root);
    return command_tear_down(state);
}

/* ---- differences ---- */

/* Probability of Student's t with n degrees of freedom between 0 and t, by Simpson's rule. */
static double student(double t, int n)
{
    enum { STEPS = 2000 };
    const double scale =
        tgamma((n + 1) / 2.0) / (sqrt(n * 3.14159265358979323846) * tgamma(n / 2.0));
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double x = t * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(1 + x * x / n, -(n + 1) / 2.0);
    }
    return scale * sum * t / STEPS / 3;
}

static double student_quantile(int n)
{
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        *(student(t, n) < 0.475 ? &low : &high) = t;
    }
    return low;
}

/* The mean, and half the width of its interval. */
static double find_mean(const double *values, int count, double *half)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++)
        mean += values[i] / count;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    *half = student_quantile(count - 1) * sqrt(squares / (count - 1) / count);
    return mean;
}

/* Two-sided p of the signed ranks: how many of all signs are as far from the middle. */
static double wilcoxon(const double *d)
{
    double rank[SEEDS], sum = 0, half = SEEDS * (SEEDS + 1) / 4.0;
    int far = 0;
    for (int i = 0; i < SEEDS; i++) {
        rank[i] = 0.5;
        assert_true(d[i] != 0);
        for (int k = 0; k < SEEDS; k++)
            rank[i] += fabs(d[k]) < fabs(d[i]) ? 1 : fabs(d[k]) == fabs(d[i]) ? 0.5 : 0;
        sum += d[i] > 0 ? rank[i] : 0;
    }
    for (int signs = 0; signs < 1 << SEEDS; signs++) {
        double other = 0;
        for (int i = 0; i < SEEDS; i++)
            other += signs >> i & 1 ? rank[i] : 0;
        far += fabs(other - half) >= fabs(sum - half) - 1e-9;
    }
    return (double)far / (1 << SEEDS);
}

static const json_t *pair_of(int size, int measure)
{
    size_t i;
    const json_t *pair;
    json_array_foreach(json_object_get(root, "pairs"), i,
                       pair) if (json_integer_value(json_object_get(pair, "size")) == sizes[size] &&
                                 strcmp(json_string_value(json_object_get(pair, "measure")),
                                        measures[measure]) == 0) return pair;
    fail_msg("no pair of %s at %d", measures[measure], sizes[size]);
    return NULL;
}

static void find_difference(int size, int measure, double *mean, double *half, double *p)
{
    double d[SEEDS];
    for (int i = 0; i < SEEDS; i++)
        d[i] = samples[1][size][measure][i] - samples[0][size][measure][i];
    *mean = find_mean(d, SEEDS, half);
    *p = wilcoxon(d);
}

/* Holm: the k-th least of n is n + 1 - k times as large, and no less than the one before. */
static double holm(const double *p, int of)
{
    double corrected = 0;
    for (int i = 0; i < TESTS; i++) {
        int below = 0;
        for (int k = 0; k < TESTS; k++)
            below += p[k] < p[i] || (p[k] == p[i] && k < i);
        double own = (TESTS - below) * p[i];
        if ((p[i] < p[of] || (p[i] == p[of] && i <= of)) && own > corrected)
            corrected = own;
    }
    return corrected < 1 ? corrected : 1;
}

static void differences_are_those_of_the_samples(void **state)
{
    double mean[TESTS], half[TESTS], p[TESTS];
    (void)state;
    for (int i = 0; i < TESTS; i++)
        find_difference(i % SIZES, i / SIZES, &mean[i], &half[i], &p[i]);
    for (int m = 0; m < MEASURES; m++) {
        char row[400];
        int length = snprintf(row, sizeof row, "\n| %s |", measures[m]);
        for (int s = 0; s < SIZES; s++) {
            int i = m * SIZES + s;
            const json_t *pair = pair_of(s, m);
            double least = holm(p, i);
            const char *word = least > 0.05 ? "~"
                               : m == 0     ? (mean[i] > 0 ? "better" : "worse")
                                            : (mean[i] > 0 ? "higher" : "lower");
            assert_true(fabs(json_number_value(json_object_get(pair, "holm_p")) - least) < 1e-9);
            assert_string_equal(json_string_value(json_object_get(pair, "verdict")), word);
            length +=
                snprintf(row + length, sizeof row - (size_t)length, " %+.4f [%+.4f, %+.4f] %s |",
                         mean[i], mean[i] - half[i], mean[i] + half[i], word);
        }
        expect_shown(row);
    }
}

static double mean_of(int variant, int size, int measure)
{
    double half;
    return find_mean(samples[variant][size][measure], SEEDS, &half);
}

/* The widest end of the erosion scores' intervals, which say how unequal the terms may be. */
static void how_equal_the_terms_are_is_said(void **state)
{
    char words[200];
    double worst = 0, share = 0;
    int side = 0;
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        double mean, half, p;
        find_difference(s, 1, &mean, &half, &p);
        if ((fabs(mean) + half) / mean_of(0, s, 1) <= share)
            continue;
        worst = fabs(mean) + half;
        share = worst / mean_of(0, s, 1);
        side = sizes[s];
    }
    snprintf(words, sizeof words, "at %d cells it could be\nas much as %.2f, %.0f %% of Olsen's.",
             side, worst, 100 * share);
    expect_shown(words);
}

static void the_relief_that_is_left_is_shown(void **state)
{
    char row[200];
    int length = snprintf(row, sizeof row, "\n| streams |");
    (void)state;
    for (int s = 0; s < SIZES; s++)
        length += snprintf(row + length, sizeof row - (size_t)length, " %.1f %% |",
                           100 * mean_of(1, s, 2) / mean_of(0, s, 2));
    expect_shown(row);
}

/* ---- equal terms ---- */

static void matched_means_are_those_of_the_pilot_seeds(void **state)
{
    char rows[3][200] = {"\n| K |", "\n| score.erosion of streams, pilot seeds |",
                         "\n| score.erosion of olsen, pilot seeds |"};
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "matching")), SIZES);
    for (int s = 0; s < SIZES; s++) {
        const json_t *row = json_array_get(json_object_get(root, "matching"), (size_t)s);
        double left = mean_of(1, s, 1) - mean_of(0, s, 1);
        assert_int_equal(json_integer_value(json_object_get(row, "size")), sizes[s]);
        assert_string_equal(json_string_value(json_object_get(row, "value")), matched[s]);
        assert_true(json_is_true(json_object_get(row, "reached")));
        assert_true(fabs(pilot[1][s][1] - pilot[0][s][1]) <= 0.02 * pilot[0][s][1]);
        assert_true(fabs(json_number_value(json_object_get(row, "pilot_mean")) - pilot[1][s][1]) <
                    1e-8);
        assert_true(fabs(json_number_value(json_object_get(row, "target")) - pilot[0][s][1]) <
                    1e-8);
        assert_true(fabs(json_number_value(json_object_get(row, "remaining")) - left) < 1e-8);
        snprintf(rows[0] + strlen(rows[0]), 40, " %s |", matched[s]);
        for (int v = 0; v < 2; v++)
            snprintf(rows[2 - v] + strlen(rows[2 - v]), 40, " %.3f |", pilot[v][s][1]);
    }
    for (int i = 0; i < 3; i++)
        expect_shown(rows[i]);
}

/* ---- what matters ---- */

static void effects_are_those_of_the_plan(void **state)
{
    (void)state;
    for (int p = 0; p < PARAMS; p++) {
        char row[200];
        int length = snprintf(row, sizeof row, "\n| %s |", params[p]);
        for (int m = 0; m < MEASURES; m++) {
            double sizes_of[TRAJECTORIES], half;
            int count = 0;
            for (int t = 0; t < TRAJECTORIES; t++)
                for (int k = 0; k < PARAMS; k++) {
                    double step = (at[t][k + 1][p] - at[t][k][p]) / ranges[p];
                    if (step != 0)
                        sizes_of[count++] = fabs((plan[t][k + 1][m] - plan[t][k][m]) / step);
                }
            assert_int_equal(count, TRAJECTORIES);
            double mean = find_mean(sizes_of, count, &half);
            length +=
                snprintf(row + length, sizeof row - (size_t)length, " %.3g ± %.3g |", mean, half);
        }
        expect_shown(row);
    }
}

/* ---- trials ---- */

static double of_trial(size_t i, const char *measure)
{
    const json_t *trial =
        json_array_get(json_object_get(json_object_get(root, "tuning"), "trials"), i);
    return json_number_value(json_object_get(json_object_get(trial, "means"), measure));
}

static size_t count_trials(void)
{
    return json_array_size(json_object_get(json_object_get(root, "tuning"), "trials"));
}

static void the_best_keeps_its_constraints(void **state)
{
    double target = mean_of(0, 0, 1), most = -1;
    size_t best = 0;
    char words[400];
    (void)state;
    for (size_t i = 0; i < count_trials(); i++) {
        bool kept = of_trial(i, measures[0]) >= 0.9 &&
                    fabs(of_trial(i, measures[1]) - target) <= 0.05 * target;
        if (!kept || of_trial(i, measures[2]) <= most)
            continue;
        most = of_trial(i, measures[2]);
        best = i;
    }
    const json_t *shown = json_object_get(json_object_get(root, "tuning"), "best");
    assert_int_equal(json_integer_value(json_object_get(shown, "trial")), best);
    snprintf(
        words, sizeof words,
        "building ground %.3f at an erosion score of %.2f, within 5 %% of the baseline's %.2f.",
        of_trial(best, measures[0]), of_trial(best, measures[1]), target);
    expect_shown(words);
    snprintf(words, sizeof words, "with a relief of %.4f, where Olsen's\nis %.4f.", most,
             mean_of(0, 0, 2));
    expect_shown(words);
    snprintf(words, sizeof words, "Of %zu trials the best has", count_trials());
    expect_shown(words);
    const json_t *set = json_object_get(shown, "params");
    for (int p = 0; p < PARAMS; p++) {
        snprintf(words, sizeof words, "%s %s", params[p],
                 json_string_value(json_object_get(set, params[p])));
        expect_shown(words);
    }
}

static bool is_on_front(size_t i)
{
    for (size_t k = 0; k < count_trials(); k++) {
        double x = of_trial(k, measures[0]) - of_trial(i, measures[0]);
        double y = of_trial(k, measures[2]) - of_trial(i, measures[2]);
        if (x >= 0 && y >= 0 && (x > 0 || y > 0))
            return false;
    }
    return true;
}

static void the_front_is_that_of_all_pairs(void **state)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, most = 1;
    size_t on = 0, knee = 0;
    char words[400];
    (void)state;
    for (size_t i = 0; i < count_trials(); i++)
        for (int k = 0; is_on_front(i) && k < 2; k++) {
            low[k] = fmin(low[k], of_trial(i, measures[2 * k]));
            high[k] = fmax(high[k], of_trial(i, measures[2 * k]));
        }
    for (size_t i = 0; i < count_trials(); i++) {
        double shares = 0;
        for (int k = 0; k < 2; k++)
            shares += (of_trial(i, measures[2 * k]) - low[k]) / (high[k] - low[k]);
        on += is_on_front(i);
        if (is_on_front(i) && shares > most) {
            most = shares;
            knee = i;
        }
    }
    snprintf(words, sizeof words,
             "%zu trials of which none has more of both. Its knee, trial %zu, "
             "has building ground %.3f and a relief of %.4f; with",
             on, knee + 1, of_trial(knee, measures[0]), of_trial(knee, measures[2]));
    expect_shown(words);
    assert_true(of_trial(29, measures[2]) > 2 * of_trial(knee, measures[2]));
    snprintf(words, sizeof words, "trial 30, building ground is %.3f", of_trial(29, measures[0]));
    expect_shown(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_those_of_the_samples),
        cmocka_unit_test(how_equal_the_terms_are_is_said),
        cmocka_unit_test(the_relief_that_is_left_is_shown),
        cmocka_unit_test(matched_means_are_those_of_the_pilot_seeds),
        cmocka_unit_test(effects_are_those_of_the_plan),
        cmocka_unit_test(the_best_keeps_its_constraints),
        cmocka_unit_test(the_front_is_that_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
