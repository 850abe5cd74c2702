/* SPDX-License-Identifier: MIT */
/* Declares the main() of a test that is linked with others of its folder; CMake renames it and
 * includes this first. It has no include guard. */
int main(void);
