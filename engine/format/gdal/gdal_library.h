/* SPDX-License-Identifier: MIT */
/* GDAL, loaded when a file needs it and only if it is installed: no build depends on it. */
#ifndef TW_ENGINE_FORMAT_GDAL_GDAL_LIBRARY_H
#define TW_ENGINE_FORMAT_GDAL_GDAL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The functions of GDAL's C interface, stable since GDAL 2, with its pointers as void. */
#define TW_GDAL_FUNCTIONS(X)                                                                       \
    X(void, GDALAllRegister, (void))                                                               \
    X(const char *, GDALVersionInfo, (const char *))                                               \
    X(void *, GDALOpenEx,                                                                          \
      (const char *, unsigned, const char *const *, const char *const *, const char *const *))     \
    X(void, GDALClose, (void *))                                                                   \
    X(int, GDALGetRasterXSize, (void *))                                                           \
    X(int, GDALGetRasterYSize, (void *))                                                           \
    X(int, GDALGetRasterCount, (void *))                                                           \
    X(int, GDALGetGeoTransform, (void *, double *))                                                \
    X(const char *, GDALGetProjectionRef, (void *))                                                \
    X(void *, GDALGetRasterBand, (void *, int))                                                    \
    X(double, GDALGetRasterNoDataValue, (void *, int *))                                           \
    X(double, GDALGetRasterScale, (void *, int *))                                                 \
    X(double, GDALGetRasterOffset, (void *, int *))                                                \
    X(const char *, GDALGetRasterUnitType, (void *))                                               \
    X(int, GDALRasterIO, (void *, int, int, int, int, int, void *, int, int, int, int, int))       \
    X(void *, VSIFileFromMemBuffer, (const char *, unsigned char *, unsigned long long, int))      \
    X(int, VSIFCloseL, (void *))                                                                   \
    X(int, VSIUnlink, (const char *))                                                              \
    X(void, CPLSetConfigOption, (const char *, const char *))                                      \
    X(void, CPLPushErrorHandler, (void (*)(int, int, const char *)))                               \
    X(void, CPLPopErrorHandler, (void))

struct tw_gdal_library {
#define TW_GDAL_MEMBER(result, name, arguments) result(*name) arguments;
    TW_GDAL_FUNCTIONS(TW_GDAL_MEMBER)
#undef TW_GDAL_MEMBER
};

/* Returns the library; NULL if it is not installed, or forbidden. */
const struct tw_gdal_library *tw_gdal_load(void);

#endif
