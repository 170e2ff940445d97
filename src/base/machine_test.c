/* Tests of clock.c and cpu.c. */
#include <stdlib.h>

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "test.h"

TEST(seconds_never_go_back) {
    double before = lu_clock_seconds();
    for (int i = 0; i < 1000; i++) {
        double now = lu_clock_seconds();
        CHECK(now >= before);
        before = now;
    }
}

TEST(date_is_iso_8601) {
    char text[LU_CLOCK_TEXT];
    int year, month, day, hour, minute, second, end = 0;
    CHECK_INT(sscanf(lu_clock_utc(text, sizeof text), "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month,
                     &day, &hour, &minute, &second, &end),
              6);
    CHECK_INT(end, 20);
    CHECK_INT(strlen(text), 20);
    CHECK(year >= 2024);
    char small[5] = "full";
    CHECK_TEXT(lu_clock_utc(small, sizeof small), "");
}

TEST(isa_is_lowered_and_never_raised) {
    const char *was = getenv("LUDUS_ISA");
    char kept[32];
    snprintf(kept, sizeof kept, "%s", was ? was : "");
    unsetenv("LUDUS_ISA");
    lu_isa best = lu_cpu_isa();
    CHECK(best < LU_ISA_COUNT);
    for (int i = 0; i < LU_ISA_COUNT; i++) {
        lu_isa level = LU_ISA_COUNT;
        CHECK(lu_isa_parse(lu_isa_name((lu_isa)i), &level));
        CHECK_INT(level, i);
        setenv("LUDUS_ISA", lu_isa_name((lu_isa)i), 1);
        CHECK_INT(lu_cpu_isa(), i < (int)best ? i : (int)best);
    }
    setenv("LUDUS_ISA", "v9", 1);
    CHECK_INT(lu_cpu_isa(), best);
    if (was) {
        setenv("LUDUS_ISA", kept, 1);
    } else {
        unsetenv("LUDUS_ISA");
    }
}

/* Whoever may not use tiles gets the level below, and is told why. */
TEST(tiles_are_there_or_the_reason_is) {
    lu_isa isa = lu_cpu_isa();
    lu_tiles tiles = lu_cpu_tiles();
    CHECK_INT(lu_cpu_tiles(), tiles);
    CHECK(isa != LU_ISA_AMX || tiles == LU_TILES_READY);
    CHECK(strstr(lu_cpu_tiles_text(),
                 isa == LU_ISA_AMX ? "tiles of the processor" : "tiles emulated: ") != NULL);
    setenv("LUDUS_ISA", lu_isa_name(isa < LU_ISA_V4 ? isa : LU_ISA_V4), 1);
    CHECK(strstr(lu_cpu_tiles_text(), "tiles emulated: ") != NULL);
    setenv("LUDUS_ISA", lu_isa_name(isa), 1);
    CHECK_INT(lu_cpu_isa(), isa);
}

TEST(processor_has_a_name) {
    char text[128];
    CHECK(strlen(lu_cpu_name(text, sizeof text)) > 0);
    CHECK(!strchr(text, '\n'));
    char small[4];
    CHECK_INT(strlen(lu_cpu_name(small, sizeof small)), 3);
}
