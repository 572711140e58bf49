// SPDX-License-Identifier: MIT
//
// quiet_test.cpp - arne.hpp without exceptions (-fno-exceptions): what fails is empty and tells why. Compiled by cpp_test.
#include <arne/arne.hpp>
#include <cstdio>

int main()
{
    arne_error e = {};
    const arne::model none = arne::load("no such robot", ARNE_BASE_FILE, ARNE_MIMIC_FOLLOW, &e);
    if (none || e.status != ARNE_NO_FILE) return 1;
    arne::data empty(none);
    if (empty || empty.id({0}, {0}, {0}).size()) return 2;
    if (arne::load("no such robot") || arne::batch(none, 2).gravity({0}).size()) return 3;
    arne::data d(arne::load("planar2r"));
    double tau[2], wrong[3];
    if (d.id({0, 0}, {0, 0}, {0, 0}, tau) || !(tau[1] > 14.7 && tau[1] < 14.8)) return 4;
    if (d.id({0, 0}, {0, 0}, {0, 0}, wrong) != ARNE_BAD_ARGUMENT) return 5;
    if (arne::make(arne_curve_new, tau, 1, 2)) return 6;
    std::puts("ok");
}
