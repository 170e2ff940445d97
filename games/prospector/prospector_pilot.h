/* The pilot of prospector, a bot in a file of its own: for the table of bots only. */
#pragma once

#include "prospector.h"

/* Bytes of its memory; prospector_pilot.c checks the number. */
enum { PROSPECTOR_PILOT_BYTES = 5764 };

void prospector_pilot_act(const lu_model *model, const void *state, int seat,
                          const float *observation, const uint8_t *mask, void *memory, lu_rng *rng,
                          int32_t *actions);
