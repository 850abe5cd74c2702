/* SPDX-License-Identifier: MIT */
/* Invariant: the state of a file is recorded before a run reads it, so that a change during the run
 * starts the next one. */
#include "runner/watch.h"

#include "format/mosaic.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    QUIET_MS = 20,   /* compare files after so long without events: a save is several events */
    EVENTS_MS = 200, /* while events keep coming, compare after so long */
    TICK_MS = 50,    /* interval of polling for a stop */
    POLL_MS = 500,   /* interval of comparing files without an event */
};
#define AWAY_NS 1000000000u /* an editor replaces a file in less time */

struct stamp {
    uint64_t device, inode, size;
    uv_timespec_t modified;
    uv_timespec_t
        changed; /* also changes by cp -p over it, and by chmod, which may make it readable */
};

struct file {
    char *path;
    struct stamp stamp;  /* all 0: missing */
    uint64_t away_since; /* ns; 0: it exists, or never did */
    bool followed;       /* added since tw_watch_begin() */
    struct file *next;
};

struct folder {
    uv_fs_event_t handle;
    char *path;
    struct folder *next;
};

struct tw_watch {
    uv_loop_t loop;
    uv_timer_t quiet, tick, poll;
    uint64_t events_since; /* ms: the first event since the quiet timer last fired */
    struct file *files;
    struct folder *folders;
    const volatile int *stop;
    struct file *changed;

    uv_thread_t thread; /* watches during a run */
    bool follows;
    uv_async_t leave; /* wakes the thread */
    volatile int left;
    volatile int woken;
    void (*notify)(void);
};

/* A signal handler or another thread sets *stop. */
static bool is_stopped(const volatile int *stop)
{
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

/* Only tw_watch_wait() is woken. */
static bool is_over(const struct tw_watch *watch)
{
    return is_stopped(watch->stop) || is_stopped(&watch->left) ||
           (!watch->follows && is_stopped(&watch->woken));
}

static struct stamp stamp_of(const char *path)
{
    struct stamp stamp;
    uv_fs_t request;
    memset(&stamp, 0, sizeof stamp);
    if (uv_fs_stat(NULL, &request, path, NULL) == 0) {
        stamp.device = request.statbuf.st_dev;
        stamp.inode = request.statbuf.st_ino;
        stamp.size = request.statbuf.st_size;
        stamp.modified = request.statbuf.st_mtim;
        stamp.changed = request.statbuf.st_ctim;
    } else if (tw_mosaic_is(path)) { /* of a pattern the names, and each file by itself */
        stamp.size = tw_mosaic_names(path);
        stamp.inode = stamp.size > 0;
    }
    uv_fs_req_cleanup(&request);
    return stamp;
}

static bool is_other_time(uv_timespec_t a, uv_timespec_t b)
{
    return a.tv_sec != b.tv_sec || a.tv_nsec != b.tv_nsec;
}

static bool differs(const struct stamp *a, const struct stamp *b)
{
    return a->device != b->device || a->inode != b->inode || a->size != b->size ||
           is_other_time(a->modified, b->modified) || is_other_time(a->changed, b->changed);
}

/* A file that is missing while an editor replaces it has not changed yet. */
static bool is_gone(struct file *file, bool there)
{
    uint64_t now = uv_hrtime();
    bool away = !there && file->stamp.inode != 0;
    file->away_since = !away ? 0 : file->away_since ? file->away_since : now;
    return away && now - file->away_since >= AWAY_NS;
}

static struct file *find_changed(const struct tw_watch *watch)
{
    for (struct file *file = watch->files; file; file = file->next) {
        struct stamp now = stamp_of(file->path);
        bool there = now.inode != 0;
        if (is_gone(file, there) || (there && differs(&now, &file->stamp)))
            return file;
    }
    return NULL;
}

static void on_quiet(uv_timer_t *timer)
{
    struct tw_watch *watch = timer->data;
    watch->changed = find_changed(watch);
    if (watch->changed)
        uv_stop(&watch->loop);
}

static void on_tick(uv_timer_t *timer)
{
    struct tw_watch *watch = timer->data;
    if (is_over(watch))
        uv_stop(&watch->loop);
}

static void on_leave(uv_async_t *leave)
{
    struct tw_watch *watch = leave->data;
    uv_stop(&watch->loop);
}

static void await_quiet(struct tw_watch *watch)
{
    uint64_t now = uv_now(&watch->loop);
    if (!uv_is_active((uv_handle_t *)&watch->quiet))
        watch->events_since = now;
    if (now - watch->events_since < EVENTS_MS)
        uv_timer_start(&watch->quiet, on_quiet, QUIET_MS, 0);
}

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    (void)name;
    (void)events;
    (void)status;
    await_quiet(handle->data);
}

/* A folder that was deleted and created again, as by a checkout, sends no more events. */
static void on_poll(uv_timer_t *timer)
{
    if (find_changed(timer->data))
        await_quiet(timer->data);
}

