/* What no file of src/base may have: tools/check-arrows must refuse these lines and let
 * the others pass. */
#include "ludus/error.h"
#include "ludus/game.h" /* refused: upwards */
#include "ludus/run.h"  /* refused: upwards, over several folders */

#include "../nn/kernels.h" /* refused: inside of another folder */
#include "nosuch.h"        /* refused: nowhere */
#include "number.h"

#include <mpi.h> /* refused: a library that nobody named */
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h> /* refused: file.c alone has it */

#include "ludus/nosuch.h" /* refused: no header of the project */

void *rules_by_hand(void) {
    return lu_rules_new(0, 0, 0); /* refused: an episode opens games */
}
