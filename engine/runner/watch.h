/* SPDX-License-Identifier: MIT */
/* Files whose change starts a new run: the recipe and all that it reads, or would read if it were
 * there. Their folders are watched, since editors save by renaming another file over the old one.
 * An event only causes the files themselves to be compared, so saving other files in these folders
 * starts nothing. Twice a second they are compared without an event, for folders that do not exist
 * or were replaced, and for files that have been away for a second. */
#ifndef TW_ENGINE_RUNNER_WATCH_H
#define TW_ENGINE_RUNNER_WATCH_H

#include <thalweg/status.h>

struct tw_watch;

enum tw_status tw_watch_create(struct tw_watch **watch, struct tw_error *err);
void tw_watch_release(struct tw_watch *watch);
/* Adds a file as it is now, or as one that is not there yet; one that is watched already is
 * compared with what it was. TW_IO where its folder cannot be watched; the file is added. */
enum tw_status tw_watch_add(struct tw_watch *watch, const char *path, struct tw_error *err);
/* Only files added between these two calls stay watched. Without tw_watch_end(), as when a recipe
 * does not load, the earlier ones stay, too. */
void tw_watch_begin(struct tw_watch *watch);
void tw_watch_end(struct tw_watch *watch);
/* Returns when a file has changed and its folder was quiet for a moment; *changed is its path until
 * the next call, which takes the files as they are then. TW_CANCELLED once *stop is not 0. */
enum tw_status tw_watch_wait(struct tw_watch *watch, const volatile int *stop,
                             const char **changed);
/* The same on a thread of its own, beside a run, which calls `notify` when a file has changed;
 * until tw_watch_leave() no other function may be called. Where no thread can be had nothing is
 * noticed before the next tw_watch_wait(). */
void tw_watch_follow(struct tw_watch *watch, const volatile int *stop, void (*notify)(void));
/* Ends that. The path of the file that changed, until the next call; NULL: none. */
const char *tw_watch_leave(struct tw_watch *watch);

#endif
