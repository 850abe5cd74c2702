/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include "value/field.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8, RECIPE_BYTES = 1 << 18 };

static const struct tw_value *given[SLOTS];
static struct tw_error last_warning;

struct params {
    int32_t slot;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, slot, 0, 0, SLOTS - 1, "", "a slot of harness_give()"),
    TW_PARAM_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct tw_value *from = given[((const struct params *)tw_task_params(task))->slot];
    struct tw_value *out = tw_task_output(task, 0);
    if (!from)
        return tw_task_fail(task, "nothing was given");
    if (!out->data) { /* a list */
        if (tw_task_list(task, 0, from->width) != TW_OK)
            return TW_MEMORY;
    } else if (from->width != out->width || from->height != out->height) {
        return tw_task_fail(task, "a value of another size was given");
    }
    const size_t bytes = tw_value_count(from) * tw_type_size(out->type);
    if (bytes > 0) /* an empty list may have no array */
        memcpy(out->data, from->data, bytes);
    return TW_OK;
}

#define TEST_NODE(symbol, text, type)                                                              \
    static const struct tw_port symbol##_ports[] = {{"out", type, 0, "what was given"},            \
                                                    TW_PORT_END};                                  \
    static const struct tw_node_type symbol = {.name = text,                                       \
                                               .version = 1,                                       \
                                               .summary = "gives what a test put in",              \
                                               .outputs = symbol##_ports,                          \
                                               .params = params,                                   \
                                               .params_size = sizeof(struct params),               \
                                               .run = run};
TEST_NODE(test_map, "test.map", TW_HEIGHTMAP)
TEST_NODE(test_mask, "test.mask", TW_MASK)
TEST_NODE(test_labels, "test.labels", TW_LABELS)
TEST_NODE(test_vectors, "test.vectors", TW_VECTORS)
TEST_NODE(test_points, "test.points", TW_POINTS)
TEST_NODE(test_record, "test.record", TW_RECORD)
TEST_NODE(test_polymap, "test.polymap", TW_POLYMAP)
TEST_NODE(test_placements, "test.placements", TW_PLACEMENTS)
TEST_NODE(test_lines, "test.lines", TW_LINES)

static const struct tw_node_type *const types[] = {
    &test_map,    &test_mask,    &test_labels,     &test_vectors, &test_points,
    &test_record, &test_polymap, &test_placements, &test_lines,   NULL};

void harness_give(int slot, const struct tw_value *value) { given[slot] = value; }

const char *harness_warning(void) { return last_warning.message; }

static void on_warning(void *context, const struct tw_error *warning)
{
    (void)context;
    last_warning = *warning;
}

