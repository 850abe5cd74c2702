/* SPDX-License-Identifier: MIT */
/* Universal Transverse Mercator on WGS 84, both ways, by the series of Krueger 1912 in the third
 * flattening to the fourth harmonic, Karney 2011, "Transverse Mercator with an accuracy of a few
 * nanometers", J. Geodesy 85, equations 7 to 36; latitudes from conformal ones by the series of
 * Karney 2022, "On auxiliary latitudes". Within 30 degrees of the central meridian the error is
 * below 0.01 mm. All in degrees and metres. */
#ifndef THALWEG_UTM_H
#define THALWEG_UTM_H

#include <thalweg/kernel.h>

#include <math.h>
#include <stdbool.h>

#define TW_UTM_ZONES 60
#define TW_UTM_LATITUDE_MIN (-80.0)
#define TW_UTM_LATITUDE_MAX 84.0
#define TW_UTM_REACH 30.0 /* degrees from the central meridian that the series are used for */

/* A zone of one hemisphere. */
struct tw_utm {
    double meridian; /* its central one */
    double false_north;
};

/* The zone of a place, 1 to 60, with the wider ones of Norway and Svalbard. Longitudes from -180 to
 * 180. */
static inline int32_t tw_utm_zone(double longitude, double latitude)
{
    const int32_t zone = (int32_t)((longitude + 180) / 6) + 1;
    if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12)
        return 32; /* Norway */
    if (latitude >= 72 && longitude >= 0 && longitude < 42)
        return longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37; /* Svalbard */
    return zone > TW_UTM_ZONES ? TW_UTM_ZONES : zone < 1 ? 1 : zone;
}

static inline struct tw_utm tw_utm_of(int32_t zone, bool south)
{
    return (struct tw_utm){6.0 * zone - 183.0, south ? 1e7 : 0};
}

/* Differences of longitudes from -180 to 180. */
static inline double tw_utm_turn(double degrees)
{
    return degrees - 360.0 * floor((degrees + 180.0) / 360.0);
}

#define TW_UTM_RADIUS 6364902.1661650859 /* of the rectifying sphere, times the scale 0.9996 */
#define TW_UTM_EAST 500000.0             /* of the central meridian */

/* A complex sine series sum a[j] sin(2 (j + 1) (x + i y)) by Clenshaw, of sin and cos of 2x, sinh
 * and cosh of 2y. */
static inline void tw_utm_series(const double a[4], const double x[2], const double y[2],
                                 double *real, double *imaginary)
{
    const double sine = x[0], cosine = x[1], sinh = y[0], cosh = y[1];
    const double u = 2 * cosine * cosh, v = -2 * sine * sinh; /* 2 cos(2 (x + i y)) */
    double re = 0, im = 0, re_last = 0, im_last = 0;
    for (int j = 3; j >= 0; j--) {
        const double re_next = u * re - v * im - re_last + a[j];
        const double im_next = u * im + v * re - im_last;
        re_last = re;
        im_last = im;
        re = re_next;
        im = im_next;
    }
    *real = sine * cosh * re - cosine * sinh * im;
    *imaginary = sine * cosh * im + cosine * sinh * re;
}

/* sinh and cosh of 2y. */
static inline void tw_utm_twice(double y, double of[2])
{
    const double e = tw_exp(2 * y);
    of[0] = (e - 1 / e) / 2;
    of[1] = (e + 1 / e) / 2;
}

/* sum a[j] sin(2 (j + 1) x), in radians, of sin and cos of x. */
static inline double tw_utm_sines(const double a[4], double sine, double cosine)
{
    const double twice[2] = {2 * sine * cosine, cosine * cosine - sine * sine};
    const double none[2] = {0, 1};
    double sum, nothing;
    tw_utm_series(a, twice, none, &sum, &nothing);
    return sum;
}

static inline void tw_utm_forward(const struct tw_utm *utm, double longitude, double latitude,
                                  double *east, double *north)
{
    static const double conformal[4] = {-0.0033565546197974277, 4.694573027162596e-06,
                                        -8.1944975472129086e-09, 1.5579966828591921e-11};
    static const double alpha[4] = {0.00083773182062446983, 7.6085277735723085e-07,
                                    1.1976455033294525e-09, 2.4291706072013587e-12};
    const double away = tw_utm_turn(longitude - utm->meridian), degree = 0.017453292519943295;
    const double chi = latitude * degree +
                       tw_utm_sines(conformal, tw_sin_degrees(latitude), tw_cos_degrees(latitude));
    const double flat = tw_cos(chi), across = flat * tw_sin_degrees(away);
    const double xi = tw_atan2(tw_sin(chi), flat * tw_cos_degrees(away));
    const double eta = 0.34657359027997264 * tw_log2((1 + across) / (1 - across)); /* atanh */
    const double twice_xi[2] = {tw_sin(2 * xi), tw_cos(2 * xi)};
    double twice_eta[2], more_xi, more_eta;
    tw_utm_twice(eta, twice_eta);
    tw_utm_series(alpha, twice_xi, twice_eta, &more_xi, &more_eta);
    *east = TW_UTM_EAST + TW_UTM_RADIUS * (eta + more_eta);
    *north = utm->false_north + TW_UTM_RADIUS * (xi + more_xi);
}

static inline void tw_utm_inverse(const struct tw_utm *utm, double east, double north,
                                  double *longitude, double *latitude)
{
    static const double beta[4] = {-0.00083773216405794864, -5.9058701522202033e-08,
                                   -1.6734826652839968e-10, -2.1647980400627059e-13};
    static const double geographic[4] = {0.0033565514691328321, 6.5718731986284435e-06,
                                         1.7646404113085805e-08, 5.3877537842559224e-11};
    const double degrees = 57.29577951308232;
    const double xi_map = (north - utm->false_north) / TW_UTM_RADIUS;
    const double eta_map = (east - TW_UTM_EAST) / TW_UTM_RADIUS;
    const double twice_xi[2] = {tw_sin(2 * xi_map), tw_cos(2 * xi_map)};
    double twice_eta[2], more_xi, more_eta;
    tw_utm_twice(eta_map, twice_eta);
    tw_utm_series(beta, twice_xi, twice_eta, &more_xi, &more_eta);
    const double xi = xi_map + more_xi, e = tw_exp(eta_map + more_eta);
    const double sinh = (e - 1 / e) / 2, cosh = (e + 1 / e) / 2, sine = tw_sin(xi) / cosh;
    const double cosine = sqrt(1 - sine * sine);
    const double chi = tw_atan2(sine, cosine);
    *longitude = utm->meridian + degrees * tw_atan2(sinh, tw_cos(xi));
    *latitude = degrees * (chi + tw_utm_sines(geographic, sine, cosine));
}

#endif
