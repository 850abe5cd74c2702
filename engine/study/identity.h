/* SPDX-License-Identifier: MIT */
/* What decides the samples of an experiment and nothing else, as one digest: the engine's version,
 * every node's, parameters, size, files that nodes read, variants and measures. Goals, assertions
 * and the number of seeds are not part of it: samples stay what they are when those change. */
#ifndef TW_ENGINE_STUDY_IDENTITY_H
#define TW_ENGINE_STUDY_IDENTITY_H

#include "study/round.h"

/* Of an experiment and its round of the first seed. Two machines that agree may share samples.
 * Reads the files of the nodes; TW_INPUT, TW_MEMORY. */
enum tw_status tw_compare_identify(const struct tw_experiment *e,
                                   const struct tw_compare_round *round, struct tw_sha256 *identity,
                                   struct tw_error *err);

#endif
