/* Deliberately wrong: rules that call libm, allocate and remember. tools/check-symbols must refuse
 * its object. */
#include <math.h>
#include <stdlib.h>

double broken_angle(double x);

static int broken_calls;

double broken_angle(double x) {
    broken_calls++;
    double *place = malloc(sizeof *place);
    if (!place) {
        return 0.0;
    }
    *place = sin(x + broken_calls);
    double value = *place;
    free(place);
    return value;
}
