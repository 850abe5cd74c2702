/* SPDX-License-Identifier: MIT */
/* Random recipes generated from the descriptors, run on extreme maps: every parameter at its ends,
 * heights of 0, -0, 3e38, 1e-30, denormals and random bits, sizes 1 to 64. Whatever the recipe, a
 * run ends with finite values or says in words why it cannot; one thread and eight, every
 * instruction set, a cold and a warm cache give the same bytes; a run that is stopped ends soon.
 *
 *   storm [--seconds N] [--first N] [--count N] [--node TYPE] [--cancel-limit SECONDS]
 *
 * The recipe of a failure is printed. Built with sanitizers by the presets asan and tsan; CI runs
 * it for a minute, anyone may run it for hours. */
#include "support/dice.h"
#include "support/folder.h"

#include "node/param.h"
#include "node/registry.h"
#include "value/field.h"

#include <thalweg/kernel.h>
#include <thalweg/thalweg.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 1 << 18, DEPTH_MAX = 4, NODES_MAX = 24, DIGESTS = 128 };

/* ---- extreme values as node types ---- */

enum ground { ZERO, MINUS_ZERO, ONE, HUGE, LARGEST, WIDE, TINY, DENORMAL, STEPS, SCALED, BITS };

struct extreme {
    int32_t ground;
};
static const struct tw_param extreme_params[] = {
    TW_PARAM_ENUM(struct extreme, ground, 0,
                  "zero|minus_zero|one|huge|largest|wide|tiny|denormal|steps|scaled|bits",
                  "which heights"),
    TW_PARAM_END,
};

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any finite float: an exponent of all ones becomes one less. */
static float finite_of(uint32_t bits)
{
    return float_of((bits & 0x7F800000u) == 0x7F800000u ? bits ^ 0x00800000u : bits);
}

static float height_of(enum ground ground, uint64_t key, uint32_t x, uint32_t y)
{
    uint32_t bits = tw_random(key, x, y, 0, 0).at[0];
    float sign = bits & 1 ? 1.0f : -1.0f;
    switch (ground) {
    case MINUS_ZERO:
        return -0.0f;
    case ONE:
        return 1;
    case HUGE:
        return sign * 1e30f;
    case LARGEST:
        return sign * 3e38f;
    case WIDE: /* any magnitude up to the largest, whose differences and squares overflow */
        return sign * 3e38f * tw_uniform(tw_random(key, x, y, 0, 2).at[0]);
    case TINY:
        return sign * 1e-30f;
    case DENORMAL:
        return sign * float_of(bits >> 12);
    case STEPS:
        return (float)((x / 3 + y / 5) % 4) * 1e9f;
    case SCALED: { /* smooth in x, rough in y, of any magnitude */
        double power = -40 + 78 * (double)tw_uniform(tw_random(key, 0, 0, 0, 1).at[0]);
        return (float)(((double)tw_uniform(bits) + 0.1 * x) / 8 * tw_pow(10, power));
    }
    case BITS:
        return finite_of(bits);
    default:
        return 0;
    }
}

static enum tw_status fill_extreme(struct tw_task *task)
{
    const struct extreme *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    uint64_t key = tw_task_seed(task);
    for (int32_t y = 0; y < out->height; y++)
        for (int32_t x = 0; x < out->width; x++) {
            size_t cell = (size_t)y * (size_t)out->width + (size_t)x;
            float height = height_of((enum ground)p->ground, key, (uint32_t)x, (uint32_t)y);
            if (out->type == TW_LABELS)
                tw_labels(out)[cell] =
                    (int32_t)tw_random(key, (uint32_t)x, (uint32_t)y, 1, 0).at[0];
            else
                tw_floats(out)[cell] =
                    out->type == TW_MASK ? (height > 0 ? tw_min(height, 1) : 0) : height;
        }
    return TW_OK;
}

#define EXTREME(symbol, text, port_type)                                                           \
    static const struct tw_port symbol##_ports[] = {{"out", port_type, 0, "extreme values"},       \
                                                    TW_PORT_END};                                  \
    static const struct tw_node_type symbol = {.name = text,                                       \
                                               .version = 1,                                       \
                                               .summary = "extreme values",                        \
                                               .outputs = symbol##_ports,                          \
                                               .params = extreme_params,                           \
                                               .params_size = sizeof(struct extreme),              \
                                               .random = true,                                     \
                                               .run = fill_extreme};
EXTREME(extreme_map, "storm.map", TW_HEIGHTMAP)
EXTREME(extreme_mask, "storm.mask", TW_MASK)
EXTREME(extreme_labels, "storm.labels", TW_LABELS)
static const struct tw_node_type *const extremes[] = {&extreme_map, &extreme_mask, &extreme_labels,
                                                      NULL};

