/* Episodes recorded from Gymnasium, replayed through a game of ours that keeps the same rules: the
 * body of `verify` of such games. A file has a header line, then one line per episode, all JSON
 * (python/anchors/gym_parity.py writes them). An episode gives its start as options of our reset,
 * so that our generator plays no part. Observations may differ by 1e-6 (relative above 1); rewards
 * and flags must be equal, except that ludus never sets `truncated` with `terminated`. Such systems
 * are unstable: under given actions a difference in the last bit of one sin, which any two
 * libraries have, grows exponentially. So an episode carries its exact state at every "sync" steps,
 * and the replay goes on from there. Ownership: everything belongs to the caller. Threads: no
 * shared state. */
#pragma once

#include "ludus/tool.h"

LU_C_BEGIN

/* Emits one JSON line per episode and one with the counts. LU_CHECK_FAILED when an episode differs;
 * LU_BAD_DATA, naming the line, when an input is no such file. The game has one head and one group
 * of observations, and takes its whole state from JSON. */
lu_status lu_gym_verify(const lu_game *game, const lu_tool_io *io, lu_error *error);

LU_C_END
