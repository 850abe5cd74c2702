/* SPDX-License-Identifier: MIT */
/* Objects accept unknown members: a new field does not make a new version of a document. */
#include "console/documents.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static json_t *reference(const char *name, size_t length)
{
    char path[100];
    snprintf(path, sizeof path, "#/definitions/%.*s", (int)length, name);
    return json_pack("{s:s}", "$ref", path);
}

static json_t *plain(const char *text, size_t length)
{
    static const char *const names[][2] = {{"text", "string"},   {"integer", "integer"},
                                           {"number", "number"}, {"boolean", "boolean"},
                                           {"object", "object"}, {"array", "array"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i][0]) == length && strncmp(names[i][0], text, length) == 0)
            return json_pack("{s:s}", "type", names[i][1]);
    return reference(text, length);
}

static json_t *words(const char *text, size_t length)
{
    json_t *list = json_array();
    for (const char *end = text + length; text < end;) {
        size_t word = strcspn(text, "|?");
        if (word > (size_t)(end - text))
            word = (size_t)(end - text);
        json_array_append_new(list, json_stringn(text, word));
        text += word + 1;
    }
    return json_pack("{s:o}", "enum", list);
}

/* Parses the type grammar of documents.h. */
static json_t *type_schema(const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '?')
        return json_pack("{s:[o, {s:s}]}", "anyOf", type_schema(text, length - 1), "type", "null");
    if (text[0] == '[')
        return json_pack("{s:s, s:o}", "type", "array", "items", type_schema(text + 1, length - 2));
    if (text[0] == '{')
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         type_schema(text + 1, length - 2));
    return memchr(text, '|', length) ? words(text, length) : plain(text, length);
}

static void add_fields(const struct tw_document_field *fields, json_t *properties, json_t *required)
{
    for (; fields->name; fields++) {
        size_t length = strlen(fields->name);
        bool optional = fields->name[length - 1] == '?';
        json_t *schema = type_schema(fields->type, strlen(fields->type));
        if (fields->help[0])
            json_object_set_new(schema, "description", json_string(fields->help));
        const size_t own = tw_document_name_length(fields);
        json_object_setn_new(properties, fields->name, own, schema);
        if (!optional)
            json_array_append_new(required, json_stringn(fields->name, own));
    }
}

static bool is_document(const struct tw_document_part *part)
{
    return strncmp(part->name, "thalweg.", 8) == 0;
}

static json_t *object_schema(json_t *properties, json_t *required)
{
    return json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required",
                     required);
}

static json_t *part_schema(const struct tw_document_part *part)
{
    json_t *properties = json_object(), *required = json_array();
    add_fields(part->fields, properties, required);
    return object_schema(properties, required);
}

/* Requires the document's own fields only if the exit code is 0 or 1. */
static json_t *document_schema(const struct tw_document_part *part)
{
    json_t *properties = json_object(), *frame = json_array(), *own = json_array();
    add_fields(tw_frame_fields, properties, frame);
    add_fields(part->fields, properties, own);
    json_object_set_new(properties, "format", json_pack("{s:s}", "const", part->name));
    json_t *schema = object_schema(properties, frame);
    if (json_array_size(own) == 0) {
        json_decref(own);
        return schema;
    }
    json_object_set_new(schema, "if",
                        json_pack("{s:{s:{s:[i, i]}}}", "properties", "exit_code", "enum", 0, 1));
    json_object_set_new(schema, "then", json_pack("{s:o}", "required", own));
    return schema;
}

static json_t *numbers(const char *type)
{
    return json_pack("{s:s, s:{s:s}, s:i, s:i}", "type", "array", "items", "type", type, "minItems",
                     2, "maxItems", 2);
}

/* Removes the slash from "thalweg.run/2", which a JSON reference would read as a path separator. */
static const char *definition_name(const struct tw_document_part *part, char name[64])
{
    snprintf(name, 64, "%s", part->name);
    for (char *at = name; *at; at++)
        if (*at == '/')
            *at = '.';
    return name;
}

json_t *tw_documents_schema(void)
{
    json_t *definitions = json_object(), *documents = json_array();
    char name[64];
    json_object_set_new(definitions, "size", numbers("integer"));
    json_object_set_new(definitions, "pair", numbers("number"));
    for (const struct tw_document_part *part = tw_document_parts; part->name; part++) {
        definition_name(part, name);
        json_object_set_new(definitions, name,
                            is_document(part) ? document_schema(part) : part_schema(part));
        if (is_document(part))
            json_array_append_new(documents, reference(name, strlen(name)));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "$schema", "http://json-schema.org/draft-07/schema#",
                     "title", "what the commands of thalweg print with --json", "oneOf", documents,
                     "definitions", definitions);
}

/* ---- Markdown ---- */

static void put_field(FILE *out, const struct tw_document_field *field)
{
    size_t length = strlen(field->name);
    bool optional = field->name[length - 1] == '?';
    fprintf(out, "| `%.*s`%s | ", (int)tw_document_name_length(field), field->name,
            optional ? " *" : "");
    for (const char *at = field->type; *at; at++) {
        if (*at == '|')
            fputs(", ", out);
        else if (*at == '?')
            fputs(" or null", out);
        else
            fputc(*at, out);
    }
    fprintf(out, " | %s |\n", field->help);
}

static void put_fields(FILE *out, const char *title, const char *help,
                       const struct tw_document_field *fields)
{
    fprintf(out, "\n### %s\n\n", title);
    if (help[0])
        fprintf(out, "%s\n\n", help);
    if (!fields->name)
        return;
    fputs("| field | type | |\n|---|---|---|\n", out);
    for (; fields->name; fields++)
        put_field(out, fields);
}

/* Returns true if an earlier document has these fields: the table then only names that document. */
static bool is_repeated(const struct tw_document_part *part)
{
    for (const struct tw_document_part *before = tw_document_parts; before < part; before++)
        if (before->fields == part->fields)
            return true;
    return false;
}

void tw_documents_markdown(FILE *out)
{
    static const struct tw_document_field none[] = {{.name = NULL}};
    put_fields(out, "every document", "", tw_frame_fields);
    for (const struct tw_document_part *part = tw_document_parts; part->name; part++)
        put_fields(out, part->name, part->help, is_repeated(part) ? none : part->fields);
}
