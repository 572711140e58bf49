/* SPDX-License-Identifier: MIT
 *
 * multiply.c - C += A B: four rows by eight columns at a time in registers, what is left over one by one. */
#include "kind/multiply.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 8 };

typedef num columns __attribute__((vector_size(COLUMNS * sizeof(num))));

void EXPORT(multiply)(int rows, int inner, int width, const num *A, int a_apart, const num *B, int b_apart, num *C, int c_apart)
{
    for (int c = 0; c < width; c += COLUMNS)
        for (int i = 0; i < rows; i += ROWS) {
            const int tall = rows - i < ROWS ? rows - i : ROWS, wide = width - c < COLUMNS ? width - c : COLUMNS;
            const num *a = A + i * a_apart, *b = B + c;
            num *to = C + i * c_apart + c;
            if (tall == ROWS && wide == COLUMNS) {
                columns y0, y1, y2, y3, x;
                memcpy(&y0, to, sizeof y0);
                memcpy(&y1, to + c_apart, sizeof y1);
                memcpy(&y2, to + 2 * c_apart, sizeof y2);
                memcpy(&y3, to + 3 * c_apart, sizeof y3);
                for (int j = 0; j < inner; j++) {
                    memcpy(&x, b + j * b_apart, sizeof x);
                    y0 += a[j] * x;
                    y1 += a[a_apart + j] * x;
                    y2 += a[2 * a_apart + j] * x;
                    y3 += a[3 * a_apart + j] * x;
                }
                memcpy(to, &y0, sizeof y0);
                memcpy(to + c_apart, &y1, sizeof y1);
                memcpy(to + 2 * c_apart, &y2, sizeof y2);
                memcpy(to + 3 * c_apart, &y3, sizeof y3);
                continue;
            }
            for (int r = 0; r < tall; r++)
                for (int k = 0; k < wide; k++)
                    for (int j = 0; j < inner; j++) to[r * c_apart + k] += a[r * a_apart + j] * b[j * b_apart + k];
        }
}
