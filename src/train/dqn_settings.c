/* The settings of DQN, and the games and nets it takes. */
#include "dqn_internal.h"

static const lu_setting rows[] = {
    {"dqn.steps", LU_INT, "2M", 1, 1e15, NULL,
     "Environment steps to train for; schedules end with them.", false},
    {"dqn.seed", LU_INT, "1", 0, 9007199254740992.0, NULL,
     "Random seed of everything: initial weights, environments, actions, samples from the buffer.",
     false},
    {"dqn.threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
    {"dqn.environments", LU_INT, "32", 1, 1048576, NULL, "Environments played side by side.",
     false},
    {"dqn.horizon", LU_INT, "4", 1, 16384, NULL,
     "Steps that each environment plays per round, before learning.", false},
    {"dqn.gradient_steps", LU_INT, "2", 1, 65536, NULL, "Minibatches per round.", false},
    {"dqn.rounds", LU_INT, "16", 1, 65536, NULL,
     "Rounds per update, the unit of reporting and saving; schedules advance between updates.",
     false},
    {"dqn.minibatch", LU_INT, "256", 1, 1048576, NULL, "Steps per minibatch.", false},
    {"dqn.replay", LU_ALIAS, "dqn.buffer", 0, 0, NULL, "Another name of dqn.buffer.", false},
    {"dqn.buffer", LU_INT, "200k", 1, 1e9, NULL,
     "Size of the replay buffer in steps, over all environments.", false},
    {"dqn.warmup", LU_INT, "10k", 0, 1e12, NULL, "Random steps before learning starts.", false},
    {"dqn.steps_ahead", LU_INT, "3", 1, 1024, NULL,
     "n of the n-step returns: rewards summed before bootstrapping.", false},
    {"dqn.double", LU_BOOL, "true", 0, 0, NULL,
     "Double DQN: the online net selects the option that the target net evaluates.", false},
    {"dqn.target_every", LU_INT, "250", 1, 1e9, NULL,
     "Minibatches between updates of the target net.", false},
    {"dqn.target_rate", LU_SCHEDULE, "1", 0, 1, NULL,
     "How far the target net moves towards the online net; 1 copies it.", false},
    {"dqn.epsilon", LU_SCHEDULE, "piecewise(0:1,0.2:0.05,1:0.01)", 0, 1, NULL,
     "Share of random choices (epsilon-greedy).", false},
    {"dqn.prioritise", LU_SCHEDULE, "0.6", 0, 1, NULL,
     "Samples steps in proportion to (|error| + dqn.priority_floor)^this; 0 samples uniformly.",
     false},
    {"dqn.priority_floor", LU_REAL, "0.01", 1e-9, 1e9, NULL,
     "Added to errors, so that every step can be sampled.", false},
    {"dqn.beta", LU_SCHEDULE, "linear(0.4,1)", 0, 1, NULL,
     "How much of the bias from priorities is corrected by importance weights.", false},
    {"dqn.optimiser", LU_ENUM, "adam", 0, 0, "adam|muon", "The optimiser.", false},
    {"dqn.rate", LU_SCHEDULE, "linear(5e-4,5e-5)", 0, 10, NULL, "Learning rate.", false},
    {"dqn.beta1", LU_SCHEDULE, "0.9", 0, 0.9999, NULL,
     "Decay rate of the first moment (Adam), or momentum (Muon).", false},
    {"dqn.beta2", LU_SCHEDULE, "0.999", 0, 0.999999, NULL,
     "Decay rate of the second moment (Adam).", false},
    {"dqn.eps", LU_SCHEDULE, "1e-5", 0, 1, NULL, "Adam's epsilon.", false},
    {"dqn.decay", LU_SCHEDULE, "0", 0, 1, NULL, "Decoupled weight decay.", false},
    {"dqn.max_norm", LU_SCHEDULE, "10", 0, 1e9, NULL,
     "Gradients are clipped to this norm; 0 = off.", false},
    {"dqn.gamma", LU_SCHEDULE, "0.99", 0, 1, NULL,
     "Discount per step, or per tick if the game says so; stored with each step.", false},
    {"dqn.truncation", LU_ENUM, "game", 0, 0, "game|bootstrap|end",
     "After an episode truncated by its limit: bootstrap from the value of the last observation, "
     "treat it as the end, or follow the game (bootstrap at a cut, end at a rule).",
     false},
    {"dqn.normalise_observation", LU_BOOL, "true", 0, 0, NULL,
     "Normalises every number of the observation by its running mean and standard deviation.",
     false},
    {"dqn.observation_clip", LU_REAL, "10", 0.01, 1e6, NULL,
     "Normalised observations are clipped to +- this; stored in the model.", false},
    {"dqn.reward_scale", LU_REAL, "1", 1e-9, 1e9, NULL,
     "Rewards are multiplied by this; the Huber loss is linear for errors above 1.", false},
    {"dqn.reward_clip", LU_SCHEDULE, "0", 0, 1e9, NULL,
     "Rewards, after scaling, are clipped to +- this; 0 = off.", false},
    {"dqn.reward", LU_TEXT, "", 0, 2048, NULL,
     "Adds a reward to the game's: a formula over the terms of a step, before their weights, with "
     "p and u as in schedules: 'max(0,damage_dealt_scale-0.1)'.",
     false},
    {"dqn.opponents", LU_TEXT, "", 0, 0, NULL,
     "Players for seats that do not learn, with shares: 'self:1, bot:NAME:2, RUN:7:1'; empty: "
     "every seat learns.",
     false},
    {"dqn.save_failed", LU_TEXT, "", 0, 0, NULL,
     "File for the batch if Q values, loss or gradient are NaN or infinite; empty for none.",
     false},
};

const lu_table lu_dqn_table = {"dqn", rows, (int)(sizeof rows / sizeof rows[0])};

const char *const dqn_schedules[] = {"epsilon", "prioritise", "beta", "target_rate", NULL};

/* Games and nets that Q-learning here does not take. */
static lu_status check_fit(const lu_game *game, const lu_settings *s, lu_error *error) {
    const lu_core *core = lu_game_core(game);
    if (core->to_move) {
        return lu_fail(error, LU_BAD_VALUE,
                       "seats of %s take turns, but dqn needs a choice at every step: use ppo",
                       game->id);
    }
    if (lu_settings_enum(s, "net.memory") != 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "dqn learns from single steps, so it cannot train a memory: set net.memory "
                       "to none, or use ppo");
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
