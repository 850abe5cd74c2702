/* SPDX-License-Identifier: MIT */
#include "report/gate_page.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/text/stream.h"
#include "format/codec.h"
#include "graph/file_claims.h"
#include "report/html.h"
#include "report/pictures/thumbnail.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures ---- */

/* Heights as a hillshade; masks, which are shares, and images as they are. */
static const struct tw_value *view_of(const struct tw_value *value, const struct tw_value *view)
{
    return view->data ? view : value;
}

static bool can_show(const struct tw_value *value)
{
    return value->type == TW_IMAGE || value->type == TW_MASK || value->type == TW_HEIGHTMAP;
}

static enum tw_status encode(const struct tw_value *value, struct tw_bytes *png,
                             struct tw_error *err)
{
    const struct tw_export_range shares = {0, 1, true, 8};
    return tw_png_encode(value, &shares, png, err);
}

/* Small pictures in a page; maps after these have links to their files only. */
enum { SMALL_PICTURES_MAX = 180 };
enum { STEM_BYTES = 240, NAME_BYTES = STEM_BYTES + 20 };

struct page {
    FILE *out;
    const char *folder, *recipe;
    const struct tw_overwrite_guard *guard;
    struct tw_file_claims stems; /* of the maps so far */
    const char *stem;            /* of the last of them */
    int32_t figures;             /* so far */
    bool embeds;                 /* whole pictures are in the page, too */
    struct tw_error *err;
};

/* What the names of a map's pictures begin with, which every system has. Recipes of several folders
 * may be called alike, but for case, and maps when they are cut: later ones get a number. */
static enum tw_status begin_map(struct page *page, const char *recipe, const char *map)
{
    const char *slash = strrchr(recipe, '/');
    char stem[STEM_BYTES];
    int length = snprintf(stem, sizeof stem, "%.100s.%.100s", slash ? slash + 1 : recipe, map);
    tw_file_name_clean(stem);
    enum tw_clash clash = TW_CLASH_TWICE;
    for (int number = 2; clash == TW_CLASH_TWICE || clash == TW_CLASH_CASE; number++) {
        const void *other;
        page->stem = tw_arena_copy(&page->stems.arena, stem, strlen(stem));
        clash = page->stem ? tw_file_claim(&page->stems, page->stem, false, page, &other)
                           : TW_CLASH_MEMORY;
        snprintf(stem + length, sizeof stem - (size_t)length, "-%d", number);
    }
    return clash == TW_CLASH_NONE ? TW_OK : tw_error_set(page->err, TW_MEMORY, "out of memory");
}

static void file_name(const struct page *page, const char *what, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%s.%s.png", page->stem, what);
}

/* Names of files are ASCII or UTF-8 that begin_map() has cleaned. */
static void put_link(FILE *out, const char *name)
{
    for (const char *at = name; *at; at++)
        if (isalnum((unsigned char)*at) || strchr("._-", *at))
            fputc(*at, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*at);
}

/* A small picture that leads to the file, so that a page of many stays small. */
static enum tw_status put_figure(struct page *page, const char *what, const char *name,
                                 const struct tw_value *picture, const struct tw_bytes *whole)
{
    struct tw_value small = {0};
    struct tw_bytes png = {0};
    bool shows = page->embeds || page->figures++ < SMALL_PICTURES_MAX;
    bool shrinks = shows && !page->embeds;
    enum tw_status status = shrinks ? tw_thumbnail(picture, &small, page->err) : TW_OK;
    if (status == TW_OK && shrinks)
        status = encode(&small, &png, page->err);
    if (status == TW_OK) {
        fputs("<figure><a href=\"", page->out);
        put_link(page->out, name);
        fputs("\">", page->out);
        if (shows)
            tw_html_picture(page->out, what, "", page->embeds ? whole : &png);
        else
            tw_html_text(page->out, name);
        fprintf(page->out, "</a><figcaption>%s</figcaption></figure>\n", what);
    }
    tw_field_clear(&small);
    free(png.at);
    return status;
}

static enum tw_status add_picture(struct page *page, const char *what,
                                  const struct tw_value *picture)
{
    struct tw_bytes png = {0};
    char name[NAME_BYTES], path[PATH_MAX];
    file_name(page, what, name);
    enum tw_status status = encode(picture, &png, page->err);
    if (status == TW_OK)
        status = tw_file_make_place(page->folder, name, path, page->err);
    if (status == TW_OK)
        status = tw_overwrite_guard_write(page->guard, path, &png, page->err);
    if (status == TW_OK)
        status = put_figure(page, what, name, picture, &png);
    free(png.at);
    return status;
}

static enum tw_status add_difference(struct page *page, const struct tw_pair *pair)
{
    struct tw_value image = {0};
    enum tw_status status = tw_map_difference_draw(&pair->old, &pair->now,
                                                   pair->difference.greatest, &image, page->err);
    if (status == TW_OK)
        status = add_picture(page, "difference", &image);
    tw_field_clear(&image);
    return status;
}

