/* SPDX-License-Identifier: MIT */
/* How fast nodes are, compared with the plain scalar loop and memcpy of the same map in the same
 * run:
 *
 *     bench [--json] [--cpu] [--only WORD]... [--sizes 512,1024] [--threads N] [--repeats N]
 *           [--borders wrap] [--no-plain] [--busiest] [--compare OLD.json]
 *
 * A node's time is that of a recipe that gives a map and runs the node, less that of a recipe that
 * only gives the map, or other inputs. All times are medians, in ns a cell and iteration. --cpu
 * counts the time of processors instead of the clock's: on a busy machine, together with
 * --threads 1. --busiest counts that of the busiest thread (busiest.h) from when the node's inputs
 * are there, in turns with the same on one thread; no plain loops. --no-plain leaves the plain
 * loops out, which take most of a run on large maps.
 * --compare says which rows became slower, or faster, than in an older --json by more than the
 * noise of both; the exit code is 1 when any became slower. */
#include "bench/bench.h"
#include "bench/busiest.h"
#include "bench/past.h"

#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZES_MAX = 8, REPEATS_MAX = 99, ONLY_MAX = 16 };

#define ENOUGH 20e3 /* milliseconds: a row that has used so much takes no further turn */

static const struct bench_row *const tables[] = {
    bench_olsen,    bench_rivers, bench_drops, bench_noise,
    bench_features, bench_island, bench_maps,  NULL};

struct options {
    bool json, no_plain, busiest;
    const char *only[ONLY_MAX], *borders; /* borders: of all recipes; NULL: as they are */
    const char *compare;                  /* path of an older result; NULL: none */
    int32_t sizes[SIZES_MAX], size_count, threads, repeats, only_count;
};

struct figures {
    double node, reference, copy; /* milliseconds in all; reference < 0 when there is none */
    double low, high;             /* quartiles of the node's turns */
    double one;                   /* the node on one thread; < 0 when not measured */
};

static struct tw_value terrain;

static enum tw_status give(struct tw_task *task)
{
    struct tw_value *out = tw_task_output(task, 0);
    memcpy(out->data, terrain.data, tw_value_count(out) * sizeof(float));
    return TW_OK;
}

static const struct tw_port give_ports[] = {{"out", TW_HEIGHTMAP, 0, "rough terrain"}, TW_PORT_END};
static const struct tw_node_type give_type = {.name = "bench.map",
                                              .version = 1,
                                              .summary = "gives rough terrain",
                                              .outputs = give_ports,
                                              .run = give};
static const struct tw_node_type *const types[] = {&give_type, NULL};

static clockid_t clock_used = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec time;
    clock_gettime(clock_used, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int32_t count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

/* Lines "id: ..." of nodes; with `outputs`, a line "id: id" of outputs for each of them. */
static void print_lines(FILE *to, const char *lines, bool outputs)
{
    for (const char *line = lines; *line;) {
        int length = (int)strcspn(line, "\n"), id = (int)strcspn(line, ":");
        if (!outputs)
            fprintf(to, "  %.*s\n", length, line);
        else if (line[0] != ' ')
            fprintf(to, "  %.*s: %.*s\n", id, line, id, line);
        line += length + (line[length] == '\n');
    }
}

/* The node, or only what feeds it. */
static struct tw_recipe *parse(const struct bench_row *row, const struct options *options,
                               bool with_node)
{
    static char text[1 << 15];
    FILE *to = fmemopen(text, sizeof text, "w");
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.types = types};
    const char *before = row->before ? row->before : BENCH_TERRAIN;
    if (!to)
        exit(1);
    fprintf(to, "thalweg: 1\nsize: [%d, %d]\nseed: 1\n", terrain.width, terrain.height);
    if (options->borders)
        fprintf(to, "borders: %s\n", options->borders);
    fprintf(to, "nodes:\n");
    print_lines(to, before, false);
    if (row->node[0] == '{')
        fprintf(to, "  out: %s\n", row->node);
    else
        print_lines(to, row->node, false);
    fprintf(to, "outputs:\n");
    print_lines(to, with_node ? "out:" : before, true);
    fclose(to);
    if (tw_recipe_parse(text, strlen(text), "bench.yaml", &load, &recipe, &error) != TW_OK) {
        fprintf(stderr, "bench: %s: %s %s\n", row->name, error.path, error.message);
        exit(1);
    }
    return recipe;
}

/* An input of the node has been computed, and the node has not begun. */
static void on_progress(void *context, const char *node, double done)
{
    (void)context;
    (void)done;
    if (strcmp(node, "out") != 0)
        busiest_start();
}

