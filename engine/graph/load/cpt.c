/* SPDX-License-Identifier: MIT */
/* Colour ramps of GMT (Wessel and Smith, "The Generic Mapping Tools", cookbook: Color palette
 * tables): lines of two values with a colour each, B and F for values below and above, N for no
 * data, comments that may give the colour model and the hinge. They become rows of a table: value,
 * red, green, blue; B and F become further rows at the first and the last value. */
#include "graph/load/load_private.h"

#include "base/os/file.h"
#include "base/text/number.h"
#include "node/param.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20, LINE_BYTES = 256, WORDS_MAX = 10 };
enum { VALUE, RED, COLUMNS = 4 };

struct cpt {
    struct tw_loader *loader;
    const struct tw_param *row;
    struct tw_place place; /* place of the current line */
    float *cells;          /* next row of the table */
    int32_t rows;
    float below[COLUMNS], above[COLUMNS];
    bool has_below, has_above;
    char line[LINE_BYTES];
    char *words[WORDS_MAX];
    int count;
};

static void split(struct cpt *c)
{
    char *rest = c->line;
    c->line[strcspn(c->line, ";")] = '\0'; /* a label follows */
    c->count = 0;
    for (char *word; c->count < WORDS_MAX && (word = strtok_r(rest, " \t\r", &rest));)
        c->words[c->count++] = word;
}

/* Reports a fault at a word of the line; word 0 if there is none. */
static bool refuse(struct cpt *c, int word, const char *message)
{
    struct tw_place place = c->place;
    if (word < c->count)
        place.column = (int32_t)(c->words[word] - c->line) + 1;
    tw_fault_log_add(c->loader->log, TW_INPUT, place, NULL, "%s", message);
    return false;
}

static bool read_cell(struct cpt *c, int word, int column, const char *text, float *cell)
{
    char message[300];
    return tw_param_cell(&c->row->columns[column], text, cell, message, sizeof message) ||
           refuse(c, word, message);
}

/* Reads "#a0b1c2". */
static bool read_hex(const char *text, float *to)
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return false;
    unsigned long all = strtoul(text + 1, NULL, 16);
    for (int i = 0; i < 3; i++)
        to[RED + i] = (float)(all >> (16 - 8 * i) & 0xFF);
    return true;
}

static bool read_name(const char *text, float *to)
{
    static const struct {
        const char *name;
        float at[3];
    } names[] = {{"black", {0, 0, 0}},      {"white", {255, 255, 255}}, {"gray", {190, 190, 190}},
                 {"grey", {190, 190, 190}}, {"red", {255, 0, 0}},       {"green", {0, 255, 0}},
                 {"blue", {0, 0, 255}},     {"yellow", {255, 255, 0}},  {"cyan", {0, 255, 255}},
                 {"magenta", {255, 0, 255}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, text) == 0) {
            memcpy(to + RED, names[i].at, sizeof names[i].at);
            return true;
        }
    return false;
}

static int count_slashes(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '/';
    return count;
}

/* Reads a colour in one word: a grey, red/green/blue, #rrggbb or a name. */
static bool read_word(struct cpt *c, int word, float *to)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "%s", c->words[word]);
    if (read_hex(text, to) || read_name(text, to))
        return true;
    double number;
    int slashes = count_slashes(text);
    if (slashes == 0 && !tw_number_parse(text, &number))
        return refuse(c, word,
                      "not a colour; expected red/green/blue or a grey of 0 to 255, #rrggbb or a "
                      "name such as black");
    char *rest = text;
    for (int i = 0; i < 3; i++) {
        const char *part = slashes > 0 ? strtok_r(rest, "/", &rest) : text;
        if (!part || (slashes > 0 && slashes != 2))
            return refuse(c, word, "a colour needs red/green/blue");
        if (!read_cell(c, word, RED + i, part, &to[RED + i]))
            return false;
    }
    return true;
}

/* Reads the colour that begins at a word and has `words` of them, 1 or 3. */
static bool read_colour(struct cpt *c, int word, int words, float *to)
{
    if (words == 1)
        return read_word(c, word, to);
    for (int i = 0; i < 3; i++)
        if (!read_cell(c, word + i, RED + i, c->words[word + i], &to[RED + i]))
            return false;
    return true;
}

static bool is_last_row(const struct cpt *c, const float *at)
{
    bool same = c->rows > 0;
    for (int i = 0; same && i < COLUMNS; i++)
        same = c->cells[i - COLUMNS] == at[i];
    return same;
}

static bool add_row(struct cpt *c, const float *at)
{
    if (is_last_row(c, at))
        return true;
    memcpy(c->cells, at, COLUMNS * sizeof *at);
    c->cells += COLUMNS;
    c->rows++;
    return true;
}

/* Reads two values with a colour each, and an optional L, U or B, which tells legends what to
 * label. */
static bool read_slice(struct cpt *c)
{
    float low[COLUMNS], high[COLUMNS];
    if (c->count > 4 && strlen(c->words[c->count - 1]) == 1 &&
        strchr("LUB", c->words[c->count - 1][0]))
        c->count--;
    int half = c->count / 2;
    if (c->count != 4 && c->count != 8)
        return refuse(c, 0, "expected a value and a colour, twice: grey, r/g/b or r g b");
    if (!read_cell(c, 0, VALUE, c->words[0], &low[VALUE]) || !read_colour(c, 1, half - 1, low) ||
        !read_cell(c, half, VALUE, c->words[half], &high[VALUE]) ||
        !read_colour(c, half + 1, half - 1, high))
        return false;
    if (low[VALUE] >= high[VALUE])
        return refuse(c, half, "a slice ends at or below its beginning; expected an end above it");
    if (c->rows > 0 && c->cells[VALUE - COLUMNS] != low[VALUE])
        return refuse(c, 0,
                      "a slice begins elsewhere; expected it to begin where the one before ends");
    return add_row(c, low) && add_row(c, high);
}

