/* Replays episodes of Gymnasium's Acrobot-v1 and compares every step: see gym_vectors.h. */
#include "ludus/gym_vectors.h"

extern const lu_game *const lu_games_acrobot[];

static lu_status run(const lu_tool_io *io, lu_error *error) {
    return lu_gym_verify(lu_games_acrobot[0], io, error);
}

extern const lu_tool lu_tool_acrobot_verify;
const lu_tool lu_tool_acrobot_verify = {
    .game = "acrobot",
    .name = "verify",
    .sentence = "Replays recorded episodes of Gymnasium's Acrobot-v1 and compares every step.",
    .settings = {"acrobot verify", NULL, 0},
    .run = run,
};