static double time_recipe(struct tw_recipe *recipe, const struct options *options, int32_t threads)
{
    const struct tw_run_options run = {.threads = threads,
                                       .progress = options->busiest ? on_progress : NULL};
    struct tw_result *result = NULL;
    struct tw_error error;
    if (options->busiest)
        busiest_start();
    double start = now();
    if (tw_recipe_run(recipe, &run, &result, &error) != TW_OK) {
        fprintf(stderr, "bench: %s\n", error.message);
        exit(1);
    }
    double taken = options->busiest ? busiest_read() : now() - start;
    tw_result_release(result);
    return taken;
}

static double time_reference(const struct bench_row *row, float *map, bool copy_only)
{
    size_t bytes = tw_value_count(&terrain) * sizeof *map;
    double start = now();
    memcpy(map, terrain.data, bytes);
    if (!copy_only) {
        start = now();
        row->reference(map, terrain.width, terrain.height);
    }
    return now() - start;
}

/* Repeats take turns, so that what else the machine does hits all alike. */
static struct figures measure(const struct bench_row *row, const struct options *options)
{
    double with[REPEATS_MAX], without[REPEATS_MAX], copy[REPEATS_MAX], plain[REPEATS_MAX];
    double each[REPEATS_MAX], one[REPEATS_MAX], used = 0;
    struct tw_recipe *node = parse(row, options, true), *source = parse(row, options, false);
    float *map = calloc(tw_value_count(&terrain), sizeof *map);
    int32_t plains = !row->reference || options->no_plain ? 0 : terrain.width > 512 ? 1 : 3;
    int32_t turns = 0;
    if (!map)
        exit(1);
    for (; turns < options->repeats && used < ENOUGH; turns++) {
        one[turns] = options->busiest ? time_recipe(node, options, 1) : -1;
        without[turns] = options->busiest ? 0 : time_recipe(source, options, options->threads);
        with[turns] = time_recipe(node, options, options->threads);
        copy[turns] = time_reference(row, map, true);
        each[turns] = with[turns] - without[turns];
        used += without[turns] + with[turns] + one[turns];
    }
    for (int32_t i = 0; i < plains; i++)
        plain[i] = time_reference(row, map, false);
    qsort(each, (size_t)turns, sizeof *each, compare);
    struct figures figures = {median(with, turns) - median(without, turns),
                              plains ? median(plain, plains) : -1,
                              median(copy, turns),
                              each[turns / 4],
                              each[turns - 1 - turns / 4],
                              median(one, turns)};
    free(map);
    tw_recipe_release(node);
    tw_recipe_release(source);
    return figures;
}

/* ns a cell and iteration, or a thing, for a millisecond in all. */
static double scale_of(const struct bench_row *row)
{
    double cells = (double)tw_value_count(&terrain);
    return 1e6 / (row->things ? row->things : cells) / row->iterations;
}

static void print(const struct bench_row *row, const struct figures *f, bool json)
{
    double cells = (double)tw_value_count(&terrain), each = scale_of(row);
    double ratio = f->reference / f->node;
    if (json) {
        printf(
            "{\"name\": \"%s\", \"width\": %d, \"height\": %d, \"iterations\": %d, \"things\": %d, "
            "\"node_ms\": %.4f, \"node_ns\": %.4f, \"low_ns\": %.4f, \"high_ns\": %.4f, "
            "\"memcpy_ns\": %.4f",
            row->name, terrain.width, terrain.height, row->iterations, row->things, f->node,
            f->node * each, f->low * each, f->high * each, f->copy * 1e6 / cells);
        if (f->reference >= 0)
            printf(", \"reference_ns\": %.4f, \"ratio\": %.3f", f->reference * each, ratio);
        if (f->one >= 0)
            printf(", \"one_thread_ns\": %.4f, \"times\": %.3f", f->one * each, f->one / f->node);
        printf("}");
        return;
    }
    printf("%-40s %5d %10.2f %10.3f %10.3f", row->name, terrain.width, f->node, f->node * each,
           f->copy * 1e6 / cells);
    if (f->reference >= 0)
        printf(" %10.3f %8.1f", f->reference * each, ratio);
    if (f->one >= 0)
        printf(" %10.3f %8.2f", f->one * each, f->one / f->node);
    printf("\n");
    fflush(stdout);
}

