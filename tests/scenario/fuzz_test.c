/* SPDX-License-Identifier: MIT
 *
 * Scenario files that someone has spoilt: characters lost, doubled, exchanged, lines moved. Whatever comes, the reader answers
 * with a scenario or with one sentence; under the sanitizers it also gives back all memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/scenario.h"
#include "support/random_robot.h"
#include "support/tempfile.h"

enum { ROUNDS = 300, LARGEST = 4096 };

static size_t load(const char *name, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../examples/scenarios/%s.yaml", ARNE_ROBOTS, name);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s", path);
    const size_t size = fread(text, 1, LARGEST / 2, f);
    fclose(f);
    return size;
}

/* One to four injuries; text has room for twice its size. */
static size_t spoil(random_stream *r, char *text, size_t size)
{
    static const char odd[] = "[]{}:,-#'\"\n\t 0.9e&*!|>%@\x01\xff";
    for (int k = 1 + random_below(r, 4); k > 0 && size > 8; k--) {
        const size_t at = (size_t)random_below(r, (int)size), length = 1 + (size_t)random_below(r, 12);
        const size_t end = at + length < size ? at + length : size;
        switch (random_below(r, 4)) {
        case 0: text[at] = odd[random_below(r, (int)sizeof odd - 1)]; break;
        case 1:
            memmove(text + at, text + end, size - end);
            size -= end - at;
            break;
        case 2:
            if (size + (end - at) > LARGEST) break;
            memmove(text + end, text + at, size - at);
            size += end - at;
            break;
        default: {
            const size_t other = (size_t)random_below(r, (int)size);
            const char c = text[at];
            text[at] = text[other];
            text[other] = c;
        }
        }
    }
    return size;
}

static void spoilt_files_are_refused_in_one_sentence(void **state)
{
    (void)state;
    static const char *const names[] = {"pendulum", "push", "stiction", "payload", "elastic", "impedance"};
    static const arne_robot_place places[] = {
        {"planar2r", ARNE_ROBOTS "/planar2r.yaml"},
        {"kuka-lwr", ARNE_ROBOTS "/kuka-lwr.yaml"},
        {"scara", ARNE_ROBOTS "/scara.yaml"},
        {"ur5e", ARNE_ROBOTS "/ur5e.yaml"},
    };
    const arne_scenario_options o = {sizeof o, places, sizeof places / sizeof *places, NULL, 0};
    random_stream r = {20};
    int read = 0, refused = 0;
    for (int k = 0; k < ROUNDS; k++) {
        char text[LARGEST + 64];
        const size_t size = spoil(&r, text, load(names[k % 6], text));
        temp_folder folder = temp_open();
        arne_scenario *s = NULL;
        arne_error error = {0};
        if (arne_scenario_read(temp_write_bytes(&folder, "run.yaml", text, size), &o, &s, &error)) {
            assert_null(s);
            assert_true(error.message[0] && !strchr(error.message, '\n'));
            refused++;
        } else {
            assert_non_null(s);
            read++;
        }
        arne_scenario_free(s);
        temp_close(&folder);
    }
    print_message("%d read, %d refused\n", read, refused);
    assert_true(read > 0 && refused > ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoilt_files_are_refused_in_one_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
