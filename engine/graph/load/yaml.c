/* SPDX-License-Identifier: MIT */
/* Builds a tree from libyaml's events. An explicit stack keeps depth off the C stack; an anchor is
 * defined only once it is complete, so a cycle cannot be built. */
#include "graph/load/yaml.h"

#include "base/text/number.h"
#include "base/text/text.h"
#include "graph/load/syntax.h"
#include "graph/names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

struct frame {
    struct tw_yaml *node;
    const struct tw_yaml *key;
    const char *anchor;
};

struct reader {
    struct tw_arena *arena;
    struct tw_fault_log *log;
    struct tw_place source; /* file and text; line and column unused */
    struct frame stack[TW_YAML_DEPTH_MAX];
    int depth;
    int32_t nodes;
    struct tw_names names; /* keys by mapping, anchors by reader; things are nodes */
    struct tw_yaml *root;
    int documents;
    struct tw_place quoted; /* the last quoted text of several lines; line 0: none */
    int32_t quoted_last_line;
};

static struct tw_place place_of(const struct reader *reader, yaml_mark_t mark)
{
    struct tw_place place = reader->source;
    place.line = (int32_t)mark.line + 1;
    place.column = (int32_t)mark.column + 1;
    return place;
}

static bool refuse(struct reader *reader, struct tw_place place, const char *message)
{
    tw_fault_log_add(reader->log, TW_RECIPE, place, NULL, "%s", message);
    return false;
}

static bool no_memory(struct reader *reader, struct tw_place place)
{
    tw_fault_log_add(reader->log, TW_MEMORY, place, NULL, "out of memory");
    return false;
}

/* Reports the first unsafe character of a name, at its place. */
static bool refuse_character(struct reader *reader, const struct tw_yaml *key)
{
    char quoted[TW_TEXT_QUOTED_BYTES];
    const char *at = key->text;
    for (int length; (length = tw_text_quote(at, quoted)) > 0; at += length)
        if (quoted[0] == '\\' && (quoted[1] == 'u' || quoted[1] == 't'))
            break;
    tw_fault_log_add(
        reader->log, TW_RECIPE, tw_yaml_place_within(key, (size_t)(at - key->text)), NULL,
        "a name has %s, a control character or one that turns the direction of writing", quoted);
    return false;
}

/* Checks a mapping's new key against its earlier ones. */
static bool check_key(struct reader *reader, const struct tw_yaml *mapping,
                      const struct tw_yaml *key)
{
    if (key->kind != TW_YAML_SCALAR)
        return refuse(reader, key->place,
                      "a key is not a plain name; expected one, as in size: 64");
    if (!tw_text_is_clean(key->text))
        return refuse_character(reader, key);
    if (!key->quoted && strcmp(key->text, "<<") == 0)
        return refuse(reader, key->place,
                      "'<<' merges nothing here; expected the entries themselves, or an alias as a "
                      "whole value, as in a: *land");
    struct tw_name *name = tw_names_entry(&reader->names, mapping, key->text);
    if (!name)
        return no_memory(reader, key->place);
    const struct tw_yaml *first = name->thing;
    if (!first)
        name->thing = key;
    else /* continue, to report the other faults */
        tw_fault_log_add(reader->log, TW_RECIPE, key->place, NULL,
                         "duplicate key '%s'; the first is in line %d", key->text,
                         (int)first->place.line);
    return true;
}

/* Recognises "type measure.score" in place of "type: measure.score", reports it, and reads it as
 * meant, so that what follows makes sense. */
static bool split_entry(struct reader *reader, struct tw_yaml_item *item)
{
    const struct tw_yaml *key = item->key, *value = item->value;
    const char *blank = key && !key->quoted ? strchr(key->text, ' ') : NULL;
    if (!blank || !tw_yaml_is_empty(value))
        return true;
    struct tw_yaml *name = tw_arena_alloc(reader->arena, 2, sizeof *name);
    char *word = tw_arena_copy(reader->arena, key->text, (size_t)(blank - key->text));
    if (!name || !word)
        return no_memory(reader, key->place);
    tw_fault_log_add(reader->log, TW_RECIPE, key->place,
                     tw_arena_print(reader->arena, "did you mean '%.40s: %.60s'?", word, blank + 1),
                     "'%.60s' has no ':'; expected 'name: value'", key->text);
    name[0] = name[1] = *key;
    name[0].text = word;
    name[1].text = blank + 1;
    item->key = &name[0];
    item->value = &name[1];
    return true;
}

