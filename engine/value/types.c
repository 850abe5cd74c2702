/* SPDX-License-Identifier: MIT */
/* The list of types as a table: the facts of include/thalweg/field.h, and what the compiler knows
 * about the members of elements. */
#include "value/field.h"

#include <assert.h>

/* Fails to compile for a member of any other C type. */
#define KIND_OF(member)                                                                            \
    _Generic((member), float                                                                       \
             : TW_MEMBER_F32, double                                                               \
             : TW_MEMBER_F64, int32_t                                                              \
             : TW_MEMBER_I32, uint32_t                                                             \
             : TW_MEMBER_U32, uint16_t                                                             \
             : TW_MEMBER_U16, uint8_t                                                              \
             : TW_MEMBER_U8, char *                                                                \
             : TW_MEMBER_TEXT)

/* EACH(F, S, a, b) is F(S, a) F(S, b). */
#define E1(F, S, m) F(S, m)
#define E2(F, S, m, ...) F(S, m) E1(F, S, __VA_ARGS__)
#define E3(F, S, m, ...) F(S, m) E2(F, S, __VA_ARGS__)
#define E4(F, S, m, ...) F(S, m) E3(F, S, __VA_ARGS__)
#define E5(F, S, m, ...) F(S, m) E4(F, S, __VA_ARGS__)
#define E6(F, S, m, ...) F(S, m) E5(F, S, __VA_ARGS__)
#define E7(F, S, m, ...) F(S, m) E6(F, S, __VA_ARGS__)
#define E8(F, S, m, ...) F(S, m) E7(F, S, __VA_ARGS__)
#define E9(F, S, m, ...) F(S, m) E8(F, S, __VA_ARGS__)
#define E10(F, S, m, ...) F(S, m) E9(F, S, __VA_ARGS__)
#define E11(F, S, m, ...) F(S, m) E10(F, S, __VA_ARGS__)
#define E12(F, S, m, ...) F(S, m) E11(F, S, __VA_ARGS__)
#define E13(F, S, m, ...) F(S, m) E12(F, S, __VA_ARGS__)
#define E14(F, S, m, ...) F(S, m) E13(F, S, __VA_ARGS__)
#define E15(F, S, m, ...) F(S, m) E14(F, S, __VA_ARGS__)
#define E16(F, S, m, ...) F(S, m) E15(F, S, __VA_ARGS__)
#define PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, name, ...) name
#define EACH(F, S, ...)                                                                            \
    PICK(__VA_ARGS__, E16, E15, E14, E13, E12, E11, E10, E9, E8, E7, E6, E5, E4, E3, E2, E1, 0)    \
    (F, S, __VA_ARGS__)

#define ADD_SIZE(S, m) +sizeof(((S *)0)->m)
#define CHECK(name, text, shape, help, element, ...)                                               \
    _Static_assert(sizeof(element) == 0 EACH(ADD_SIZE, element, __VA_ARGS__),                      \
                   text ": the row must list all members of " #element ", which has no gaps");
TW_TYPE_LIST(CHECK)

#define MEMBER(S, m) {#m, KIND_OF(((S *)0)->m), offsetof(S, m), sizeof(((S *)0)->m)},
#define ROW(name, text, shape, help, element, ...)                                                 \
    {text, shape, help, sizeof(element), {EACH(MEMBER, element, __VA_ARGS__)}},
static const struct tw_type_row rows[TW_TYPE_COUNT] = {TW_TYPE_LIST(ROW)};

const struct tw_type_row *tw_type(enum tw_type type)
{
    assert((unsigned)type < TW_TYPE_COUNT);
    return &rows[type];
}

const char *tw_type_name(enum tw_type type) { return tw_type(type)->name; }
size_t tw_type_size(enum tw_type type) { return tw_type(type)->size; }
bool tw_type_is_grid(enum tw_type type) { return tw_type(type)->shape == TW_GRID; }

size_t tw_type_numbers(enum tw_type type)
{
    const struct tw_element_member *members = tw_type(type)->members;
    size_t count = 0;
    for (; members[count].name; count++)
        if (members[count].kind != members[0].kind || members[count].kind == TW_MEMBER_TEXT)
            return 0;
    return count;
}
