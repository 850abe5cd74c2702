/* SPDX-License-Identifier: MIT */
/* Parses a node's formula when the recipe is loaded, so that faults have a column. Names are the
 * node's inputs, then the scope's parameters, then x and y, the place of the cell. */
#include "graph/load/load_private.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

struct names {
    struct tw_loader *loader;
    struct tw_scope *scope;
    const struct tw_node_type *type;
    const struct tw_yaml *yaml; /* the node, whose keys are the connected inputs */
    uint64_t inputs;            /* bit i: input i is used */
};

static bool unknown_name(const struct names *names, const char *name,
                         struct tw_expression_fault *fault)
{
    const char *best =
        strlen(name) > 2 ? tw_scope_nearest(names->loader, names->scope, name) : NULL;
    char all[120] = "";
    for (const struct tw_port *row = names->type->inputs; row && row->name; row++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", row->name);
    }
    snprintf(
        fault->message, sizeof fault->message,
        "'%.60s' is neither an input nor a parameter; expected one of %s, x, y, or a parameter of "
        "the recipe",
        name, all);
    if (best)
        snprintf(fault->hint, sizeof fault->hint, "did you mean '%s'?", best);
    return false;
}

/* Resolves x and y, which parameters of these names hide. */
static bool find_place(const char *name, struct tw_formula_step *step)
{
    if (strcmp(name, "x") != 0 && strcmp(name, "y") != 0)
        return false;
    *step = (struct tw_formula_step){.op = name[0] == 'x' ? TW_FORMULA_COLUMN : TW_FORMULA_ROW};
    return true;
}

static bool find(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *fault)
{
    struct names *names = context;
    int port = in_braces ? -1 : tw_node_find_port(names->type->inputs, name);
    char built_in[TW_BUILT_IN_BYTES];
    const char *text;
    *step = (struct tw_formula_step){.op = port < 0 ? TW_FORMULA_NUMBER : TW_FORMULA_INPUT,
                                     .input = port < 0 ? 0 : port};
    if (port < 0) {
        if (!in_braces && !tw_scope_value(names->loader, names->scope, name, built_in, &text))
            return find_place(name, step) || unknown_name(names, name, fault);
        return tw_arithmetic_name(names->loader, names->scope, name, &step->number, NULL, fault);
    }
    names->inputs |= (uint64_t)1 << port;
    if (tw_yaml_find(names->yaml, name))
        return true;
    snprintf(fault->message, sizeof fault->message,
             "input '%s' is not connected; expected '%s: ...' in the node", name, name);
    return false;
}

/* Returns the formula that a parameter holds, if the scalar is "${name}" and the value no
 * number. */
static const char *formula_of_parameter(struct tw_loader *loader, struct tw_scope *scope,
                                        const char *text)
{
    char name[TW_ID_MAX + 1], built_in[TW_BUILT_IN_BYTES];
    const char *value;
    double number;
    size_t length = strlen(text);
    if (length < 4 || length - 3 > TW_ID_MAX || strncmp(text, "${", 2) != 0 ||
        strchr(text, '}') != text + length - 1)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(length - 3), text + 2);
    if (!tw_scope_value(loader, scope, name, built_in, &value) || !value ||
        tw_number_parse(value, &number))
        return NULL;
    return value;
}

static void warn_of_unused(struct tw_loader *loader, const struct names *names)
{
    for (const struct tw_yaml_item *item = names->yaml->items; item; item = item->next) {
        int port = tw_node_find_port(names->type->inputs, item->key->text);
        if (port >= 0 && !(names->inputs & ((uint64_t)1 << port)))
            tw_fault_log_warn(loader->log, item->key->place,
                              "input '%s' is not used: expected it in the formula",
                              item->key->text);
    }
}

void tw_load_formula(struct tw_loader *loader, struct tw_scope *scope,
                     const struct tw_node_type *type, const struct tw_yaml *yaml,
                     const struct tw_param *row, void *params, const struct tw_yaml *value)
{
    struct names names = {loader, scope, type, yaml, 0};
    const struct tw_expression_names meaning = {find, &names};
    struct tw_formula *formula = (struct tw_formula *)((unsigned char *)params + row->offset);
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_expression expression;
    struct tw_expression_fault fault;
    const char *held = formula_of_parameter(loader, scope, value->text);
    const char *text = held ? held : value->text;
    if (!tw_expression_parse(text, strlen(text), TW_EXPRESSION_FORMULA, &meaning, &expression,
                             &fault)) {
        bool quotes = held || !tw_fault_log_has_room(loader->log);
        if (fault.message[0])
            tw_fault_log_add(loader->log, TW_RECIPE,
                             quotes ? value->place : tw_yaml_place_within(value, fault.at),
                             fault.hint, "%s: %s%s%.60s%s", row->name, fault.message,
                             held ? ", in '" : "", held ? held : "", held ? "'" : "");
        return;
    }
    size_t size = sizeof *expression.steps;
    struct tw_formula_step *steps = tw_arena_alloc(arena, (size_t)expression.count, size);
    formula->text = tw_arena_copy(arena, text, strlen(text));
    if (!steps || !formula->text) {
        tw_fault_log_add(loader->log, TW_MEMORY, value->place, NULL, "out of memory");
        return;
    }
    memcpy(steps, expression.steps, (size_t)expression.count * size);
    formula->at = steps;
    formula->count = expression.count;
    warn_of_unused(loader, &names);
}
