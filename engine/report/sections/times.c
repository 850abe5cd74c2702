/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"

#include <math.h>

static void put_median(FILE *out, const struct tw_median *time)
{
    fprintf(out, "<td data-v=\"%.9g\">%.4f</td>", time->median, time->median);
    if (isnan(time->low))
        fputs("<td>-</td>", out);
    else
        fprintf(out, "<td data-v=\"%.9g\">%.4f to %.4f</td>", time->low, time->low, time->high);
}

static void put_medians(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<details><summary>All numbers</summary>\n<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"sort\"><thead><tr><th scope=\"col\">variant</th><th scope=\"col\">clock, "
          "s</th><th scope=\"col\">95 % of it</th><th scope=\"col\">processor, s</th><th "
          "scope=\"col\">95 % of it</th></tr></thead>\n<tbody>\n",
          out);
    for (int32_t v = 0; v < e->variant_count; v++) {
        fputs("<tr><th scope=\"row\">", out);
        tw_html_text(out, e->variants[v].name);
        fputs("</th>", out);
        put_median(out, &c->times[v].wall);
        put_median(out, &c->times[v].processor);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

/* Writes comparable times: separate runs of each variant. */
static void put_runs(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice)
{
    bool sure = !isnan(c->times[0].wall.low);
    fprintf(out,
            "<p>Each variant by itself, %d times, without cache, in turns (A B B A), so that a "
            "machine that warms up or slows down does not favour one. %s</p>\n<div class=\"row "
            "wide\">\n",
            (int)c->times[0].count,
            sure ? "Lines are the order statistics that hold the median with 95 %."
                 : "Fewer than six runs have no interval.");
    fputs("<figure>", out);
    tw_chart_medians(out, c, choice, TW_CLOCK_WALL);
    fputs("<figcaption><b>On the clock</b>, median</figcaption></figure>\n<figure>", out);
    tw_chart_medians(out, c, choice, TW_CLOCK_PROCESSOR);
    fputs("<figcaption><b>Of processors</b>, all threads together, median</figcaption></figure>\n"
          "</div>\n",
          out);
    put_medians(out, c);
}

void tw_section_times(FILE *out, const struct tw_comparison *c)
{
    struct tw_choice choice = tw_choose_variants(c, TW_CHOICE_MAX);
    if (choice.count == 0)
        return;
    fputs("<section id=\"times\"><h2>What it costs</h2>\n", out);
    if (c->times)
        put_runs(out, c, &choice);
    fputs(c->times ? "<h3>While the seeds ran</h3>\n"
                   : "<p>For times to decide by, run each variant by itself: <code>--times "
                     "20</code>.</p>\n",
          out);
    fputs("<p>What the nodes of each variant took, shared ones included: measured now, or when the "
          "cache got it, while other variants ran beside it.</p>\n<figure>",
          out);
    tw_chart_times(out, c, &choice);
    fputs("<figcaption>Bars end at the mean, lines are 95 % "
          "intervals.</figcaption></figure></section>\n",
          out);
}