static int32_t number(const char *text, int32_t max)
{
    long value = text ? strtol(text, NULL, 10) : 0;
    if (value < 1 || value > max) {
        fprintf(stderr, "bench: '%s' must be a number from 1 to %d\n", text ? text : "", max);
        exit(2);
    }
    return (int32_t)value;
}

/* libuv's threads: as many as may work at once, or one a processor. */
static void limit_threads(int32_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", count ? count : sysconf(_SC_NPROCESSORS_ONLN));
    setenv("UV_THREADPOOL_SIZE", text, 1);
}

static struct options read_options(char **arguments)
{
    struct options o = {.sizes = {512, 1024, 4096}, .size_count = 3, .repeats = 9};
    for (char **at = arguments + 1; *at; at++) {
        if (strcmp(*at, "--json") == 0) {
            o.json = true;
        } else if (strcmp(*at, "--cpu") == 0) {
            clock_used = CLOCK_PROCESS_CPUTIME_ID;
        } else if (strcmp(*at, "--no-plain") == 0) {
            o.no_plain = true;
        } else if (strcmp(*at, "--busiest") == 0) {
            o.busiest = o.no_plain = true;
        } else if (strcmp(*at, "--only") == 0 && at[1] && o.only_count < ONLY_MAX) {
            o.only[o.only_count++] = *++at;
        } else if (strcmp(*at, "--borders") == 0 && at[1]) {
            o.borders = *++at;
        } else if (strcmp(*at, "--compare") == 0 && at[1]) {
            o.compare = *++at;
        } else if (strcmp(*at, "--threads") == 0) {
            o.threads = number(*++at, 64);
        } else if (strcmp(*at, "--repeats") == 0) {
            o.repeats = number(*++at, REPEATS_MAX);
        } else if (strcmp(*at, "--sizes") == 0 && at[1]) {
            o.size_count = 0;
            for (char *size = strtok(*++at, ","); size && o.size_count < SIZES_MAX;
                 size = strtok(NULL, ","))
                o.sizes[o.size_count++] = number(size, 16384);
        } else {
            fprintf(stderr,
                    "usage: bench [--json] [--cpu] [--only WORD]... [--sizes N,N] [--threads N] "
                    "[--repeats N] [--borders wrap|closed] [--no-plain] [--busiest] "
                    "[--compare OLD.json]\n");
            exit(2);
        }
        if (!*at)
            exit(2);
    }
    if (o.busiest) /* or the work of one worker would be spread over several */
        limit_threads(o.threads);
    return o;
}

static const char *name_clock(const struct options *options)
{
    return options->busiest                ? "busiest thread"
           : clock_used == CLOCK_MONOTONIC ? "wall"
                                           : "processor";
}

static bool is_chosen(const struct bench_row *row, const struct options *options)
{
    bool chosen = options->only_count == 0;
    for (int32_t i = 0; i < options->only_count; i++)
        chosen |= strstr(row->name, options->only[i]) != NULL;
    return chosen;
}

static void compare_with(struct bench_past *past, const struct bench_row *row,
                         const struct figures *f)
{
    double each = scale_of(row);
    const struct bench_range range = {f->node * each, f->low * each, f->high * each};
    if (past)
        bench_past_compare(past, row->name, terrain.width, &range);
}

int main(int count, char **arguments)
{
    (void)count;
    const struct options options = read_options(arguments);
    const char *between = "\n  ", *clock = name_clock(&options);
    struct bench_past *past = NULL;
    if (options.compare && !(past = bench_past_read(options.compare, clock, options.threads)))
        return 2;
    if (options.json)
        printf("{\"format\": \"thalweg.bench/1\", \"clock\": \"%s\", \"threads\": %d, \"repeats\": "
               "%d, "
               "\"rows\": [",
               clock, options.threads, options.repeats);
    else
        printf("%-40s %5s %10s %10s %10s %10s %8s\n", "ns a cell and iteration", "size", "node ms",
               "node", "memcpy", options.busiest ? "1 thread" : "plain",
               options.busiest ? "times" : "ratio");
    for (int32_t i = 0; i < options.size_count; i++) {
        terrain = harness_terrain(options.sizes[i], options.sizes[i], 1);
        for (int t = 0; tables[t]; t++)
            for (const struct bench_row *row = tables[t]; row->name; row++) {
                if (!is_chosen(row, &options))
                    continue;
                struct figures figures = measure(row, &options);
                printf("%s", options.json ? between : "");
                between = ",\n  ";
                print(row, &figures, options.json);
                compare_with(past, row, &figures);
            }
        free(terrain.data);
    }
    if (options.json)
        printf("\n]}\n");
    return past && bench_past_finish(past) > 0;
}
