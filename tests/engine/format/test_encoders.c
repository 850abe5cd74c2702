/* SPDX-License-Identifier: MIT */
/* What holds for the encoder of every format: its file is the one that it writes piece by piece, no
 * more than a piece stays in memory, and a stop is noticed before much more of the values is read,
 * in every pass over them. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/harness.h"
#include "support/sanitized.h"

#include "format/format.h"
#include "node/param.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIDE = 1100, ELEMENTS = 60000, WINDOW = 16, STOPS = 7 };
/* Pages that may be read after a stop: those of a row of tiles, twice. */
enum { LATE_MAX = 700 };

/* ---- values whose reads are seen ---- */

/* A page can be read when it was touched lately: every pass over the values touches all anew. */
static struct {
    unsigned char *at;
    size_t bytes, page;
    unsigned char *readable[WINDOW];
    size_t next;
    long touched, stop_at; /* pages; -1: never */
    atomic_bool stop;
} watched;

static void on_touch(int number, siginfo_t *info, void *context)
{
    unsigned char *address = info->si_addr;
    (void)context;
    if (address < watched.at || address >= watched.at + watched.bytes) {
        signal(number, SIG_DFL); /* a true fault */
        return;
    }
    unsigned char *page = address - (size_t)(address - watched.at) % watched.page;
    unsigned char **place = &watched.readable[watched.next++ % WINDOW];
    if (*place)
        (void)mprotect(*place, watched.page, PROT_NONE);
    *place = page;
    (void)mprotect(page, watched.page, PROT_READ);
    if (watched.touched++ == watched.stop_at)
        atomic_store(&watched.stop, true);
}

static void watch(long stop_at)
{
    watched.touched = 0;
    watched.stop_at = stop_at;
    atomic_store(&watched.stop, false);
    memset(watched.readable, 0, sizeof watched.readable);
    assert_int_equal(mprotect(watched.at, watched.bytes, PROT_NONE), 0);
}

/* ---- a file in pieces ---- */

struct pieces {
    struct tw_bytes file;
    size_t longest;
};

static enum tw_status take(void *context, const void *at, size_t length, struct tw_error *err)
{
    struct pieces *pieces = context;
    pieces->longest = length > pieces->longest ? length : pieces->longest;
    return tw_bytes_append(&pieces->file, at, length, err);
}

static enum tw_status patch(void *context, uint64_t offset, const void *at, size_t length,
                            struct tw_error *err)
{
    struct pieces *pieces = context;
    assert_true(offset + length <= pieces->file.length);
    return tw_bytes_write_at(&pieces->file, offset, at, length, err);
}

/* ---- every format ---- */

static const struct tw_provenance provenance = {.recipe = "test.yaml", .seed = 3};
static const struct tw_world world = {.side_m = 1000, .height_m = 100, .epsg = 0};

/* A type that the format writes: heights or points where it can. */
static enum tw_type type_of(const struct tw_format *format)
{
    const unsigned types = format->types ? format->types : format->several;
    const enum tw_type liked[] = {TW_HEIGHTMAP, TW_POINTS, TW_MASK};
    for (int i = 0; i < 3; i++)
        if (types & TW_TYPE_BIT(liked[i]))
            return liked[i];
    fail_msg("%s: add a type", format->ending);
    return TW_HEIGHTMAP;
}

