/* SPDX-License-Identifier: MIT */
/* Hostile values on edges, as a shared cache could hold them: whatever list of finite numbers a
 * node gets, it ends with valid outputs or says why not. The first byte chooses a node and an
 * input of it, the second how large the maps are, the rest is the list's elements. Polygon maps
 * are too intricate to be guessed: there the bytes are words to change in a real one. */
#include "fuzz.h"

#include "graph/graph.h"
#include "node/param.h"
#include "node/registry.h"
#include "value/field.h"

#include <thalweg/thalweg.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSUMERS_MAX = 256, PATCH = 6, SIDE_MAX = 16 };

/* What is fuzzed, and the bytes of this input. */
static enum tw_type hostile;
static const uint8_t *bytes;
static size_t byte_count;
static bool small_labels;      /* most nodes take few */
static struct tw_value island; /* a polygon map with all layers */

/* ---- values as node types: fuzz.<type> ---- */

static uint8_t byte_at(size_t i) { return byte_count ? bytes[i % byte_count] : 0; }

/* Numbers finite and names ended: the engine sees to that in what it reads. */
static void make_valid(const struct tw_value *value)
{
    const struct tw_type_row *row = tw_type(value->type);
    unsigned char *element = value->data;
    for (size_t i = 0; i < tw_value_count(value); i++, element += row->size)
        for (const struct tw_element_member *m = row->members; m->name; m++) {
            unsigned char *at = element + m->offset;
            if (m->kind == TW_MEMBER_TEXT)
                at[m->size - 1] = 0;
            if ((m->kind == TW_MEMBER_F32 || m->kind == TW_MEMBER_F64) &&
                (at[m->size - 1] & 0x7F) == 0x7F)
                at[m->size - 1] &= 0xBF;
        }
}

static enum tw_status fill_polymap(struct tw_task *task)
{
    if (tw_task_list(task, 0, island.width) != TW_OK)
        return TW_MEMORY;
    struct tw_value *out = tw_task_output(task, 0);
    memcpy(out->data, island.data, (size_t)island.width * sizeof(uint32_t));
    for (size_t i = 0; hostile == TW_POLYMAP && i + PATCH <= byte_count; i += PATCH) {
        size_t word = (size_t)(bytes[i] | bytes[i + 1] << 8) % (size_t)island.width;
        memcpy((uint32_t *)out->data + word, bytes + i + 2, sizeof(uint32_t));
    }
    return TW_OK;
}

/* Whole numbers 0, others one half. */
static void fill_plainly(const struct tw_value *value)
{
    const struct tw_type_row *row = tw_type(value->type);
    const float half = 0.5f;
    unsigned char *element = value->data;
    memset(element, 0, tw_value_count(value) * row->size);
    for (size_t i = 0; i < tw_value_count(value); i++, element += row->size)
        for (const struct tw_element_member *m = row->members; m->name; m++)
            if (m->kind == TW_MEMBER_F32)
                memcpy(element + m->offset, &half, sizeof half);
}

static void fill_with_bytes(const struct tw_value *value)
{
    size_t size = tw_value_count(value) * tw_type_size(value->type);
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)value->data)[i] = byte_at(i);
    for (size_t i = 0; value->type == TW_LABELS && small_labels && i < size / 4; i++)
        tw_labels(value)[i] = byte_at(i) % 16;
    make_valid(value);
}

static enum tw_status fill(struct tw_task *task, enum tw_type type)
{
    if (type == TW_POLYMAP)
        return fill_polymap(task);
    int32_t count = type == hostile ? (int32_t)(byte_count / tw_type_size(type)) : 2;
    if (!tw_type_is_grid(type) && tw_task_list(task, 0, count) != TW_OK)
        return TW_MEMORY;
    if (type == hostile)
        fill_with_bytes(tw_task_output(task, 0));
    else
        fill_plainly(tw_task_output(task, 0));
    return TW_OK;
}

#define FILL(name, ...)                                                                            \
    static enum tw_status fill_##name(struct tw_task *task) { return fill(task, TW_##name); }
TW_TYPE_LIST(FILL)
#define FILL_ROW(name, ...) fill_##name,
static enum tw_status (*const fills[])(struct tw_task *task) = {TW_TYPE_LIST(FILL_ROW)};

static char names[TW_TYPE_COUNT][40];
static struct tw_port ports[TW_TYPE_COUNT][2];
static struct tw_node_type sources[TW_TYPE_COUNT];
static const struct tw_node_type *source_table[TW_TYPE_COUNT + 1];

