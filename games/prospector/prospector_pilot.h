/* The pilot of prospector, for the table of bots: the short script of prospector_pilot.c.
 * Ownership: the memory is the bot's, zero at the start of an episode. Threads: nothing is shared.
 */
#pragma once

#include "prospector.h"

typedef struct pilot_memory {
    uint32_t worked_out; /* bit k: slot k of the station leads to a field without a good rock */
    int32_t slot;        /* of the station, taken for this trip */
} pilot_memory;

void prospector_pilot_act(const lu_seat_view *view, int32_t *actions);
