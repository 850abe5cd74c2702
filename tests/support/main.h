/* SPDX-License-Identifier: MIT */
/* Declares the main() of a test that is linked with others of its folder; CMake renames it and
 * includes this first. No include guard. */
int main(void);
