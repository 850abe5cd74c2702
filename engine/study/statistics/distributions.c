/* SPDX-License-Identifier: MIT */
#include "study/statistics/distributions.h"

#include <thalweg/kernel.h>

#include <math.h>

static const double root_of_pi = 1.7724538509055160;

/* Uses the series of the error function (Abramowitz and Stegun 7.1.6) or the continued fraction of
 * its complement (7.1.14), whichever is short. */
double tw_normal_tails(double z)
{
    double x = z / sqrt(2), term = 2 * x / root_of_pi * tw_exp(-x * x), sum = term, fraction = x;
    if (x > 3) {
        for (int i = 100; i > 0; i--)
            fraction = x + i / 2.0 / fraction;
        return tw_exp(-x * x) / root_of_pi / fraction;
    }
    for (int i = 1; i < 200; i++) {
        term *= 2 * x * x / (2 * i + 1);
        sum += term;
    }
    return 1 - sum;
}

/* Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's
 * method: for x below (a + 1) / (a + b) no divisor is 0. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), fraction = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        fraction *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        fraction *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return fraction;
}

/* gamma((n + 1) / 2) / gamma(n / 2), by recurrence in steps of 2; for large n by its series, within
 * 1e-16. */
static double gamma_ratio(int32_t n)
{
    double r = 1.0 / n;
    if (n > 1000)
        return sqrt(n / 2.0) * (1 - r / 4 * (1 - r / 8 * (1 + r * 5 / 4 * (1 - r * 21 / 80))));
    double ratio = n % 2 ? 1 / root_of_pi : root_of_pi / 2;
    for (int32_t i = n % 2 ? 1 : 2; i < n; i += 2)
        ratio *= (i + 1.0) / i;
    return ratio;
}

/* Probability of |T| > t with n degrees of freedom. Above t = 1.8, x is below (a + 1) / (a + b + 2)
 * for any n, where the fraction converges fast. */
static double two_tails(double t, int32_t n, double ratio)
{
    double a = n / 2.0, b = 0.5, x = n / (n + t * t);
    double front = ratio / root_of_pi * tw_pow(x, a) * sqrt(1 - x);
    return front * beta_fraction(a, b, x) / a;
}

double tw_student_quantile(int32_t degrees)
{
    double low = 1.9, high = 13, ratio = gamma_ratio(degrees);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(two_tails(middle, degrees, ratio) > 0.05 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
