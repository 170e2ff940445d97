/* `ludus verify joker FILE...`: seeds, scored hands, hand detection and rewards against the rules.
 */
#include "verify.h"

static lu_status run(const lu_tool_io *io, lu_error *error) {
    static const lu_check_format formats[] = {
        {"ludus-joker-seeds-1", "cases", joker_check_seed},
        {"ludus-joker-scoring-1", "cases", joker_check_scoring},
        {"ludus-joker-detection-1", "cases", joker_check_detection},
        {"ludus-joker-reward-1", "cases", joker_check_reward},
    };
    return lu_verify_cases(io, formats, sizeof formats / sizeof *formats, error);
}

extern const lu_tool lu_tool_joker_verify;
const lu_tool lu_tool_joker_verify = {
    .game = "joker",
    .name = "verify",
    .sentence = "Checks seeds, scored hands, hand detection and rewards.",
    .settings = {"joker verify", NULL, 0},
    .run = run,
};
