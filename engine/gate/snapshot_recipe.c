/* SPDX-License-Identifier: MIT */
/* Builds a graph from facts, so that an old state can be computed again next to the new one. */
#include "gate/snapshot_private.h"

#include "base/text/number.h"
#include "graph/load/recipe.h"
#include "graph/names.h"
#include "node/formula_text.h"
#include "node/param.h"
#include "node/rule.h"
#include "node/world.h"
#include "task/task.h"

#include <stdlib.h>
#include <string.h>

struct builder {
    const struct tw_snapshot *snapshot;
    struct tw_recipe *recipe;
    struct tw_registry registry;
    struct tw_names names; /* paths to nodes */
    const char *folder;
    bool old_versions; /* nodes of other versions are taken from the cache */
    struct tw_error *err;
};

static bool refuse(struct builder *b, const char *path, const char *reason, const char *detail)
{
    tw_error_set(b->err, TW_RECIPE, "%s: %s%s", path, reason, detail);
    return false;
}

static bool no_memory(struct builder *b)
{
    tw_error_set(b->err, TW_MEMORY, "out of memory");
    return false;
}

/* ---- the world ---- */

static bool read_number(const struct tw_facts *facts, const char *name, double *number)
{
    const char *text = tw_facts_find(facts, name);
    return text && tw_number_parse(text, number);
}

static enum tw_borders borders_of(const struct tw_facts *facts)
{
    const char *borders = tw_facts_find(facts, "borders");
    return borders && strcmp(borders, "wrap") == 0 ? TW_BORDERS_WRAP : TW_BORDERS_CLOSED;
}

static bool read_world(struct builder *b)
{
    const struct tw_facts *world = &b->snapshot->world;
    struct tw_recipe *recipe = b->recipe;
    double width = 0, height = 0;
    bool whole = read_number(world, "width", &width) && read_number(world, "height", &height);
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++) {
        double *number = tw_world_number(&recipe->world, row);
        whole = whole && read_number(world, row->name, number);
        if (whole && !(*number >= row->min && *number <= row->max))
            return refuse(b, "world", "a number is out of range: ", row->name);
    }
    if (!whole)
        return refuse(b, "world", "a number is missing", "");
    /* Old locks do not record whether the recipe has a `world:`. */
    if (tw_facts_find(world, "given") || !tw_world_is_initial(&recipe->world))
        recipe->world.given |= TW_WORLD_PRESENT;
    if (tw_facts_find(world, "side") || recipe->world.side_m != tw_world_initial().side_m)
        recipe->world.given |= TW_WORLD_SIDE_M;
    if (!(width >= 1 && width <= TW_SIDE_MAX && height >= 1 && height <= TW_SIDE_MAX) ||
        width * height > (double)TW_CELLS_MAX || width != (double)(int32_t)width ||
        height != (double)(int32_t)height)
        return refuse(b, "world", "the size is out of range", "");
    recipe->width = (int32_t)width;
    recipe->height = (int32_t)height;
    const char *seed = tw_facts_find(world, "seed");
    if (seed && !tw_number_parse_whole(seed, &recipe->seed))
        return refuse(b, "world", "the seed is out of range", "");
    recipe->borders = borders_of(world);
    recipe->borders_reason = "as locked";
    return true;
}

/* ---- nodes ---- */

static bool set_list(struct builder *b, const struct tw_param *row, void *params, const char *text,
                     char *message, size_t size)
{
    char *words = tw_arena_copy(&b->recipe->arena, text, strlen(text)), *rest = words;
    ((struct tw_list *)((unsigned char *)params + row->offset))->count = 0;
    if (!words)
        return false;
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (!tw_param_append(row, params, word, message, size))
            return false;
    return true;
}