/* Attaches a complete node to the open collection, or makes it the root. */
static bool place_node(struct reader *reader, const struct tw_yaml *node)
{
    if (reader->depth == 0)
        return true;
    struct frame *top = &reader->stack[reader->depth - 1];
    struct tw_yaml *parent = top->node;
    if (parent->kind == TW_YAML_MAPPING && !top->key) {
        top->key = node;
        return check_key(reader, parent, node);
    }
    struct tw_yaml_item *item = tw_arena_alloc(reader->arena, 1, sizeof *item);
    if (!item)
        return no_memory(reader, node->place);
    item->key = top->key;
    item->value = node;
    top->key = NULL;
    if (!split_entry(reader, item))
        return false;
    *(parent->last ? &parent->last->next : &parent->items) = item;
    parent->last = item;
    parent->count++;
    parent->weight += node->weight;
    parent->bytes += node->bytes + (item->key ? item->key->bytes : 0);
    if (parent->weight > TW_YAML_NODES_MAX)
        return refuse(reader, node->place, "aliases expand to too many nodes");
    if (parent->bytes > TW_YAML_TEXT_MAX)
        return refuse(reader, node->place, "aliases expand to more than 4194304 bytes of text");
    return true;
}

static bool remember(struct reader *reader, const char *anchor, const struct tw_yaml *node)
{
    struct tw_name *name = tw_names_entry(&reader->names, reader, anchor);
    if (!name)
        return no_memory(reader, node->place);
    name->thing = node;
    return true;
}

static struct tw_yaml *new_node(struct reader *reader, enum tw_yaml_kind kind, yaml_mark_t mark)
{
    struct tw_yaml *node = tw_arena_alloc(reader->arena, 1, sizeof *node);
    if (!node) {
        no_memory(reader, place_of(reader, mark));
        return NULL;
    }
    node->kind = kind;
    node->weight = 1;
    node->place = place_of(reader, mark);
    if (!reader->root)
        reader->root = node;
    if (++reader->nodes > TW_YAML_NODES_MAX) {
        refuse(reader, node->place, "the file has too many nodes");
        return NULL;
    }
    return node;
}

static bool copy_anchor(struct reader *reader, const yaml_char_t *anchor, const char **name,
                        struct tw_place place)
{
    *name = NULL;
    if (!anchor)
        return true;
    *name = tw_arena_copy(reader->arena, (const char *)anchor, strlen((const char *)anchor));
    return *name || no_memory(reader, place);
}

static bool open_collection(struct reader *reader, const yaml_event_t *event,
                            enum tw_yaml_kind kind, const yaml_char_t *anchor,
                            const yaml_char_t *tag)
{
    struct tw_place place = place_of(reader, event->start_mark);
    if (tag)
        return refuse(reader, place, "tags are not part of the recipe language");
    if (reader->depth == TW_YAML_DEPTH_MAX)
        return refuse(reader, place, "nested deeper than 64 levels");
    struct tw_yaml *node = new_node(reader, kind, event->start_mark);
    const char *name;
    if (!node || !copy_anchor(reader, anchor, &name, place))
        return false;
    reader->stack[reader->depth++] = (struct frame){node, NULL, name};
    return true;
}

/* FNV-1a from the mapping's address, so that an untrusted file cannot construct colliding keys. */
static size_t hash_key(const struct tw_yaml *mapping, const char *key)
{
    uint64_t hash = 0xCBF29CE484222325u ^ (uint64_t)(uintptr_t)mapping;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 0x100000001B3u;
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of a key: its item's, or the free one for it. */
static const struct tw_yaml_item **slot_of(const struct tw_yaml *mapping, const char *key)
{
    for (size_t at = hash_key(mapping, key);; at++) {
        const struct tw_yaml_item **slot = &mapping->slots[at & (mapping->slot_count - 1)];
        if (!*slot || strcmp((*slot)->key->text, key) == 0)
            return slot;
    }
}

enum { SMALL_MAPPING = 8 };

/* Large mappings are looked up once per user: without this a file takes quadratic time. */
static bool index_mapping(struct reader *reader, struct tw_yaml *mapping)
{
    if (mapping->kind != TW_YAML_MAPPING || mapping->count <= SMALL_MAPPING)
        return true;
    size_t count = 4 * SMALL_MAPPING;
    while (count < 2 * (size_t)mapping->count)
        count *= 2;
    mapping->slot_count = count;
    mapping->slots = tw_arena_alloc(reader->arena, count, sizeof *mapping->slots);
    if (!mapping->slots)
        return no_memory(reader, mapping->place);
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        const struct tw_yaml_item **slot = slot_of(mapping, item->key->text);
        *slot = *slot ? *slot : item; /* the first of equal keys, which are a fault */
    }
    return true;
}

