/* SPDX-License-Identifier: MIT */
/* Records the facts that decide a recipe's results, by name. */
#include "gate/snapshot_private.h"

#include "base/os/file.h"
#include "base/text/number.h"
#include "node/formula_text.h"
#include "node/param.h"
#include "node/world.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of facts ---- */

const char *tw_facts_find(const struct tw_facts *facts, const char *name)
{
    for (int32_t i = 0; i < facts->count; i++)
        if (strcmp(facts->at[i].name, name) == 0)
            return facts->at[i].value;
    return NULL;
}

bool tw_facts_add(struct tw_arena *arena, struct tw_facts *facts, const char *name,
                  const char *value)
{
    if (facts->count == facts->capacity) {
        int32_t capacity = facts->capacity ? 2 * facts->capacity : 16;
        struct tw_fact *at = tw_arena_alloc(arena, (size_t)capacity, sizeof *at);
        if (!at)
            return false;
        if (facts->count > 0)
            memcpy(at, facts->at, (size_t)facts->count * sizeof *at);
        facts->at = at;
        facts->capacity = capacity;
    }
    const struct tw_fact fact = {.name = tw_arena_copy(arena, name, strlen(name)),
                                 .value = tw_arena_copy(arena, value, strlen(value))};
    if (!fact.name || !fact.value)
        return false;
    facts->at[facts->count++] =
        fact; /* only complete facts, so that the list can be sorted at any time */
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tw_fact *)a)->name, ((const struct tw_fact *)b)->name);
}

void tw_facts_sort(struct tw_facts *facts)
{
    if (facts->count > 1)
        qsort(facts->at, (size_t)facts->count, sizeof *facts->at, by_name);
}

/* ---- the recipe ---- */

static bool add_number(struct tw_snapshot *snapshot, const char *name, double number)
{
    char text[32];
    tw_number_print(text, sizeof text, number);
    return tw_facts_add(&snapshot->arena, &snapshot->world, name, text);
}

bool tw_snapshot_add_world(struct tw_snapshot *snapshot, const struct tw_recipe *recipe)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, recipe->seed);
    bool ok = tw_facts_add(&snapshot->arena, &snapshot->world, "seed", seed) &&
              add_number(snapshot, "width", recipe->width) &&
              add_number(snapshot, "height", recipe->height) &&
              tw_facts_add(&snapshot->arena, &snapshot->world, "borders",
                           tw_borders_name(recipe->borders));
    for (const struct tw_world_row *row = tw_world_rows; ok && row->name; row++)
        ok = add_number(snapshot, row->name, tw_world_value(&recipe->world, row));
    if (ok && recipe->world.given)
        ok = tw_facts_add(&snapshot->arena, &snapshot->world, "given", "yes");
    if (tw_world_gives_default_side(&recipe->world))
        ok = ok && tw_facts_add(&snapshot->arena, &snapshot->world, "side", "given");
    tw_facts_sort(&snapshot->world);
    return ok;
}

/* ---- parameters ---- */

/* Prints row after row: "0 0.2 1 0.5"; '-' for a cell that is left out. */
static char *print_table(struct tw_arena *arena, const struct tw_param *row,
                         const struct tw_table *table)
{
    enum { NUMBER_BYTES = 2 + TW_LABEL_BYTES_MAX };
    size_t count = (size_t)table->rows * (size_t)table->columns, used = 0;
    char *text = tw_arena_alloc(arena, count + 1, NUMBER_BYTES);
    for (size_t i = 0; text && i < count; i++) {
        if (i > 0)
            text[used++] = ' ';
        tw_param_print_cell(&row->columns[i % (size_t)table->columns], table->at[i], text + used,
                            NUMBER_BYTES);
        if (!text[used])
            snprintf(text + used, NUMBER_BYTES, "-");
        used += strlen(text + used);
    }
    return text;
}

/* Prints the steps, which include the values of parameters, without the leading blank. */
static const char *print_formula(struct tw_arena *arena, const struct tw_formula *formula)
{
    struct tw_bytes text = {0};
    const char *kept = tw_formula_print(&text, formula) && text.length > 0
                           ? tw_arena_copy(arena, (const char *)text.at + 1, text.length - 1)
                           : NULL;
    free(text.at);
    return kept;
}

/* File names count from the recipe's folder, even if a recipe in a subfolder names them. */
static const char *file_name(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                             const struct tw_node *node, const char *name)
{
    char folder[PATH_MAX];
    if (!tw_file_real_folder(recipe->file, folder))
        return name;
    size_t length = strlen(folder);
    if (strncmp(node->folder, folder, length) != 0)
        return name;
    return tw_arena_print(&snapshot->arena, "%s%s", node->folder + length, name);
}

static bool add_param(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                      const struct tw_node *node, const struct tw_param *row,
                      struct tw_facts *causes)
{
    const void *field = (const unsigned char *)node->params + row->offset;
    char name[TW_FACT_NAME_MAX], text[1024];
    const char *value = text;
    snprintf(name, sizeof name, "params.%s", row->name);
    if (row->kind == TW_KIND_TABLE)
        value = print_table(&snapshot->arena, row, field);
    else if (row->kind == TW_KIND_FORMULA)
        value = print_formula(&snapshot->arena, field);
    else if (row->kind == TW_KIND_FILE && ((const struct tw_file *)field)->name[0])
        value = file_name(snapshot, recipe, node, ((const struct tw_file *)field)->name);
    else
        tw_param_print(row, node->params, text, sizeof text);
    return value && tw_facts_add(&snapshot->arena, causes, name, value);
}

/* ---- edges ---- */

/* Adds "noise.out"; several sources of a variadic input with tabs between, which no path has. */
static bool add_input(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                      const struct tw_node *node, int32_t edge, struct tw_facts *causes)
{
    struct tw_source source = node->inputs[edge];
    const struct tw_port *port = tw_input_port(node, edge);
    char name[TW_FACT_NAME_MAX];
    if (source.node < 0)
        return true;
    const struct tw_node *from = &recipe->nodes[source.node];
    const char *value = tw_arena_print(&snapshot->arena, "%s.%s", from->path,
                                       from->type->outputs[source.port].name);
    snprintf(name, sizeof name, "inputs.%s", port->name);
    struct tw_fact *last = causes->count > 0 ? &causes->at[causes->count - 1] : NULL;
    if (value && last && strcmp(last->name, name) == 0) {
        last->value = tw_arena_print(&snapshot->arena, "%s\t%s", last->value, value);
        return last->value != NULL;
    }
    return value && tw_facts_add(&snapshot->arena, causes, name, value);
}

bool tw_snapshot_add_causes(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                            const struct tw_node *node, struct tw_facts *causes)
{
    char number[32];
    snprintf(number, sizeof number, "%d", (int)node->type->version);
    bool ok = tw_facts_add(&snapshot->arena, causes, "type", node->type->name) &&
              tw_facts_add(&snapshot->arena, causes, "version", number) &&
              (!node->library || tw_facts_add(&snapshot->arena, causes, "library", node->library));
    snprintf(number, sizeof number, "%" PRIu64, node->seed_key);
    ok = ok && (!node->type->random || tw_facts_add(&snapshot->arena, causes, "seed", number));
    ok = ok && (!node->type->bordered ||
                tw_facts_add(&snapshot->arena, causes, "borders", tw_borders_name(node->borders)));
    for (const struct tw_param *row = node->type->params; ok && row && row->name; row++)
        ok = add_param(snapshot, recipe, node, row, causes);
    for (int32_t i = 0; ok && i < node->input_count; i++)
        ok = add_input(snapshot, recipe, node, i, causes);
    return ok;
}
