/* SPDX-License-Identifier: MIT */
#include "graph/load/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes to replace by a text. */
struct edit {
    const char *begin, *end;
    const char *text; /* in the arena */
};

struct editor {
    struct tw_arena arena;
    const struct tw_yaml *root;
    struct tw_value_patch *patches;
    int32_t count;
    struct edit *edits;
    int32_t edit_count;
};

/* ---- finding ---- */

/* An alias stands behind its anchor, whose node it shares: such a value precedes its key. */
static bool is_before(struct tw_place a, struct tw_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static const struct tw_yaml_item *find_item(const struct tw_yaml *mapping, const char *name)
{
    const bool fits = mapping && mapping->kind == TW_YAML_MAPPING;
    for (const struct tw_yaml_item *item = fits ? mapping->items : NULL; item; item = item->next)
        if (strcmp(item->key->text, name) == 0)
            return item;
    return NULL;
}

/* Follows one name; *aliased tells whether an alias was passed. */
static const struct tw_yaml *follow(const struct tw_yaml *mapping, const char *name, bool *aliased)
{
    const struct tw_yaml_item *item = find_item(mapping, name);
    if (!item)
        return NULL;
    *aliased |= is_before(item->value->place, item->key->place);
    return item->value;
}

/* Takes the scalar of the place, or the mapping's own "default". */
static bool find_param(struct tw_patch_place *place, const struct tw_yaml *params)
{
    bool aliased = place->fixed;
    const struct tw_yaml *value = follow(params, place->name, &aliased);
    if (!value)
        return false;
    if (value->kind == TW_YAML_MAPPING) {
        place->owner = value;
        snprintf(place->name, sizeof place->name, "default");
        value = follow(value, "default", &aliased);
    }
    place->scalar = value;
    place->fixed = aliased;
    return !value || value->kind == TW_YAML_SCALAR;
}

static bool find_list_item(struct tw_patch_place *place, const struct tw_yaml *list)
{
    const struct tw_yaml_item *item = list->items;
    if (list->kind != TW_YAML_SEQUENCE)
        return false;
    for (int32_t i = 0; item && i < place->item; i++)
        item = item->next;
    if (!item || item->value->kind != TW_YAML_SCALAR)
        return false;
    place->scalar = item->value;
    place->fixed |= is_before(item->value->place, list->place);
    return true;
}

/* Splits "K" or "to.1" into a name and an index. */
static bool read_name(struct tw_patch_place *place, const char *text)
{
    const char *dot = strchr(text, '.');
    const size_t length = dot ? (size_t)(dot - text) : strlen(text);
    place->item = -1;
    if (length == 0 || length >= sizeof place->name)
        return false;
    memcpy(place->name, text, length);
    place->name[length] = 0;
    if (!dot)
        return true;
    const size_t digits = strspn(dot + 1, "0123456789");
    if (digits == 0 || digits > 4 || dot[1 + digits])
        return false;
    place->item = atoi(dot + 1);
    return true;
}

static bool find_node_value(struct tw_patch_place *place, const struct tw_yaml *nodes,
                            const char *text)
{
    char node[TW_PATCH_PATH_BYTES];
    const char *dot = strchr(text, '.');
    if (!dot || (size_t)(dot - text) >= sizeof node || !read_name(place, dot + 1))
        return false;
    memcpy(node, text, (size_t)(dot - text));
    node[dot - text] = 0;
    place->owner = follow(nodes, node, &place->fixed);
    if (!place->owner || place->owner->kind != TW_YAML_MAPPING)
        return false;
    const struct tw_yaml *value = follow(place->owner, place->name, &place->fixed);
    if (value && place->item >= 0)
        return find_list_item(place, value);
    place->scalar = value;
    return !value || value->kind == TW_YAML_SCALAR;
}

static bool find_place(const struct tw_yaml *root, const char *path, struct tw_patch_place *place)
{
    if (strncmp(path, "params.", 7) == 0)
        return read_name(place, path + 7) && place->item < 0 &&
               find_param(place, follow(root, "params", &place->fixed));
    return strncmp(path, "nodes.", 6) == 0 &&
           find_node_value(place, follow(root, "nodes", &place->fixed), path + 6);
}

bool tw_patch_find(const struct tw_yaml *root, const char *path, struct tw_patch_place *place)
{
    struct tw_yaml_span span;
    *place = (struct tw_patch_place){.item = -1};
    if (!find_place(root, path, place))
        return false;
    if (place->scalar)
        place->fixed |=
            strstr(place->scalar->text, "${") != NULL || !tw_yaml_span(place->scalar, &span);
    return true;
}

/* ---- editing ---- */

/* Keeps edits in the order of the text; insertions at one place in the order of their calls. */
static bool add_edit(struct editor *editor, const char *begin, const char *end, const char *text)
{
    int32_t at = editor->edit_count++;
    for (; at > 0 && (editor->edits[at - 1].begin > begin ||
                      (editor->edits[at - 1].begin == begin && editor->edits[at - 1].end > end));
         at--)
        editor->edits[at] = editor->edits[at - 1];
    editor->edits[at] = (struct edit){begin, end, text};
    return text != NULL;
}

/* Replaces a scalar's bytes. One without a value stands directly behind its colon. */
static bool replace(struct editor *editor, const struct tw_yaml *scalar, const char *value)
{
    struct tw_yaml_span span;
    if (!tw_yaml_span(scalar, &span))
        return false;
    const bool behind = tw_yaml_is_empty(scalar);
    return add_edit(editor, span.begin, span.end,
                    tw_arena_print(&editor->arena, "%s%s", behind ? " " : "", value));
}

/* The last entry of a mapping with a value of one line, behind which another can stand. */
static const struct tw_yaml_item *last_scalar(const struct tw_yaml *mapping,
                                              struct tw_yaml_span *span)
{
    const struct tw_yaml_item *last = NULL;
    struct tw_yaml_span found;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next)
        if (!is_before(item->value->place, item->key->place) && tw_yaml_span(item->value, &found)) {
            last = item;
            *span = found;
        }
    return last;
}

