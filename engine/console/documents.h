/* SPDX-License-Identifier: MIT */
/* The JSON documents that commands print, as rows: their JSON Schema, the tables of docs/json.md
 * and the test that holds every command's output against them are made from these. A command that
 * prints a new field gets a row here. */
#ifndef TW_ENGINE_CONSOLE_DOCUMENTS_H
#define TW_ENGINE_CONSOLE_DOCUMENTS_H

#include <jansson.h>
#include <stdio.h>

/* `type` is one of text, integer, number, boolean, size ([width, height]), pair ([low, high]) and
 * object (any members), words separated by '|' for one of these, or another part's name. "[x]" is a
 * list of x, "{x}" an object whose members are x, whatever their names, "x?" an x or null. A name
 * that ends with '?' may be missing; after errors, exit codes beyond 1, a document may have no more
 * than the frame. */
struct tw_document_field {
    const char *name, *type, *help;
};
/* An object: a whole document, whose name is its format, or a part of others. */
struct tw_document_part {
    const char *name, *help;
    const struct tw_document_field *fields; /* ends with a NULL name */
};

/* In the order of the tables; ends with a NULL name. */
extern const struct tw_document_part tw_document_parts[];
/* What every document has. */
extern const struct tw_document_field tw_document_frame[];

/* The JSON Schema, draft-07, of all documents; NULL without memory. */
json_t *tw_documents_schema(void);
/* The tables in Markdown. */
void tw_documents_markdown(FILE *out);

#endif
