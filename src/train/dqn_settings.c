/* The settings of DQN, and the games and nets it takes. */
#include "dqn_internal.h"

static const lu_setting rows[] = {
    {"dqn.steps", LU_INT, "2M", 1, 1e15, NULL,
     "Steps of environments to train for; schedules end with them.", false},
    {"dqn.seed", LU_INT, "1", 0, 9007199254740992.0, NULL,
     "Seed of everything: first weights, environments, choices, draws from the buffer.", false},
    {"dqn.threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
    {"dqn.environments", LU_INT, "32", 1, 1048576, NULL, "Environments played side by side.",
     false},
    {"dqn.horizon", LU_INT, "4", 1, 16384, NULL,
     "Steps that each environment plays in a round, before it is learned.", false},
    {"dqn.gradient_steps", LU_INT, "2", 1, 65536, NULL, "Minibatches that are learned in a round.",
     false},
    {"dqn.rounds", LU_INT, "16", 1, 65536, NULL,
     "Rounds of an update: what is reported and saved together; schedules move between updates.",
     false},
    {"dqn.minibatch", LU_INT, "256", 1, 1048576, NULL, "Steps in a minibatch.", false},
    {"dqn.replay", LU_ALIAS, "dqn.buffer", 0, 0, NULL, "Another name of dqn.buffer.", false},
    {"dqn.buffer", LU_INT, "200k", 1, 1e9, NULL,
     "Steps that are remembered, of all environments together.", false},
    {"dqn.warmup", LU_INT, "10k", 0, 1e12, NULL,
     "Steps played at random before anything is learned.", false},
    {"dqn.steps_ahead", LU_INT, "3", 1, 1024, NULL,
     "Rewards of so many steps stand in a target before a value is read.", false},
    {"dqn.double", LU_BOOL, "true", 0, 0, NULL,
     "The learning net picks the option whose value the target net gives.", false},
    {"dqn.target_every", LU_INT, "250", 1, 1e9, NULL,
     "Minibatches between two moves of the target net.", false},
    {"dqn.target_rate", LU_SCHEDULE, "1", 0, 1, NULL,
     "How far the target net moves towards the learning net: 1 copies it.", false},
    {"dqn.epsilon", LU_SCHEDULE, "piecewise(0:1,0.2:0.05,1:0.01)", 0, 1, NULL,
     "Share of choices that are random.", false},
    {"dqn.prioritise", LU_SCHEDULE, "0.6", 0, 1, NULL,
     "Steps are drawn by (|error| + dqn.priority_floor)^this, 0 for all alike.", false},
    {"dqn.priority_floor", LU_REAL, "0.01", 1e-9, 1e9, NULL,
     "Added to errors, so that every step can be drawn.", false},
    {"dqn.beta", LU_SCHEDULE, "linear(0.4,1)", 0, 1, NULL,
     "How much of the bias of priorities is undone by weights.", false},
    {"dqn.optimiser", LU_ENUM, "adam", 0, 0, "adam|muon", "How gradients move the parameters.",
     false},
    {"dqn.rate", LU_SCHEDULE, "linear(5e-4,5e-5)", 0, 10, NULL, "Learning rate.", false},
    {"dqn.beta1", LU_SCHEDULE, "0.9", 0, 0.9999, NULL,
     "Memory of the first moment (Adam) or momentum (Muon).", false},
    {"dqn.beta2", LU_SCHEDULE, "0.999", 0, 0.999999, NULL, "Memory of the second moment (Adam).",
     false},
    {"dqn.eps", LU_SCHEDULE, "1e-5", 0, 1, NULL, "Small number under Adam's division.", false},
    {"dqn.decay", LU_SCHEDULE, "0", 0, 1, NULL, "Decoupled weight decay.", false},
    {"dqn.max_norm", LU_SCHEDULE, "10", 0, 1e9, NULL,
     "Gradients are shortened to this norm, 0 for never.", false},
    {"dqn.gamma", LU_SCHEDULE, "0.99", 0, 1, NULL,
     "Discount of a step, or of a tick where the game says so; kept with each step.", false},
    {"dqn.truncation", LU_ENUM, "game", 0, 0, "game|bootstrap|end",
     "After an episode that ended by its limit: go on from the value of its last observation, "
     "count "
     "it as over, or as the game has it (a cut goes on, a rule ends).",
     false},
    {"dqn.normalise_observation", LU_BOOL, "true", 0, 0, NULL,
     "Shift and scale every number of the observation by its running mean and deviation.", false},
    {"dqn.observation_clip", LU_REAL, "10", 0.01, 1e6, NULL,
     "Numbers of the observation, after shift and scale, are cut to +- this; models keep it.",
     false},
    {"dqn.reward_scale", LU_REAL, "1", 1e-9, 1e9, NULL,
     "Rewards are multiplied by this; errors above 1 count by their size, not by their square.",
     false},
    {"dqn.reward_clip", LU_SCHEDULE, "0", 0, 1e9, NULL,
     "Rewards, after scaling, are cut to +- this, 0 for never.", false},
    {"dqn.reward", LU_TEXT, "", 0, 2048, NULL,
     "A reward beside that of the game: a formula over the terms of a step, before their weights, "
     "with p and u as in schedules: 'max(0,damage_dealt_scale-0.1)'. Empty for none.",
     false},
    {"dqn.opponents", LU_TEXT, "", 0, 0, NULL,
     "Players of seats that do not learn, with shares: 'self:1, bot:NAME:2, RUN:7:1'; empty: every "
     "seat learns.",
     false},
    {"dqn.save_failed", LU_TEXT, "", 0, 0, NULL,
     "File for the batch when Q values, loss or gradient are NaN or infinite, empty for none.",
     false},
};

const lu_table lu_dqn_table = {"dqn", rows, (int)(sizeof rows / sizeof rows[0])};

const char *const dqn_schedules[] = {"epsilon", "prioritise", "beta", "target_rate", NULL};

/* Games and nets that Q-learning here does not take. */
static lu_status check_fit(const lu_game *game, const lu_settings *s, lu_error *error) {
    const lu_core *core = lu_game_core(game);
    if (core->to_move) {
        return lu_fail(error, LU_BAD_VALUE,
                       "seats of %s wait for each other, and dqn needs a choice at every step: use "
                       "ppo",
                       game->id);
    }
    if (lu_settings_enum(s, "net.memory") != 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "dqn learns single steps, which leave no memory to learn: set net.memory to "
                       "none, or use ppo");
    }
    return LU_OK;
}

lu_status dqn_config_read(lu_trainer *trainer, lu_error *error) {
    dqn_of(trainer)->config = (dqn_config){
        .rounds = (int)train_int(trainer, "rounds"),
        .gradient_steps = (int)train_int(trainer, "gradient_steps"),
        .steps_ahead = (int)train_int(trainer, "steps_ahead"),
        .target_every = (int)train_int(trainer, "target_every"),
        .buffer = train_int(trainer, "buffer"),
        .warmup = train_int(trainer, "warmup"),
        .reward_scale = train_real(trainer, "reward_scale"),
        .priority_floor = train_real(trainer, "priority_floor"),
        .twice = train_bool(trainer, "double"),
    };
    return check_fit(trainer->game, trainer->settings, error);
}
