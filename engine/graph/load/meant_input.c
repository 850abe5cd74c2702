/* SPDX-License-Identifier: MIT */
/* Recognises `input: hills` if a node's input is called `in`. The spelling is too different for a
 * suggestion, but the input is missing, and the value names a node. */
#include "graph/load/load_private.h"

#include "node/registry.h"

#include <string.h>

/* Returns the only required input that the entry lacks; NULL if it lacks none, or several. */
static const struct tw_port *missing_input(const struct tw_node_type *type,
                                           const struct tw_yaml *yaml)
{
    const struct tw_port *missing = NULL;
    for (const struct tw_port *port = type->inputs; port && port->name; port++) {
        if ((port->flags & (TW_OPTIONAL | TW_VARIADIC)) || tw_yaml_find(yaml, port->name))
            continue;
        if (missing)
            return NULL;
        missing = port;
    }
    return missing;
}

static bool is_known(const struct tw_node_type *type, const char *key)
{
    return strcmp(key, "type") == 0 || strcmp(key, "seed") == 0 ||
           tw_node_find_port(type->inputs, key) >= 0 || tw_node_find_param(type, key);
}

/* Reads the file, as its nodes may not be loaded yet. */
static bool is_reference(const struct tw_loader *loader, const struct tw_scope *scope,
                         const struct tw_yaml *value)
{
    char id[TW_ID_MAX + 1];
    size_t length = value->kind == TW_YAML_SCALAR ? strcspn(value->text, ".") : 0;
    if (length == 0 || length > TW_ID_MAX)
        return false;
    memcpy(id, value->text, length);
    id[length] = 0;
    return tw_yaml_find(tw_yaml_find(scope->root, "nodes"), id) ||
           tw_yaml_find(tw_yaml_find(scope->root, "inputs"), id) ||
           (!scope->parent && tw_yaml_find(loader->changes->nodes, id));
}

const char *tw_load_meant_input(const struct tw_loader *loader, const struct tw_scope *scope,
                                const struct tw_node_type *type, const struct tw_yaml *yaml,
                                const struct tw_yaml **key)
{
    const struct tw_port *port = missing_input(type, yaml);
    for (const struct tw_yaml_item *item = port ? yaml->items : NULL; item; item = item->next)
        if (!is_known(type, item->key->text) && is_reference(loader, scope, item->value)) {
            *key = item->key;
            return port->name;
        }
    return NULL;
}
