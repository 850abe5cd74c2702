/* SPDX-License-Identifier: MIT */
/* Prints the size of each public struct and the offsets of its members, as this compiler lays them
 * out, and the rows of the public lists; test_abi.py compares them with those of the Python
 * package. */
#include <thalweg/thalweg.h>

#include <stdio.h>

#define STRUCT(name) printf("struct %s %zu\n", #name, sizeof(struct name))
#define MEMBER(name, member) printf("%s %s %zu\n", #name, #member, offsetof(struct name, member))

#define MEMBERS(X)                                                                                 \
    X(tw_error, status)                                                                            \
    X(tw_error, line)                                                                              \
    X(tw_error, column)                                                                            \
    X(tw_error, file)                                                                              \
    X(tw_error, path)                                                                              \
    X(tw_error, message) X(tw_error, hint) X(tw_limits, nodes) X(tw_limits, side) X(               \
        tw_limits, cells) X(tw_load_options, size) X(tw_load_options, set)                         \
        X(tw_load_options, width) X(tw_load_options, height) X(tw_load_options, has_seed) X(       \
            tw_load_options, seed) X(tw_load_options, feeds) X(tw_load_options, limits)            \
            X(tw_load_options, allow) X(tw_load_options, suspects_links) X(                        \
                tw_load_options, types) X(tw_load_options, diagnostic) X(tw_load_options, reads)   \
                X(tw_load_options, context) X(tw_load_options, outputs) X(tw_run_options, size) X( \
                    tw_run_options, threads) X(tw_run_options, max_memory) X(tw_run_options,       \
                                                                             in_memory)            \
                    X(tw_run_options, max_seconds) X(tw_run_options, cache_dir) X(                 \
                        tw_run_options,                                                            \
                        cache_bytes) X(tw_run_options,                                             \
                                       remote) X(tw_run_options,                                   \
                                                 only) X(tw_run_options,                           \
                                                         progress) X(tw_run_options, warning)      \
                        X(tw_run_options,                                                          \
                          context) X(tw_run_options,                                               \
                                     cancel) X(tw_recipe_port,                                     \
                                               name) X(tw_recipe_port,                             \
                                                       type) X(tw_recipe_port,                     \
                                                               width) X(tw_recipe_port, height)    \
                            X(tw_recipe_param, name) X(tw_recipe_param, about) X(                  \
                                tw_recipe_param,                                                   \
                                initial) X(tw_recipe_param, value)                                 \
                                X(tw_recipe_param, is_number) X(tw_recipe_param, has_min) X(       \
                                    tw_recipe_param,                                               \
                                    has_max) X(tw_recipe_param,                                    \
                                               min) X(tw_recipe_param, max)                        \
                                    X(tw_recipe_param,                                             \
                                      has_usual) X(tw_recipe_param,                                \
                                                   usual_min) X(tw_recipe_param, usual_max)        \
                                        X(tw_recipe_param, words) X(tw_recipe_facts, size) X(      \
                                            tw_recipe_facts, width) X(tw_recipe_facts, height)     \
                                            X(tw_recipe_facts, seed) X(tw_recipe_facts, wraps) X(  \
                                                tw_recipe_facts,                                   \
                                                has_world) X(tw_recipe_facts,                      \
                                                             side_m) X(tw_recipe_facts, height_m)  \
                                                X(tw_recipe_facts,                                 \
                                                  sea_level) X(tw_recipe_facts, cell_m)            \
                                                    X(tw_run_report, size) X(tw_run_report, nodes) \
                                                        X(tw_run_report, computed) X(              \
                                                            tw_run_report,                         \
                                                            kept) X(tw_run_report, seconds)        \
                                                            X(tw_run_report,                       \
                                                              peak_bytes) X(tw_node_report, size)  \
                                                                X(tw_node_report,                  \
                                                                  path) X(tw_node_report, type)    \
                                                                    X(tw_node_report, kept) X(     \
                                                                        tw_node_report,            \
                                                                        seconds) X(tw_value, type) \
                                                                        X(tw_value, width)         \
                                                                            X(tw_value, height)    \
                                                                                X(tw_value, data)

#define PRINT_MEMBER(name, member) MEMBER(name, member);
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
    MEMBERS(PRINT_MEMBER)
    TW_TYPE_LIST(PRINT_TYPE)
    TW_STATUS_LIST(PRINT_STATUS)
    return 0;
}