static void create_sources(void)
{
    for (int i = 0; i < TW_TYPE_COUNT; i++) {
        snprintf(names[i], sizeof names[i], "fuzz.%s", tw_type_name((enum tw_type)i));
        ports[i][0] = (struct tw_port){"out", (enum tw_type)i, 0, "anything"};
        sources[i] = (struct tw_node_type){.name = names[i],
                                           .version = 1,
                                           .summary = "anything",
                                           .outputs = ports[i],
                                           .run = fills[i]};
        source_table[i] = &sources[i];
    }
}

/* ---- nodes that read lists ---- */

static struct consumer {
    const struct tw_node_type *type;
    enum tw_type hostile;
} consumers[CONSUMERS_MAX];
static int consumer_count;

/* All inputs of one node from fuzz.<type>; optional ones only where they are hostile. */
static struct tw_recipe *load(const struct consumer *consumer, int32_t side)
{
    char text[4000];
    const struct tw_node_type *type = consumer->type;
    struct tw_recipe *recipe = NULL;
    const struct tw_load_options options = {.types = source_table};
    int used = snprintf(text, sizeof text, "thalweg: 1\nsize: %d\nnodes:\n", (int)side);
    for (int i = 0; i < TW_TYPE_COUNT; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "  v%d: {type: %s}\n", i, names[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "  n: {type: %s", type->name);
    for (const struct tw_port *in = type->inputs; in->name; in++)
        if (in->type == consumer->hostile || !(in->flags & TW_OPTIONAL))
            used += snprintf(text + used, sizeof text - (size_t)used,
                             in->flags & TW_VARIADIC ? ", %s: [v%d]" : ", %s: v%d", in->name,
                             (int)in->type);
    used += snprintf(text + used, sizeof text - (size_t)used, "}\noutputs:\n");
    for (const struct tw_port *out = type->outputs; out->name; out++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "  %s: n.%s\n", out->name, out->name);
    if (tw_recipe_parse(text, (size_t)used, "fuzz.yaml", &options, &recipe, NULL) != TW_OK)
        return NULL;
    return recipe;
}

static void add_consumers(const struct tw_node_type *type)
{
    unsigned seen = 0;
    for (const struct tw_port *in = type->inputs; in && in->name; in++) {
        const struct consumer consumer = {type, in->type};
        if ((tw_type_is_grid(in->type) && in->type != TW_LABELS) || seen & 1u << in->type)
            continue;
        seen |= 1u << in->type;
        struct tw_recipe *recipe = load(&consumer, 8);
        if (recipe && consumer_count < CONSUMERS_MAX)
            consumers[consumer_count++] = consumer;
        tw_recipe_release(recipe);
    }
}

static void create_island(void)
{
    static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n"
                               "  p: {type: island.polygons, cells: 30}\n"
                               "  s: {type: island.shape, in: p, base_octave: 3, offset: -0.4}\n"
                               "  e: {type: island.elevation, in: s}\n"
                               "  r: {type: island.rivers, in: e, count: 8}\n"
                               "  m: {type: island.moisture, in: r}\n"
                               "  b: {type: island.biomes, in: m}\n"
                               "outputs: {all: b}\n";
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    const struct tw_run_options options = {.threads = 1};
    if (tw_recipe_parse(text, strlen(text), "island.yaml", NULL, &recipe, NULL) != TW_OK ||
        tw_recipe_run(recipe, &options, &result, NULL) != TW_OK ||
        tw_field_copy(&island, tw_result_output(result, "all"), NULL) != TW_OK)
        abort();
    tw_result_release(result);
    tw_recipe_release(recipe);
}

/* ---- the target ---- */

static void check(struct tw_recipe *recipe)
{
    struct tw_result *result = NULL;
    struct tw_error error = {0};
    const struct tw_run_options options = {.threads = 1, .max_memory = 1 << 28};
    enum tw_status status = tw_recipe_run(recipe, &options, &result, &error);
    if (status != TW_OK && !error.message[0])
        abort();
    for (const struct tw_output *o = recipe->outputs; status == TW_OK && o; o = o->next) {
        const struct tw_value *value = tw_result_output(result, o->name);
        if (!value || !tw_field_is_valid(value))
            abort();
    }
    tw_result_release(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (consumer_count == 0) {
        create_sources();
        create_island();
        for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
            add_consumers(*type);
        if (consumer_count == 0)
            abort();
    }
    if (size < 2)
        return 0;
    const struct consumer *consumer = &consumers[data[0] % consumer_count];
    hostile = consumer->hostile;
    bytes = data + 2;
    byte_count = size - 2;
    small_labels = data[1] >= 128;
    struct tw_recipe *recipe = load(consumer, 1 + data[1] % SIDE_MAX);
    if (!recipe)
        return 0;
    check(recipe);
    tw_recipe_release(recipe);
    return 0;
}
