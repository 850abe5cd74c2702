/* SPDX-License-Identifier: MIT */
/* What a program asks of a recipe beyond its text: outputs of any node, and the words that a
 * parameter may be. */
#include "graph/load/load_private.h"

#include <string.h>

/* A scalar that stands in the options instead of a file. */
static const struct tw_yaml *scalar_of(struct tw_loader *loader, const char *text)
{
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_yaml *scalar = tw_arena_alloc(arena, 1, sizeof *scalar);
    const char *kept = tw_arena_copy(arena, text, strlen(text));
    if (!scalar || !kept)
        return NULL;
    scalar->kind = TW_YAML_SCALAR;
    scalar->text = kept;
    scalar->place = (struct tw_place){.file = "outputs of the program",
                                      .text = kept,
                                      .length = strlen(kept),
                                      .line = 1,
                                      .column = 1};
    return scalar;
}

static bool add_output(struct tw_loader *loader, struct tw_scope *scope, const char *name)
{
    struct tw_recipe *recipe = loader->recipe;
    if (tw_names_find(&loader->names, &recipe->outputs, name))
        return true;
    const struct tw_yaml *scalar = scalar_of(loader, name);
    struct tw_output *output = tw_arena_alloc(&recipe->arena, 1, sizeof *output);
    struct tw_output **tail = &recipe->outputs;
    if (!scalar || !output)
        return false;
    if (!tw_resolve(loader, scope, scalar, &output->source))
        return true; /* reported */
    output->source = tw_load_chosen(recipe, output->source);
    output->name = scalar->text;
    struct tw_name *entry = tw_names_entry(&loader->names, &recipe->outputs, output->name);
    if (!entry)
        return false;
    entry->thing = output;
    while (*tail)
        tail = &(*tail)->next;
    *tail = output;
    return true;
}

bool tw_load_further_outputs(struct tw_loader *loader, struct tw_scope *scope)
{
    for (const char *const *name = loader->options->outputs; name && *name; name++)
        if (!add_output(loader, scope, *name))
            return false;
    return true;
}

/* Copies NAME out of "${NAME}"; false for any other text. */
static bool sole_name(const char *text, char name[TW_ID_MAX + 1])
{
    const size_t length = strlen(text);
    if (length < 4 || length - 3 > TW_ID_MAX || strncmp(text, "${", 2) != 0 ||
        strchr(text, '}') != text + length - 1)
        return false;
    memcpy(name, text + 2, length - 3);
    name[length - 3] = 0;
    return true;
}

void tw_load_note_words(struct tw_loader *loader, const struct tw_scope *scope,
                        const struct tw_yaml *value, const char *words)
{
    char name[TW_ID_MAX + 1];
    while (value && value->kind == TW_YAML_SCALAR && sole_name(value->text, name)) {
        if (scope->user) { /* the parameter of a recipe within, which the user may pass on */
            value = tw_yaml_find(scope->user->yaml, name);
            scope = scope->parent;
            continue;
        }
        for (struct tw_known_param *known = loader->recipe->params; known; known = known->next)
            if (strcmp(known->param.name, name) == 0 && !known->param.words)
                known->param.words = words;
        return;
    }
}