/* Two values of noise, which no encoder packs to less than a piece. */
static void create_values(enum tw_type type, struct tw_value values[2])
{
    const bool is_grid = tw_type_is_grid(type);
    values[0] = (struct tw_value){
        .type = type, .width = is_grid ? SIDE : ELEMENTS, .height = is_grid ? SIDE : 1};
    const size_t bytes = tw_value_count(values) * tw_type_size(type);
    watched.page = (size_t)sysconf(_SC_PAGESIZE);
    watched.bytes = (2 * bytes + watched.page - 1) / watched.page * watched.page;
    watched.at =
        mmap(NULL, watched.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(watched.at != MAP_FAILED);
    uint32_t dice = 1;
    for (size_t i = 0; i < 2 * bytes; i += sizeof(float)) {
        dice = dice * 1664525u + 1013904223u;
        const float share = (float)(dice >> 8) / 16777216.0f;
        memcpy(watched.at + i, &share, sizeof share);
    }
    values[0].data = watched.at;
    values[1] = values[0];
    values[1].data = watched.at + bytes;
}

struct subject {
    const struct tw_format *format;
    struct tw_value both[2];
    const struct tw_value *values[2];
    max_align_t options[16];
    struct tw_encoding encoding;
};

/* Every few cells is enough of a mesh. */
static void prepare(struct subject *subject, const struct tw_format *format)
{
    const struct tw_param *step = tw_param_find(format->options, "step");
    subject->format = format;
    create_values(type_of(format), subject->both);
    subject->values[0] = &subject->both[0];
    subject->values[1] = &subject->both[1];
    assert_true(format->options_size <= sizeof subject->options);
    memset(subject->options, 0, sizeof subject->options);
    if (format->options)
        tw_param_defaults(format->options, subject->options);
    if (step)
        *(int32_t *)(void *)((unsigned char *)subject->options + step->offset) = 4;
    subject->encoding = (struct tw_encoding){.values = subject->values,
                                             .count = format->types ? 1 : 2,
                                             .several = !format->types,
                                             .range = {.low = 0, .high = 1},
                                             .options = subject->options,
                                             .world = &world,
                                             .provenance = &provenance};
}

/* In pieces; the caller frees the file. */
static enum tw_status encode(const struct subject *subject, const atomic_bool *stop,
                             struct pieces *pieces)
{
    const struct tw_byte_target target = {take, patch, pieces};
    struct tw_encoding encoding = subject->encoding;
    struct tw_bytes bytes = {.stop = stop, .target = &target};
    encoding.stop = stop;
    enum tw_status status = tw_format_encode(subject->format, encoding, &bytes, NULL);
    if (status == TW_OK)
        status = tw_bytes_hand_on(&bytes, NULL);
    free(bytes.at);
    return status;
}

typedef void check_fn(const struct subject *subject);

static void check_all(check_fn *check)
{
    int count = 0;
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        struct subject subject;
        if (!(*format)->encode)
            continue;
        prepare(&subject, *format);
        check(&subject);
        munmap(watched.at, watched.bytes);
        count++;
    }
    assert_true(count >= 10);
}

static void check_pieces(const struct subject *subject)
{
    struct tw_bytes whole = {0};
    struct pieces pieces = {.longest = 0};
    assert_int_equal(tw_format_encode(subject->format, subject->encoding, &whole, NULL), TW_OK);
    assert_int_equal(encode(subject, NULL, &pieces), TW_OK);
    if (whole.length != pieces.file.length || memcmp(whole.at, pieces.file.at, whole.length) != 0)
        fail_msg("%s: other bytes in pieces", subject->format->ending);
    if (whole.length <= TW_BYTES_PIECE || pieces.longest >= 2 * TW_BYTES_PIECE)
        fail_msg("%s: %zu bytes in pieces of %zu", subject->format->ending, whole.length,
                 pieces.longest);
    free(whole.at);
    free(pieces.file.at);
}

static void files_are_written_in_pieces(void **state)
{
    (void)state;
    check_all(check_pieces);
}

static void check_stops(const struct subject *subject)
{
    struct pieces pieces = {.longest = 0};
    watch(-1);
    assert_int_equal(encode(subject, &watched.stop, &pieces), TW_OK);
    const long all = watched.touched;
    free(pieces.file.at);
    assert_true(all > 0);
    for (long i = 0; i < STOPS; i++) {
        pieces = (struct pieces){.longest = 0};
        watch(all * i / STOPS);
        enum tw_status status = encode(subject, &watched.stop, &pieces);
        free(pieces.file.at);
        const long late = watched.touched - watched.stop_at;
        if (status != TW_CANCELLED || late > LATE_MAX)
            fail_msg("%s: %ld pages of %ld were read after a stop at %ld", subject->format->ending,
                     late, all, watched.stop_at);
    }
    assert_int_equal(mprotect(watched.at, watched.bytes, PROT_READ | PROT_WRITE), 0);
}

static void stops_are_noticed_in_every_pass(void **state)
{
    struct sigaction action = {.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO};
    struct sigaction before;
    (void)state;
    if (SANITIZED)
        skip(); /* the signal is theirs */
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
    check_all(check_stops);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_written_in_pieces),
                                       cmocka_unit_test(stops_are_noticed_in_every_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
