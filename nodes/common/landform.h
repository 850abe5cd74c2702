/* SPDX-License-Identifier: MIT */
/* The ten commonest landforms of Jasiewicz and Stepinski 2013, in their order. */
#ifndef TW_NODES_COMMON_LANDFORM_H
#define TW_NODES_COMMON_LANDFORM_H

enum tw_landform {
    TW_LANDFORM_FLAT = 1,
    TW_LANDFORM_PEAK,
    TW_LANDFORM_RIDGE,
    TW_LANDFORM_SHOULDER,
    TW_LANDFORM_SPUR,
    TW_LANDFORM_SLOPE,
    TW_LANDFORM_HOLLOW,
    TW_LANDFORM_FOOTSLOPE,
    TW_LANDFORM_VALLEY,
    TW_LANDFORM_PIT,
    TW_LANDFORM_FIRST = TW_LANDFORM_FLAT,
    TW_LANDFORM_COUNT = TW_LANDFORM_PIT
};

#define TW_LANDFORM_NAMES "flat|peak|ridge|shoulder|spur|slope|hollow|footslope|valley|pit"

#endif
