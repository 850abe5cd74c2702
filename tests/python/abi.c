/* SPDX-License-Identifier: MIT */
/* Prints the size of each public struct and the offsets of its members, as this compiler lays them
 * out, and the rows of the public lists; test_abi.py compares them with those of the Python
 * package. */
#include <thalweg/thalweg.h>

#include <stdio.h>

#define STRUCT(name) printf("struct %s %zu\n", #name, sizeof(struct name))
#define MEMBER(name, member) printf("%s %s %zu\n", #name, #member, offsetof(struct name, member))

#define PRINT_TYPE(type, name, shape, about, element, ...)                                         \
    printf("type %s %s %zu\n", name, shape == TW_GRID ? "grid" : "list", sizeof(element));
#define PRINT_STATUS(name, code, text) printf("status %s %d\n", #name, TW_##name);

int main(void)
{
    STRUCT(tw_error);
    STRUCT(tw_limits);
    STRUCT(tw_load_options);
    STRUCT(tw_run_options);
    STRUCT(tw_recipe_port);
    STRUCT(tw_recipe_param);
    STRUCT(tw_recipe_facts);
    STRUCT(tw_run_report);
    STRUCT(tw_node_report);
    STRUCT(tw_value);
    MEMBER(tw_error, status);
    MEMBER(tw_error, line);
    MEMBER(tw_error, column);
    MEMBER(tw_error, file);
    MEMBER(tw_error, path);
    MEMBER(tw_error, message);
    MEMBER(tw_error, hint);
    MEMBER(tw_limits, nodes);
    MEMBER(tw_limits, side);
    MEMBER(tw_limits, cells);
    MEMBER(tw_load_options, size);
    MEMBER(tw_load_options, set);
    MEMBER(tw_load_options, width);
    MEMBER(tw_load_options, height);
    MEMBER(tw_load_options, has_seed);
    MEMBER(tw_load_options, seed);
    MEMBER(tw_load_options, feeds);
    MEMBER(tw_load_options, limits);
    MEMBER(tw_load_options, allow);
    MEMBER(tw_load_options, suspects_links);
    MEMBER(tw_load_options, types);
    MEMBER(tw_load_options, diagnostic);
    MEMBER(tw_load_options, reads);
    MEMBER(tw_load_options, context);
    MEMBER(tw_load_options, outputs);
    MEMBER(tw_run_options, size);
    MEMBER(tw_run_options, threads);
    MEMBER(tw_run_options, max_memory);
    MEMBER(tw_run_options, in_memory);
    MEMBER(tw_run_options, max_seconds);
    MEMBER(tw_run_options, cache_dir);
    MEMBER(tw_run_options, cache_bytes);
    MEMBER(tw_run_options, remote);
    MEMBER(tw_run_options, only);
    MEMBER(tw_run_options, progress);
    MEMBER(tw_run_options, warning);
    MEMBER(tw_run_options, context);
    MEMBER(tw_run_options, cancel);
    MEMBER(tw_recipe_port, name);
    MEMBER(tw_recipe_port, type);
    MEMBER(tw_recipe_port, width);
    MEMBER(tw_recipe_port, height);
    MEMBER(tw_recipe_param, name);
    MEMBER(tw_recipe_param, about);
    MEMBER(tw_recipe_param, initial);
    MEMBER(tw_recipe_param, value);
    MEMBER(tw_recipe_param, is_number);
    MEMBER(tw_recipe_param, has_min);
    MEMBER(tw_recipe_param, has_max);
    MEMBER(tw_recipe_param, min);
    MEMBER(tw_recipe_param, max);
    MEMBER(tw_recipe_param, has_usual);
    MEMBER(tw_recipe_param, usual_min);
    MEMBER(tw_recipe_param, usual_max);
    MEMBER(tw_recipe_param, words);
    MEMBER(tw_recipe_facts, size);
    MEMBER(tw_recipe_facts, width);
    MEMBER(tw_recipe_facts, height);
    MEMBER(tw_recipe_facts, seed);
    MEMBER(tw_recipe_facts, wraps);
    MEMBER(tw_recipe_facts, has_world);
    MEMBER(tw_recipe_facts, side_m);
    MEMBER(tw_recipe_facts, height_m);
    MEMBER(tw_recipe_facts, sea_level);
    MEMBER(tw_recipe_facts, cell_m);
    MEMBER(tw_run_report, size);
    MEMBER(tw_run_report, nodes);
    MEMBER(tw_run_report, computed);
    MEMBER(tw_run_report, kept);
    MEMBER(tw_run_report, seconds);
    MEMBER(tw_run_report, peak_bytes);
    MEMBER(tw_node_report, size);
    MEMBER(tw_node_report, path);
    MEMBER(tw_node_report, type);
    MEMBER(tw_node_report, kept);
    MEMBER(tw_node_report, seconds);
    MEMBER(tw_value, type);
    MEMBER(tw_value, width);
    MEMBER(tw_value, height);
    MEMBER(tw_value, data);
    TW_TYPE_LIST(PRINT_TYPE)
    TW_STATUS_LIST(PRINT_STATUS)
    return 0;
}
