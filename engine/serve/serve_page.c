/* SPDX-License-Identifier: MIT */
#include "serve/serve_page.h"

#include "report/html.h"

static const char head[] =
    "<header class=\"live-head\"><div><div class=\"tools\"><h1 id=\"recipe\">";

static const char body[] =
    "</h1><span id=\"gone\" class=\"badge\" role=\"alert\" hidden>the server is gone</span><button "
    "id=\"theme\" class=\"live\" type=\"button\" hidden>Dark</button></div>\n"
    "<p class=\"verdict\" id=\"state\" role=\"status\">waiting for the server</p>\n"
    "<progress id=\"progress\" max=\"1\" value=\"0\" aria-label=\"share of the run\"></progress>\n"
    "<ul class=\"facts\" id=\"facts\"></ul></div></header>\n"
    "<main class=\"serve\"><pre id=\"faults\" class=\"faults\" tabindex=\"0\" hidden></pre>\n"
    "<div id=\"views\" class=\"plates\"></div>\n"
    "<noscript><p>This page needs JavaScript: it follows a recipe.</p></noscript></main>\n"
    "<dialog id=\"full\" aria-label=\"one picture, cell by cell\"><div class=\"tools\"><span "
    "id=\"full-name\"></span><button type=\"button\" id=\"close\">close</button></div><div "
    "class=\"pan\" id=\"pan\" tabindex=\"0\"></div></dialog>\n";

void tw_serve_page(FILE *out, const char *recipe)
{
    tw_html_begin_served(out, recipe, tw_page_serve_style, tw_page_serve_style_length);
    fputs(head, out);
    tw_html_text(out, recipe);
    fputs(body, out);
    tw_html_run(out, tw_page_serve, tw_page_serve_length);
    tw_html_end(out);
}

void tw_serve_policy(FILE *out) { tw_html_served_policy(out, tw_page_serve, tw_page_serve_length); }
