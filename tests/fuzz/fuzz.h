/* SPDX-License-Identifier: MIT */
/* What every fuzz target gives: libFuzzer's entry point, which replay.c calls, too. */
#ifndef TW_TESTS_FUZZ_FUZZ_H
#define TW_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
