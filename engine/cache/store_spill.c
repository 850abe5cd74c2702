/* SPDX-License-Identifier: MIT */
/* Moves values to disk while a run does not need them. Their files lose their names before they are
 * filled, so the disk frees the bytes when the run closes them or its process ends, however that
 * happens. */
#include "cache/store_private.h"
#include "value/memory.h"

#include "base/os/dir.h"
#include "base/os/file.h"

#include <errno.h>

/* Returns a descriptor for reading. */
static int write_nameless(struct tw_store *store, const struct tw_stamp *stamp,
                          const struct tw_value *value)
{
    char path[TW_STORE_PATH];
    unsigned char head[TW_BLOB_HEAD];
    int to = tw_store_open_temp(store, path, false);
    if (to < 0)
        return -1;
    int from = tw_dir_read_file(store->root, path), why = errno;
    (void)tw_dir_remove(store->root, path);
    if (from < 0) {
        (void)tw_file_close(to);
        errno = why;
        return -1;
    }
    tw_store_encode_head(head, stamp);
    if (tw_store_write(to, head, sizeof head, value))
        return from;
    why = errno;
    (void)tw_file_close(from);
    errno = why;
    return -1;
}

int tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                   const struct tw_value *value, uint64_t *written)
{
    const uint64_t bytes = tw_memory_bytes(value) + TW_BLOB_HEAD;
    uint64_t size = 0;
    *written = 0;
    int fd = tw_store_open_blob(store, stamp, &size);
    if (fd >= 0 && size == bytes)
        return fd;
    if (fd >= 0)
        (void)tw_file_close(fd);
    fd = write_nameless(store, stamp, value);
    *written = fd >= 0 ? bytes : 0;
    return fd;
}

bool tw_store_read_spilled(const struct tw_store *store, int file, const struct tw_stamp *stamp,
                           struct tw_value *value)
{
    size_t bytes;
    *value = (struct tw_value){0};
    bool ok = tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes) &&
              tw_file_rewind(file) &&
              tw_store_read_blob(store, file, stamp, bytes, value) == TW_HIT;
    if (!ok)
        *value = (struct tw_value){0};
    return ok;
}
