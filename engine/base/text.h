/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_BASE_TEXT_H
#define TW_ENGINE_BASE_TEXT_H

/* Sanitises untrusted text for a terminal, a log and JSON: control characters, line ends among
 * them, and bytes that are no UTF-8 become '?'; a character that was cut off at the end goes. */
void tw_text_clean(char *text);

#endif
