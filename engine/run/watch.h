/* SPDX-License-Identifier: MIT */
/* Files whose change starts a run anew: the recipe and all that it reads. Their folders are
 * watched, since editors save by renaming another file over the old one; an event only makes it
 * compare the files themselves, so saving other files in these folders starts nothing. */
#ifndef TW_ENGINE_RUN_WATCH_H
#define TW_ENGINE_RUN_WATCH_H

#include "graph/graph.h"

struct tw_watch;

enum tw_status tw_watch_create(struct tw_watch **watch, struct tw_error *err);
void tw_watch_release(struct tw_watch *watch);
/* Adds a file as it is now; one that is watched already is compared with what it was. */
enum tw_status tw_watch_add(struct tw_watch *watch, const char *path, struct tw_error *err);
/* Watches what the recipe reads and nothing else. */
enum tw_status tw_watch_follow(struct tw_watch *watch, const struct tw_recipe *recipe,
                               struct tw_error *err);
/* Returns when a file has changed and its folder was quiet for a moment; *changed is its path until
 * the next call, which takes the files as they are then. TW_CANCELLED once *stop is not 0. */
enum tw_status tw_watch_wait(struct tw_watch *watch, const volatile int *stop,
                             const char **changed);

#endif
