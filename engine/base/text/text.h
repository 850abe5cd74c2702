/* SPDX-License-Identifier: MIT */
/* Untrusted text: cleaned, or escaped for what it is written into, so that a name in a recipe
 * cannot act on a terminal, a spreadsheet, a page or a CI runner. */
#ifndef TW_ENGINE_BASE_TEXT_TEXT_H
#define TW_ENGINE_BASE_TEXT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Sanitises untrusted text for a terminal, a log and JSON: control characters, line ends among
 * them, characters that reverse or hide what follows, bytes that are not UTF-8, and what makes a
 * line a command to a CI runner that reads it become '?'; a character that was cut off at the end
 * goes. */
void tw_text_clean(char *text);
/* True when every character may stand anywhere: none is a control character, or another of that
 * list. Commands of CI runners are not looked for. */
bool tw_text_is_clean(const char *text);

/* The text's first character as it stands in the double quotes of YAML and JSON: escaped when it
 * has a meaning there, or may not stand anywhere. Returns how many bytes of the text that was; 0
 * when they are not UTF-8. The text must not be empty. */
enum { TW_TEXT_QUOTED_BYTES = 8 };
int tw_text_quote(const char *text, char quoted[TW_TEXT_QUOTED_BYTES]);

/* What untrusted text is written into: the characters that mean something there are escaped. */
enum tw_text_form {
    TW_TEXT_TERMINAL,
    TW_TEXT_CSV,  /* a cell as in RFC 4180; one that a spreadsheet would compute begins with ' */
    TW_TEXT_HTML, /* text or a quoted attribute */
    TW_TEXT_MARKDOWN, /* inside a table */
    TW_TEXT_DOT,      /* inside "..." */
    TW_TEXT_MERMAID,  /* inside "..." */
};

/* Writes the text, sanitised as above. */
void tw_text_write(FILE *out, const char *text, enum tw_text_form form);

#endif