static void put_record(FILE *out, const struct tw_pair *pair)
{
    const char *name;
    double old, now;
    fputs("<table class=\"words\"><tr><th>field<th>before<th>now\n", out);
    for (int32_t i = 0; i < pair->now.width; i++)
        if (tw_pairs_field(pair, i, &name, &old, &now)) {
            fputs("<tr><td>", out);
            tw_html_text(out, name);
            fprintf(out, "<td>%.9g<td>%.9g\n", old, now);
        }
    fputs("</table>\n", out);
}

static enum tw_status put_pair(struct page *page, const struct tw_pair *pair)
{
    const struct tw_map_difference *d = &pair->difference;
    enum tw_status status = begin_map(page, page->recipe, pair->name);
    fputs("<h3>", page->out);
    tw_html_text(page->out, pair->name);
    fputs("</h3>\n", page->out);
    if (pair->now.type == TW_RECORD) {
        put_record(page->out, pair);
        return status;
    }
    if (!pair->comparable) {
        fputs("<p>The states cannot be compared cell by cell.</p>\n", page->out);
        return status;
    }
    fprintf(page->out,
            "<p>%.2f %% of the cells differ, by %.6g on the mean, %.6g as root mean square, at "
            "most %.6g, at (%d, %d). Red: higher now; blue: lower.</p>\n<div class=\"plates\">\n",
            100.0 * (double)d->differing / (double)d->cells, d->mean, d->rms, d->greatest,
            (int)d->x, (int)d->y);
    const struct tw_value *old = view_of(&pair->old, &pair->old_view);
    const struct tw_value *now = view_of(&pair->now, &pair->now_view);
    if (status == TW_OK && can_show(old))
        status = add_picture(page, "before", old);
    if (status == TW_OK && can_show(now))
        status = add_picture(page, "now", now);
    if (status == TW_OK)
        status = add_difference(page, pair);
    fputs("</div>\n", page->out);
    return status;
}

/* ---- facts ---- */

static void put_cell(FILE *out, const char *text)
{
    fputs("<td>", out);
    tw_html_text(out, text ? text : "-");
}

static void put_changes(FILE *out, const char *owner, const char *state,
                        const struct tw_change *changes, int32_t count)
{
    for (int32_t i = 0; i < (count > 0 ? count : 1); i++) {
        fputs("<tr>", out);
        put_cell(out, i == 0 ? owner : "");
        put_cell(out, i == 0 ? state : "");
        put_cell(out, count > 0 ? changes[i].name : "");
        put_cell(out, count > 0 ? changes[i].before : "");
        put_cell(out, count > 0 ? changes[i].after : "");
        fputs("\n", out);
    }
}

static void put_nodes(FILE *out, const struct tw_drift *drift)
{
    fputs("<table class=\"words\"><tr><th>node<th>state<th>what<th>before<th>now\n", out);
    if (drift->world_count > 0)
        put_changes(out, "all", "changed", drift->world, drift->world_count);
    for (int32_t i = 0; i < drift->node_count; i++) {
        const struct tw_node_drift *node = &drift->nodes[i];
        put_changes(out, node->after ? node->after->path : node->before->path,
                    tw_drift_names[node->kind], node->causes, node->cause_count);
    }
    fputs("</table>\n", out);
}

/* Why there are no earlier maps, and the commands that get them. */
static void put_no_pairs(FILE *out, const struct tw_gate_item *item)
{
    fputs("<p>The earlier maps cannot be computed: ", out);
    tw_html_text(out, item->no_pairs);
    fputs(
        ".</p>\n<p>To see them, check out the files as they were locked into another folder, with "
        "<code>git worktree add ../earlier COMMIT</code> or what your version control has for "
        "it; run <code>thalweg run ",
        out);
    tw_html_text(out, item->file);
    fputs(" -o out</code> there, and here <code>thalweg verify ", out);
    tw_html_text(out, item->file);
    fputs(
        " --before ../earlier/out</code>. Exports as .npy or .r32 hold a map's values exactly.</p>\n",
        out);
}

static enum tw_status put_item(struct page *page, const struct tw_gate_item *item, int32_t number)
{
    enum tw_status status = TW_OK;
    fprintf(page->out, "<h2 id=\"r%d\">", (int)number);
    tw_html_text(page->out, item->file);
    fputs("</h2>\n", page->out);
    if (item->drift->first >= 0) {
        fputs("<p>The first node that differs is <code>", page->out);
        tw_html_text(page->out, item->drift->nodes[item->drift->first].after->path);
        fputs("</code>.</p>\n", page->out);
    }
    if (item->no_pairs)
        put_no_pairs(page->out, item);
    for (int32_t i = 0; status == TW_OK && i < item->pair_count; i++)
        status = put_pair(page, &item->pairs[i]);
    put_nodes(page->out, item->drift);
    return status;
}

/* ---- the index ---- */

/* What is to be looked at comes first. */
static int rank_of(const struct tw_gate_item *item)
{
    return item->verdict == TW_GATE_DIFFERS || (item->drift && item->verdict == TW_GATE_OPEN) ? 0
           : !item->drift                                                                     ? 1
           : item->verdict == TW_GATE_WITHIN                                                  ? 2
                                                                                              : 3;
}

