/* SPDX-License-Identifier: MIT */
/* The names of base/os/posix.h on Windows: what Microsoft's C library has not, or does otherwise,
 * by libuv where it has the call, else by Win32. Names are UTF-8 with '/' or '\\'; failures set
 * errno. */
#ifndef TW_ENGINE_BASE_WINDOWS_POSIX_H
#define TW_ENGINE_BASE_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#undef PATH_MAX
#define PATH_MAX 4096

/* ---- facts of files: posix_stat.c ---- */

struct tw_posix_stat {
    uint64_t st_dev, st_ino, st_nlink;
    uint32_t st_mode;
    int64_t st_size;
    struct timespec st_mtim; /* whole seconds and nanoseconds */
};
#undef stat
#undef fstat
#define stat tw_posix_stat
#define lstat(...) tw_posix_lstat(__VA_ARGS__)
#define fstat(...) tw_posix_fstat(__VA_ARGS__)
#define fstatat(...) tw_posix_fstatat(__VA_ARGS__)
#define TW_POSIX_MTIM(info) ((info)->st_mtim)
#ifndef S_ISLNK
#define S_IFLNK 0xA000
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#endif
/* Bits that say nothing here: nobody but the owner has any. */
#undef S_IRWXG
#undef S_IRWXO
#define S_IRWXG 070
#define S_IRWXO 07
int stat(const char *path, struct stat *info);
int lstat(const char *path, struct stat *info);
int fstat(int descriptor, struct stat *info);
int fstatat(int folder, const char *path, struct stat *info, int flags);
#define access(...) tw_posix_access(__VA_ARGS__)
#define faccessat(...) tw_posix_faccessat(__VA_ARGS__)
int access(const char *path, int mode);
int faccessat(int folder, const char *path, int mode, int flags);
#undef W_OK
#undef X_OK
#define W_OK 2
#define X_OK 1 /* every folder may be entered */

/* ---- descriptors, of files and of folders: posix_open.c ---- */

#define O_CLOEXEC 0 /* as all are */
#define O_NONBLOCK 0
#define O_NOFOLLOW 0x4000000
#define O_DIRECTORY 0x8000000
#define open(...) tw_posix_open(__VA_ARGS__)
#define openat(...) tw_posix_openat(__VA_ARGS__)
int open(const char *path, int flags, ...);
int openat(int folder, const char *path, int flags, ...);
#define read(...) tw_posix_read(__VA_ARGS__)
#define write(...) tw_posix_write(__VA_ARGS__)
#define pread(...) tw_posix_pread(__VA_ARGS__)
#define pwrite(...) tw_posix_pwrite(__VA_ARGS__)
ssize_t read(int descriptor, void *to, size_t length);
ssize_t write(int descriptor, const void *from, size_t length);
ssize_t pread(int descriptor, void *to, size_t length, int64_t offset);
ssize_t pwrite(int descriptor, const void *from, size_t length, int64_t offset);
#undef ftruncate
#define ftruncate(...) tw_posix_ftruncate(__VA_ARGS__)
#define fsync(...) tw_posix_fsync(__VA_ARGS__)
#define futimens(...) tw_posix_futimens(__VA_ARGS__)
#define fchmod(descriptor, mode) ((void)(descriptor), (void)(mode), 0)
int ftruncate(int descriptor, int64_t length);
int fsync(int descriptor);
/* Sets the times to now; `times` is NULL. */
int futimens(int descriptor, const struct timespec *times);
#define mode_t unsigned

#define LOCK_EX 2
#define LOCK_NB 4
#define flock(...) tw_posix_flock(__VA_ARGS__)
/* Locks a file for this process without waiting, until its descriptor is closed. */
int flock(int descriptor, int operation);

/* ---- names: posix_name.c ---- */

#define AT_SYMLINK_NOFOLLOW 1
#define mkdir(...) tw_posix_mkdir(__VA_ARGS__)
#define mkdirat(...) tw_posix_mkdirat(__VA_ARGS__)
#define rename(...) tw_posix_rename(__VA_ARGS__)
#define renameat(...) tw_posix_renameat(__VA_ARGS__)
#define linkat(...) tw_posix_linkat(__VA_ARGS__)
#define unlink(...) tw_posix_unlink(__VA_ARGS__)
#define unlinkat(...) tw_posix_unlinkat(__VA_ARGS__)
#define realpath(...) tw_posix_realpath(__VA_ARGS__)
#define getcwd(...) tw_posix_getcwd(__VA_ARGS__)
int mkdir(const char *path, unsigned mode);
int mkdirat(int folder, const char *path, unsigned mode);
/* Replaces a file, and tries for some time while another program, such as a virus scanner, has one
 * of them open. */
int rename(const char *from, const char *to);
int renameat(int from_folder, const char *from, int to_folder, const char *to);
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int unlink(const char *path);
int unlinkat(int folder, const char *path, int flags);
/* With '/' and without one at the end: a drive's root is "C:", as the names above take it, too. */
char *realpath(const char *path, char *real);
char *getcwd(char *folder, size_t size);

struct statvfs {
    uint64_t f_bavail, f_frsize;
};
int statvfs(const char *path, struct statvfs *disk);

/* ---- lists: posix_list.c ---- */

struct dirent {
    char d_name[1024];
};
typedef struct tw_posix_list DIR;
#define opendir(...) tw_posix_opendir(__VA_ARGS__)
#define fdopendir(...) tw_posix_fdopendir(__VA_ARGS__)
#define readdir(...) tw_posix_readdir(__VA_ARGS__)
#define closedir(...) tw_posix_closedir(__VA_ARGS__)
#define dirfd(...) tw_posix_dirfd(__VA_ARGS__)
DIR *opendir(const char *path);
DIR *fdopendir(int folder);
struct dirent *readdir(DIR *list);
int closedir(DIR *list);
int dirfd(DIR *list);

/* ---- the system ---- */

#define _SC_NPROCESSORS_ONLN 1
#define sysconf(...) tw_posix_sysconf(__VA_ARGS__)
long sysconf(int name); /* the number of processors */
/* Conditions wait by this clock only. */
#define TW_POSIX_WAIT_CLOCK CLOCK_REALTIME
#define tw_posix_set_wait_clock(attributes) ((void)(attributes), 0)

#endif
