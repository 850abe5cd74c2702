/* SPDX-License-Identifier: MIT */
/* What a dot opens: a hidden list of all runs with their commands, in which SEED stands for a seed,
 * and the dialog that page.js fills with a run's pictures. */
#include "report/compare_page.h"

#include "report/html.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <inttypes.h>

enum { SEEDS_MAX = 1000 }; /* of the list to choose from */

static void put_command(FILE *out, const char *command)
{
    fputs("<code>", out);
    tw_html_text(out, command ? command : "");
    fputs("</code></li>\n", out);
}

static void put_variants(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_experiment *e = page->comparison->experiment;
    for (int32_t v = 0; page->commands && v < e->variant_count; v++) {
        fprintf(out, "<li data-run=\"%d\"><b>", (int)v);
        tw_level_write_variant(out, e, &e->variants[v], TW_TEXT_HTML);
        fputs("</b>", out);
        put_command(out, page->commands[v]);
    }
}

static void put_trials(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_tuning *t = page->comparison->tuning;
    for (int32_t i = 0; page->trial_commands && t && i < t->count; i++) {
        fprintf(out, "<li data-run=\"t%d\"><b>trial %d</b>", (int)i, (int)i + 1);
        put_command(out, page->trial_commands[i]);
    }
}

static void put_seeds(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t count = c->count > 0 ? c->count : e->seed_count;
    for (int32_t i = 0; i < count && i < SEEDS_MAX; i++)
        fprintf(out, "%s%" PRIu64, i ? " " : "",
                c->count > 0 ? c->seeds[i] : tw_experiment_seed(e, i));
}

void tw_section_runs(FILE *out, const struct tw_compare_page *page)
{
    if (!page->commands && !page->trial_commands)
        return;
    fputs("<ol id=\"runs\" hidden data-seeds=\"", out);
    put_seeds(out, page->comparison);
    fputs("\">\n", out);
    put_variants(out, page);
    put_trials(out, page);
    fputs("</ol>\n<dialog id=\"map\" aria-label=\"the map of a run\"><p class=\"tools\"><label>run "
          "<select name=\"run\"></select></label> <label>seed <select "
          "name=\"seed\"></select></label> <button type=\"button\" "
          "name=\"close\">Close</button></p>\n<div class=\"plates\"></div>\n<p "
          "class=\"note\"></p>\n<p><code></code></p>\n<p><button type=\"button\" "
          "name=\"copy\">Copy the command</button></p></dialog>\n",
          out);
}
