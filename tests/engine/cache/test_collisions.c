/* SPDX-License-Identifier: MIT */
/* Maps constructed to have the same XXH3-128, as anyone can. In a stripe of 64 bytes XXH3
 * multiplies the halves of each number of 64 bits after xor with a public secret: where the low
 * half equals the secret's, the product is 0 and the high half only ever joins a sum, in which two
 * of them may swap places. */
#include "support/command.h"
#include "support/harness.h"
#include "support/little_endian.h"

#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, HEADER = 128 };

/* The first bytes of XXH3's secret, which stand in its specification; 8 more for each stripe. */
static const unsigned char secret[] = {0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01,
                                       0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9,
                                       0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4};

/* Cells 0 and 16 begin stripes `stripe` and the next of what is digested. */
static void fill(float *cells, int stripe, bool swapped)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = (float)i / (SIDE * SIDE);
    memcpy(&cells[0], secret + 8 * stripe, sizeof *cells);
    memcpy(&cells[16], secret + 8 * (stripe + 1), sizeof *cells);
    to_little_endian(&cells[0], 1, sizeof *cells);
    to_little_endian(&cells[16], 1, sizeof *cells);
    cells[1] = swapped ? 0.75f : 0.25f;
    cells[17] = swapped ? 0.25f : 0.75f;
}

static void keyed_digests_tell_made_collisions_apart(void **state)
{
    float one[SIDE * SIDE], two[SIDE * SIDE];
    const struct tw_value a = {TW_HEIGHTMAP, SIDE, SIDE, one}, b = {TW_HEIGHTMAP, SIDE, SIDE, two};
    struct tw_secret first, second;
    struct tw_sha256 left, right, other;
    (void)state;
    fill(one, 0, false);
    fill(two, 0, true);
    struct tw_digest x = tw_field_digest(&a), y = tw_field_digest(&b);
    assert_memory_equal(&x, &y, sizeof x); /* it is a collision */
    assert_true(tw_secret_create(&first) && tw_secret_create(&second));
    assert_true(tw_field_content(&a, &first, &left) && tw_field_content(&b, &first, &right));
    assert_memory_not_equal(&left, &right, sizeof left);
    assert_true(tw_field_content(&a, &first, &other));
    assert_memory_equal(&left, &other, sizeof left);
    assert_true(tw_field_content(&a, &second, &other));
    assert_memory_not_equal(&left, &other, sizeof left);
}

static void write_map(int stripe, bool swapped)
{
    char file[HEADER + 4 * SIDE * SIDE];
    float cells[SIDE * SIDE];
    fill(cells, stripe, swapped);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    snprintf(file + 10, HEADER - 9, "%-117s\n",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }");
    to_little_endian(cells, SIDE * SIDE, sizeof *cells);
    memcpy(file + HEADER, cells, sizeof cells);
    command_write("in.npy", file, sizeof file);
}

/* Cell 1 of the export. */
static float run(void)
{
    struct command_result result;
    float cell;
    command_run("run recipe.yaml -q", &result);
    if (result.code != 0)
        fail_msg("%s", result.err);
    FILE *file = fopen("out/twice.npy", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, HEADER + (long)sizeof cell, SEEK_SET), 0);
    assert_int_equal(fread(&cell, sizeof cell, 1, file), 1);
    fclose(file);
    return cell;
}

/* The digested file begins with two stripes of header, the digested map with the map. */
static void a_made_collision_is_no_hit(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 32\nnodes:\n"
                               "  map: {type: source.heightmap, file: in.npy}\n"
                               "  twice: {type: combine.add, a: map, b: map}\n"
                               "outputs: {twice: twice}\nexport: {twice.npy: twice}\n";
    (void)state;
    command_write("recipe.yaml", text, strlen(text));
    for (int stripe = 0; stripe <= 2; stripe += 2) {
        write_map(stripe, false);
        assert_true(run() == 0.5f);
        write_map(stripe, true);
        assert_true(run() == 1.5f);
        write_map(stripe, false);
        assert_true(run() == 0.5f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keyed_digests_tell_made_collisions_apart),
        cmocka_unit_test(a_made_collision_is_no_hit),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
