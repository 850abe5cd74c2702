/* SPDX-License-Identifier: MIT */
/* Encodes the file of an export from the values of its sources: all of its bytes, or only those
 * before the cells that are written as they lie in memory; and its sidecar. export.c writes it. */
#ifndef TW_ENGINE_RUN_EXPORT_H
#define TW_ENGINE_RUN_EXPORT_H

#include "graph/graph.h"

/* Encodes the file of an export. `values` has one entry per source. `workers` share the work; NULL:
 * the caller works alone. TW_NODE, at the export's place in the recipe, when a height is out of
 * range. */
enum tw_status tw_export_encode(const struct tw_export *item, const struct tw_value *const *values,
                                const struct tw_workers *workers, struct tw_bytes *out,
                                struct tw_error *err);

/* Returns the value whose cells end the export's file just as they lie in memory, so that they
 * need no copy; tw_export_head() encodes the bytes before them. NULL: encode the whole file. */
const struct tw_value *tw_export_rest(const struct tw_export *item,
                                      const struct tw_value *const *values);
enum tw_status tw_export_head(const struct tw_export *item, const struct tw_value *const *values,
                              struct tw_bytes *out, struct tw_error *err);

/* Memory that encoding takes with so many threads, on top of the values and a piece of the file. */
uint64_t tw_export_bytes(const struct tw_recipe *recipe, const struct tw_export *item,
                         int32_t threads);

/* Describes how to write the export's file. Names of several values are left out. */
struct tw_encoding tw_export_encoding(const struct tw_export *item,
                                      const struct tw_value *const *values);
/* The name of a file without its folder. */
const char *tw_export_name(const struct tw_export *item);
/* The file that a sidecar describes, without its folder, as the sidecar names it. */
const char *tw_export_described(const struct tw_export *item);
/* Prints the sidecar of a whole map from the known digest of its content: the value needs no cells.
 */
enum tw_status tw_export_describe(const struct tw_export *item, const struct tw_encoding *encoding,
                                  const struct tw_sha256 *content, struct tw_bytes *out,
                                  struct tw_error *err);
/* Sets the error's place to the export's line in the recipe. */
void tw_export_locate(const struct tw_export *item, struct tw_error *err);

/* Says what to enter in the engine that the export is for. False without `for:`, and with `range:
 * fit`, whose values only the sidecar holds. */
bool tw_export_advise(const struct tw_recipe *recipe, const struct tw_export *item,
                      struct tw_advice *advice);

#endif
