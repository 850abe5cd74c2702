/* SPDX-License-Identifier: MIT */
/* The two distributions that tests and intervals need. Written here, since libm's functions differ
 * between systems. */
#ifndef TW_ENGINE_STUDY_STATISTICS_DISTRIBUTIONS_H
#define TW_ENGINE_STUDY_STATISTICS_DISTRIBUTIONS_H

#include <stdint.h>

/* Probability that a normal variable lies further than z >= 0 deviations from its mean. */
double tw_normal_tails(double z);
/* 97.5 % quantile of Student's t with that many degrees of freedom, within 4e-12. */
double tw_student_quantile(int32_t degrees);

#endif
