/* SPDX-License-Identifier: MIT */
#include "session/explain.h"

#include "session/remote_report.h"

#include <string.h>

static bool has_name(const char *line, const char *name, size_t name_length)
{
    return strncmp(line, name, name_length) == 0 && line[name_length] == ' ';
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Returns the value of the line "name value" in a key text, skipping `skip` lines of that name, and
 * its length in *length; NULL if there is none. A name repeats if a parameter shares the name of
 * another line, such as `size`, and for the edges of a variadic input. */
static const char *find_line(const char *text, const char *name, size_t name_length, int skip,
                             size_t *length)
{
    for (const char *line = text; line && *line; line = next_line(line))
        if (has_name(line, name, name_length) && skip-- == 0) {
            line += name_length + 1;
            *length = strcspn(line, "\n");
            return line;
        }
    return NULL;
}

/* Counts the lines of that name in `text` before `end`. */
static int count_lines(const char *text, const char *end, const char *name, size_t name_length)
{
    int count = 0;
    for (; text < end; text = next_line(text))
        count += has_name(text, name, name_length);
    return count;
}

/* Returns how much of a value to print: eight digits of a digest, all of any other value. */
static int shown(const char *value, size_t length)
{
    enum { DIGEST_DIGITS = 32, SHOWN = 8 };
    return strspn(value, "0123456789abcdef") >= DIGEST_DIGITS ? SHOWN : (int)length;
}

/* Prints the lines of `now` that differ from `before`. */
static void print_changes(FILE *out, const char *before, const char *now)
{
    int changes = 0;
    for (const char *line = now; *line; line += strcspn(line, "\n") + 1) {
        size_t name_length = strcspn(line, " "), length = strcspn(line, "\n"), old_length = 0;
        const char *value = line + name_length + 1, *old;
        length -= name_length + 1;
        int skip = count_lines(now, line, line, name_length);
        old = find_line(before, line, name_length, skip, &old_length);
        if (old && old_length == length && memcmp(old, value, length) == 0)
            continue;
        fprintf(out, "%s%.*s %.*s -> %.*s", changes++ ? ", " : "", (int)name_length, line,
                old ? shown(old, old_length) : 4, old ? old : "none", shown(value, length), value);
    }
}

static void print_lacking(FILE *out, const struct tw_port *ports, uint32_t lacking)
{
    fputs("the cache does not have", out);
    for (int i = 0; ports[i].name; i++)
        if (lacking >> i & 1)
            fprintf(out, " %s", ports[i].name);
}

static void explain_computed(FILE *out, const struct tw_node *node,
                             const struct tw_node_summary *report, struct tw_history *history)
{
    const char *before = tw_history_key_text(history, node->path), *now = report->key_text;
    if (!now)
        fputs("there is no cache", out);
    else if (report->redone)
        fputs("unchanged, but its value is not in the cache", out);
    else if (report->lacking)
        print_lacking(out, node->type->outputs, report->lacking);
    else if (tw_history_has_seen(history, node->path, now))
        fputs("an earlier run did, but the cache no longer has it", out);
    else if (!before)
        fputs("not known from an earlier run", out);
    else
        print_changes(out, before, now);
    fputs("\n", out);
}

void tw_run_explain_nodes(FILE *out, const struct tw_recipe *recipe,
                          const struct tw_run_summary *report, struct tw_history *history, bool dry)
{
    int width = 0;
    fprintf(out, "borders: %s, %s\n", tw_borders_name(recipe->borders), recipe->borders_reason);
    for (int32_t i = 0; i < report->node_count; i++)
        if (report->nodes[i].outcome != TW_OUTCOME_NOT_NEEDED &&
            (int)strlen(recipe->nodes[i].path) > width)
            width = (int)strlen(recipe->nodes[i].path);
    for (int32_t i = 0; i < report->node_count; i++) {
        const struct tw_node_summary *node = &report->nodes[i];
        const char *path = recipe->nodes[i].path;
        if (node->outcome == TW_OUTCOME_NOT_NEEDED)
            continue;
        fprintf(out, "%-*s  ", width, path);
        if (node->outcome == TW_OUTCOME_HIT) {
            fprintf(out, "%s\n", tw_run_hit_words(node));
        } else if (node->outcome == TW_OUTCOME_UNDECIDED) {
            fputs("not decided: it depends on nodes that are not computed\n", out);
        } else {
            fputs(dry ? "would compute: " : "computed: ", out);
            explain_computed(out, &recipe->nodes[i], node, history);
        }
    }
}
