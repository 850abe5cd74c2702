/* SPDX-License-Identifier: MIT */
/* Turns references into edges. Names are looked up once every node exists, so the order in the file
 * is free. */
#include "graph/load/load_private.h"

#include "base/text/suggest.h"
#include "value/field.h"

#include <stdio.h>
#include <string.h>

/* Limits of hops through outputs and inputs of nested recipes: for one reference, not counting
 * rounds of a repeated recipe, and for all references. */
enum { HOPS_MAX = 64, ALL_HOPS_MAX = 1000000 };

/* Returns the reference of an output of that name, as inputs take only names of nodes; NULL for
 * none. */
static const char *meant_by_output(const struct tw_scope *scope, const char *id)
{
    const struct tw_yaml *output =
        tw_load_output_reference(tw_yaml_find(tw_yaml_find(scope->root, "outputs"), id));
    bool other = output && output->kind == TW_YAML_SCALAR && strcmp(output->text, id) != 0;
    return other ? output->text : NULL;
}

static void unknown_reference(struct tw_loader *loader, struct tw_scope *scope,
                              const struct tw_yaml *reference, const char *id)
{
    struct tw_suggestion suggestion = {.unknown = id, .best = meant_by_output(scope, id)};
    for (struct tw_member *member = scope->members; member && tw_fault_log_may_suggest(loader->log);
         member = member->next)
        if (tw_member_has_id(member))
            tw_suggest_offer(&suggestion, member->id);
    const struct tw_yaml *inputs = tw_yaml_find(scope->root, "inputs");
    for (const struct tw_yaml_item *item = inputs ? inputs->items : NULL;
         item && tw_fault_log_may_suggest(loader->log); item = item->next)
        if (item->key)
            tw_suggest_offer(&suggestion, item->key->text);
    for (const struct tw_feed *feed = scope->parent ? NULL : loader->recipe->feeds;
         feed && tw_fault_log_may_suggest(loader->log); feed = feed->next)
        tw_suggest_offer(&suggestion, feed->name);
    tw_fault_log_add(loader->log, TW_RECIPE, reference->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena), "there is no node '%s'",
                     id);
}

static bool unknown_port(struct tw_loader *loader, const struct tw_yaml *reference,
                         const struct tw_node *node, const char *port)
{
    struct tw_suggestion suggestion = {.unknown = port};
    char all[200] = "";
    for (const struct tw_port *row = node->type->outputs; row->name; row++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", row->name);
        tw_suggest_offer(&suggestion, row->name);
    }
    tw_fault_log_add(loader->log, TW_RECIPE, reference->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "%s has no output '%s'; it has %s", node->type->name, port, all);
    return false;
}

static bool port_of_node(struct tw_loader *loader, const struct tw_yaml *reference, int32_t node,
                         const char *port, struct tw_source *source)
{
    const struct tw_node *at = &loader->recipe->nodes[node];
    int index = port ? tw_node_find_port(at->type->outputs, port) : 0;
    if (index < 0)
        return unknown_port(loader, reference, at, port);
    *source = (struct tw_source){node, index};
    return true;
}

/* Returns the reference of an output of a nested recipe; the first output if port is NULL. */
static const struct tw_yaml *output_of(struct tw_loader *loader, struct tw_scope *scope,
                                       const struct tw_yaml *reference, const char *port)
{
    const struct tw_yaml *outputs = tw_yaml_find(scope->root, "outputs");
    const struct tw_yaml *value = NULL;
    if (port)
        value = tw_yaml_find(outputs, port);
    else if (outputs && outputs->kind == TW_YAML_MAPPING && outputs->items)
        value = outputs->items->value;
    value = tw_load_output_reference(value);
    if (!value || value->kind != TW_YAML_SCALAR) {
        tw_fault_log_add(loader->log, TW_RECIPE, reference->place, NULL, "%s has no output '%s'",
                         scope->shown, port ? port : "(first)");
        return NULL;
    }
    return value;
}

/* Returns the reference that feeds the input `id` of a nested recipe, in the scope outside, or the
 * input's default, in this one. A declared input without either is reported where the recipe is
 * used. */
static const struct tw_yaml *feed_of(struct tw_loader *loader, struct tw_scope **at,
                                     const struct tw_yaml *reference, const char *id)
{
    struct tw_scope *scope = *at;
    const struct tw_yaml *declared = tw_yaml_find(tw_yaml_find(scope->root, "inputs"), id);
    const struct tw_yaml *feed =
        declared && scope->user ? tw_yaml_find(scope->user->yaml, id) : NULL;
    const struct tw_yaml *type = declared ? tw_load_input_type(declared) : NULL;
    const struct tw_yaml *initial = feed ? NULL : tw_load_input_default(declared);
    loader->feeding = (struct tw_feeding){feed ? feed : initial, id, scope->shown, type};
    if (initial)
        return initial;
    *at = scope->parent;
    if (type && !scope->user)
        tw_fault_log_add(loader->log, TW_RECIPE, reference->place,
                         "use it as a node of another recipe: type: ./its-file.yaml",
                         "'%s' is an input of this recipe, which nothing feeds here", id);
    else if (!type)
        unknown_reference(loader, scope, reference, id);
    return feed;
}