/* Adds an entry behind the last one of one line: in a mapping of lines as a line of its own. */
static bool insert(struct editor *editor, const struct tw_yaml *mapping, const char *name,
                   const char *value)
{
    struct tw_yaml_span span;
    const struct tw_place place = mapping->place;
    const char *end = place.text + place.length, *open = tw_yaml_byte(place);
    const struct tw_yaml_item *last = last_scalar(mapping, &span);
    while (open < end && *open == '&') /* the anchor's name, and what separates it */
        for (open += strcspn(open, " \t\r\n"); open < end && strchr(" \t\r\n", *open);)
            open++;
    if (!last)
        return false;
    if (open < end && *open == '{')
        return add_edit(editor, span.after, span.after,
                        tw_arena_print(&editor->arena, ", %s: %s", name, value));
    const char *at = span.after;
    size_t ends = 0;
    while (at < end && (ends = tw_line_break(at, end)) == 0)
        at++;
    const char *line_end = at < end ? at : "\n";
    return add_edit(editor, at, at,
                    tw_arena_print(&editor->arena, "%.*s%*s%s: %s", ends ? (int)ends : 1, line_end,
                                   (int)mapping->items->key->place.column - 1, "", name, value));
}

/* Whether the patch sets an item of the same list, which the file lacks, and which item. */
static bool is_of_list(const struct editor *editor, const struct tw_value_patch *patch,
                       const struct tw_patch_place *list, int32_t *item)
{
    struct tw_patch_place place;
    if (!tw_patch_find(editor->root, patch->path, &place) || place.scalar ||
        place.owner != list->owner || strcmp(place.name, list->name) != 0)
        return false;
    *item = place.item;
    return place.item >= 0;
}

/* Returns the last value that is set for item i of a list that the file lacks; NULL for none. */
static const char *value_of_item(const struct editor *editor, const struct tw_patch_place *list,
                                 int32_t i)
{
    int32_t item;
    for (int32_t p = editor->count - 1; p >= 0; p--)
        if (is_of_list(editor, &editor->patches[p], list, &item) && item == i)
            return editor->patches[p].value;
    return NULL;
}

/* Adds a whole list, with all items that are set, once. */
static bool insert_list(struct editor *editor, const struct tw_value_patch *patch,
                        const struct tw_patch_place *list)
{
    struct tw_bytes text = {0};
    int32_t item, count = 0;
    for (const struct tw_value_patch *before = editor->patches; before < patch; before++)
        if (is_of_list(editor, before, list, &item))
            return true;
    bool ok = patch->initial != NULL;
    for (const char *at = patch->initial; ok && *at; count++) {
        const size_t length = strcspn(at, " ");
        const char *value = value_of_item(editor, list, count);
        ok = tw_bytes_print(&text, NULL, "%s%.*s", count ? ", " : "[",
                            value ? (int)strlen(value) : (int)length, value ? value : at) == TW_OK;
        at += length + strspn(at + length, " ");
    }
    ok = ok && list->item < count && tw_bytes_print(&text, NULL, "]") == TW_OK &&
         insert(editor, list->owner, list->name, (const char *)text.at);
    free(text.at);
    return ok;
}

static bool set_value(struct editor *editor, struct tw_value_patch *patch)
{
    struct tw_patch_place place;
    if (!tw_patch_find(editor->root, patch->path, &place) || place.fixed)
        return false;
    if (place.scalar)
        return replace(editor, place.scalar, patch->value);
    if (!place.owner)
        return false;
    return place.item < 0 ? insert(editor, place.owner, place.name, patch->value)
                          : insert_list(editor, patch, &place);
}

/* ---- the text ---- */

static enum tw_status print_text(const struct editor *editor, const char *text, size_t length,
                                 struct tw_bytes *out, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    const char *at = text;
    for (int32_t i = 0; status == TW_OK && i < editor->edit_count; i++) {
        const struct edit *edit = &editor->edits[i];
        if (edit->begin < at)
            continue; /* a second value for the same place */
        status = tw_bytes_append(out, at, (size_t)(edit->begin - at), err);
        if (status == TW_OK)
            status = tw_bytes_append(out, edit->text, strlen(edit->text), err);
        at = edit->end;
    }
    return status == TW_OK ? tw_bytes_append(out, at, (size_t)(text + length - at), err) : status;
}

enum tw_status tw_recipe_patch(const char *text, size_t length, struct tw_value_patch *patches,
                               int32_t count, struct tw_bytes *out, struct tw_error *err)
{
    struct editor editor = {.patches = patches, .count = count};
    struct tw_fault_log log = {.sink = NULL};
    editor.root = tw_yaml_parse(&editor.arena, &log, "recipe", text, length);
    editor.edits = calloc((size_t)count + 1, sizeof *editor.edits);
    enum tw_status status = TW_OK;
    if (!editor.edits || editor.arena.failed)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    else if (!editor.root)
        status = tw_error_set(err, TW_RECIPE, "the recipe is not valid YAML");
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        patches[i].misfits = !set_value(&editor, &patches[i]);
    if (status == TW_OK && editor.arena.failed)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK)
        status = print_text(&editor, text, length, out, err);
    free(editor.edits);
    tw_arena_release(&editor.arena);
    return status;
}
