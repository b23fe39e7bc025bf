/* Make the k-th change of a file in one folder fail, or let the disk be full from then on.
 *
 * Preloaded into a process (LD_PRELOAD); tests/fuzz/faults.py arms it. Counted are opening for
 * writing, writing, syncing, cutting, linking, renaming and deleting, by Python and by SQLite.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[4096];
static long left = -1, full = 0, fired = 0;
static char ours[65536];

void tacit_arm(const char *where, long at, long disk_is_full) {
    strncpy(folder, where, sizeof folder - 1);
    left = at; full = disk_is_full; fired = 0;
}
long tacit_fired(void) { left = -1; return fired; }

static int inside(const char *path) {
    return left >= 0 && (path[0] != '/' || strncmp(path, folder, strlen(folder)) == 0);
}
/* Whether this call fails: the k-th one, and on a full disk all later ones that need room. */
static int fails(int needs_room) {
    if (left < 0) return 0;
    if (full) {
        if (left > 0) left--;
        if (left == 0 && needs_room) { fired++; errno = ENOSPC; return 1; }
        return 0;
    }
    if (fired || --left > 0) return 0;
    fired = 1; left = 1; errno = EIO;
    return 1;
}
static int known(int fd) { return left >= 0 && fd >= 0 && fd < 65536 && ours[fd]; }
static int grows(int fd, off_t end) {
    struct stat found;
    return fstat(fd, &found) == 0 && end > found.st_size;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define OPEN(name) \
int name(const char *path, int flags, ...) { \
    REAL(name); va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    int writes = (flags & O_ACCMODE) != O_RDONLY, is = inside(path); \
    if (is && writes && fails(flags & O_CREAT && access(path, F_OK) != 0)) return -1; \
    int fd = real(path, flags, mode); \
    if (fd >= 0 && fd < 65536) ours[fd] = is && writes; \
    return fd; \
}
OPEN(open)
OPEN(open64)
#define OPENAT(name) \
int name(int at, const char *path, int flags, ...) { \
    REAL(name); va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    int writes = (flags & O_ACCMODE) != O_RDONLY, is = inside(path); \
    if (is && writes && fails(flags & O_CREAT && access(path, F_OK) != 0)) return -1; \
    int fd = real(at, path, flags, mode); \
    if (fd >= 0 && fd < 65536) ours[fd] = is && writes; \
    return fd; \
}
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    if (known(fd) && fails(grows(fd, lseek(fd, 0, SEEK_CUR) + size))) return -1;
    return real(fd, data, size);
}
#define PWRITE(name, offset_t) \
ssize_t name(int fd, const void *data, size_t size, offset_t at) { \
    REAL(name); if (known(fd) && fails(grows(fd, at + size))) return -1; \
    return real(fd, data, size, at); \
}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
#define SYNC(name) int name(int fd) { REAL(name); if (known(fd) && fails(0)) return -1; return real(fd); }
SYNC(fsync)
SYNC(fdatasync)
#define CUT(name, offset_t) \
int name(int fd, offset_t size) { \
    REAL(name); if (known(fd) && fails(grows(fd, size))) return -1; return real(fd, size); \
}
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)
int link(const char *from, const char *to) {
    REAL(link); if (inside(to) && fails(1)) return -1; return real(from, to);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(linkat); if (inside(to) && fails(1)) return -1; return real(a, from, b, to, flags);
}
int rename(const char *from, const char *to) {
    REAL(rename); if (inside(to) && fails(0)) return -1; return real(from, to);
}
int unlink(const char *path) {
    REAL(unlink); if (inside(path) && fails(0)) return -1; return real(path);
}
int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat); if (inside(path) && fails(0)) return -1; return real(at, path, flags);
}
int close(int fd) { REAL(close); if (fd >= 0 && fd < 65536) ours[fd] = 0; return real(fd); }