/* Reads row after row. */
static bool set_table(struct builder *b, const struct tw_param *row, void *params, const char *text,
                      char *message, size_t size)
{
    struct tw_table *table = (struct tw_table *)((unsigned char *)params + row->offset);
    char *words = tw_arena_copy(&b->recipe->arena, text, strlen(text)), *rest = words;
    float *at = tw_arena_alloc(&b->recipe->arena, strlen(text) / 2 + 1, sizeof *at);
    int32_t columns = 0, count = 0;
    while (row->columns[columns].name)
        columns++;
    if (!words || !at || columns == 0)
        return false;
    for (char *word; (word = strtok_r(rest, " ", &rest)); count++) {
        const struct tw_column *column = &row->columns[count % columns];
        if (strcmp(word, "-") == 0)
            at[count] = (float)column->initial;
        else if (!tw_param_cell(column, word, &at[count], message, size))
            return false;
    }
    *table = (struct tw_table){count / columns, columns, at};
    snprintf(message, size, "has rows of another length");
    return count % columns == 0;
}

static bool set_formula(struct builder *b, const struct tw_param *row, void *params,
                        const char *text, int32_t inputs, char *message, size_t size)
{
    struct tw_formula *formula = (struct tw_formula *)((unsigned char *)params + row->offset);
    char *words = tw_arena_copy(&b->recipe->arena, text, strlen(text));
    struct tw_formula_step *at =
        tw_arena_alloc(&b->recipe->arena, TW_FORMULA_STEPS_MAX, sizeof *at);
    if (!words || !at)
        return false;
    *formula = (struct tw_formula){.at = at, .text = ""};
    snprintf(message, size, "has a formula of unknown steps");
    return tw_formula_read(words, inputs, at, &formula->count);
}

/* True for no file, or for an empty text where the default is empty. */
static bool is_empty(const struct tw_param *row, const char *text)
{
    return !text[0] &&
           (row->kind == TW_KIND_FILE || (row->kind == TW_KIND_LABELS && !row->text[0]));
}

static bool set_param(struct builder *b, const struct tw_node *node, const struct tw_param *row,
                      const char *text)
{
    char message[300] = "out of memory";
    bool ok;
    if (row->kind == TW_KIND_TABLE)
        ok = set_table(b, row, node->params, text, message, sizeof message);
    else if (row->kind == TW_KIND_FORMULA)
        ok = set_formula(b, row, node->params, text, tw_node_count_ports(node->type->inputs),
                         message, sizeof message);
    else if (row->kind == TW_KIND_LIST)
        ok = set_list(b, row, node->params, text, message, sizeof message);
    else
        ok = is_empty(row, text) || tw_param_set(row, node->params, text, message, sizeof message);
    return ok || refuse(b, node->path, "", message);
}

static bool check_rules(struct builder *b, const struct tw_node *node)
{
    char text[400];
    struct tw_rule rule = tw_rule_check(node->type, node->params);
    if (!rule.param)
        return true;
    tw_rule_print(node->type, node->params, &rule, (struct tw_rule_defaults){false, false}, text,
                  sizeof text);
    return refuse(b, node->path, "", text);
}

static bool set_params(struct builder *b, struct tw_node *node, const struct tw_facts *causes)
{
    char name[TW_FACT_NAME_MAX];
    tw_param_defaults(node->type->params, node->params);
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        snprintf(name, sizeof name, "params.%s", row->name);
        const char *text = tw_facts_find(causes, name);
        if (!text)
            return refuse(b, node->path, "has no value for ", row->name);
        if (!set_param(b, node, row, text))
            return false;
    }
    return check_rules(b, node);
}

static enum tw_status run_old_version(struct tw_task *task)
{
    return tw_task_fail(task, "this engine has another version of it, and the cache has no values");
}

/* Gives the node a type of its own that has the locked version, so that its key is the old one; it
 * cannot be computed. */
static bool take_old_version(struct builder *b, struct tw_node *node, const char *version)
{
    uint64_t number = 0;
    struct tw_node_type *old = tw_arena_alloc(&b->recipe->arena, 1, sizeof *old);
    if (!old)
        return no_memory(b);
    if (!tw_number_parse_whole(version, &number) || number > INT32_MAX)
        return refuse(b, node->path, "has no version", "");
    *old = *node->type;
    old->version = (int32_t)number;
    old->run = run_old_version;
    old->reach = TW_REACH_ALL;
    old->reach_of = NULL;
    node->type = old;
    return true;
}

