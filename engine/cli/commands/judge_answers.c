/* SPDX-License-Identifier: MIT */
#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "cli/commands/judge.h"

#include <stdlib.h>
#include <string.h>

static enum tw_status refuse(const char *path, struct tw_error *err, const char *what)
{
    return tw_error_set(err, TW_INPUT, "%s: %s; expected a file that the page of judge saved", path,
                        what);
}

static bool grow(struct tw_judgement *j, int32_t more)
{
    size_t count = (size_t)j->count + (size_t)more;
    struct tw_choice_made *choices = realloc(j->choices, count * sizeof *choices);
    j->choices = choices ? choices : j->choices;
    int32_t *seeds = choices ? realloc(j->seeds, count * sizeof *seeds) : NULL;
    j->seeds = seeds ? seeds : j->seeds;
    return choices && seeds;
}

/* Returns 1 if the left picture was chosen, 0 if the right, 0.5 for a tie; -1 for other words. */
static double share_of(const json_t *answer)
{
    static const char *const words[] = {"right", "tie", "left"};
    const char *word = json_string_value(answer);
    for (int i = 0; word && i < 3; i++)
        if (strcmp(word, words[i]) == 0)
            return i / 2.0;
    return -1;
}

static enum tw_status add_answers(const char *path, const json_t *answers,
                                  const struct tw_judge_pairs *pairs, struct tw_judgement *j,
                                  struct tw_error *err)
{
    size_t count = json_array_size(answers);
    if (count > (size_t)pairs->count)
        return refuse(path, err, "it has more answers than there are pairs");
    if (count > 0 && !grow(j, (int32_t)count))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (json_is_null(json_array_get(answers, i))) /* the page had no pictures of this pair */
            continue;
        double share = share_of(json_array_get(answers, i));
        if (share < 0)
            return refuse(path, err, "an answer is neither left, right nor tie");
        j->seeds[j->count] = pairs->at[i].seed;
        j->choices[j->count++] =
            (struct tw_choice_made){pairs->at[i].left, pairs->at[i].right, share};
        j->ties += share > 0 && share < 1;
    }
    return TW_OK;
}

static enum tw_status read_object(const char *path, const json_t *root, struct tw_judgement *j,
                                  struct tw_error *err)
{
    struct tw_judge_pairs pairs = {0};
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *identity = json_string_value(json_object_get(root, "identity"));
    const char *draw_text = json_string_value(json_object_get(root, "draw"));
    const json_t *answers = json_object_get(root, "answers");
    json_int_t asked = json_integer_value(json_object_get(root, "asked"));
    uint64_t draw;
    if (!format || strcmp(format, "thalweg.answers/1") != 0)
        return refuse(path, err, "its format is not thalweg.answers/1");
    if (!identity || !draw_text || !tw_number_parse_whole(draw_text, &draw) ||
        !json_is_array(answers) || asked < 1 || asked > TW_JUDGE_PAIRS_MAX)
        return refuse(path, err, "it lacks identity, draw, asked or answers");
    enum tw_status status = tw_judge_pairs_draw(j->experiment, (int32_t)asked, draw, &pairs, err);
    if (status == TW_OK && strcmp(pairs.identity, identity) != 0)
        status = tw_error_set(err, TW_INPUT,
                              "%s: these are answers to another page: the experiment's variants or "
                              "seeds were others",
                              path);
    if (status == TW_OK)
        status = add_answers(path, answers, &pairs, j, err);
    tw_judge_pairs_release(&pairs);
    return status;
}

enum tw_status tw_judge_read(const char *path, struct tw_judgement *j, struct tw_error *err)
{
    enum { BYTES_MAX = 1 << 20 };
    unsigned char *text = NULL;
    size_t length = 0;
    json_t *root;
    enum tw_status status = tw_file_read(path, BYTES_MAX, &text, &length, err);
    if (status != TW_OK)
        return tw_file_as_input(status, err);
    status = tw_json_load(text, length, 0, &root, NULL);
    if (status == TW_MEMORY)
        tw_error_set(err, status, "out of memory");
    else
        status = root ? read_object(path, root, j, err) : refuse(path, err, "it is not JSON");
    json_decref(root);
    free(text);
    j->files += status == TW_OK;
    return status;
}

/* ---- ranking ---- */

/* Returns how a measure orders the two variants of a choice: 1 if it prefers a, -1 if b, 0 if they
 * are equal. Without a goal, more counts as better. */
static int order_of(const struct tw_comparison *c, const struct tw_choice_made *choice,
                    int32_t measure, int32_t seed)
{
    double a = tw_samples(c, choice->a, measure)[seed], b = tw_samples(c, choice->b, measure)[seed];
    int order = (a > b) - (a < b);
    return c->experiment->measures[measure].goal < 0 ? -order : order;
}

/* Returns the index of a seed's samples; -1 if the seed failed and has none. */
static int32_t place_of(const struct tw_comparison *c, uint64_t seed)
{
    for (int32_t i = 0; i < c->count; i++)
        if (c->seeds[i] == seed)
            return i;
    return -1;
}

static void find_agreement(const struct tw_judgement *j, const struct tw_comparison *c,
                           int32_t measure, struct tw_agreement *agreement)
{
    int32_t same = 0;
    *agreement = (struct tw_agreement){.count = 0};
    for (int32_t i = 0; i < j->count; i++) {
        const struct tw_choice_made *choice = &j->choices[i];
        int32_t seed = place_of(c, tw_experiment_seed(j->experiment, j->seeds[i]));
        int order = seed < 0 ? 0 : order_of(c, choice, measure, seed);
        if (order == 0 || (choice->share > 0 && choice->share < 1))
            continue;
        agreement->count++;
        same += (order > 0) == (choice->share > 0.5);
    }
    if (agreement->count > 0)
        agreement->share = (double)same / agreement->count;
    tw_wilson(agreement->share, agreement->count, &agreement->low, &agreement->high);
}

enum tw_status tw_judge_find(struct tw_judgement *j, const struct tw_comparison *c,
                             struct tw_error *err)
{
    const struct tw_experiment *e = j->experiment;
    j->strengths = calloc((size_t)e->variant_count + 1, sizeof *j->strengths);
    j->agreement = calloc((size_t)e->measure_count + 1, sizeof *j->agreement);
    if (!j->strengths || !j->agreement)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (j->count == 0)
        return tw_error_set(err, TW_INPUT, "the files hold no answers");
    for (int32_t m = 0; m < e->measure_count; m++)
        find_agreement(j, c, m, &j->agreement[m]);
    return tw_bradley_terry(j->choices, j->count, e->variant_count, j->strengths, err);
}

void tw_judge_release(struct tw_judgement *j)
{
    free(j->choices);
    free(j->seeds);
    free(j->strengths);
    free(j->agreement);
}