/* Splits "node.port" and returns the node; *port is NULL without one. */
static char *split_reference(struct tw_loader *loader, struct tw_scope *scope,
                             const struct tw_yaml *reference, const char **port)
{
    if (reference->kind != TW_YAML_SCALAR) {
        tw_fault_log_add(loader->log, TW_RECIPE, reference->place, NULL,
                         "found %s; expected a reference, as in 'node' or 'node.port'",
                         tw_yaml_kind_name(reference));
        return NULL;
    }
    const char *text = tw_substitute(loader, scope, reference);
    const char *dot = text ? strchr(text, '.') : NULL;
    *port = dot ? dot + 1 : NULL;
    return text ? tw_arena_copy(&loader->recipe->arena, text,
                                dot ? (size_t)(dot - text) : strlen(text))
                : NULL;
}

bool tw_resolve(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *reference,
                struct tw_source *source)
{
    const struct tw_yaml *at = reference;
    loader->feeding = (struct tw_feeding){.reference = NULL};
    for (int hop = 0; hop < HOPS_MAX && loader->hops < ALL_HOPS_MAX && at; hop++, loader->hops++) {
        const char *port, *output;
        const char *id = split_reference(loader, scope, at, &port);
        if (!id)
            return false;
        const struct tw_member *member = tw_names_find(&loader->names, scope, id);
        if (member && member->node >= 0)
            return port_of_node(loader, at, member->node, port, source);
        if (member && !member->scope)
            return false; /* failed to load, as reported already */
        if (member) {
            scope = member->scope;
            at = output_of(loader, scope, at, port);
        } else if (scope->last_round && (output = tw_repeat_output(scope, id))) {
            scope = scope->last_round;
            at = output_of(loader, scope, at, output);
            hop--;
        } else {
            at = feed_of(loader, &scope, at, id);
        }
    }
    if (at && loader->hops == ALL_HOPS_MAX)
        tw_fault_log_add(
            loader->log, TW_LIMIT, reference->place, NULL,
            "references lead through recipes used as nodes more than %d times together",
            ALL_HOPS_MAX);
    else if (at)
        tw_fault_log_add(loader->log, TW_RECIPE, reference->place, NULL,
                         "this reference leads back to itself through recipes");
    return false;
}

/* Returns the names of nodes that take `from` and give `to`, for the hint. */
static const char *converters(struct tw_loader *loader, enum tw_type from, enum tw_type to)
{
    char all[180] = "";
    int32_t position = 0;
    for (const struct tw_node_type *type;
         (type = tw_registry_next(&loader->registry, &position));) {
        const struct tw_port *in = type->inputs, *out = type->outputs;
        if (!in || !in->name || in->type != from || out->type != to)
            continue;
        size_t used = strlen(all);
        if (used < 120)
            snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", type->name);
    }
    return all[0] ? tw_arena_print(&loader->recipe->arena, "nodes that convert: %s", all) : NULL;
}

/* Connects edge i of a node to the source that the reference names. Types are checked when all
 * edges exist. */
static bool connect(struct tw_loader *loader, struct tw_scope *scope, struct tw_node *node,
                    int32_t i, const struct tw_yaml *reference)
{
    struct tw_edge *edge = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *edge);
    if (!edge || !tw_resolve(loader, scope, reference, &node->inputs[i]))
        return false;
    *edge = (struct tw_edge){.node = (int32_t)(node - loader->recipe->nodes),
                             .input = i,
                             .reference = reference,
                             .feeding = loader->feeding};
    *(loader->last_edge ? &loader->last_edge->next : &loader->edges) = edge;
    loader->last_edge = edge;
    return true;
}

/* Returns whether the value does not have the type that a recipe's input declares: the fault then
 * lies with the user of the recipe. */
static bool breaks_declaration(const struct tw_feeding *feeding, enum tw_type given,
                               enum tw_type *declared)
{
    return feeding->reference && tw_load_find_type(feeding->type->text, declared) &&
           !tw_type_converts(given, *declared);
}

static bool was_reported(const struct tw_loader *loader, const struct tw_feeding *feeding)
{
    const struct tw_edge *edge = loader->edges;
    while (edge && !(edge->is_reported && edge->feeding.reference == feeding->reference))
        edge = edge->next;
    return edge;
}

