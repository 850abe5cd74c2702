/* SPDX-License-Identifier: MIT */
/* Node types by words of any tool: `thalweg nodes snow`. Names, keywords, the names of other tools
 * and summaries are searched; a type is found when every word begins one of theirs. */
#ifndef TW_ENGINE_NODE_SEARCH_H
#define TW_ENGINE_NODE_SEARCH_H

#include "node/registry.h"

struct tw_search_hit {
    const struct tw_node_type *type;
    int score;
    const char *why; /* the keyword or name elsewhere that was found; NULL for its own words */
    int why_length;
};

/* Fills `hits`, best first, equal ones in the catalogue's order. Returns how many; stops at `max`.
 */
int tw_search_types(const struct tw_registry *registry, char *const *words, int word_count,
                    struct tw_search_hit *hits, int max);
/* Whether a word of the text begins with `word`, without regard to case. */
bool tw_text_has_word(const char *text, const char *word);

#endif