static bool set_causes(struct builder *b, struct tw_node *node, const struct tw_facts *causes)
{
    const char *type = tw_facts_find(causes, "type"), *version = tw_facts_find(causes, "version");
    const char *seed = tw_facts_find(causes, "seed");
    char now[16];
    node->type = type ? tw_registry_find(&b->registry, type) : NULL;
    if (!node->type)
        return refuse(b, node->path, "this engine has no node type ", type ? type : "");
    snprintf(now, sizeof now, "%d", (int)node->type->version);
    bool other = !version || strcmp(version, now) != 0;
    if (other && b->old_versions && version && !take_old_version(b, node, version))
        return false;
    if (other && !b->old_versions)
        return refuse(b, node->path, "this engine has another version of ", type);
    if (node->type->random && (!seed || !tw_number_parse_whole(seed, &node->seed_key)))
        return refuse(b, node->path, "has no seed", "");
    node->borders = borders_of(causes);
    node->params = tw_arena_alloc(&b->recipe->arena, node->type->params_size + 1, 1);
    return node->params ? set_params(b, node, causes) : no_memory(b);
}

static bool check_file(struct builder *b, const struct tw_node *node, const struct tw_facts *causes)
{
    struct tw_key_file file;
    char hex[2 * sizeof file.bytes.at + 1];
    bool has = false;
    const char *locked = tw_facts_find(causes, "file"), *layout = tw_facts_find(causes, "layout");
    if (tw_task_file_state(b->recipe, node, &has, &file, b->err) != TW_OK)
        return false;
    if (has)
        tw_hex(file.bytes.at, sizeof file.bytes.at, hex);
    if (has != (locked != NULL) || (has && strcmp(hex, locked) != 0))
        return refuse(b, node->path, "its file has changed", "");
    if (has && strcmp(file.layout, layout ? layout : "") != 0)
        return refuse(b, node->path, "the layout of its file has changed", "");
    return true;
}

static bool add_node(struct builder *b, const struct tw_snapshot_node *from)
{
    struct tw_node *node = &b->recipe->nodes[b->recipe->count++];
    node->path = tw_arena_copy(&b->recipe->arena, from->path, strlen(from->path));
    node->folder = b->folder;
    node->place.file = b->recipe->file;
    struct tw_name *name = node->path ? tw_names_entry(&b->names, b, node->path) : NULL;
    if (!name)
        return no_memory(b);
    if (name->thing)
        return refuse(b, node->path, "stands twice", "");
    name->thing = node;
    return set_causes(b, node, &from->causes) && check_file(b, node, &from->causes);
}

/* ---- edges ---- */

/* Finds the source that "noise.out" names. */
static bool find_source(struct builder *b, const struct tw_node *user, const char *text,
                        struct tw_source *source)
{
    const char *dot = strrchr(text, '.');
    const char *path = dot ? tw_arena_copy(&b->recipe->arena, text, (size_t)(dot - text)) : NULL;
    const struct tw_node *from = path ? tw_names_find(&b->names, b, path) : NULL;
    source->port = from ? tw_node_find_port(from->type->outputs, dot + 1) : -1;
    if (source->port < 0)
        return refuse(b, user ? user->path : "outputs", "there is no output ", text);
    source->node = (int32_t)(from - b->recipe->nodes);
    return true;
}

static bool connect_inputs(struct builder *b, struct tw_node *node, const struct tw_facts *causes)
{
    int32_t fixed = tw_node_fixed_inputs(node->type),
            ports = tw_node_count_ports(node->type->inputs);
    char name[TW_FACT_NAME_MAX];
    node->inputs = tw_arena_alloc(&b->recipe->arena, TW_INPUTS_MAX, sizeof *node->inputs);
    node->input_count = fixed;
    if (!node->inputs)
        return no_memory(b);
    for (int32_t i = 0; i < TW_INPUTS_MAX; i++)
        node->inputs[i].node = -1;
    for (int32_t port = 0; port < ports; port++) {
        snprintf(name, sizeof name, "inputs.%s", node->type->inputs[port].name);
        const char *text = tw_facts_find(causes, name);
        char *rest = tw_arena_copy(&b->recipe->arena, text ? text : "", text ? strlen(text) : 0);
        if (!rest)
            return no_memory(b);
        int32_t edge = port;
        for (char *word; (word = strtok_r(rest, "\t", &rest)); edge++)
            if (edge >= TW_INPUTS_MAX || (port < fixed && edge > port) ||
                !find_source(b, node, word, &node->inputs[edge]))
                return refuse(b, node->path, "cannot be connected: ", name);
        if (port >= fixed)
            node->input_count = edge;
        if (!text && !(node->type->inputs[port].flags & (TW_OPTIONAL | TW_VARIADIC)))
            return refuse(b, node->path, "is not connected: ", name);
    }
    return true;
}

