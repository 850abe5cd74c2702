/* SPDX-License-Identifier: MIT */
/* The numbers of graphs/olsen/ground.yaml in docs/decision.md, found anew from the samples:
 * Student's intervals by integration, Wilcoxon's test by counting all signs, Holm's correction,
 * Morris' effects, and the front by comparing all pairs. */
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
    TRAJECTORIES = 3,
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
    for (int m = 0; m < MEASURES; m++)
        samples[streams][size][m][seed] = atof(cells[13 + m]);
}

static int prepare(void **state)
{
    static char row[1000];
    char *cells[16];
    int rows = 0;
    (void)state;
    FILE *file = fopen(TW_DOCS "/decision.md", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    command_enter();
    command_expect("compare " TW_GRAPHS "/olsen/ground.yaml -q --json --csv samples.csv", 0,
                   &result);
    root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    file = fopen("samples.csv", "r");
    assert_non_null(file);
    for (; fgets(row, sizeof row, file); rows++) {
        assert_int_equal(split(row, cells, 16), 16);
        if (rows > 0)
            take_row(cells);
    }
    fclose(file);
    assert_int_equal(rows, 1 + SEEDS * (2 * SIZES + TRAJECTORIES * (PARAMS + 1)));
    return 0;
}

static int finish(void **state)
{
    json_decref(root);
    return command_tear_down(state);
}

/* ---- differences ---- */

/* Probability of Student's t with 9 degrees of freedom between 0 and t, by Simpson's rule. */
static double student(double t)
{
    enum { STEPS = 2000 };
    const double scale = tgamma(5) / (sqrt(9 * 3.14159265358979323846) * tgamma(4.5));
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double x = t * i / STEPS, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(1 + x * x / 9, -5);
    }
    return scale * sum * t / STEPS / 3;
}

static double student_quantile(void)
{
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        *(student(t) < 0.475 ? &low : &high) = t;
    }
    return low;
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
    double d[SEEDS], squares = 0;
    *mean = 0;
    for (int i = 0; i < SEEDS; i++) {
        d[i] = samples[1][size][measure][i] - samples[0][size][measure][i];
        *mean += d[i] / SEEDS;
    }
    for (int i = 0; i < SEEDS; i++)
        squares += (d[i] - *mean) * (d[i] - *mean);
    *half = student_quantile() * sqrt(squares / (SEEDS - 1) / SEEDS);
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
    double sum = 0;
    for (int i = 0; i < SEEDS; i++)
        sum += samples[variant][size][measure][i] / SEEDS;
    return sum;
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

/* ---- what matters ---- */

static void effects_are_those_of_the_plan(void **state)
{
    (void)state;
    for (int p = 0; p < PARAMS; p++) {
        char row[200];
        int length = snprintf(row, sizeof row, "\n| %s |", params[p]);
        for (int m = 0; m < MEASURES; m++) {
            double sum = 0;
            int count = 0;
            for (int t = 0; t < TRAJECTORIES; t++)
                for (int k = 0; k < PARAMS; k++) {
                    double step = (at[t][k + 1][p] - at[t][k][p]) / ranges[p];
                    if (step == 0)
                        continue;
                    sum += fabs((plan[t][k + 1][m] - plan[t][k][m]) / step);
                    count++;
                }
            assert_int_equal(count, TRAJECTORIES);
            length += snprintf(row + length, sizeof row - (size_t)length, " %.3g |", sum / count);
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
        cmocka_unit_test(the_relief_that_is_left_is_shown),
        cmocka_unit_test(effects_are_those_of_the_plan),
        cmocka_unit_test(the_best_keeps_its_constraints),
        cmocka_unit_test(the_front_is_that_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