/* Turns every line "id: ..." of nodes into an output "id: id". */
static void write_outputs(const char *nodes, char *text, size_t size)
{
    for (const char *line = nodes; line && *line;) {
        size_t used = strlen(text);
        int id = (int)strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (id > 0)
            snprintf(text + used, size - used, "  %.*s: %.*s\n", id, line, id, line);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
}

static void write_nodes(const char *nodes, char *text, size_t size)
{
    for (const char *line = nodes; *line;) {
        size_t used = strlen(text), length = strcspn(line, "\n");
        snprintf(text + used, size - used, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Limits the instruction set for a run, NULL: the widest; returns the setting to restore. */
static char *limit_simd(const char *level)
{
    const char *now = getenv("THALWEG_SIMD");
    char *before = now ? strdup(now) : NULL;
    assert_int_equal(level ? setenv("THALWEG_SIMD", level, 1) : unsetenv("THALWEG_SIMD"), 0);
    return before;
}

static void restore_simd(char *before)
{
    assert_int_equal(before ? setenv("THALWEG_SIMD", before, 1) : unsetenv("THALWEG_SIMD"), 0);
    free(before);
}

static enum tw_status execute(const struct harness *harness, struct tw_result **result,
                              struct tw_error *error)
{
    char *text = calloc(1, RECIPE_BYTES);
    struct tw_recipe *recipe = NULL;
    const struct tw_load_options load = {.types = types};
    const struct tw_run_options options = {.threads = harness->threads ? harness->threads : 1,
                                           .warning = on_warning};
    assert_non_null(text);
    last_warning = (struct tw_error){0};
    snprintf(text, RECIPE_BYTES, "thalweg: 1\nsize: [%d, %d]\nseed: %llu\n%snodes:\n",
             harness->width ? harness->width : 64, harness->height ? harness->height : 64,
             (unsigned long long)harness->seed, harness->head ? harness->head : "");
    write_nodes(harness->nodes, text, RECIPE_BYTES);
    strcat(text, "outputs:\n");
    write_outputs(harness->nodes, text, RECIPE_BYTES);
    if (harness->outputs)
        write_nodes(harness->outputs, text, RECIPE_BYTES);
    enum tw_status status = tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, error);
    char *before = limit_simd(harness->simd);
    if (status == TW_OK)
        status = tw_recipe_run(recipe, &options, result, error);
    restore_simd(before);
    tw_recipe_release(recipe);
    free(text);
    return status;
}

struct tw_result *harness_run(const struct harness *harness)
{
    struct tw_result *result = NULL;
    struct tw_error error = {0};
    if (execute(harness, &result, &error) != TW_OK)
        fail_msg("%s:%d:%d: %s %s", error.file, error.line, error.column, error.path,
                 error.message);
    return result;
}

struct tw_error harness_fail(const struct harness *harness)
{
    struct tw_result *result = NULL;
    struct tw_error error = {0};
    enum tw_status status = execute(harness, &result, &error);
    tw_result_release(result);
    assert_int_not_equal(status, TW_OK);
    return error;
}

/* Five octaves of value noise, in plain loops, so that it shares no code with any node. */
enum { OCTAVES = 5 };

/* Corners of the lattice cell that an octave read last. */
struct lattice_cell {
    int32_t i, j;
    float corner[4];
};

static void draw_corners(struct lattice_cell *cell, uint64_t seed, uint32_t octave)
{
    for (uint32_t k = 0; k < 4; k++)
        cell->corner[k] = tw_uniform(
            tw_random(seed, (uint32_t)cell->i + k % 2, (uint32_t)cell->j + k / 2, octave, 0).at[0]);
}

static float octave_at(struct lattice_cell *cell, int32_t x, int32_t y, uint64_t seed,
                       uint32_t octave)
{
    float step = 32.0f / (float)(1u << octave), u = (float)x / step, v = (float)y / step;
    int32_t i = (int32_t)u, j = (int32_t)v;
    if (i != cell->i || j != cell->j) {
        cell->i = i;
        cell->j = j;
        draw_corners(cell, seed, octave);
    }
    const float *corner = cell->corner;
    float a = u - (float)i, b = v - (float)j;
    float top = corner[0] + (corner[1] - corner[0]) * a;
    float bottom = corner[2] + (corner[3] - corner[2]) * a;
    return top + (bottom - top) * b;
}

struct tw_value harness_terrain(int32_t width, int32_t height, uint64_t seed)
{
    struct tw_value value = {TW_HEIGHTMAP, width, height, NULL};
    struct lattice_cell last[OCTAVES] = {{.i = -1}, {.i = -1}, {.i = -1}, {.i = -1}, {.i = -1}};
    value.data = malloc(tw_value_count(&value) * sizeof(float));
    assert_non_null(value.data);
    float *cell = value.data;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            float sum = 0, weight = 0.5f;
            for (uint32_t octave = 0; octave < OCTAVES; octave++, weight *= 0.5f)
                sum += weight * octave_at(&last[octave], x, y, seed, octave);
            *cell++ = sum;
        }
    return value;
}

void harness_same(const struct tw_value *a, const float *b)
{
    const float *cells = tw_floats(a);
    if (memcmp(cells, b, tw_value_count(a) * sizeof *b) == 0)
        return;
    for (size_t i = 0; i < tw_value_count(a); i++)
        if (memcmp(&cells[i], &b[i], sizeof *b) != 0)
            fail_msg("x %zu, y %zu: %.9g, expected %.9g", i % (size_t)a->width,
                     i / (size_t)a->width, (double)cells[i], (double)b[i]);
}