/* Reads B, F or N and a colour. */
static bool read_outside(struct cpt *c)
{
    float none[COLUMNS], *to = c->words[0][0] == 'B' ? c->below : none;
    to = c->words[0][0] == 'F' ? c->above : to;
    c->has_below |= to == c->below;
    c->has_above |= to == c->above;
    if (c->count != 2 && c->count != 4)
        return refuse(c, 0, "expected one colour after B, F or N");
    return read_colour(c, 1, c->count - 1, to);
}

/* Reads "# COLOR_MODEL = RGB" and "# HINGE = 0"; ignores other comments. */
static bool read_comment(struct cpt *c)
{
    const char *model = strstr(c->line, "COLOR_MODEL"), *hinge = strstr(c->line, "HINGE");
    const char *equals = strchr(c->line, '=');
    double at;
    c->count = 0;
    if (model && equals && !strstr(equals, "RGB") && !strstr(equals, "rgb"))
        return refuse(c, 0, "the colour model is not RGB, the only one that is read");
    if (!hinge || !equals)
        return true;
    char *rest = c->line + (equals + 1 - c->line), *word = strtok_r(rest, " \t\r", &rest);
    return (word && tw_number_parse(word, &at) && at == 0) ||
           refuse(c, 0, "the hinge is not 0, where alone it can be: subtract it from the values");
}

static bool read_line(struct cpt *c)
{
    size_t blank = strspn(c->line, " \t\r");
    if (c->line[blank] == '#')
        return read_comment(c);
    split(c);
    if (c->count == 0)
        return true;
    return strlen(c->words[0]) == 1 && strchr("BFN", c->words[0][0]) ? read_outside(c)
                                                                     : read_slice(c);
}

static bool read_lines(struct cpt *c, const char *text)
{
    for (c->place.line = 1; *text; c->place.line++) {
        size_t length = strcspn(text, "\n");
        c->place.column = 1;
        c->count = 0;
        if (length >= LINE_BYTES)
            return refuse(c, 0, "a line of more than 255 bytes");
        memcpy(c->line, text, length);
        c->line[length] = '\0';
        if (!read_line(c))
            return false;
        text += length + (text[length] == '\n');
    }
    c->count = 0;
    return c->rows > 0 || refuse(c, 0, "no slices; expected lines such as '0 0/0/0 1 255/255/255'");
}

/* Adds the rows of B and F around the others. */
static void finish(struct cpt *c, float *first, struct tw_table *table)
{
    if (c->has_above) {
        c->above[VALUE] = c->cells[VALUE - COLUMNS];
        memcpy(c->cells, c->above, sizeof c->above);
        c->rows++;
    }
    if (c->has_below) {
        c->below[VALUE] = first[VALUE];
        memcpy(first - COLUMNS, c->below, sizeof c->below);
        first -= COLUMNS;
        c->rows++;
    }
    *table = (struct tw_table){c->rows, COLUMNS, first};
}

/* Refuses a zero byte, behind which text would be lost. */
static bool is_text(struct tw_loader *loader, struct tw_place place)
{
    if (strlen(place.text) == place.length)
        return true;
    for (const char *at = place.text; *at; at++)
        place.line += *at == '\n';
    tw_fault_log_add(loader->log, TW_INPUT, place, NULL, "a zero byte; expected text");
    return false;
}

static void read_text(struct tw_loader *loader, const struct tw_param *row, struct tw_place place,
                      struct tw_table *table)
{
    size_t lines = 1;
    for (const char *at = place.text; *at; at++)
        lines += *at == '\n';
    float *cells = tw_arena_alloc(&loader->recipe->arena, (2 * lines + 2) * COLUMNS, sizeof *cells);
    struct cpt c = {.loader = loader, .row = row, .place = place};
    if (!cells) {
        tw_fault_log_add(loader->log, TW_MEMORY, place, NULL, "out of memory");
        return;
    }
    c.cells = cells + COLUMNS;
    if (is_text(loader, place) && read_lines(&c, place.text))
        finish(&c, cells + COLUMNS, table);
}

void tw_load_cpt(struct tw_loader *loader, const struct tw_scope *scope, const struct tw_param *row,
                 const char *name, struct tw_place place, struct tw_table *table)
{
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_error error = {.status = TW_OK};
    char path[PATH_MAX];
    unsigned char *data = NULL;
    size_t length = 0;
    enum tw_status status = tw_load_resolve(loader, scope->folder, name, path, &error);
    if (status == TW_OK)
        status = tw_file_read(path, BYTES_MAX, &data, &length, &error);
    const char *kept = status == TW_OK ? tw_arena_copy(arena, path, strlen(path)) : NULL;
    const char *shown = kept ? tw_arena_copy(arena, name, strlen(name)) : NULL;
    const char *text = shown ? tw_arena_copy(arena, (const char *)data, length) : NULL;
    free(data);
    if (text)
        tw_load_warn_name(loader, name, place);
    if (text && tw_load_add_reading(loader, kept, NULL) &&
        tw_load_add_link(loader, scope->folder, name)) {
        read_text(loader, row,
                  (struct tw_place){.file = shown,
                                    .text = text,
                                    .length = length,
                                    .line = 1,
                                    .column = 1,
                                    .hidden = tw_load_hides(loader, scope->folder, name)},
                  table);
        return;
    }
    if (status == TW_OK)
        status = tw_error_set(&error, TW_MEMORY, "out of memory");
    tw_fault_log_add(loader->log, tw_file_as_input(status, NULL), place, error.hint, "%s",
                     error.message);
}