static void report_type(struct tw_loader *loader, struct tw_edge *edge, enum tw_type given)
{
    const struct tw_node *node = &loader->recipe->nodes[edge->node];
    const struct tw_port *row = tw_input_port(node, edge->input);
    struct tw_source source = node->inputs[edge->input];
    const struct tw_node *from = &loader->recipe->nodes[source.node];
    const char *output = from->type->outputs[source.port].name;
    const struct tw_feeding *feeding = &edge->feeding;
    const struct tw_load_subject outer = tw_load_enter(loader, "", node->path);
    enum tw_type declared;
    if (!breaks_declaration(feeding, given, &declared))
        tw_fault_log_add(loader->log, TW_RECIPE, edge->reference->place,
                         converters(loader, given, row->type),
                         "%s.%s gives %s, but %s.%s expects %s", from->path, output,
                         tw_type_name(given), node->path, row->name, tw_type_name(row->type));
    else if (!was_reported(loader, feeding))
        tw_fault_log_add(
            loader->log, TW_RECIPE, feeding->reference->place, converters(loader, given, declared),
            "%s.%s gives %s, but the input '%.60s' of %s expects %s", from->path, output,
            tw_type_name(given), feeding->id, feeding->file, tw_type_name(declared));
    tw_load_leave(loader, outer);
    edge->is_reported = true;
}

void tw_resolve_check_types(struct tw_loader *loader)
{
    for (struct tw_edge *edge = loader->edges; edge; edge = edge->next) {
        const struct tw_node *node = &loader->recipe->nodes[edge->node];
        const struct tw_port *row = tw_input_port(node, edge->input);
        enum tw_type given = tw_source_type(loader->recipe, node->inputs[edge->input]);
        if (!(row->flags & TW_ANY_TYPE) && !tw_type_converts(given, row->type))
            report_type(loader, edge, given);
    }
    loader->edges = loader->last_edge = NULL;
}

/* Connects a variadic input: a list of references, or one. */
static bool connect_list(struct tw_loader *loader, struct tw_scope *scope, struct tw_node *node,
                         const struct tw_yaml *list)
{
    bool ok = true;
    int32_t at = node->input_count, count = 1;
    if (list->kind == TW_YAML_SEQUENCE) {
        count = 0;
        for (const struct tw_yaml_item *item = list->items; item; item = item->next)
            count++;
    }
    if (at + count > TW_INPUTS_MAX) {
        tw_fault_log_add(loader->log, TW_LIMIT, list->place, NULL,
                         "%d inputs are more than the %d a node may have", (int)(at + count),
                         TW_INPUTS_MAX);
        return false;
    }
    node->input_count += count;
    if (list->kind != TW_YAML_SEQUENCE)
        return connect(loader, scope, node, at, list);
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        ok &= connect(loader, scope, node, at++, item->value);
    return ok;
}

/* Skips an input that an unknown key was meant for: that key is reported. */
static void report_missing(struct tw_loader *loader, const struct tw_scope *scope,
                           const struct tw_node *node, const struct tw_yaml *yaml,
                           const struct tw_port *port)
{
    const struct tw_yaml *mistaken;
    if (!tw_load_meant_input(loader, scope, node->type, yaml, &mistaken))
        tw_fault_log_add(loader->log, TW_RECIPE, node->place, NULL, "%s needs the input '%s' (%s)",
                         node->type->name, port->name, port->help);
}

bool tw_resolve_inputs(struct tw_loader *loader, struct tw_scope *scope, struct tw_node *node,
                       const struct tw_yaml *yaml)
{
    bool ok = true;
    const struct tw_port *ports = node->type->inputs;
    for (int i = 0; ports && ports[i].name; i++) {
        const struct tw_yaml *reference = tw_yaml_find(yaml, ports[i].name);
        if (ports[i].flags & TW_VARIADIC) {
            ok &= !reference || connect_list(loader, scope, node, reference);
        } else if (reference && tw_load_gives_rows(node->type, ports[i].name, reference)) {
            continue;
        } else if (reference) {
            ok &= connect(loader, scope, node, i, reference);
        } else if (!(ports[i].flags & TW_OPTIONAL) && node->inputs[i].node < 0) {
            report_missing(loader, scope, node, yaml, &ports[i]);
            ok = false;
        }
    }
    return ok && tw_load_check_choice(loader, node, yaml);
}

/* Rounds of one recipe share their faults, so only those of the last round are reported. */
static bool resolve_rounds(struct tw_loader *loader, struct tw_scope *last)
{
    bool ok = true;
    for (struct tw_scope *scope = last; scope && ok; scope = scope->last_round)
        ok = tw_resolve_edges(loader, scope);
    return ok;
}

bool tw_resolve_edges(struct tw_loader *loader, struct tw_scope *scope)
{
    bool ok = true;
    for (struct tw_member *member = scope->members; member; member = member->next) {
        const struct tw_load_subject outer = tw_load_enter(loader, scope->prefix, member->id);
        ok &= resolve_rounds(loader, member->scope);
        if (member->node >= 0)
            ok &= tw_resolve_inputs(loader, scope, &loader->recipe->nodes[member->node],
                                    member->yaml);
        tw_load_leave(loader, outer);
    }
    return ok;
}
