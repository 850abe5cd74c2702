/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/key.h"
#include "value/field.h"

#include <math.h>
#include <string.h>

static bool fits(enum tw_type type, int32_t width, int32_t height)
{
    size_t bytes = 0;
    bool ok = tw_field_bytes(type, width, height, &bytes);
    assert_true(!ok || bytes == (size_t)width * (size_t)height * tw_type_size(type));
    return ok;
}

static void sizes_end_at_their_limits(void **state)
{
    (void)state;
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        bool grid = tw_type_is_grid((enum tw_type)type);
        assert_true(fits((enum tw_type)type, 1, 1));
        assert_true(fits((enum tw_type)type, 65535, 1));
        assert_true(fits((enum tw_type)type, 65536, 1));
        assert_int_equal(fits((enum tw_type)type, 65537, 1), !grid);
        assert_true(fits((enum tw_type)type, 1, 65536));
        assert_int_equal(fits((enum tw_type)type, 1, 65537), !grid);
        assert_int_equal(fits((enum tw_type)type, 0, 1), !grid); /* a list may be empty */
        assert_int_equal(fits((enum tw_type)type, 1, 0), !grid);
        assert_false(fits((enum tw_type)type, -1, 1));
        assert_false(fits((enum tw_type)type, 1, -1));
        assert_true(fits((enum tw_type)type, 65536, 4095)); /* cells: 2^28 */
        assert_true(fits((enum tw_type)type, 65536, 4096));
        assert_false(fits((enum tw_type)type, 65536, 4097));
        assert_false(fits((enum tw_type)type, INT32_MAX, INT32_MAX));
    }
    assert_true(fits(TW_RECORD, (1 << 28) - 1, 1));
    assert_true(fits(TW_RECORD, 1 << 28, 1));
    assert_false(fits(TW_RECORD, (1 << 28) + 1, 1));
}

/* Every member of an element, of types whose elements are numbers of one kind. */
static void numbers_of_a_cell_are_its_members(void **state)
{
    static const float vectors[] = {1.5f, -2.5f, 3.5f, 4.5f};
    static const int32_t labels[] = {-7, INT32_MAX};
    static const uint8_t pixels[] = {1, 2, 255, 4, 5, 6};
    static const uint16_t cells[] = {1, 2, 3, 65535, 5, 6, 7, 8};
    struct tw_value value = {TW_VECTORS, 2, 1, (void *)(uintptr_t)vectors};
    (void)state;
    assert_int_equal(tw_type_numbers(TW_VECTORS), 2);
    assert_true(tw_field_number(&value, 0) == 1.5 && tw_field_number(&value, 3) == 4.5);
    value = (struct tw_value){TW_LABELS, 2, 1, (void *)(uintptr_t)labels};
    assert_int_equal(tw_type_numbers(TW_LABELS), 1);
    assert_true(tw_field_number(&value, 0) == -7 && tw_field_number(&value, 1) == INT32_MAX);
    value = (struct tw_value){TW_IMAGE, 2, 1, (void *)(uintptr_t)pixels};
    assert_int_equal(tw_type_numbers(TW_IMAGE), 3);
    assert_true(tw_field_number(&value, 2) == 255 && tw_field_number(&value, 5) == 6);
    value = (struct tw_value){TW_SURFACE, 2, 1, (void *)(uintptr_t)cells};
    assert_int_equal(tw_type_numbers(TW_SURFACE), 4);
    assert_true(tw_field_number(&value, 3) == 65535 && tw_field_number(&value, 7) == 8);
    assert_int_equal(tw_type_numbers(TW_RECORD), 0);
    assert_int_equal(tw_type_numbers(TW_POINTS), 0);
}

static void a_value_beyond_the_limits_is_refused(void **state)
{
    struct tw_value value = {.type = TW_MASK};
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, 65537, 1, &error), TW_LIMIT);
    assert_null(value.data);
    assert_non_null(strstr(error.message, "heightmap of 65537 x 1"));
}

