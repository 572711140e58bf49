/* SPDX-License-Identifier: MIT
 *
 * main.c - the tests of a folder in one program: the first word says which. TESTS is TEST(name) for each (tests/CMakeLists.txt),
 * whose own main is called name_main. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_main(void);
TESTS
#undef TEST

int main(int argc, char **argv)
{
#define TEST(name)                                                                                                               \
    if (argc == 2 && !strcmp(argv[1], #name)) return name##_main();
    TESTS
#undef TEST
#define TEST(name) " " #name
    fprintf(stderr, "usage: %s one of" TESTS "\n", argv[0]);
    return 2;
}
