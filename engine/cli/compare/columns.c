/* SPDX-License-Identifier: MIT */
#include "cli/compare/columns.h"

#include <string.h>

static int32_t find(const struct tw_compare_columns *columns, const char *name)
{
    int32_t i = 0;
    while (i < columns->count && strcmp(columns->names[i], name) != 0)
        i++;
    return i;
}

/* Most columns that the recipes can have. */
static size_t count_params(const struct tw_compare_rounds *rounds)
{
    size_t count = 0;
    for (int32_t i = 0; i < rounds->count; i++)
        for (int32_t v = 0; v < rounds->parts[i].run_count; v++)
            for (const struct tw_known_param *p = rounds->at[i].parts[v]->params; p; p = p->next)
                count++;
    return count;
}

/* Lists every parameter once, in the order of the recipes. */
static bool list_names(const struct tw_compare_rounds *rounds, struct tw_compare_columns *columns)
{
    columns->names =
        tw_arena_alloc(&columns->arena, count_params(rounds) + 1, sizeof *columns->names);
    if (!columns->names)
        return false;
    for (int32_t i = 0; i < rounds->count; i++)
        for (int32_t v = 0; v < rounds->parts[i].run_count; v++)
            for (const struct tw_known_param *p = rounds->at[i].parts[v]->params; p; p = p->next) {
                if (find(columns, p->param.name) < columns->count)
                    continue;
                const char *name =
                    tw_arena_copy(&columns->arena, p->param.name, strlen(p->param.name));
                if (!name)
                    return false;
                columns->names[columns->count++] = name;
            }
    return true;
}

static bool take_run(struct tw_compare_columns *columns, const struct tw_recipe *recipe, size_t run)
{
    const char **values = &columns->values[run * (size_t)columns->count];
    columns->sizes[run] =
        recipe->width == recipe->height
            ? tw_arena_print(&columns->arena, "%d", (int)recipe->width)
            : tw_arena_print(&columns->arena, "%dx%d", (int)recipe->width, (int)recipe->height);
    bool ok = columns->sizes[run] != NULL;
    for (const struct tw_known_param *p = recipe->params; ok && p; p = p->next) {
        const char *text = tw_arena_copy(&columns->arena, p->param.value, strlen(p->param.value));
        values[find(columns, p->param.name)] = text;
        ok = text != NULL;
    }
    return ok;
}

/* A wide table has a column per measure, a long one the columns "measure", "unit",
 * "value" and "digest". */
static bool is_taken(const struct tw_experiment *e, const char *name, bool wide)
{
    static const char *const own[] = {"variant", "seed",  "size",  "measure",
                                      "unit",    "value", "digest"};
    for (size_t i = 0; i < (wide ? 3 : sizeof own / sizeof *own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    for (int32_t m = 0; wide && m < e->measure_count; m++)
        if (strcmp(name, e->measures[m].name) == 0)
            return true;
    return false;
}

static bool rename_taken(const struct tw_experiment *e, bool wide,
                         struct tw_compare_columns *columns)
{
    for (int32_t i = 0; i < columns->count; i++) {
        if (!is_taken(e, columns->names[i], wide))
            continue;
        columns->names[i] = tw_arena_print(&columns->arena, "params.%s", columns->names[i]);
        if (!columns->names[i])
            return false;
    }
    return true;
}

static enum tw_status take_digests(const struct tw_compare_rounds *rounds, size_t runs,
                                   struct tw_compare_columns *columns, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    columns->digests = tw_arena_alloc(&columns->arena, runs + 1, sizeof *columns->digests);
    if (!columns->digests)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < rounds->count; i++)
        for (int32_t v = 0; status == TW_OK && v < rounds->parts[i].run_count; v++)
            status = tw_compare_digest(rounds->at[i].parts[v],
                                       columns->digests[rounds->first[i] + v], err);
    return status;
}

enum tw_status tw_compare_columns_find(const struct tw_experiment *e,
                                       const struct tw_compare_rounds *rounds, bool wide,
                                       struct tw_compare_columns *columns, struct tw_error *err)
{
    size_t runs = (size_t)e->run_count;
    bool ok = list_names(rounds, columns);
    columns->values =
        tw_arena_alloc(&columns->arena, runs * (size_t)columns->count + 1, sizeof *columns->values);
    columns->sizes = tw_arena_alloc(&columns->arena, runs + 1, sizeof *columns->sizes);
    ok = ok && columns->values && columns->sizes;
    for (int32_t i = 0; ok && i < rounds->count; i++)
        for (int32_t v = 0; ok && v < rounds->parts[i].run_count; v++)
            ok = take_run(columns, rounds->at[i].parts[v], (size_t)(rounds->first[i] + v));
    ok = ok && rename_taken(e, wide, columns);
    if (!ok)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return wide ? TW_OK : take_digests(rounds, runs, columns, err);
}

void tw_compare_columns_release(struct tw_compare_columns *columns)
{
    tw_arena_release(&columns->arena);
    *columns = (struct tw_compare_columns){0};
}