/* ---- a random recipe ---- */

struct writer {
    struct dice dice;
    char text[TEXT], outputs[TEXT / 4];
    size_t used;
    int32_t nodes;
};

static void print(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
    w->used += (size_t)length;
    if (w->used >= sizeof w->text) {
        fputs("storm: a recipe grew beyond its buffer\n", stderr);
        exit(2);
    }
}

static bool gives(const struct tw_node_type *type, enum tw_type expected, const char **port)
{
    for (const struct tw_port *out = type->outputs; out->name; out++)
        if (out->type == expected || (out->type == TW_MASK && expected == TW_HEIGHTMAP)) {
            *port = out->name;
            return true;
        }
    return false;
}

static bool needs_input(const struct tw_node_type *type)
{
    for (const struct tw_port *in = type->inputs; in && in->name; in++)
        if (!(in->flags & (TW_OPTIONAL | TW_VARIADIC)))
            return true;
    return false;
}

/* A file must be read from somewhere: those nodes are left to the fuzzers. */
static bool needs_file(const struct tw_node_type *type)
{
    const struct tw_param *row = tw_node_file_param(type);
    return row && row->min > 0;
}

/* Any node type that gives a value of the type; near the leaves one without inputs. */
static const struct tw_node_type *choose_source(struct writer *w, enum tw_type expected, int depth,
                                                const char **port)
{
    const struct tw_node_type *found[512];
    const char *ports[512];
    int32_t count = 0;
    for (const struct tw_node_type *const *type = extremes; *type; type++)
        if (gives(*type, expected, port) && (depth > 1 || dice_below(&w->dice, 2))) {
            return *type;
        }
    for (const struct tw_node_type *const *type = tw_node_table; *type && count < 512; type++)
        if (gives(*type, expected, port) && !needs_file(*type) &&
            (depth < DEPTH_MAX || !needs_input(*type))) {
            ports[count] = *port;
            found[count++] = *type;
        }
    if (count == 0)
        return NULL;
    int32_t chosen = dice_below(&w->dice, count);
    *port = ports[chosen];
    return found[chosen];
}

static void write_list(struct writer *w, const struct tw_param *row, const void *field)
{
    const struct tw_list *list = field;
    const struct tw_labels *labels = field;
    int32_t count = row->kind == TW_KIND_LIST ? list->count : labels->count;
    print(w, "[");
    for (int32_t i = 0; i < count; i++) {
        int length = 0;
        const char *label =
            row->kind == TW_KIND_LABELS ? tw_param_label(row, labels->at[i], &length) : NULL;
        if (label)
            print(w, "%s%.*s", i ? ", " : "", length, label);
        else
            print(w, "%s%.9g", i ? ", " : "", (double)list->at[i]);
    }
    print(w, "]");
}

/* Rows without the cells that are left out. */
static void write_table(struct writer *w, const struct tw_param *row, const struct tw_table *table)
{
    char text[64];
    print(w, "[");
    for (int32_t i = 0; i < table->rows * table->columns; i++) {
        const struct tw_column *column = &row->columns[i % table->columns];
        tw_param_print_cell(column, table->at[i], text, sizeof text);
        print(w, "%s", i % table->columns ? "" : i ? "}, {" : "{");
        if (text[0])
            print(w, "%s: %s, ", column->name, text);
    }
    print(w, table->rows > 0 ? "}]" : "]");
}

/* Of the first input alone, since the others need not be connected. */
static const char *random_formula(struct writer *w)
{
    static const char *const formulas[] = {
        "a", "1 / a - exp(1000 * a)", "a ^ 2 + pow(a, -0.5) * ln(a)",
        "a < 0.5 ? sin(1e9 * a) : cos(a) / (a - a)", "round(smooth(a, 0.25, a) * 8) / 0"};
    return formulas[dice_below(&w->dice, sizeof formulas / sizeof *formulas)];
}

static void write_param(struct writer *w, const struct tw_param *row, const void *params)
{
    const void *field = (const unsigned char *)params + row->offset;
    char text[600];
    print(w, ", %s: ", row->name);
    if (row->kind == TW_KIND_LIST || row->kind == TW_KIND_LABELS) {
        write_list(w, row, field);
    } else if (row->kind == TW_KIND_TABLE) {
        write_table(w, row, field);
    } else if (row->kind == TW_KIND_FORMULA) {
        print(w, "\"%s\"", random_formula(w));
    } else {
        tw_param_print(row, params, text, sizeof text);
        print(w, "%s", text);
    }
}

static void write_params(struct writer *w, const struct tw_node_type *type)
{
    unsigned char params[8192] = {0};
    int32_t share = dice_below(&w->dice, 3);
    tw_param_defaults(type->params, params);
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        if (row->kind == TW_KIND_FILE ||
            (row->kind != TW_KIND_TABLE && row->kind != TW_KIND_FORMULA &&
             dice_below(&w->dice, 1 << share)))
            continue;
        dice_param(&w->dice, row, type->name, params);
        write_param(w, row, params);
    }
}

