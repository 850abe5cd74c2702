/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/charts/graph.h"
#include "report/html.h"
#include "report/recipe_difference.h"

#include <string.h>

/* "params.talus" becomes talus, "inputs.in" the input in. */
static void put_fact(FILE *out, const char *name)
{
    bool input = strncmp(name, "inputs.", 7) == 0;
    tw_html_text(out, strncmp(name, "params.", 7) == 0 || input ? name + 7 : name);
    fputs(input ? " (input)" : "", out);
}

static void put_value(FILE *out, const char *value)
{
    fputs("<td>", out);
    if (value && value[0]) {
        fputs("<code>", out);
        tw_html_text(out, value);
        fputs("</code>", out);
    } else {
        fputs("-", out);
    }
    fputs("</td>", out);
}

/* For a node whose type changed, writes only that: parameters of two types have different meanings,
 * so those of the new type are listed separately. */
static void put_type(FILE *out, const struct tw_node_drift *node, const char *before,
                     const char *after)
{
    fputs("<td>type</td>", out);
    put_value(out, before);
    fputs("<td>", out);
    if (after) {
        fputs("<code>", out);
        tw_html_text(out, after);
        fputs("</code>", out);
        for (int32_t i = 0; i < node->after->causes.count; i++) {
            const struct tw_fact *fact = &node->after->causes.at[i];
            if (strncmp(fact->name, "params.", 7) != 0 || !fact->value[0])
                continue;
            fputs(" ", out);
            tw_html_text(out, fact->name + 7);
            fputs("&nbsp;<code>", out);
            tw_html_text(out, fact->value);
            fputs("</code>", out);
        }
    } else {
        fputs("-", out);
    }
    fputs("</td></tr>\n", out);
}

static void put_node(FILE *out, const struct tw_node_drift *node)
{
    const struct tw_snapshot_node *known = node->after ? node->after : node->before;
    if (!known)
        return;
    const char *before = node->before ? tw_facts_find(&node->before->causes, "type") : NULL;
    const char *after = node->after ? tw_facts_find(&node->after->causes, "type") : NULL;
    bool type = !before || !after || strcmp(before, after) != 0;
    for (int32_t i = 0; i < (type ? 1 : node->cause_count); i++) {
        fputs(i == 0 ? "<tr><th scope=\"row\">" : "<tr><td>", out);
        if (i == 0)
            tw_html_text(out, known->path);
        fputs(i == 0 ? "</th>" : "</td>", out);
        if (type) {
            put_type(out, node, before, after);
            return;
        }
        fputs("<td>", out);
        put_fact(out, node->causes[i].name);
        fputs("</td>", out);
        put_value(out, node->causes[i].before);
        put_value(out, node->causes[i].after);
        fputs("</tr>\n", out);
    }
}

static void put_caption(FILE *out, const struct tw_graph_chart *chart)
{
    fputs("<span class=\"c3\">+</span> new, <span class=\"c4\">&minus;</span> gone, <span "
          "class=\"c2\">&ne;</span> changed",
          out);
    if (chart->alone)
        fprintf(out, "; not drawn are %d that are the same, too many to be read",
                (int)chart->left_out);
    else if (chart->left_out > 0)
        fprintf(out, "; the others are the same, as %s %d more that touch%s nothing that differs",
                chart->left_out == 1 ? "is" : "are", (int)chart->left_out,
                chart->left_out == 1 ? "es" : "");
    else
        fputs("; the others are the same", out);
    fputs(".", out);
}

/* Draws the nodes that differ and their neighbours. */
static void put_graph(FILE *out, const struct tw_experiment *e, int32_t variant,
                      const struct tw_recipe_difference *edit)
{
    struct tw_graph_chart chart;
    char title[200];
    tw_recipe_graph_find(edit, &chart);
    if (chart.differing == 0)
        return;
    snprintf(title, sizeof title, "What %s has otherwise than %s, as a graph",
             e->variants[variant].name, e->variants[tw_recipe_difference_base(e)].name);
    fputs("<figure class=\"graph\"><div class=\"scroll\" tabindex=\"0\">", out);
    bool drawn = tw_chart_graph(out, title, &chart);
    fputs("</div><figcaption>", out);
    if (drawn)
        put_caption(out, &chart);
    else
        fprintf(out,
                "%d nodes differ: too many, or too entangled, for a drawing. The table has all "
                "of them.",
                (int)chart.differing);
    fputs("</figcaption></figure>\n", out);
}

static void put_edit(FILE *out, const struct tw_experiment *e, int32_t variant,
                     const struct tw_recipe_difference *edit)
{
    const struct tw_drift *drift = edit->drift;
    fputs("<h3>", out);
    tw_html_text(out, e->variants[variant].name);
    fputs("</h3>\n", out);
    if (drift->node_count + drift->world_count == 0) {
        fputs("<p>The same recipe.</p>\n", out);
        return;
    }
    put_graph(out, e, variant, edit);
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"words\"><thead><tr><th "
          "scope=\"col\">node</th><th scope=\"col\">what</th><th scope=\"col\">",
          out);
    tw_html_text(out, e->variants[tw_recipe_difference_base(e)].name);
    fputs("</th><th scope=\"col\">", out);
    tw_html_text(out, e->variants[variant].name);
    fputs("</th></tr></thead>\n<tbody>\n", out);
    for (int32_t i = 0; i < drift->world_count; i++) {
        fputs("<tr><th scope=\"row\">the world</th><td>", out);
        put_fact(out, drift->world[i].name);
        fputs("</td>", out);
        put_value(out, drift->world[i].before);
        put_value(out, drift->world[i].after);
        fputs("</tr>\n", out);
    }
    for (int32_t i = 0; i < drift->node_count; i++)
        put_node(out, &drift->nodes[i]);
    fputs("</tbody></table></div>\n", out);
}

void tw_section_recipes(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_experiment *e = page->shown->experiment;
    int32_t shown = 0;
    if (!page->edits)
        return;
    fputs("<section id=\"recipes\"><h2>What differs between the recipes</h2>\n", out);
    for (int32_t k = 0; k < page->edited.count; k++) {
        int32_t v = page->edited.at[k];
        if (!page->edits[v])
            continue;
        put_edit(out, e, v, page->edits[v]);
        shown++;
    }
    if (shown + 1 < e->variant_count)
        fprintf(
            out,
            "<p class=\"note\">%d of %d variants: those with the best and the worst means.</p>\n",
            (int)shown, (int)e->variant_count - 1);
    fputs("</section>\n", out);
}
