/* SPDX-License-Identifier: MIT */
#include "node/search.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Scores of a word by where it is found. */
enum { KIND = 100, NAME = 60, WHOLE_ENTRY = 50, ENTRY_BEGIN = 40, ENTRY = 30, SUMMARY = 20 };

/* Length of a word without the plural's s, which summaries rarely use: "mountains" finds
 * "mountain". */
static size_t stem_of(const char *word)
{
    size_t length = strlen(word);
    return length > 3 && tolower((unsigned char)word[length - 1]) == 's' ? length - 1 : length;
}

static bool has_stem(const char *text, size_t text_length, const char *word, size_t stem)
{
    for (size_t i = 0; i + stem <= text_length; i++)
        if ((i == 0 || !isalnum((unsigned char)text[i - 1])) &&
            strncasecmp(text + i, word, stem) == 0)
            return true;
    return false;
}

bool tw_text_has_word(const char *text, const char *word)
{
    return text && has_stem(text, strlen(text), word, strlen(word));
}

static int score_of_entry(const char *entry, size_t length, const char *word, size_t stem)
{
    bool begins = length >= stem && strncasecmp(entry, word, stem) == 0;
    size_t rest = begins ? length - stem : 0;
    if (begins && (rest == 0 || (rest == 1 && entry[stem] == 's')))
        return WHOLE_ENTRY;
    return begins ? ENTRY_BEGIN : has_stem(entry, length, word, stem) ? ENTRY : 0;
}

/* Scores the best entry of a list such as "snow, tree line", and notes it in *hit if it beats
 * `best`. */
static int score_of_list(const char *list, const char *word, int best, struct tw_search_hit *hit)
{
    const size_t stem = stem_of(word);
    while (list && *list) {
        size_t length = strcspn(list, ",");
        int score = score_of_entry(list, length, word, stem);
        if (score > best) {
            best = score;
            hit->why = list;
            hit->why_length = (int)length;
        }
        list += length + strspn(list + length, ", ");
    }
    return best;
}

/* Returns 0 if the type does not have the word. */
static int score_of(const struct tw_node_type *type, const char *word, struct tw_search_hit *hit)
{
    const size_t stem = stem_of(word);
    const char *kind = tw_node_kind(type);
    struct tw_search_hit found = {.type = NULL};
    int own = strcasecmp(kind, word) == 0                                  ? KIND
              : has_stem(type->name, strlen(type->name), word, stem)       ? NAME
              : has_stem(type->summary, strlen(type->summary), word, stem) ? SUMMARY
                                                                           : 0;
    int best = score_of_list(type->keywords, word, own, &found);
    best = score_of_list(type->elsewhere, word, best, &found);
    if (best > own && !hit->why) {
        hit->why = found.why;
        hit->why_length = found.why_length;
    }
    return best;
}

/* Scores adjacent words, as in "snow line"; 0 for one word. */
static int score_of_phrase(const struct tw_node_type *type, char *const *words, int word_count,
                           struct tw_search_hit *hit)
{
    char phrase[200] = "";
    for (int i = 0; i < word_count; i++) {
        size_t used = strlen(phrase);
        snprintf(phrase + used, sizeof phrase - used, "%s%s", i ? " " : "", words[i]);
    }
    return word_count > 1 ? score_of(type, phrase, hit) : 0;
}

bool tw_search_type(const struct tw_node_type *type, char *const *words, int word_count,
                    struct tw_search_hit *hit)
{
    *hit = (struct tw_search_hit){.type = type};
    hit->score = score_of_phrase(type, words, word_count, hit);
    for (int i = 0; i < word_count; i++) {
        int score = score_of(type, words[i], hit);
        if (score == 0)
            return false;
        hit->score += score;
    }
    return word_count > 0;
}

void tw_search_insert(struct tw_search_hit *hits, int count, const struct tw_search_hit *hit)
{
    int at = count;
    for (; at > 0 && hits[at - 1].score < hit->score; at--)
        hits[at] = hits[at - 1];
    hits[at] = *hit;
}

int tw_search_types(const struct tw_registry *registry, char *const *words, int word_count,
                    struct tw_search_hit *hits, int max)
{
    struct tw_search_hit hit;
    int32_t position = 0;
    int count = 0;
    for (const struct tw_node_type *type;
         count < max && (type = tw_registry_next(registry, &position));)
        if (tw_search_type(type, words, word_count, &hit))
            tw_search_insert(hits, count++, &hit);
    return count;
}
