/* SPDX-License-Identifier: MIT */
#ifndef TW_TESTS_SUPPORT_MAPPED_H
#define TW_TESTS_SUPPORT_MAPPED_H

/* Address space that the process has, in bytes; -1 where the system does not say. */
long mapped_bytes(void);

#endif