static void a_block_is_aligned_and_its_copy_its_own(void **state)
{
    struct tw_value value, copy;
    (void)state;
    for (int32_t width = 1; width < 40; width++) {
        assert_int_equal(tw_field_alloc(&value, TW_IMAGE, width, 3, NULL), TW_OK);
        assert_int_equal((uintptr_t)value.data % 64, 0);
        memset(value.data, width, tw_value_count(&value) * 3);
        assert_int_equal(tw_field_copy(&copy, &value, NULL), TW_OK);
        assert_ptr_not_equal(copy.data, value.data);
        assert_memory_equal(copy.data, value.data, tw_value_count(&value) * 3);
        tw_field_clear(&value);
        assert_null(value.data);
        assert_int_equal(value.width, 0);
        assert_int_equal(value.type, TW_IMAGE);
        tw_field_clear(&value);
        tw_field_clear(&copy);
    }
    assert_int_equal(tw_field_alloc(&value, TW_POINTS, 0, 1, NULL),
                     TW_OK); /* an empty list is one */
    assert_non_null(value.data);
    tw_field_clear(&value);
}

static void digest_is(const struct tw_value *value, const char *expected)
{
    char hex[33];
    struct tw_digest digest = tw_field_digest(value);
    tw_hex(digest.at, sizeof digest.at, hex);
    assert_string_equal(hex, expected);
}

/* Digests lie in caches and lock files: these may never change. */
static void digests_are_for_ever(void **state)
{
    float cells[6] = {0, 1, -1, 0.5f, 1e-30f, 3e30f};
    uint8_t pixels[6] = {0, 1, 2, 253, 254, 255};
    struct tw_value map = {TW_HEIGHTMAP, 3, 2, cells}, image = {TW_IMAGE, 2, 1, pixels};
    struct tw_value none = {TW_POINTS, 0, 1, cells};
    (void)state;
    digest_is(&map, "a8b47f113b4e27e136d5637e0e71132f");
    digest_is(&image, "a476c1bb26b6ac2877013b7f07400ca1");
    digest_is(&none, "86e418cfccebab3d9ddce80e1ea01e8f");
}

static bool same_digest(const struct tw_value *a, const struct tw_value *b)
{
    struct tw_digest one = tw_field_digest(a), two = tw_field_digest(b);
    return memcmp(&one, &two, sizeof one) == 0;
}

static void digests_tell_type_shape_and_bits_apart(void **state)
{
    float cells[6] = {0, 1, 2, 3, 4, 5}, other[6];
    struct tw_value map = {TW_HEIGHTMAP, 3, 2, cells}, turned = {TW_HEIGHTMAP, 2, 3, cells};
    struct tw_value mask = {TW_MASK, 3, 2, cells}, changed = {TW_HEIGHTMAP, 3, 2, other};
    (void)state;
    assert_false(same_digest(&map, &turned));
    assert_false(same_digest(&map, &mask));
    memcpy(other, cells, sizeof other);
    assert_true(same_digest(&map, &changed));
    for (size_t bit = 0; bit < 8 * sizeof other; bit++) {
        ((unsigned char *)other)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_false(same_digest(&map, &changed)); /* -0 is another value than 0 */
        ((unsigned char *)other)[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

static void the_first_cell_that_is_not_finite_is_found(void **state)
{
    static const size_t places[] = {0, 1, 4095, 4096, 4097, 8191, 8192, 9999};
    static float cells[10000];
    struct tw_value map = {TW_HEIGHTMAP, 100, 100, cells}, mask = {TW_MASK, 100, 100, cells};
    struct tw_value labels = {TW_LABELS, 100, 100, cells};
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    (void)state;
    cells[5] = 3.4e38f;
    cells[6] = 1e-45f;
    assert_int_equal(tw_field_first_nonfinite(&map), -1);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++) {
            cells[places[i]] = bad[k];
            cells[9999] = bad[k];
            assert_int_equal(tw_field_first_nonfinite(&map), places[i]);
            assert_int_equal(tw_field_first_nonfinite(&mask), places[i]);
            assert_int_equal(tw_field_first_nonfinite(&labels), -1);
        }
        cells[places[i]] = cells[9999] = 0;
    }
    map.data = NULL;
    assert_int_equal(tw_field_first_nonfinite(&map), -1);
}

/* Every member of every type is either a float, and looked at, or holds any bits. */
static void no_member_escapes_the_check(void **state)
{
    static const float infinite = -INFINITY;
    static const double not_a_number = NAN;
    unsigned char block[5 * 64];
    (void)state;
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        const struct tw_type_row *row = tw_type((enum tw_type)type);
        struct tw_value value = {(enum tw_type)type, 5, 1, block};
        size_t end = 0;
        for (const struct tw_element_member *m = row->members; m->name; m++) {
            unsigned char *at = block + 3 * row->size + m->offset;
            memset(block, 0, sizeof block);
            assert_int_equal(tw_field_first_nonfinite(&value), -1);
            memset(at, 0xFF, m->size); /* a float of these bits is not a number */
            bool is_float = m->kind == TW_MEMBER_F32 || m->kind == TW_MEMBER_F64;
            assert_int_equal(tw_field_first_nonfinite(&value), is_float ? 3 : -1);
            if (m->kind == TW_MEMBER_F32)
                memcpy(at, &infinite, sizeof infinite);
            if (m->kind == TW_MEMBER_F64)
                memcpy(at, &not_a_number, sizeof not_a_number);
            assert_int_equal(tw_field_first_nonfinite(&value), is_float ? 3 : -1);
            assert_int_equal(m->offset, end);
            end = m->offset + m->size;
        }
        assert_int_equal(end, row->size);
        assert_true(row->help[0] != 0 && row->members[0].name != NULL);
    }
}

