/* SPDX-License-Identifier: MIT */
/* Running nodes in tests: a few lines of YAML, input maps given from memory, values back.
 *
 *     harness_give(0, &value);
 *     struct tw_result *result = harness_run(&(struct harness){
 *         .width = 64, .height = 32, .nodes = "in: {type: test.map}\n"
 *                                             "out: {type: erosion.thermal, in: in, talus: 4}\n"});
 *     const struct tw_value *out = tw_result_output(result, "out");
 *
 * Every node becomes an output under its id; `outputs` names further ones ("water: out.water"). */
#ifndef TW_TESTS_SUPPORT_HARNESS_H
#define TW_TESTS_SUPPORT_HARNESS_H

#include <thalweg/node.h>
#include <thalweg/thalweg.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct harness {
    int32_t width, height; /* 0: 64 */
    uint64_t seed;
    int32_t threads;     /* 0: 1 */
    const char *simd;    /* "base", "avx2"; NULL: the widest */
    const char *nodes;   /* lines of the `nodes:` mapping */
    const char *outputs; /* further lines of `outputs:`; may be NULL */
    const char *head;    /* further top-level lines, such as "world: {...}\n"; may be NULL */
};

/* Sets the output of test.map, test.mask, test.labels, test.vectors, test.points, test.record and
 * test.polymap with `slot: i` (0 to 7, default 0). Borrowed until the run is over. */
void harness_give(int slot, const struct tw_value *value);

/* Fails the test if the run fails. Release with tw_result_release(). */
struct tw_result *harness_run(const struct harness *harness);
/* Returns the error of a recipe that must fail while loading or running; fails the test otherwise.
 */
struct tw_error harness_fail(const struct harness *harness);
/* The last warning of the last run; "" for none. */
const char *harness_warning(void);

/* Creates reproducible rough terrain in 0..1 that comes from no node; free(data). */
struct tw_value harness_terrain(int32_t width, int32_t height, uint64_t seed);
/* Fails the test at the first cell whose bits differ. */
void harness_same(const struct tw_value *a, const float *b);

#endif
