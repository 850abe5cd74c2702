/* SPDX-License-Identifier: MIT */
/* Digests are the published functions, so that others can compute them. */
#include "base/memory/digest.h"

#include "support/harness.h"

#include <string.h>

static const char *hex_of(const unsigned char *at, size_t length)
{
    static char hex[65];
    tw_hex(at, length, hex);
    return hex;
}

static void sha256_is_that_of_fips_180_4(void **state)
{
    (void)state;
    struct tw_sha256 none = tw_sha256_of("", 0), abc = tw_sha256_of("abc", 3);
    assert_string_equal(hex_of(none.at, sizeof none.at),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(hex_of(abc.at, sizeof abc.at),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void digests_are_xxh3(void **state)
{
    (void)state;
    struct tw_digest none = tw_digest_of("", 0);
    assert_string_equal(hex_of(none.at, sizeof none.at), "99aa06d3014798d86001c324468d497f");
    assert_true(tw_hash64("", 0, 0) == 0x2D06800538D394C2u);
    assert_true(tw_hash64("", 0, 1) != tw_hash64("", 0, 0));
}

static void pieces_make_the_same_digest(void **state)
{
    static unsigned char bytes[3000];
    struct tw_digest_state pieces;
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 % 251);
    for (size_t step = 1; step < 2000; step = 3 * step + 1) {
        tw_digest_begin(&pieces);
        for (size_t i = 0; i < sizeof bytes; i += step)
            tw_digest_add(&pieces, bytes + i, sizeof bytes - i < step ? sizeof bytes - i : step);
        struct tw_digest whole = tw_digest_of(bytes, sizeof bytes), end = tw_digest_end(&pieces);
        assert_memory_equal(&end, &whole, sizeof end);
    }
}

static void hmac_is_that_of_rfc_4231(void **state)
{
    struct tw_secret secret = {{0}}; /* a shorter key is one with zeros after it */
    (void)state;
    memset(secret.at, 0x0b, 20);
    struct tw_sha256 code = tw_hmac_of(&secret, "Hi There", 8);
    assert_string_equal(hex_of(code.at, sizeof code.at),
                        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    secret = (struct tw_secret){"Jefe"};
    code = tw_hmac_of(&secret, "what do ya want for nothing?", 28);
    assert_string_equal(hex_of(code.at, sizeof code.at),
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

static struct tw_sha256 keyed(const struct tw_secret *secret, uint64_t a, uint64_t b,
                              const void *data, size_t length)
{
    struct tw_sha256 digest;
    assert_true(tw_keyed_digest(secret, (struct tw_tweak){{a, b}}, data, length, &digest));
    return digest;
}

/* Of lengths around those of the pieces that it is computed of, and of the secret and the tweak. */
static void every_byte_counts_in_a_keyed_digest(void **state)
{
    enum { CHUNK = 1 << 20 };
    static const size_t lengths[] = {1, 2, 15, 16, 17, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1};
    static unsigned char bytes[2 * CHUNK + 1];
    struct tw_secret secret = {{7}};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t length = lengths[i];
        struct tw_sha256 whole = keyed(&secret, 1, 2, bytes, length), other;
        for (size_t at = 0; at < length; at = at + length / 5 < length - 1 ? at + length / 5 + 1
                                              : at < length - 1            ? length - 1
                                                                           : length) {
            bytes[at] ^= 1;
            other = keyed(&secret, 1, 2, bytes, length);
            bytes[at] ^= 1;
            if (memcmp(&other, &whole, sizeof whole) == 0)
                fail_msg("byte %zu of %zu does not count", at, length);
        }
        other = keyed(&secret, 1, 2, bytes, length - 1);
        assert_memory_not_equal(&other, &whole, sizeof whole);
        other = keyed(&secret, 1, 3, bytes, length);
        assert_memory_not_equal(&other, &whole, sizeof whole);
        other = keyed(&secret, 0, 2, bytes, length);
        assert_memory_not_equal(&other, &whole, sizeof whole);
    }
    struct tw_sha256 whole = keyed(&secret, 1, 2, bytes, 20);
    for (size_t at = 0; at < sizeof secret.at; at++) {
        secret.at[at] ^= 8; /* Poly1305 ignores some others */
        struct tw_sha256 other = keyed(&secret, 1, 2, bytes, 20);
        secret.at[at] ^= 8;
        if (memcmp(&other, &whole, sizeof whole) == 0)
            fail_msg("byte %zu of the secret does not count", at);
    }
}

/* Steps that end within chunks, at their ends and beyond them. */
static void pieces_make_the_same_keyed_digest(void **state)
{
    enum { CHUNK = 1 << 20 };
    static const size_t lengths[] = {0, 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 3};
    static const size_t steps[] = {CHUNK / 3, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK};
    static unsigned char bytes[2 * CHUNK + 3];
    const struct tw_secret secret = {{7}};
    const struct tw_tweak tweak = {{1, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 % 251);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            struct tw_keyed_state pieces;
            struct tw_sha256 whole = keyed(&secret, 1, 2, bytes, lengths[l]), digest;
            tw_keyed_begin(&pieces, &secret, tweak, lengths[l]);
            for (size_t at = 0; at < lengths[l]; at += steps[s])
                tw_keyed_add(&pieces, bytes + at,
                             lengths[l] - at < steps[s] ? lengths[l] - at : steps[s]);
            assert_true(tw_keyed_end(&pieces, &digest));
            assert_memory_equal(&digest, &whole, sizeof digest);
        }
}

static void a_keyed_digest_of_another_length_than_announced_is_none(void **state)
{
    const struct tw_secret secret = {{7}};
    static const unsigned char bytes[4];
    (void)state;
    for (size_t length = 2; length <= 4; length++) {
        struct tw_keyed_state pieces;
        struct tw_sha256 digest;
        tw_keyed_begin(&pieces, &secret, (struct tw_tweak){{0, 0}}, 3);
        tw_keyed_add(&pieces, bytes, 1);
        tw_keyed_add(&pieces, bytes + 1, length - 1);
        assert_true(tw_keyed_end(&pieces, &digest) == (length == 3));
    }
}

static void hex_has_two_digits_for_each_byte(void **state)
{
    const unsigned char bytes[] = {0x00, 0x0f, 0xa0, 0xff};
    (void)state;
    assert_string_equal(hex_of(bytes, sizeof bytes), "000fa0ff");
    assert_string_equal(hex_of(bytes, 0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_is_that_of_fips_180_4),
        cmocka_unit_test(digests_are_xxh3),
        cmocka_unit_test(pieces_make_the_same_digest),
        cmocka_unit_test(hmac_is_that_of_rfc_4231),
        cmocka_unit_test(every_byte_counts_in_a_keyed_digest),
        cmocka_unit_test(pieces_make_the_same_keyed_digest),
        cmocka_unit_test(a_keyed_digest_of_another_length_than_announced_is_none),
        cmocka_unit_test(hex_has_two_digits_for_each_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
