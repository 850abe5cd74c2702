/* SPDX-License-Identifier: MIT */
/* The JSON documents that commands print, described as rows. The JSON Schema, the tables of
 * docs/json.md and the test that validates every command's output are generated from them. A
 * command that prints a new field needs a row here. */
#ifndef TW_ENGINE_CONSOLE_DOCUMENTS_H
#define TW_ENGINE_CONSOLE_DOCUMENTS_H

#include <jansson.h>
#include <stdio.h>

/* `type` is one of text, integer, number, boolean, size ([width, height]), pair ([low, high]) and
 * object (any members); words separated by '|', one of which the value must be; or another part's
 * name. "[x]" is a list of x, "{x}" an object whose members, of any name, are x, "x?" an x or null.
 * A field whose name ends with '?' may be missing. After errors (exit codes beyond 1) a document
 * may contain the frame only. */
struct tw_document_field {
    const char *name, *type, *help;
};
/* An object: a whole document, whose name is its format, or a part that other rows refer to. */
struct tw_document_part {
    const char *name, *help;
    const struct tw_document_field *fields; /* last row: a NULL name */
};

/* In the order of the tables; the last one has a NULL name. */
extern const struct tw_document_part tw_document_parts[];
/* The fields that every document has. */
extern const struct tw_document_field tw_document_frame[];

/* Builds the JSON Schema (draft-07) of all documents; NULL without memory. */
json_t *tw_documents_schema(void);
/* Prints the tables in Markdown. */
void tw_documents_markdown(FILE *out);

#endif