enum tw_status tw_watch_create(struct tw_watch **watch, struct tw_error *err)
{
    struct tw_watch *created = calloc(1, sizeof *created);
    if (!created || uv_loop_init(&created->loop) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    (void)uv_async_init(&created->loop, &created->leave,
                        on_leave); /* cannot fail: the loop has its resources */
    (void)uv_timer_init(&created->loop, &created->quiet);
    (void)uv_timer_init(&created->loop, &created->tick);
    (void)uv_timer_init(&created->loop, &created->poll);
    created->quiet.data = created->tick.data = created->poll.data = created->leave.data = created;
    *watch = created;
    return TW_OK;
}

static void free_folder(uv_handle_t *handle)
{
    struct folder *folder = (struct folder *)handle;
    free(folder->path);
    free(folder);
}

static void free_file(struct file *file)
{
    free(file->path);
    free(file);
}

void tw_watch_release(struct tw_watch *watch)
{
    if (!watch)
        return;
    for (struct folder *folder = watch->folders, *next; folder; folder = next) {
        next = folder->next;
        uv_close((uv_handle_t *)&folder->handle, free_folder);
    }
    uv_close((uv_handle_t *)&watch->quiet, NULL);
    uv_close((uv_handle_t *)&watch->tick, NULL);
    uv_close((uv_handle_t *)&watch->poll, NULL);
    uv_close((uv_handle_t *)&watch->leave, NULL);
    (void)uv_run(&watch->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&watch->loop);
    for (struct file *file = watch->files, *next; file; file = next) {
        next = file->next;
        free_file(file);
    }
    free(watch);
}

static enum tw_status add_folder(struct tw_watch *watch, const char *file, struct tw_error *err)
{
    const char *slash = strrchr(file, '/');
    size_t length = slash == file ? 1 : slash ? (size_t)(slash - file) : 0;
    char *path = length > 0 ? strndup(file, length) : strdup(".");
    for (struct folder *folder = watch->folders; path && folder; folder = folder->next)
        if (strcmp(folder->path, path) == 0) {
            free(path);
            return TW_OK;
        }
    struct folder *folder = path ? calloc(1, sizeof *folder) : NULL;
    if (!folder) {
        free(path);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    (void)uv_fs_event_init(&watch->loop, &folder->handle);
    folder->handle.data = watch;
    folder->path = path;
    folder->next = watch->folders;
    watch->folders = folder;
    int code = uv_fs_event_start(&folder->handle, on_event, path, 0);
    return code == 0 ? TW_OK
                     : tw_error_set(err, TW_IO, "cannot watch the folder %s: %s", path,
                                    uv_strerror(code));
}

enum tw_status tw_watch_add(struct tw_watch *watch, const char *path, struct tw_error *err)
{
    for (struct file *file = watch->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) {
            file->followed = true;
            return TW_OK;
        }
    struct file *file = calloc(1, sizeof *file);
    char *kept = strdup(path);
    if (!file || !kept) {
        free(file);
        free(kept);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    *file = (struct file){
        .path = kept, .stamp = stamp_of(path), .followed = true, .next = watch->files};
    watch->files = file;
    return add_folder(watch, path, err);
}

void tw_watch_begin(struct tw_watch *watch)
{
    for (struct file *file = watch->files; file; file = file->next)
        file->followed = false;
}

void tw_watch_end(struct tw_watch *watch)
{
    for (struct file **at = &watch->files; *at;) {
        struct file *file = *at;
        if (file->followed) {
            at = &file->next;
            continue;
        }
        *at = file->next;
        free_file(file);
    }
}

/* Returns once a file has changed, which `changed` then names, or *stop is set. */
static void wait_for_change(struct tw_watch *watch)
{
    watch->changed = NULL;
    uv_timer_start(&watch->tick, on_tick, TICK_MS, TICK_MS);
    uv_timer_start(&watch->poll, on_poll, POLL_MS, POLL_MS);
    uv_timer_start(&watch->quiet, on_quiet, 0, 0); /* for changes before this call */
    while (!watch->changed && !is_over(watch))
        (void)uv_run(&watch->loop, UV_RUN_DEFAULT);
    uv_timer_stop(&watch->tick);
    uv_timer_stop(&watch->poll);
    uv_timer_stop(&watch->quiet);
    for (struct file *file = watch->changed ? watch->files : NULL; file; file = file->next) {
        struct stamp now = stamp_of(file->path);
        if (now.inode != 0 || is_gone(file, false))
            file->stamp = now;
    }
}

enum tw_status tw_watch_wait(struct tw_watch *watch, const volatile int *stop, const char **changed)
{
    watch->stop = stop;
    wait_for_change(watch);
    const bool woken = __atomic_exchange_n(&watch->woken, 0, __ATOMIC_RELAXED);
    *changed = watch->changed ? watch->changed->path : NULL;
    return watch->changed || (woken && !is_stopped(stop)) ? TW_OK : TW_CANCELLED;
}

void tw_watch_wake(struct tw_watch *watch)
{
    __atomic_store_n(&watch->woken, 1, __ATOMIC_RELAXED);
    (void)uv_async_send(&watch->leave);
}

static void follow(void *context)
{
    struct tw_watch *watch = context;
    wait_for_change(watch);
    if (watch->changed)
        watch->notify();
}

void tw_watch_follow(struct tw_watch *watch, const volatile int *stop, void (*notify)(void))
{
    watch->stop = stop;
    watch->notify = notify;
    watch->left = 0;
    watch->changed = NULL;
    watch->follows = true; /* before the thread reads it */
    if (uv_thread_create(&watch->thread, follow, watch) != 0)
        watch->follows = false;
}

const char *tw_watch_leave(struct tw_watch *watch)
{
    if (!watch->follows)
        return NULL;
    __atomic_store_n(&watch->left, 1, __ATOMIC_RELAXED);
    (void)uv_async_send(&watch->leave);
    (void)uv_thread_join(&watch->thread);
    watch->follows = false;
    watch->left = 0;
    return watch->changed ? watch->changed->path : NULL;
}