static int32_t write_node(struct writer *w, const struct tw_node_type *type, int depth);

/* A reference to some node's output of the type, written before its user. */
static bool source_of(struct writer *w, enum tw_type expected, int depth, char reference[64])
{
    const char *port = NULL;
    const struct tw_node_type *type =
        w->nodes < NODES_MAX ? choose_source(w, expected, depth, &port) : NULL;
    if (!type)
        return false;
    int32_t node = write_node(w, type, depth + 1);
    snprintf(reference, 64, "n%d.%s", (int)node, port);
    return node >= 0;
}

/* Inputs first, since their lines come first; -1 when a required one cannot be had. */
static int32_t write_node(struct writer *w, const struct tw_node_type *type, int depth)
{
    char references[TW_PORTS_MAX][64] = {{0}};
    for (int i = 0; type->inputs && type->inputs[i].name; i++) {
        const struct tw_port *in = &type->inputs[i];
        bool optional = in->flags & (TW_OPTIONAL | TW_VARIADIC);
        if (optional && (depth >= DEPTH_MAX || dice_below(&w->dice, 2)))
            continue;
        if (!source_of(w, in->type, depth, references[i]) && !optional)
            return -1;
    }
    int32_t node = w->nodes++;
    print(w, "  n%d: {type: %s", (int)node, type->name);
    for (int i = 0; type->inputs && type->inputs[i].name; i++)
        if (references[i][0])
            print(w, type->inputs[i].flags & TW_VARIADIC ? ", %s: [%s]" : ", %s: %s",
                  type->inputs[i].name, references[i]);
    write_params(w, type);
    print(w, "}\n");
    size_t length = strlen(w->outputs);
    for (const struct tw_port *out = type->outputs; out->name && node < NODES_MAX; out++)
        length +=
            (size_t)snprintf(w->outputs + length, sizeof w->outputs - length, "  n%d_%s: n%d.%s\n",
                             (int)node, out->name, (int)node, out->name);
    return node;
}

static bool write_recipe(struct writer *w, uint32_t set, const char *only)
{
    static const int32_t odd[] = {1, 2, 3, 7, 17, 23, 24, 25, 31, 33, 63, 64};
    int32_t count = 0, sizes = sizeof odd / sizeof odd[0];
    *w = (struct writer){.dice = {.key = 0x5354524D, .set = set}};
    while (tw_node_table[count])
        count++;
    const struct tw_node_type *type = tw_node_table[dice_below(&w->dice, count)];
    for (int32_t i = 0; only && i < count; i++)
        if (strcmp(tw_node_table[i]->name, only) == 0)
            type = tw_node_table[i];
    int32_t width = odd[dice_below(&w->dice, sizes)], height = odd[dice_below(&w->dice, sizes)];
    print(w, "thalweg: 1\nsize: [%d, %d]\nseed: %u\n", (int)width, (int)height, (unsigned)set);
    if (dice_below(&w->dice, 2)) {
        double side = dice_number(&w->dice, 0.001, 1e9, 4096);
        print(w, "world: {side_m: %.9g, height_m: %.9g}\n", side,
              dice_number(&w->dice, 0.001, 1e9, 600));
    }
    print(w, "nodes:\n");
    if (needs_file(type) || write_node(w, type, 0) < 0)
        return false;
    print(w, "outputs:\n%s", w->outputs);
    return true;
}

/* ---- running it ---- */

struct outcome {
    enum tw_status status;
    struct tw_error error;
    int32_t count;
    struct tw_digest digests[DIGESTS];
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct stopper {
    volatile int stop, over;
    double after, stopped;
};

/* Stops a run that has gone on for long enough: then how soon it ends is what is measured. */
static void *stop_later(void *context)
{
    struct stopper *stopper = context;
    double start = now();
    while (!stopper->over) {
        if (!stopper->stop && now() - start > stopper->after) {
            stopper->stopped = now();
            stopper->stop = 1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return NULL;
}

struct settings {
    double seconds, cancel_limit;
    uint32_t first, count;
    const char *only;
};

static void fail(const struct writer *w, const char *what, const struct tw_error *error)
{
    fprintf(stderr, "storm: recipe %u: %s\n%s %d:%d %s: %s\n%s", (unsigned)w->dice.set, what,
            error->file, error->line, error->column, error->path, error->message, w->text);
    exit(1);
}

static void digest_outputs(const struct writer *w, const struct tw_result *result,
                           struct outcome *outcome)
{
    for (const char *line = strstr(w->text, "outputs:\n") + 9; *line && outcome->count < DIGESTS;
         line = strchr(line, '\n') + 1) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 2, ":"), line + 2);
        const struct tw_value *value = tw_result_output(result, name);
        if (tw_field_first_nonfinite(value) >= 0)
            fail(w, "a value is not finite", &outcome->error);
        outcome->digests[outcome->count++] = tw_field_digest(value);
    }
}