static void elements_are_seen_by_their_members(void **state)
{
    float floats[4] = {1, 2, 3, 4};
    struct tw_placement things[2] = {{0, 0, 0, 0, 0}, {0.25f, 0.5f, 0.125f, 359, 7}};
    struct tw_value vectors = {TW_VECTORS, 2, 1, floats}, list = {TW_PLACEMENTS, 2, 1, things};
    const struct tw_element_member *member = tw_type(TW_PLACEMENTS)->members;
    static const char *const names[] = {"x", "y", "size", "rotation", "kind"};
    (void)state;
    assert_true(tw_vectors(&vectors)[1].x == 3 && tw_vectors(&vectors)[1].y == 4);
    assert_int_equal(tw_placements(&list)[1].rotation, 359);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(member[i].name, names[i]);
        assert_int_equal(member[i].kind, i < 3 ? TW_MEMBER_F32 : TW_MEMBER_I32);
    }
    assert_int_equal(member[3].offset, offsetof(struct tw_placement, rotation));
    assert_null(member[5].name);
}

/* Numbers of types are part of digests and of what caches hold: none may ever move. */
static void types_keep_their_numbers(void **state)
{
    static const char *const names[TW_TYPE_COUNT] = {
        "heightmap", "mask",    "labels", "vectors",    "image",   "points", "curves",
        "profile",   "polymap", "record", "placements", "surface", "lines"};
    (void)state;
    for (int type = 0; type < TW_TYPE_COUNT && names[type]; type++)
        assert_string_equal(tw_type_name((enum tw_type)type), names[type]);
}

static void types_are_named_as_in_recipes(void **state)
{
    (void)state;
    assert_string_equal(tw_type_name(TW_HEIGHTMAP), "heightmap");
    assert_string_equal(tw_type_name(TW_RECORD), "record");
    assert_int_equal(tw_type_size(TW_IMAGE), 3);
    assert_int_equal(tw_type_size(TW_RECORD), 32);
    assert_true(tw_type_is_grid(TW_VECTORS));
    assert_false(tw_type_is_grid(TW_POLYMAP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_end_at_their_limits),
        cmocka_unit_test(numbers_of_a_cell_are_its_members),
        cmocka_unit_test(a_value_beyond_the_limits_is_refused),
        cmocka_unit_test(a_block_is_aligned_and_its_copy_its_own),
        cmocka_unit_test(digests_are_for_ever),
        cmocka_unit_test(digests_tell_type_shape_and_bits_apart),
        cmocka_unit_test(the_first_cell_that_is_not_finite_is_found),
        cmocka_unit_test(no_member_escapes_the_check),
        cmocka_unit_test(elements_are_seen_by_their_members),
        cmocka_unit_test(types_keep_their_numbers),
        cmocka_unit_test(types_are_named_as_in_recipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
