/* SPDX-License-Identifier: MIT */
/* The file holds the numbers in little-endian order and their XXH3-64: a file torn by a killed
 * process or a power cut counts from zero again. */
#define _DEFAULT_SOURCE /* flock */
#include "base/memory/tally.h"

#include "base/memory/byte_order.h"
#include "base/memory/digest.h"
#include "base/os/posix.h"

#include <assert.h>
#include <string.h>

enum { NUMBER = 8, BYTES_MAX = NUMBER * (TW_TALLY_MAX + 1) };

static bool read_numbers(int file, uint64_t *numbers, int count)
{
    unsigned char bytes[BYTES_MAX];
    const size_t size = NUMBER * (size_t)count;
    memset(numbers, 0, size);
    if (pread(file, bytes, size + NUMBER, 0) != (ssize_t)(size + NUMBER) ||
        tw_get_u64(bytes + size) != tw_hash64(bytes, size, 0))
        return false;
    for (int i = 0; i < count; i++)
        numbers[i] = tw_get_u64(bytes + NUMBER * i);
    return true;
}

static bool write_numbers(int file, const uint64_t *numbers, int count)
{
    unsigned char bytes[BYTES_MAX];
    const size_t size = NUMBER * (size_t)count;
    for (int i = 0; i < count; i++)
        tw_put_u64(bytes + NUMBER * i, numbers[i]);
    tw_put_u64(bytes + size, tw_hash64(bytes, size, 0));
    return pwrite(file, bytes, size + NUMBER, 0) == (ssize_t)(size + NUMBER);
}

bool tw_tally_read(int folder, const char *name, uint64_t *numbers, int count)
{
    assert(count <= TW_TALLY_MAX);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    memset(numbers, 0, NUMBER * (size_t)count);
    bool ok = file >= 0 && read_numbers(file, numbers, count);
    if (file >= 0)
        (void)close(file);
    return ok;
}

/* Opens the file and locks it until it is closed; -1 if another process holds the lock or it is not
 * a regular file. */
static int open_locked(int folder, const char *name)
{
    struct stat info;
    int file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0)
        return -1;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    (void)close(file);
    return -1;
}

bool tw_tally_add(int folder, const char *name, const uint64_t *numbers, int count)
{
    uint64_t sums[TW_TALLY_MAX];
    assert(count <= TW_TALLY_MAX);
    int file = open_locked(folder, name);
    if (file < 0)
        return false;
    (void)read_numbers(file, sums, count);
    for (int i = 0; i < count; i++)
        sums[i] += numbers[i];
    bool ok = write_numbers(file, sums, count);
    (void)close(file);
    return ok;
}

bool tw_tally_set(int folder, const char *name, const uint64_t *numbers, int count)
{
    assert(count <= TW_TALLY_MAX);
    int file = open_locked(folder, name);
    bool ok = file >= 0 && write_numbers(file, numbers, count);
    if (file >= 0)
        (void)close(file);
    return ok;
}