/* False when the recipe is refused. */
static bool run(const struct writer *w, const struct tw_run_options *base, const char *simd,
                const struct settings *settings, struct outcome *outcome)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct stopper stopper = {.after = 2};
    struct tw_run_options options = *base;
    const struct tw_load_options load = {.types = extremes};
    pthread_t thread;
    *outcome = (struct outcome){.status = TW_OK};
    if (tw_recipe_parse(w->text, strlen(w->text), "storm.yaml", &load, &recipe, &outcome->error) !=
        TW_OK)
        return false;
    setenv("THALWEG_SIMD", simd, 1);
    options.cancel = &stopper.stop;
    bool threaded = pthread_create(&thread, NULL, stop_later, &stopper) == 0;
    outcome->status = tw_recipe_run(recipe, &options, &result, &outcome->error);
    double ended = now();
    stopper.over = 1;
    if (threaded)
        pthread_join(thread, NULL);
    if (stopper.stopped > 0 && ended - stopper.stopped > settings->cancel_limit)
        fail(w, "a run that was stopped went on for too long", &outcome->error);
    if (outcome->status == TW_OK)
        digest_outputs(w, result, outcome);
    else if (outcome->status != TW_CANCELLED && strlen(outcome->error.message) < 20)
        fail(w, "a failure says too little", &outcome->error);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return true;
}

static void compare(const struct writer *w, const struct outcome *a, const struct outcome *b,
                    const char *what)
{
    if (a->status == TW_CANCELLED || b->status == TW_CANCELLED)
        return;
    if (a->status != b->status || memcmp(a->digests, b->digests, sizeof a->digests) != 0)
        fail(w, what, &b->error);
}

/* False when the rules between parameters refuse the recipe. */
static bool try_recipe(const struct writer *w, const char *folder, const struct settings *settings,
                       uint32_t ended[TW_CANCELLED + 1])
{
    struct outcome first, other;
    struct tw_run_options options = {.threads = 1};
    if (!run(w, &options, "base", settings, &first))
        return false;
    ended[first.status]++;
    options.threads = 8;
    run(w, &options, "avx512", settings, &other);
    compare(w, &first, &other, "eight threads with AVX-512 give other bytes");
    options = (struct tw_run_options){.threads = 2, .cache_dir = folder};
    run(w, &options, "avx2", settings, &other);
    compare(w, &first, &other, "a run that fills the cache gives other bytes");
    run(w, &options, "avx2", settings, &other);
    compare(w, &first, &other, "a run from the cache gives other bytes");
    return true;
}

static int usage(void)
{
    fputs("usage: storm [--seconds N] [--first N] [--count N] [--node TYPE] "
          "[--cancel-limit SECONDS]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct settings settings = {.cancel_limit = 0.25, .count = UINT32_MAX};
    static struct writer writer;
    char folder[] = "/tmp/storm.XXXXXX";
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return usage();
        if (strcmp(argv[i], "--seconds") == 0)
            settings.seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--first") == 0)
            settings.first = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            settings.count = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--node") == 0)
            settings.only = argv[i + 1];
        else if (strcmp(argv[i], "--cancel-limit") == 0)
            settings.cancel_limit = atof(argv[i + 1]);
        else
            return usage();
    }
    if (settings.seconds <= 0 && settings.count == UINT32_MAX)
        settings.seconds = 60;
    if (!mkdtemp(folder))
        return 2;
    double start = now();
    uint32_t tried = 0, ran = 0, ended[TW_CANCELLED + 1] = {0};
    for (; tried < settings.count && (settings.seconds <= 0 || now() - start < settings.seconds);
         tried++) {
        ran += write_recipe(&writer, settings.first + tried, settings.only) &&
               try_recipe(&writer, folder, &settings, ended);
        if (tried % 64 == 63) /* the cache is here for its bytes, not for its size */
            folder_remove(folder);
    }
    folder_remove(folder);
    printf("storm: %u recipes from %u on in %.0f s: %u ran to the end, %u said why they cannot, %u "
           "were stopped, %u were refused\n",
           (unsigned)tried, (unsigned)settings.first, now() - start, (unsigned)ended[TW_OK],
           (unsigned)(ran - ended[TW_OK] - ended[TW_CANCELLED]), (unsigned)ended[TW_CANCELLED],
           (unsigned)(tried - ran));
    return ran ? 0 : 1;
}