static bool close_collection(struct reader *reader)
{
    assert(reader->depth > 0); /* libyaml closes what it opened */
    struct frame frame = reader->stack[--reader->depth];
    if (!index_mapping(reader, frame.node))
        return false;
    if (frame.anchor && !remember(reader, frame.anchor, frame.node))
        return false;
    return place_node(reader, frame.node);
}

static bool read_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct tw_place place = place_of(reader, event->start_mark);
    if (event->data.scalar.tag)
        return refuse(reader, place, "tags are not part of the recipe language");
    const char *value = (const char *)event->data.scalar.value;
    if (strlen(value) != event->data.scalar.length)
        return refuse(reader, place, "a NUL character in a text");
    struct tw_yaml *node = new_node(reader, TW_YAML_SCALAR, event->start_mark);
    const char *name;
    if (!node || !copy_anchor(reader, event->data.scalar.anchor, &name, place))
        return false;
    node->text = tw_arena_copy(reader->arena, value, event->data.scalar.length);
    if (!node->text)
        return no_memory(reader, place);
    node->bytes = event->data.scalar.length;
    const yaml_scalar_style_t style = event->data.scalar.style;
    node->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    if ((style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) &&
        event->end_mark.line > event->start_mark.line) {
        reader->quoted = place;
        reader->quoted_last_line = (int32_t)event->end_mark.line + 1;
    }
    if (name && !remember(reader, name, node))
        return false;
    return place_node(reader, node);
}

static bool read_alias(struct reader *reader, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    const struct tw_yaml *node = tw_names_find(&reader->names, reader, name);
    if (node)
        return place_node(reader, node);
    tw_fault_log_add(reader->log, TW_RECIPE, place_of(reader, event->start_mark), NULL,
                     "alias '*%s' names no complete anchor before it", name);
    return false;
}

static bool take(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++reader->documents > 1)
            return refuse(reader, place_of(reader, event->start_mark),
                          "a recipe file holds one document");
        return true;
    case YAML_MAPPING_START_EVENT:
        return open_collection(reader, event, TW_YAML_MAPPING, event->data.mapping_start.anchor,
                               event->data.mapping_start.tag);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(reader, event, TW_YAML_SEQUENCE, event->data.sequence_start.anchor,
                               event->data.sequence_start.tag);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_collection(reader);
    case YAML_SCALAR_EVENT:
        return read_scalar(reader, event);
    case YAML_ALIAS_EVENT:
        return read_alias(reader, event);
    default:
        return true;
    }
}

/* libyaml gives only the offset of an unreadable byte. */
static struct tw_place place_of_byte(const struct reader *reader, size_t offset)
{
    struct tw_place place = reader->source;
    const char *end = place.text + place.length;
    for (size_t i = 0, step; i < offset && i < place.length; i += step) {
        size_t ends = tw_line_break(place.text + i, end);
        step = ends ? ends : 1;
        place.line += ends > 0;
        place.column = ends ? 1 : place.column + 1;
    }
    return place;
}

static void syntax_fault(struct reader *reader, const yaml_parser_t *parser)
{
    struct tw_syntax_fault fault = {
        .problem = parser->problem ? parser->problem : "unreadable text",
        .context = parser->context,
        .noticed = parser->error == YAML_READER_ERROR
                       ? place_of_byte(reader, parser->problem_offset)
                       : place_of(reader, parser->problem_mark),
        .quoted = reader->quoted,
        .quoted_last_line = reader->quoted_last_line,
    };
    if (parser->context)
        fault.opened = place_of(reader, parser->context_mark);
    if (parser->error == YAML_MEMORY_ERROR)
        no_memory(reader, fault.noticed);
    else if (parser->error == YAML_READER_ERROR)
        tw_fault_log_add(reader->log, TW_RECIPE, fault.noticed, NULL,
                         "not valid YAML: %s; expected text in UTF-8", fault.problem);
    else
        tw_syntax_report(reader->log, reader->arena, &fault);
}

