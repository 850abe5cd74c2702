/* SPDX-License-Identifier: MIT */
/* Evaluates points one after the other: lines of JSON on standard input, {"id": 1, "params":
 * {"talus": 8}, "seeds": 3}, are answered in their order. */
#include "base/text/json.h"
#include "cli/cli.h"
#include "cli/compare/ask.h"
#include "console/stop.h"
#include "study/trial.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 20, PARAMS_MAX = 1000, NUMBER_BYTES = 40 };

struct teller {
    const struct tw_experiment *experiment;
    struct tw_compare_request request;
    struct tw_load_options load;
};

/* A point; `settings` borrows from the line's JSON and from `numbers`. */
struct point {
    struct tw_setting settings[PARAMS_MAX];
    char numbers[PARAMS_MAX][NUMBER_BYTES];
    int32_t count, seeds;
};

/* ---- reading ---- */

/* Reads a line without its end; *length is LINE_BYTES or more if it is too long, of which the rest
 * is skipped. False at the end of input. */
static bool read_line(char *line, size_t *length)
{
    int c = getchar();
    if (c == EOF)
        return false;
    for (*length = 0; c != EOF && c != '\n'; c = getchar()) {
        if (*length < LINE_BYTES)
            line[*length] = (char)c;
        *length += *length < LINE_BYTES;
    }
    return true;
}

static enum tw_status take_param(struct point *point, const char *name, json_t *value,
                                 struct tw_error *err)
{
    char *number = point->numbers[point->count];
    const char *text = json_string_value(value);
    if (json_is_integer(value))
        snprintf(number, NUMBER_BYTES, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(number, NUMBER_BYTES, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(number, NUMBER_BYTES, "%s", json_is_true(value) ? "true" : "false");
    else if (!text)
        return tw_error_set(err, TW_INPUT, "parameter %.60s is neither a number nor a text", name);
    point->settings[point->count++] =
        (struct tw_setting){.name = name, .text = text ? text : number};
    return TW_OK;
}

static enum tw_status take_seeds(const struct tw_experiment *e, json_t *seeds, struct point *point,
                                 struct tw_error *err)
{
    json_int_t count = json_integer_value(seeds);
    json_int_t most = e->seeds ? e->seed_count : TW_SEEDS_MAX;
    point->seeds = e->seed_count;
    if (!seeds)
        return TW_OK;
    if (!json_is_integer(seeds) || count < 1 || count > most ||
        (uint64_t)count - 1 > UINT64_MAX - e->first_seed)
        return tw_error_set(err, TW_INPUT, "seeds: expected a whole number from 1 to %d",
                            (int)most);
    point->seeds = (int32_t)count;
    return TW_OK;
}

static enum tw_status read_point(const struct tw_experiment *e, json_t *line, struct point *point,
                                 struct tw_error *err)
{
    static const char *const known[] = {"id", "params", "seeds"};
    json_t *params = json_object_get(line, "params"), *value;
    const char *name;
    enum tw_status status = TW_OK;
    point->count = 0;
    json_object_foreach(line, name, value)
    {
        size_t i = 0;
        while (i < 3 && strcmp(name, known[i]) != 0)
            i++;
        if (i == 3)
            return tw_error_set(err, TW_INPUT, "'%.60s' is unknown; expected id, params, seeds",
                                name);
    }
    if (!json_is_object(params) || json_object_size(params) > PARAMS_MAX)
        return tw_error_set(err, TW_INPUT, "params: expected an object, as in {\"talus\": 8}");
    json_object_foreach(params, name, value) if (status == TW_OK) status =
        take_param(point, name, value, err);
    return status == TW_OK ? take_seeds(e, json_object_get(line, "seeds"), point, err) : status;
}

/* ---- evaluating ---- */

static json_t *samples_json(const struct tw_comparison *c, int32_t measure)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < c->count; i++)
        json_array_append_new(list, json_real(tw_samples(c, 0, measure)[i]));
    return list;
}

static json_t *answer_of(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    json_t *means = json_object(), *samples = json_object();
    for (int32_t m = 0; m < e->measure_count; m++) {
        json_object_set_new(means, e->measures[m].name, json_real(c->sums[m].mean));
        json_object_set_new(samples, e->measures[m].name, samples_json(c, m));
    }
    json_t *answer = json_pack("{s:o, s:o}", "means", means, "samples", samples);
    if (answer && c->failed > 0)
        json_object_set_new(answer, "failed", json_integer(c->failed));
    return answer;
}

