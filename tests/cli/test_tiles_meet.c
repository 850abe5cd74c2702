/* SPDX-License-Identifier: MIT */
/* Tiles of two worlds continue one another. The cities of graphs/worlds/simcity.yaml share the
 * cells of their edges; the tiles of graphs/worlds/planet.yaml lie on a torus, where steps from
 * tile to tile, and over the border of the map, are like those within a tile. */
#include "support/command.h"
#include "support/harness.h"
#include "support/picture.h"

#include <math.h>
#include <stdio.h>

static struct command_result result;
static struct tw_value tiles[2][2];

/* Writes the world as 2 x 2 tiles and reads them. */
static void write_tiles(const char *world, const char *size, const char *name, int side)
{
    char text[600];
    snprintf(text, sizeof text, "run " TW_GRAPHS "/worlds/%s -q -o out --only land --size %s",
             world, size);
    command_run(text, &result);
    if (result.code != 0)
        fail_msg("thalweg %s: exit code %d\n%s", text, result.code, result.err);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++) {
            snprintf(text, sizeof text, "out/%s_x%d_y%d.png", name, x, y);
            assert_true(picture_read(text, &tiles[y][x]));
            assert_int_equal(tiles[y][x].width, side);
            assert_int_equal(tiles[y][x].height, side);
        }
}

static void clear_tiles(void)
{
    for (int i = 0; i < 4; i++)
        tw_field_clear(&tiles[i / 2][i % 2]);
}

static float at(const struct tw_value *tile, int x, int y)
{
    return tw_floats(tile)[(size_t)y * (size_t)tile->width + (size_t)x];
}

static void neighbouring_cities_share_their_edges(void **state)
{
    (void)state;
    enum { SIDE = 257, LAST = SIDE - 1 };
    float least = 1, greatest = 0;
    write_tiles("simcity.yaml", "513", "cities/city", SIDE);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SIDE; i++) {
            const float west = at(&tiles[k][0], LAST, i), east = at(&tiles[k][1], 0, i);
            const float north = at(&tiles[0][k], i, LAST), south = at(&tiles[1][k], i, 0);
            if (west != east || north != south)
                fail_msg("%d: %g beside %g, %g above %g", i, (double)west, (double)east,
                         (double)north, (double)south);
            least = fminf(least, fminf(west, north));
            greatest = fmaxf(greatest, fmaxf(west, north));
        }
    assert_true(least < 84.0f / 255 && greatest > 100.0f / 255); /* sea and hills */
    clear_tiles();
}

/* The height of a cell of the planet, counted over all tiles and around the torus. */
static double height(int x, int y)
{
    enum { TILE = 256, SIDE = 2 * TILE };
    x = (x + SIDE) % SIDE;
    y = (y + SIDE) % SIDE;
    return (double)at(&tiles[y / TILE][x / TILE], x % TILE, y % TILE);
}

/* Mean over the cells beside a line of the torus: step 1 measures slope, 2 the change of slope. */
static double across(int line, bool column, int order)
{
    double sum = 0;
    for (int i = 0; i < 512; i++) {
        double z[4];
        for (int k = 0; k < 4; k++)
            z[k] = column ? height(line - 2 + k, i) : height(i, line - 2 + k);
        sum += order == 1 ? fabs(z[2] - z[1]) : fabs(z[2] - 2 * z[1] + z[0]);
    }
    return sum / 512;
}

/* A seam would be rougher than the roughest line within a tile. */
static void check_lines(bool column, int order)
{
    double roughest = 0;
    for (int line = 8; line < 504; line++)
        if (line < 248 || line > 264)
            roughest = fmax(roughest, across(line, column, order));
    for (int line = 0; line <= 256; line += 256) {
        const double seam = across(line, column, order);
        print_message("%s %d, order %d: %.5f, elsewhere at most %.5f\n", column ? "column" : "row",
                      line, order, seam, roughest);
        assert_true(seam > 0 && seam < roughest);
    }
}

static void tiles_of_a_planet_have_no_seams(void **state)
{
    (void)state;
    write_tiles("planet.yaml", "512", "tiles/planet", 256);
    for (int order = 1; order <= 2; order++) {
        check_lines(true, order);
        check_lines(false, order);
    }
    clear_tiles();
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    return 0;
}

static int clean(void **state)
{
    (void)state;
    command_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbouring_cities_share_their_edges),
        cmocka_unit_test(tiles_of_a_planet_have_no_seams),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
