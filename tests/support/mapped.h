/* SPDX-License-Identifier: MIT */
#ifndef TW_TESTS_SUPPORT_MAPPED_H
#define TW_TESTS_SUPPORT_MAPPED_H

/* Address space of the process in bytes; -1 if the system does not report it. */
long mapped_bytes(void);

#endif