static const char *state_of(const struct tw_gate_item *item)
{
    static const char *const states[] = {"differs", "", "as locked within its tolerances",
                                         "as locked"};
    int rank = rank_of(item);
    return rank != 1                          ? states[rank]
           : item->verdict == TW_GATE_NO_LOCK ? "not compared: its lock is missing or damaged"
                                              : "not compared: it failed";
}

static void put_index_row(FILE *out, const struct tw_gate_item *item, int32_t number)
{
    bool differs = rank_of(item) == 0;
    fputs("<tr><td>", out);
    if (differs)
        fprintf(out, "<a href=\"#r%d\">", (int)number);
    tw_html_text(out, item->file);
    fprintf(out, "%s<td>%s", differs ? "</a>" : "", state_of(item));
    for (int32_t i = 0, shown = 0; differs && i < item->drift->result_count; i++)
        if (!item->drift->results[i].is_export) {
            fputs(shown++ ? ", " : ": ", out);
            tw_html_text(out, item->drift->results[i].name);
        }
    fputs("\n", out);
}

static void put_index(FILE *out, const struct tw_gate_item *items, int32_t count)
{
    fputs("<table class=\"words\"><tr><th>recipe<th>state\n", out);
    for (int rank = 0; rank < 4; rank++)
        for (int32_t i = 0; i < count; i++)
            if (rank_of(&items[i]) == rank)
                put_index_row(out, &items[i], i);
    fputs("</table>\n", out);
}

static enum tw_status write_page(struct page *page, const struct tw_gate_item *items, int32_t count)
{
    char *text = NULL, path[PATH_MAX];
    size_t length = 0;
    enum tw_status status = tw_file_make_place(page->folder, "index.html", path, page->err);
    page->out = status == TW_OK ? tw_stream_open(&text, &length) : NULL;
    if (!page->out)
        return status == TW_OK ? tw_error_set(page->err, TW_MEMORY, "out of memory") : status;
    tw_html_begin(page->out, "thalweg verify");
    fputs("<main><p class=\"verdict\">What differs</p>\n", page->out);
    if (count > 1)
        put_index(page->out, items, count);
    for (int32_t i = 0; status == TW_OK && i < count; i++) {
        page->recipe = items[i].file;
        if (rank_of(&items[i]) == 0)
            status = put_item(page, &items[i], i);
    }
    fputs("</main>\n", page->out);
    tw_html_end(page->out);
    if (tw_stream_close(page->out) != 0 && status == TW_OK)
        status = tw_error_set(page->err, TW_MEMORY, "out of memory");
    const struct tw_bytes html = {.at = (unsigned char *)text, .length = length};
    if (status == TW_OK)
        status = tw_overwrite_guard_write(page->guard, path, &html, page->err);
    free(text);
    return status;
}

/* ---- what must stay ---- */

static enum tw_status check_file(const struct page *page, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", page->folder, name) >= PATH_MAX)
        return TW_OK; /* too long to be written */
    return tw_overwrite_guard_check(page->guard, path, path, page->err);
}

static enum tw_status check_pictures(struct page *page, const char *recipe, const char *map)
{
    static const char *const pictures[] = {"before", "now", "difference"};
    enum tw_status status = begin_map(page, recipe, map);
    char name[NAME_BYTES];
    for (int k = 0; status == TW_OK && k < 3; k++) {
        file_name(page, pictures[k], name);
        status = check_file(page, name);
    }
    return status;
}

/* Before anything is written. */
static enum tw_status check_files(struct page *page, const struct tw_gate_item *items,
                                  int32_t count)
{
    enum tw_status status = check_file(page, "index.html");
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        for (int32_t k = 0; status == TW_OK && k < items[i].pair_count; k++)
            status = check_pictures(page, items[i].file, items[i].pairs[k].name);
    tw_file_claims_release(&page->stems);
    return status;
}

enum tw_status tw_gate_page_check(const struct tw_gate_page *of, struct tw_error *err)
{
    struct page page = {.folder = of->folder, .guard = of->guard, .err = err};
    enum tw_status status = check_file(&page, "index.html");
    for (int32_t i = 0; status == TW_OK && i < of->count; i++) {
        const struct tw_recipe *recipe = of->items[i].recipe;
        for (const struct tw_output *o = recipe ? recipe->outputs : NULL; status == TW_OK && o;
             o = o->next)
            status = check_pictures(&page, of->items[i].file, o->name);
    }
    tw_file_claims_release(&page.stems);
    return status;
}

enum tw_status tw_gate_page_write(const struct tw_gate_page *of, struct tw_error *err)
{
    struct page page = {.folder = of->folder, .guard = of->guard, .embeds = of->embeds, .err = err};
    enum tw_status status = check_files(&page, of->items, of->count);
    if (status == TW_OK)
        status = write_page(&page, of->items, of->count);
    tw_file_claims_release(&page.stems);
    return status;
}
