/* SPDX-License-Identifier: MIT */
/* The two distributions that tests and intervals need. Functions of our own, since those of libm
 * differ between systems. */
#ifndef TW_ENGINE_STUDY_STATISTICS_DISTRIBUTIONS_H
#define TW_ENGINE_STUDY_STATISTICS_DISTRIBUTIONS_H

#include <stdint.h>

/* Probability that a normal number is further than z >= 0 from its mean, in deviations. */
double tw_normal_tails(double z);
/* 97.5 % quantile of Student's t with that many degrees of freedom, within 4e-12. */
double tw_student_quantile(int32_t degrees);

#endif
