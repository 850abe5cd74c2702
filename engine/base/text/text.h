/* SPDX-License-Identifier: MIT */
/* Sanitises untrusted text, or escapes it for an output format, so that a name in a recipe cannot
 * act on a terminal, a spreadsheet, a page or a CI runner. */
#ifndef TW_ENGINE_BASE_TEXT_TEXT_H
#define TW_ENGINE_BASE_TEXT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Sanitises untrusted text for a terminal, a log and JSON. Replaces by '?': control characters
 * including line ends, characters that reverse or hide text, invalid UTF-8, and whatever would make
 * a line a command to a CI runner. Drops a character that is cut off at the end. */
void tw_text_clean(char *text);
/* Returns true if the text has none of the characters that tw_text_clean() replaces. Does not check
 * for commands of CI runners. */
bool tw_text_is_clean(const char *text);

/* Writes the text's first character as it appears in double quotes in YAML and JSON, escaped if it
 * has a meaning there or is unsafe. Returns how many bytes of the text it took; 0 if they are not
 * UTF-8. The text must not be empty. */
enum { TW_TEXT_QUOTED_BYTES = 8 };
int tw_text_quote(const char *text, char quoted[TW_TEXT_QUOTED_BYTES]);

/* Output formats; characters with a meaning in one are escaped. */
enum tw_text_form {
    TW_TEXT_TERMINAL,
    TW_TEXT_CSV,      /* a cell of RFC 4180; ' is prepended if a spreadsheet would compute it */
    TW_TEXT_HTML,     /* text or a quoted attribute */
    TW_TEXT_MARKDOWN, /* inside a table */
    TW_TEXT_DOT,      /* inside "..." */
    TW_TEXT_MERMAID,  /* inside "..." */
};

/* Sanitises and escapes the text, and writes it. */
void tw_text_write(FILE *out, const char *text, enum tw_text_form form);

#endif
