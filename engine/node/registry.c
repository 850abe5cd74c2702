/* SPDX-License-Identifier: MIT */
/* Looks up names in node tables and in a descriptor's rows by linear search: the tables are
 * short. */
#include "node/registry.h"

#include "node/param.h"

#include <stdio.h>
#include <string.h>

static const struct tw_node_type *find_in(const struct tw_node_type *const *table, const char *name)
{
    for (; table && *table; table++)
        if (strcmp((*table)->name, name) == 0)
            return *table;
    return NULL;
}

const struct tw_node_type *tw_registry_find(const struct tw_registry *registry, const char *name)
{
    const struct tw_node_type *type = find_in(registry->extra, name);
    return type ? type : find_in(tw_node_table, name);
}

const struct tw_node_type *tw_registry_next(const struct tw_registry *registry, int32_t *position)
{
    const struct tw_node_type *const *extra = registry->extra;
    int32_t extras = 0;
    while (extra && extra[extras])
        extras++;
    if (extra && *position < extras)
        return extra[(*position)++];
    while (tw_node_table[*position - extras] &&
           find_in(extra, tw_node_table[*position - extras]->name))
        (*position)++;
    const struct tw_node_type *type = tw_node_table[*position - extras];
    *position += type != NULL;
    return type;
}

const struct tw_node_type *tw_registry_find_renderer(const struct tw_registry *registry,
                                                     const char *name)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s", strchr(name, '.') ? "" : "render.", name);
    return strlen(name) < sizeof full - sizeof "render." ? tw_registry_find(registry, full) : NULL;
}

const char *tw_node_kind(const struct tw_node_type *type)
{
    const char *dot = strchr(type->name, '.');
    return dot ? dot + 1 : type->name;
}

bool tw_node_in_family(const struct tw_node_type *type, const char *family)
{
    size_t length = strlen(family);
    return strncmp(type->name, family, length) == 0 && type->name[length] == '.';
}

int tw_node_find_port(const struct tw_port *ports, const char *name)
{
    for (int i = 0; ports && ports[i].name; i++)
        if (strcmp(ports[i].name, name) == 0)
            return i;
    return -1;
}

int tw_node_count_ports(const struct tw_port *ports)
{
    int count = 0;
    while (ports && ports[count].name)
        count++;
    return count;
}

int tw_node_fixed_inputs(const struct tw_node_type *type)
{
    int count = tw_node_count_ports(type->inputs);
    return count > 0 && (type->inputs[count - 1].flags & TW_VARIADIC) ? count - 1 : count;
}

int32_t tw_node_reach(const struct tw_node_type *type, const void *params, int32_t width,
                      int32_t height)
{
    return type->reach_of ? type->reach_of(params, width, height) : type->reach;
}

const struct tw_param *tw_node_find_param(const struct tw_node_type *type, const char *name)
{
    return tw_param_find(type->params, name);
}

const struct tw_param *tw_node_file_param(const struct tw_node_type *type)
{
    for (const struct tw_param *row = type->params; row && row->name; row++)
        if (row->kind == TW_KIND_FILE)
            return row;
    return NULL;
}