/* Every input that a formula reads must be connected. */
static bool check_formulas(struct builder *b, const struct tw_node *node)
{
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        const struct tw_formula *formula =
            (const struct tw_formula *)((const unsigned char *)node->params + row->offset);
        for (int32_t i = 0; row->kind == TW_KIND_FORMULA && i < formula->count; i++)
            if (formula->at[i].op == TW_FORMULA_INPUT &&
                node->inputs[formula->at[i].input].node < 0)
                return refuse(b, node->path, "has a formula of an input that is not connected", "");
    }
    return true;
}

/* Locks are edited by hand, so each input's type must be checked. */
static bool check_types(struct builder *b)
{
    for (int32_t i = 0; i < b->recipe->count; i++) {
        const struct tw_node *node = &b->recipe->nodes[i];
        if (!check_formulas(b, node))
            return false;
        for (int32_t edge = 0; edge < node->input_count; edge++) {
            struct tw_source source = node->inputs[edge];
            const struct tw_port *port = tw_input_port(node, edge);
            if (source.node >= 0 &&
                !tw_type_converts(tw_source_type(b->recipe, source), port->type))
                return refuse(b, node->path, "gets another type than it takes: ", port->name);
        }
    }
    return true;
}

static bool build(struct builder *b)
{
    const struct tw_snapshot *snapshot = b->snapshot;
    struct tw_fault_log log = {0};
    b->recipe->nodes = tw_arena_alloc(&b->recipe->arena, (size_t)snapshot->node_count + 1,
                                      sizeof *b->recipe->nodes);
    if (!b->recipe->nodes)
        return no_memory(b);
    if (!read_world(b))
        return false;
    for (int32_t i = 0; i < snapshot->node_count; i++)
        if (!add_node(b, &snapshot->nodes[i]))
            return false;
    for (int32_t i = 0; i < snapshot->node_count; i++)
        if (!connect_inputs(b, &b->recipe->nodes[i], &snapshot->nodes[i].causes))
            return false;
    if (tw_graph_sort(b->recipe, &log))
        return tw_load_types(b->recipe) ? check_types(b) : no_memory(b);
    return log.faults ? refuse(b, "nodes", "", log.first.message) : no_memory(b);
}

static enum tw_status build_recipe(struct builder *b, const char *const *allow,
                                   struct tw_recipe **recipe)
{
    b->recipe = calloc(1, sizeof *b->recipe);
    if (!b->recipe)
        return tw_error_set(b->err, TW_MEMORY, "out of memory");
    b->recipe->file = "";
    b->recipe->allow = allow;
    bool ok = build(b);
    tw_names_release(&b->names);
    if (ok) {
        *recipe = b->recipe;
        return TW_OK;
    }
    tw_recipe_release(b->recipe);
    return b->err->status;
}

enum tw_status tw_snapshot_recipe(const struct tw_snapshot *snapshot, const char *folder,
                                  const char *const *allow, struct tw_recipe **recipe,
                                  struct tw_error *err)
{
    struct tw_error own = {.status = TW_OK};
    struct builder b = {.snapshot = snapshot, .folder = folder, .err = err ? err : &own};
    return build_recipe(&b, allow, recipe);
}

enum tw_status tw_snapshot_cached_recipe(const struct tw_snapshot *snapshot, const char *folder,
                                         const char *const *allow, struct tw_recipe **recipe,
                                         struct tw_error *err)
{
    struct tw_error own = {.status = TW_OK};
    struct builder b = {
        .snapshot = snapshot, .folder = folder, .old_versions = true, .err = err ? err : &own};
    return build_recipe(&b, allow, recipe);
}
