/* SPDX-License-Identifier: MIT */
/* Files whose change starts a new run: the recipe and all that it reads, or would read if it
 * existed. Their folders are watched, since editors save by renaming another file over the old one.
 * An event only causes the files to be compared, so saving other files in these folders starts
 * nothing. Files are also compared twice a second without an event: their folders may be missing or
 * replaced, or they may be missing themselves for more than a second. */
#ifndef TW_ENGINE_RUNNER_WATCH_H
#define TW_ENGINE_RUNNER_WATCH_H

#include <thalweg/status.h>

struct tw_watch;

enum tw_status tw_watch_create(struct tw_watch **watch, struct tw_error *err);
void tw_watch_release(struct tw_watch *watch);
/* Adds a file, or a pattern of tiles, in its current state, existing or not; a file that is already
 * watched is compared with its recorded state. TW_IO if its folder cannot be watched; the file is
 * added all the same.
 */
enum tw_status tw_watch_add(struct tw_watch *watch, const char *path, struct tw_error *err);
/* Only files added between these two calls stay watched. Without tw_watch_end(), as when a recipe
 * does not load, earlier files also stay. */
void tw_watch_begin(struct tw_watch *watch);
void tw_watch_end(struct tw_watch *watch);
/* Returns when a file has changed and its folder was quiet for a moment; *changed is its path until
 * the next call, which records the files' new states. *changed is NULL after tw_watch_wake().
 * TW_CANCELLED once *stop is not 0. */
enum tw_status tw_watch_wait(struct tw_watch *watch, const volatile int *stop,
                             const char **changed);
/* Ends the present or the next tw_watch_wait(). Any thread may call this. */
void tw_watch_wake(struct tw_watch *watch);
/* Watches on a separate thread during a run, and calls `notify` when a file has changed; until
 * tw_watch_leave() call no other function. If no thread can start, changes are noticed by the next
 * tw_watch_wait(). */
void tw_watch_follow(struct tw_watch *watch, const volatile int *stop, void (*notify)(void));
/* Ends tw_watch_follow(). Returns the path of the file that changed, valid until the next call;
 * NULL: none. */
const char *tw_watch_leave(struct tw_watch *watch);

#endif
