/* SPDX-License-Identifier: MIT */
/* thalweg nodes: the catalogue, as a manual. All words come from the descriptors. */
#include "cli/cli.h"
#include "field/field.h"
#include "node/param.h"
#include "node/registry.h"

#include <stdio.h>
#include <string.h>

static void print_ports(const char *title, const struct tw_port *ports)
{
    if (ports && ports->name)
        printf("\n%s\n", title);
    for (; ports && ports->name; ports++)
        printf("  %-12s %-10s %s%s\n", ports->name, tw_type_name(ports->type), ports->help,
               ports->flags & TW_OPTIONAL ? " (optional)" : "");
}

static void print_param(const struct tw_node_type *type, const struct tw_param *row)
{
    unsigned char params[4096] = {0};
    char initial[300];
    if (type->params_size <= sizeof params)
        tw_param_defaults(type, params);
    tw_param_print(row, params, initial, sizeof initial);
    printf("  %-18s %s\n", row->name, row->help);
    if (row->kind == TW_KIND_ENUM)
        printf("  %-18s one of %s; default %s\n", "", row->unit, initial);
    else if (row->kind == TW_KIND_BOOL)
        printf("  %-18s true or false; default %s\n", "", initial);
    else if (row->kind != TW_KIND_FILE)
        printf("  %-18s %.9g to %.9g%s%s; default %s\n", "", row->min, row->max,
               row->unit[0] ? " " : "", row->unit, initial);
}

static void print_type(const struct tw_node_type *type)
{
    printf("%s: %s\n", type->name, type->summary);
    if (type->detail)
        printf("\n%s\n", type->detail);
    print_ports("inputs", type->inputs);
    print_ports("outputs", type->outputs);
    if (type->params || type->random)
        puts("\nparameters");
    for (const struct tw_param *row = type->params; row && row->name; row++)
        print_param(type, row);
    if (type->random)
        printf("  %-18s the node's own random seed; default: from its name\n", "seed");
    if (type->example)
        printf("\nexample\n%s\n", type->example);
    if (type->cite)
        printf("\nsources: %s\n", type->cite);
}

int tw_cmd_nodes(int argc, char **argv)
{
    const struct tw_registry registry = {NULL};
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return puts("usage: thalweg nodes [TYPE]"), 0;
    if (argc < 2) {
        for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
            printf("%-22s %s\n", (*type)->name, (*type)->summary);
        return 0;
    }
    const struct tw_node_type *type = tw_registry_find(&registry, argv[1]);
    const char *near = tw_registry_suggest(&registry, argv[1]);
    if (!type)
        return near ? tw_cli_usage("there is no node type '%s'; did you mean '%s'?", argv[1], near)
                    : tw_cli_usage("there is no node type '%s'", argv[1]);
    print_type(type);
    return 0;
}
