#!/bin/sh
# Writes tests/include/correct_values.h: what exp, log, sin, pow and the like are, correctly
# rounded. Not part of the build, since only gcc has the library:
#
#     tests/trust/correct_values.sh >tests/include/correct_values.h
#
# libquadmath has 113 bits and errs by few units of the last. The program stops when a value is
# within 2^-100 of a boundary between two doubles, where that could decide; so all others are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/values.c" <<'END'
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 96 };

static uint64_t state = 1;

/* Uniform in [0, 1): splitmix64. */
static double draw(void)
{
    uint64_t v = state += 0x9E3779B97F4A7C15u;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

static double between(double low, double high) { return low + (high - low) * draw(); }

static double rounded(__float128 v)
{
    double d = (double)v;
    uint64_t bits;
    if (d == 0 || (__float128)d == v)
        return d;
    __builtin_memcpy(&bits, &d, sizeof bits);
    for (int side = -1; side < 2; side += 2) {
        uint64_t next = bits + (uint64_t)(int64_t)side;
        double other;
        __builtin_memcpy(&other, &next, sizeof other);
        __float128 middle = ((__float128)d + (__float128)other) / 2;
        if (fabsq(v - middle) <= fabsq(v) * 0x1p-100Q)
            abort();
    }
    return d;
}

static void row(const char *name, double x, double y, __float128 v)
{
    printf("{%s, %a, %a, %a},\n", name, x, y, rounded(v));
}

static __float128 radians(double degrees) { return (__float128)degrees * M_PIq / 180; }

static void angles(void)
{
    static const double special[] = {0x1p-40,   0.5,       30,         45,          60,
                                     89.999999, 90.000001, 135,        179.5,       180.000001,
                                     270.5,     359.999,   1e6 + 0.25, 0x1p29 + 0.5};
    for (int i = 0; i < POINTS; i++) {
        int count = sizeof special / sizeof special[0];
        double degrees = i < count ? special[i] : between(-720, 720), angle = between(-7, 7);
        row("SIN_DEGREES", degrees, 0, sinq(radians(degrees)));
        row("COS_DEGREES", degrees, 0, cosq(radians(degrees)));
        row("SIN", angle, 0, sinq(angle));
        row("COS", angle, 0, cosq(angle));
    }
}

static void powers(void)
{
    static const double exponents[] = {0x1p-60, -0x1p-60, 0.5, -0.5, 0.4999999, 0.5000001,
                                       999.5,   -999.5,   1,   -1,   24.000001, -126.5};
    static const double positive[] = {0x1p-1022,
                                      0x1.fffffffffffffp1023,
                                      1.0000001,
                                      0.9999999,
                                      1.4142135623730951,
                                      1.414213562373095,
                                      0.7071067811865476,
                                      2,
                                      10,
                                      1e-300,
                                      1e300,
                                      0x1.0000000000001p0};
    for (int i = 0; i < POINTS; i++) {
        int count = sizeof exponents / sizeof exponents[0];
        double x = i < count ? exponents[i] : between(-60, 60);
        double p = i < count ? positive[i] : (double)exp2q(between(-60, 60)), y = between(-8, 8);
        row("EXP2", x, 0, exp2q(x));
        double e = i < count ? x / 10 : between(-88, 88); /* results that fit a float */
        row("EXP", e, 0, expq(e));
        row("LOG2", p, 0, log2q(p));
        double base = (double)exp2q(between(-8, 8));
        row("POW", base, y, powq(base, y));
    }
}

static void directions(void)
{
    for (int i = 0; i < POINTS; i++) {
        double x = between(-1, 1), y = between(-1, 1);
        if (i < 16) {
            x = (i & 1 ? -1 : 1) * (i & 4 ? 1e-12 : 1);
            y = (i & 2 ? -1 : 1) * (i & 8 ? 1e-12 : 1) * 1.0000001;
        }
        row("ATAN2", y, x, atan2q(y, x));
    }
}

int main(void)
{
    puts("/* SPDX-License-Identifier: MIT */\n"
         "/* Written by tests/trust/correct_values.sh; do not edit. Arguments and the double next "
         "to\n"
         " * the true value. */\n"
         "#ifndef TW_TESTS_INCLUDE_CORRECT_VALUES_H\n#define TW_TESTS_INCLUDE_CORRECT_VALUES_H\n\n"
         "enum function { EXP2, EXP, LOG2, POW, SIN, COS, SIN_DEGREES, COS_DEGREES, ATAN2, "
         "FUNCTIONS };\n\n"
         "static const struct correct_value {\n    enum function function;\n    double x, y, "
         "value;\n"
         "} correct_values[] = {");
    powers();
    angles();
    directions();
    puts("};\n\n#endif");
    return 0;
}
END
gcc -O1 "$folder/values.c" -lquadmath -o "$folder/values"
"$folder/values" | clang-format --style=file:"$(dirname "$0")/../../.clang-format"
