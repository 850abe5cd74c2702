/* SPDX-License-Identifier: MIT */
/* Symbolic links on the way to an untrusted file. A link out of its folder could make errors, maps
 * and digests reveal files that the author of the link cannot read, so an error must quote nothing
 * that was reached through a link. */
#ifndef TW_ENGINE_BASE_OS_LINKS_H
#define TW_ENGINE_BASE_OS_LINKS_H

#include <thalweg/status.h>

#include <stdbool.h>

/* Returns whether `path` leads through a link: below the working folder if it lies there, else
 * anywhere. */
bool tw_links_lead_to(const char *path);
/* TW_PATH if such a link leads out of the folder that holds it, or its target does not exist. */
enum tw_status tw_links_check(const char *path, struct tw_error *err);
/* Joins `path`, as written in a file of `folder` ("" and "." are the working folder), into `joined`
 * and returns true if it leads through a link. */
bool tw_links_lead_from(const char *folder, const char *path, char joined[4096]);
/* Replaces an error's message and hint by words that quote nothing. */
void tw_links_hide(struct tw_error *error);

#endif
