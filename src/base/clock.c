/* The two clocks: see clock.h. */
#include "ludus/clock.h"

#include "ludus/error.h"

#include <time.h>

double lu_clock_seconds(void) {
    struct timespec now = {0}; /* of a host that has no clock */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

char *lu_clock_utc(char *text, size_t room) {
    LU_ASSERT(room > 0);
    struct tm parts;
    time_t now = time(NULL);
    gmtime_r(&now, &parts);
    if (!strftime(text, room, "%Y-%m-%dT%H:%M:%SZ", &parts)) {
        text[0] = '\0';
    }
    return text;
}