static enum tw_status evaluate(struct teller *t, const struct point *point, json_t **answer,
                               struct tw_error *err)
{
    struct tw_variant variant;
    struct tw_experiment alone =
        tw_experiment_trial(t->experiment, point->settings, point->count, &variant);
    struct tw_comparison c = {0};
    alone.seed_count = point->seeds;
    enum tw_status status = tw_comparison_create(&alone, &c, err);
    if (status == TW_OK)
        status = tw_compare_run(&t->request, &c, err);
    if (status == TW_OK)
        *answer = answer_of(&c);
    tw_comparison_release(&c);
    return status;
}

static json_t *error_json(const struct tw_error *error)
{
    json_t *root = json_object();
    json_object_set_new(root, "status", json_string(tw_status_text(error->status)));
    json_object_set_new(root, "message", tw_json_text(error->message));
    if (error->file[0])
        json_object_set_new(root, "file", tw_json_text(error->file));
    if (error->line > 0)
        json_object_set_new(root, "line", json_integer(error->line));
    if (error->hint[0])
        json_object_set_new(root, "hint", tw_json_text(error->hint));
    return root;
}

/* Answers a line; only what ends the command is a failure: memory, or a signal. */
static enum tw_status answer_line(struct teller *t, const char *line, size_t length,
                                  struct point *point, json_t **answer, struct tw_error *err)
{
    json_t *root = NULL;
    json_error_t why = {.text = ""};
    enum tw_status status =
        length < LINE_BYTES ? tw_json_load(line, length, JSON_REJECT_DUPLICATES, &root, &why)
                            : tw_error_set(err, TW_INPUT, "a line of %d bytes or more", LINE_BYTES);
    if (status == TW_INPUT && length < LINE_BYTES)
        tw_error_set(err, TW_INPUT, "not a line of JSON: %.100s", why.text);
    if (status == TW_OK && !json_is_object(root))
        status = tw_error_set(err, TW_INPUT,
                              "expected an object, as in {\"id\": 1, \"params\": "
                              "{\"talus\": 8}}");
    if (status == TW_OK)
        status = read_point(t->experiment, root, point, err);
    if (status == TW_OK)
        status = evaluate(t, point, answer, err);
    if (status != TW_OK && status != TW_CANCELLED && status != TW_MEMORY)
        *answer = json_pack("{s:o}", "error", error_json(err));
    json_t *id = json_object_get(root, "id");
    if (*answer)
        json_object_set(*answer, "id", id ? id : json_null());
    json_decref(root);
    return status == TW_CANCELLED || status == TW_MEMORY ? status : TW_OK;
}

/* Prints the answer with its id first. */
static bool print_answer(json_t *answer)
{
    json_t *id = json_object_get(answer, "id"), *ordered = json_object();
    json_object_set(ordered, "id", id);
    json_object_update_missing(ordered, answer);
    bool ok = json_dumpf(ordered, stdout, JSON_COMPACT) == 0 && fputs("\n", stdout) >= 0 &&
              fflush(stdout) == 0;
    json_decref(ordered);
    json_decref(answer);
    return ok;
}

static enum tw_status answer_all(struct teller *t, char *line, struct point *point,
                                 struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (size_t length; status == TW_OK && read_line(line, &length);) {
        json_t *answer = NULL;
        struct tw_error own = {.status = TW_OK};
        if (length == 0)
            continue;
        status = answer_line(t, line, length, point, &answer, &own);
        if (status != TW_OK)
            *err = own;
        if (answer && !print_answer(answer) && status == TW_OK)
            status = tw_error_set(err, TW_IO, "cannot write to standard output");
    }
    return status;
}

int tw_compare_tell(const struct tw_experiment *e, const struct tw_compare_request *request)
{
    struct tw_error error = {.status = TW_OK};
    struct teller t = {.experiment = e, .load = *request->load};
    char *line = malloc(LINE_BYTES);
    struct point *point = calloc(1, sizeof *point);
    t.load.diagnostic = NULL; /* faults of a point are answers */
    t.request = (struct tw_compare_request){.load = &t.load, .run = request->run};
    enum tw_status status = line && point ? answer_all(&t, line, point, &error)
                                          : tw_error_set(&error, TW_MEMORY, "out of memory");
    free(line);
    free(point);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    return status == TW_OK ? 0 : tw_console_error(&error);
}
