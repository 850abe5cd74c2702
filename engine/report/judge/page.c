/* SPDX-License-Identifier: MIT */
#include "report/judge/page.h"

#include "report/html.h"

#include <inttypes.h>
#include <stdlib.h>

static const char body[] =
    "<main class=\"judge\"><div class=\"tools\"><span id=\"count\" role=\"status\"></span>"
    "<progress id=\"progress\" value=\"0\" max=\"1\"></progress><button id=\"theme\" "
    "class=\"live\" type=\"button\" hidden>Dark</button></div>\n"
    "<h1 class=\"verdict\">Which one looks better?</h1>\n"
    "<div id=\"pair\" class=\"pair\"><button type=\"button\" id=\"left\" aria-label=\"the left "
    "one\"><img id=\"left-image\" alt=\"left picture\"><span>&larr;</span></button><button "
    "type=\"button\" id=\"right\" aria-label=\"the right one\"><img id=\"right-image\" alt=\"right "
    "picture\"><span>&rarr;</span></button></div>\n"
    "<p class=\"tools\"><button type=\"button\" id=\"tie\">no difference (space)</button><button "
    "type=\"button\" id=\"undo\">back (backspace)</button><button type=\"button\" id=\"save\">save "
    "answers (s)</button><button type=\"button\" id=\"again\">start again</button></p>\n"
    "<p class=\"note\" id=\"kept\">This browser keeps the answers: a reload goes on where you were.</p>\n"
    "<noscript><p>This page needs JavaScript: it is a questionnaire.</p></noscript></main>\n";

/* Writes the pictures in the drawn order. */
static void put_pictures(FILE *out, const struct tw_judge_pairs *pairs, const struct tw_gallery *g)
{
    int32_t count = pairs->seeds * g->variants.count;
    const struct tw_plate **shown = calloc((size_t)count + 1, sizeof *shown);
    if (!shown)
        return;
    for (int32_t i = 0; i < count; i++)
        shown[pairs->picture[i]] = &g->plates[i];
    fputs("<div id=\"pictures\" hidden>\n", out);
    for (int32_t i = 0; i < count; i++) {
        const struct tw_bytes *png = shown[i]->view.at ? &shown[i]->view : &shown[i]->shade;
        if (png->at)
            tw_html_picture(out, "", "", png);
        else
            fputs("<img alt=\"\">", out); /* of a seed that failed */
        fputs("\n", out);
    }
    fputs("</div>\n", out);
    free((void *)shown);
}

void tw_judge_page(FILE *out, const struct tw_judge_page *page)
{
    const struct tw_judge_pairs *pairs = page->pairs;
    int32_t variants = page->gallery->variants.count;
    tw_html_begin(out, "Which one looks better?");
    fputs(body, out);
    put_pictures(out, pairs, page->gallery);
    fprintf(out,
            "<script type=\"application/json\" id=\"judge\">{\"identity\": \"%s\", \"draw\": "
            "\"%" PRIu64 "\", \"asked\": %d, \"pairs\": [",
            pairs->identity, page->draw, (int)page->asked);
    for (int32_t i = 0; i < pairs->count; i++) {
        const struct tw_judge_pair *p = &pairs->at[i];
        if (page->gallery->failed[p->seed]) {
            fputs(i ? ",null" : "null", out);
            continue;
        }
        fprintf(out, "%s[%d,%d]", i ? "," : "", (int)pairs->picture[p->seed * variants + p->left],
                (int)pairs->picture[p->seed * variants + p->right]);
    }
    fputs("]}</script>\n", out);
    tw_html_run(out, tw_page_judge, tw_page_judge_length);
    tw_html_end(out);
}
