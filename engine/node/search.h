/* SPDX-License-Identifier: MIT */
/* Finds node types by words of any tool: `thalweg nodes snow`. Searches names, keywords, names in
 * other tools and summaries; every given word must begin one of these. */
#ifndef TW_ENGINE_NODE_SEARCH_H
#define TW_ENGINE_NODE_SEARCH_H

#include "node/registry.h"

struct tw_search_hit {
    const struct tw_node_type *type;
    int score;
    const char *why; /* keyword or foreign name that matched; NULL: its own words */
    int why_length;
};

/* Fills `hits`, best first, ties in the catalogue's order. Returns how many, at most `max`. */
int tw_search_types(const struct tw_registry *registry, char *const *words, int word_count,
                    struct tw_search_hit *hits, int max);
/* Returns whether one type has all words, and how well, in `*hit`. */
bool tw_search_type(const struct tw_node_type *type, char *const *words, int word_count,
                    struct tw_search_hit *hit);
/* Inserts a hit after earlier ones of equal score; `hits` has room for it. */
void tw_search_insert(struct tw_search_hit *hits, int count, const struct tw_search_hit *hit);
/* Returns whether a word of the text begins with `word`, ignoring case. */
bool tw_text_has_word(const char *text, const char *word);

#endif