static bool read_events(struct reader *reader, yaml_parser_t *parser)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            syntax_fault(reader, parser);
            return false;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        bool ok = take(reader, &event);
        yaml_event_delete(&event);
        if (!ok)
            return false;
    }
    return true;
}

static const char byte_order_mark[] = "\xEF\xBB\xBF";
enum { MARK_BYTES = sizeof byte_order_mark - 1 };

/* Checks for marks. Some editors begin a file with a byte order mark; elsewhere it would be an
 * invisible part of a name. A file with a zero byte is no text and is reported otherwise. */
static bool check_marks(struct reader *reader)
{
    const char *at = reader->source.text, *end = at + reader->source.length;
    const char *zero = memchr(at, 0, reader->source.length);
    end = zero ? zero : end;
    for (; at < end && (at = memchr(at, byte_order_mark[0], (size_t)(end - at))); at++)
        if (end - at >= MARK_BYTES && memcmp(at, byte_order_mark, MARK_BYTES) == 0)
            return refuse(reader, place_of_byte(reader, (size_t)(at - reader->source.text)),
                          "a byte order mark; expected one at the start of the file only");
    return true;
}

const struct tw_yaml *tw_yaml_parse(struct tw_arena *arena, struct tw_fault_log *log,
                                    const char *file, const char *text, size_t length)
{
    struct reader reader = {
        .arena = arena, .log = log, .source = {file, text, length, 1, 1, log->hides, log->user}};
    yaml_parser_t parser;
    if (length > TW_YAML_BYTES_MAX) {
        tw_fault_log_add(log, TW_LIMIT, reader.source, NULL,
                         "the file has %zu bytes; expected at most %zu", length, TW_YAML_BYTES_MAX);
        return NULL;
    }
    if (length >= MARK_BYTES && memcmp(text, byte_order_mark, MARK_BYTES) == 0) {
        reader.source.text = text += MARK_BYTES;
        reader.source.length = length -= MARK_BYTES;
    }
    if (!check_marks(&reader))
        return NULL;
    if (!yaml_parser_initialize(&parser)) {
        no_memory(&reader, reader.source);
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool ok = read_events(&reader, &parser);
    yaml_parser_delete(&parser);
    tw_names_release(&reader.names);
    if (ok && !reader.root)
        refuse(&reader, reader.source, "the file is empty");
    return ok ? reader.root : NULL;
}

const struct tw_yaml *tw_yaml_find(const struct tw_yaml *mapping, const char *key)
{
    if (!mapping || mapping->kind != TW_YAML_MAPPING)
        return NULL;
    if (mapping->slots) {
        const struct tw_yaml_item *item = *slot_of(mapping, key);
        return item ? item->value : NULL;
    }
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next)
        if (strcmp(item->key->text, key) == 0)
            return item->value;
    return NULL;
}

bool tw_yaml_is_empty(const struct tw_yaml *node)
{
    return node->kind == TW_YAML_SCALAR && !node->quoted && !node->text[0];
}

/* Prints the scalars of a list as "[0, 1]"; false if it contains anything else, or too much. */
static bool print_list(const struct tw_yaml *list, char text[TW_FOUND_BYTES])
{
    size_t used = (size_t)snprintf(text, TW_FOUND_BYTES, "[");
    for (const struct tw_yaml_item *item = list->items; item; item = item->next) {
        if (item->value->kind != TW_YAML_SCALAR)
            return false;
        used += (size_t)snprintf(text + used, TW_FOUND_BYTES - used, "%s%s",
                                 item == list->items ? "" : ", ", item->value->text);
        if (used + 2 > TW_FOUND_BYTES)
            return false;
    }
    snprintf(text + used, TW_FOUND_BYTES - used, "]");
    return true;
}

const char *tw_yaml_found(const struct tw_yaml *node, char text[TW_FOUND_BYTES])
{
    double number;
    if (tw_yaml_is_empty(node))
        return "nothing";
    if (node->kind == TW_YAML_SCALAR)
        snprintf(text, TW_FOUND_BYTES, tw_number_parse(node->text, &number) ? "%.60s" : "'%.60s'",
                 node->text);
    else if (node->kind == TW_YAML_MAPPING || !print_list(node, text))
        return tw_yaml_kind_name(node);
    return text;
}

const char *tw_yaml_kind_name(const struct tw_yaml *node)
{
    static const char *const names[] = {"a single value", "a list", "a mapping"};
    return tw_yaml_is_empty(node) ? "nothing" : names[node->kind];
}
