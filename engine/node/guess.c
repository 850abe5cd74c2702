/* SPDX-License-Identifier: MIT */
/* Tries certain matches before vague ones, one pass over the tables for each. Searches the words of
 * the descriptors. */
#include "node/guess.h"

#include "base/text/suggest.h"
#include "node/search.h"

#include <stdio.h>
#include <string.h>

enum { GUESSES_MAX = 6, WORD_MIN = 4 };

struct guess {
    const struct tw_registry *registry;
    const char *name;
    const char *family; /* NULL if the name has no known family */
    size_t family_length;
    const char *kind;
    const char *found[GUESSES_MAX];
    int count; /* may exceed the number kept */
};

typedef bool match_fn(const struct guess *guess, const struct tw_node_type *type);

static const char *kind_of(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool in_family(const struct guess *guess, const struct tw_node_type *type)
{
    return guess->family && strncmp(type->name, guess->family, guess->family_length) == 0 &&
           type->name[guess->family_length] == '.';
}

/* Collects the types that match; returns whether there are any. */
static bool collect(struct guess *guess, match_fn *matches)
{
    const struct tw_node_type *const *tables[] = {guess->registry->extra, tw_node_table};
    guess->count = 0;
    for (int i = 0; i < 2; i++)
        for (const struct tw_node_type *const *table = tables[i]; table && *table; table++) {
            if (!matches(guess, *table))
                continue;
            if (guess->count < GUESSES_MAX)
                guess->found[guess->count] = (*table)->name;
            guess->count++;
        }
    return guess->count > 0;
}

static bool has_kind(const struct guess *guess, const struct tw_node_type *type)
{
    return strcmp(kind_of(type->name), guess->kind) == 0;
}

/* As measure.score of score.game. */
static bool is_kind_of_first_word(const struct guess *guess, const struct tw_node_type *type)
{
    const char *kind = kind_of(type->name);
    return strlen(kind) == guess->family_length &&
           strncmp(kind, guess->name, guess->family_length) == 0;
}

static bool summary_has_kind(const struct guess *guess, const struct tw_node_type *type)
{
    return tw_text_has_word(type->summary, guess->kind) ||
           tw_text_has_word(type->keywords, guess->kind);
}

static bool text_of_family_has_kind(const struct guess *guess, const struct tw_node_type *type)
{
    return in_family(guess, type) && (tw_text_has_word(type->summary, guess->kind) ||
                                      tw_text_has_word(type->detail, guess->kind));
}

static bool summary_of_family_has_kind(const struct guess *guess, const struct tw_node_type *type)
{
    return in_family(guess, type) && summary_has_kind(guess, type);
}

/* Returns the nearest kind, in the family if there is one. */
static const char *nearest(const struct guess *guess, const char *name)
{
    const struct tw_node_type *const *tables[] = {guess->registry->extra, tw_node_table};
    struct tw_suggestion suggestion = {.unknown = guess->family ? guess->kind : name};
    bool whole = !guess->family && strchr(name, '.');
    const char *best = NULL, *last = NULL;
    for (int i = 0; i < 2; i++)
        for (const struct tw_node_type *const *table = tables[i]; table && *table; table++) {
            if (guess->family && !in_family(guess, *table))
                continue;
            tw_suggest_offer(&suggestion, whole ? (*table)->name : kind_of((*table)->name));
            if (suggestion.best != last)
                best = (*table)->name;
            last = suggestion.best;
        }
    return best;
}

/* "did you mean 'a', 'b' or 'c'?" */
static const char *print_guesses(const struct guess *guess, struct tw_arena *arena)
{
    char text[300] = "";
    int shown = guess->count < GUESSES_MAX ? guess->count : GUESSES_MAX;
    for (int i = 0; i < shown; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s'%s'",
                 i == 0           ? ""
                 : i == shown - 1 ? " or "
                                  : ", ",
                 guess->found[i]);
    }
    return tw_arena_print(arena, "did you mean %s?", text);
}

/* Lists the kinds of a family, or the families. */
static const char *print_known(const struct guess *guess, struct tw_arena *arena)
{
    char text[300] = "";
    const char *last = "";
    for (const struct tw_node_type *const *table = tw_node_table; *table; table++) {
        const char *name = (*table)->name;
        size_t family = strcspn(name, "."), used = strlen(text);
        bool again = !guess->family && strncmp(last, name, family + 1) == 0;
        if (again || (guess->family && !in_family(guess, *table)))
            continue;
        snprintf(text + used, sizeof text - used, "%s%.*s", used ? ", " : "",
                 guess->family ? (int)strlen(name) : (int)family,
                 guess->family ? kind_of(name) : name);
        last = name;
    }
    if (guess->family)
        return tw_arena_print(arena, "%.*s has %s", (int)guess->family_length, guess->family, text);
    return tw_arena_print(arena, "families are %s; 'thalweg nodes' lists all types", text);
}

static bool is_in_family(const struct guess *guess, const struct tw_node_type *type)
{
    return in_family(guess, type);
}

const char *tw_guess_type(const struct tw_registry *registry, const char *name,
                          struct tw_arena *arena)
{
    struct guess guess = {.registry = registry,
                          .name = name,
                          .family = strchr(name, '.') ? name : NULL,
                          .family_length = strcspn(name, "."),
                          .kind = kind_of(name)};
    if (guess.family && !collect(&guess, is_in_family))
        guess.family = NULL;
    if (collect(&guess, has_kind) || (!guess.family && collect(&guess, is_kind_of_first_word)))
        return print_guesses(&guess, arena);
    const char *near = nearest(&guess, name);
    if (near)
        return tw_arena_print(arena, "did you mean '%s'?", near);
    if (strlen(guess.kind) >= WORD_MIN &&
        ((collect(&guess, text_of_family_has_kind) && guess.count <= GUESSES_MAX) ||
         collect(&guess, summary_of_family_has_kind) || collect(&guess, summary_has_kind)))
        return print_guesses(&guess, arena);
    return print_known(&guess, arena);
}
