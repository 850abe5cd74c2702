/* SPDX-License-Identifier: MIT */
/* `input: hills` where a node's input is called `in`. No spelling is near enough to tell, but the
 * input is missing, and the value is the name of a node. */
#include "graph/load/load_private.h"

#include "node/registry.h"

#include <string.h>

/* The only required input that the entry lacks; NULL when it lacks none, or several. */
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

/* Nodes of the file may not be loaded yet, so this looks at the file. */
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
