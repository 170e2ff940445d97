/* Deliberately wrong: rules that call libm and allocate. tools/check-symbols must refuse its
 * object. */
#include <math.h>
#include <stdlib.h>

double broken_angle(double x);

double broken_angle(double x) {
    double *place = malloc(sizeof *place);
    if (!place) {
        return 0.0;
    }
    *place = sin(x);
    double value = *place;
    free(place);
    return value;
}
