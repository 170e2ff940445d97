/* The framing of event files, apart from files: for tensorboard.c and its test. */
#pragma once

#include "ludus/text.h"

#include <stdint.h>

/* CRC-32C (Castagnoli) of bytes. */
uint32_t tensorboard_crc(const void *bytes, size_t length);
/* Adds one record: length, its sum, the payload, its sum. */
void tensorboard_record(lu_text *out, const lu_text *payload);
