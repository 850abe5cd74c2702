/* SPDX-License-Identifier: MIT */
#include "graph/assertion.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

static const struct tw_port inputs[] = {{"in", TW_RECORD, 0, "what is judged"}, TW_PORT_END};
static const struct tw_port outputs[] = {{"out", TW_RECORD, 0, "what was found"}, TW_PORT_END};

static void forecast(struct tw_forecast *forecast) { forecast->lists[0] = 1; }

const struct tw_node_type tw_assertion_type = {.name = "assert",
                                               .version = 1,
                                               .summary = "what a recipe asserts",
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .forecast = forecast};

static void print_bound(char *text, size_t size, const char *name, bool given, double bound)
{
    size_t used = strlen(text);
    int length = given ? snprintf(text + used, size - used, " %s ", name) : 0;
    if (given && used + (size_t)length < size)
        tw_number_print(text + used + length, size - used - (size_t)length, bound);
}

void tw_assertion_print(const struct tw_assertion *assertion, char *text, size_t size)
{
    snprintf(text, size, "%s", assertion->name);
    print_bound(text, size, "min", assertion->has_min, assertion->min);
    print_bound(text, size, "max", assertion->has_max, assertion->max);
}

bool tw_assertion_is_of(const struct tw_output *assertion, const char *only)
{
    size_t length = strcspn(assertion->name, ".");
    return !only || (strlen(only) == length && strncmp(only, assertion->name, length) == 0);
}

bool tw_assertion_merge(struct tw_recipe *merged, const struct tw_recipe *part,
                        const int32_t *node_of, const char *only)
{
    for (const struct tw_output *from = part->assertions; from; from = from->next) {
        if (!tw_assertion_is_of(from, only))
            continue;
        struct tw_output *copy = tw_arena_alloc(&merged->arena, 1, sizeof *copy);
        if (!copy)
            return false;
        *copy = (struct tw_output){
            from->name, {node_of[from->source.node], from->source.port}, merged->assertions, 0};
        merged->assertions = copy;
    }
    return true;
}
