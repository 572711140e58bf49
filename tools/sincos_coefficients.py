#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the constants of src/num/sincos.inc and, for floats, src/num/sincos32.inc: pi/2 in parts and the polynomials of sine and
cosine.

P(z) = (sin(x)/x - 1)/z and Q(z) = (cos(x) - 1 + z/2)/z^2 with z = x^2 are interpolated on [0, (pi/4)^2], and a little beyond, in
exact rational arithmetic and rounded to double; the largest remaining error is printed beside them. Nodes are the zeros of a
Chebyshev polynomial but the least, which is put at z = 0: there the error of z P is zero anyway."""
import math
import struct
from fractions import Fraction as F

PI = F("3.14159265358979323846264338327950288419716939937510582097494459")


def series(term, first, z):
    """sum of an alternating power series: term(k) is the ratio of the denominators of terms k and k + 1"""
    total, t, k = F(0), first, 0
    while k < 40:
        total, t, k = total + t, -t * z / term(k), k + 1
    return total


def p(z):
    return series(lambda k: (2 * k + 4) * (2 * k + 5), F(-1, 6), z)


def q(z):
    return series(lambda k: (2 * k + 5) * (2 * k + 6), F(1, 24), z)


def interpolate(f, n, top):
    zeros = [F(math.cos(math.pi * (2 * i + 1) / (2 * n + 2))) for i in range(n + 1)]
    nodes = [top * (x - zeros[n]) / (1 - zeros[n]) for x in zeros[:n]]
    rows = [[x**j for j in range(n)] + [f(x)] for x in nodes]
    for i in range(n):
        for r in range(n):
            if r != i:
                m = rows[r][i] / rows[i][i]
                rows[r] = [a - m * b for a, b in zip(rows[r], rows[i])]
    return [float(rows[i][n] / rows[i][i]) for i in range(n)]


def leading(x, bits):
    scale = F(2) ** (bits - 1 - math.floor(math.log2(x)))
    return F(math.floor(x * scale)) / scale


def show(terms_p, terms_q, beyond, rounded=float):
    top = (PI / 4) ** 2 * beyond
    for name, f, n, weight in (("P", p, terms_p, 1), ("Q", q, terms_q, 2)):
        c = [rounded(a) for a in interpolate(f, n, top)]
        grid = [top * F(i, 200) for i in range(1, 201)]
        error = max(abs(float((sum(F(a) * z**k for k, a in enumerate(c)) - f(z)) * z**weight)) for z in grid)
        print(name, "=", " ".join(a.hex() for a in c), " error %.1e" % error)


first = leading(PI / 2, 33)
second = leading(PI / 2 - first, 33)
print("pi/2 =", float(first).hex(), "+", float(second).hex(), "+", float(PI / 2 - first - second).hex())
print("2/pi =", float(2 / PI).hex())
show(6, 6, F(1001, 1000))
print("float:")


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


parts, rest = [], PI / 2
for bits in (8, 8, 8):
    parts.append(leading(rest, bits))
    rest -= parts[-1]
print("pi/2 =", " + ".join(float(x).hex() for x in (*parts, single(float(rest)))))
print("2/pi =", single(2 / PI).hex())
show(3, 3, F(103, 100), single)
