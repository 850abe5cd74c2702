/* SPDX-License-Identifier: MIT */
/* Symbolic links on the way to a file that may be anybody's. One that leads out of its folder would
 * have errors, maps and digests show files that whoever wrote it could not read; what an error
 * quotes must not come through any. */
#ifndef TW_ENGINE_BASE_OS_LINKS_H
#define TW_ENGINE_BASE_OS_LINKS_H

#include <thalweg/status.h>

#include <stdbool.h>

/* Whether `path` leads through a link below the working folder, or anywhere where it lies
 * elsewhere. */
bool tw_links_lead_to(const char *path);
/* TW_PATH when one of these links, with the folder that it lies in behind it, leads out of that
 * folder, or nowhere. */
enum tw_status tw_links_check(const char *path, struct tw_error *err);
/* `path` as it is written in a file of `folder` ("" and "." are the working folder): true, and put
 * together, when a link leads there. */
bool tw_links_lead_from(const char *folder, const char *path, char joined[4096]);
/* Replaces what an error says, and its hint, by words that quote nothing. */
void tw_links_hide(struct tw_error *error);

#endif
