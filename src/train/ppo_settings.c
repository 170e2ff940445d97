/* The settings of training and what the profiles make of them. The table's defaults are `fast`; a
 * profile is a list of key = value for rows that nobody set. */
#include "ppo_internal.h"

#include <string.h>

static const lu_setting rows[] = {
    {"train.profile", LU_ENUM, "fast", 0, 0, "fast|classic",
     "Defaults of train.* and net.*: large batches and one pass, or those of CleanRL's ppo.py.",
     false},
    {"train.steps", LU_INT, "10M", 1, 1e15, NULL,
     "Environment steps to train for; schedules end with them.", false},
    {"train.seed", LU_INT, "1", 0, 9007199254740992.0, NULL,
     "Random seed of everything: initial weights, environments, actions, order of minibatches.",
     false},
    {"train.threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
    {"train.environments", LU_INT, "1024", 1, 1048576, NULL, "Environments played side by side.",
     false},
    {"train.horizon", LU_INT, "64", 1, 65536, NULL, "Steps that each environment plays per update.",
     false},
    {"train.segment", LU_INT, "0", 0, 65536, NULL,
     "Steps of backpropagation through time in nets with memory; a divisor of the horizon, 0 for "
     "all of it.",
     false},
    {"train.parts", LU_INT, "1", 1, 65536, NULL,
     "Parts into which environments, minibatches and gradient sums are divided: the maximum number "
     "of processes that can share a training. Any number of processes gives the same bits.",
     false},
    {"train.minibatch", LU_INT, "8192", 1, 16777216, NULL,
     "Rows per minibatch; the batch is divided evenly into pieces of at least this many.", false},
    {"train.epochs", LU_INT, "1", 1, 1000, NULL, "Passes over a batch.", false},
    {"train.accumulate", LU_INT, "1", 1, 65536, NULL,
     "Minibatches whose gradients are averaged for one optimiser step, like one minibatch of that "
     "many times the rows.",
     false},
    {"train.optimiser", LU_ENUM, "adam", 0, 0, "adam|muon", "The optimiser.", false},
    {"train.rate", LU_SCHEDULE, "cosine(0.001,0)", 0, 10, NULL, "Learning rate.", false},
    {"train.beta1", LU_SCHEDULE, "0.9", 0, 0.9999, NULL,
     "Decay rate of the first moment (Adam), or momentum (Muon).", false},
    {"train.beta2", LU_SCHEDULE, "0.999", 0, 0.999999, NULL,
     "Decay rate of the second moment (Adam).", false},
    {"train.eps", LU_SCHEDULE, "1e-5", 0, 1, NULL, "Adam's epsilon.", false},
    {"train.decay", LU_SCHEDULE, "0", 0, 1, NULL, "Decoupled weight decay.", false},
    {"train.max_norm", LU_SCHEDULE, "0.5", 0, 1e9, NULL,
     "Gradients are clipped to this norm; 0 = off.", false},
    {"train.gamma", LU_SCHEDULE, "0.995", 0, 1, NULL,
     "Discount per step, or per tick if the game says so.", false},
    {"train.lambda", LU_SCHEDULE, "0.9", 0, 1, NULL, "GAE's lambda: the weight of longer returns.",
     false},
    {"train.rho_clip", LU_SCHEDULE, "1", 0, 1e9, NULL,
     "V-trace's clip of the importance weight of a step (rho).", false},
    {"train.c_clip", LU_SCHEDULE, "1", 0, 1e9, NULL, "V-trace's clip of the trace weights (c).",
     false},
    {"train.truncation", LU_ENUM, "game", 0, 0, "game|bootstrap|end",
     "After an episode truncated by its limit: bootstrap from the value of the last observation, "
     "treat it as the end, or follow the game (bootstrap at a cut, end at a rule).",
     false},
    {"train.recompute", LU_BOOL, "false", 0, 0, NULL,
     "From the second epoch on, recomputes advantages from the values and ratios of the previous "
     "epoch.",
     false},
    {"train.clip", LU_SCHEDULE, "0.2", 0, 100, NULL,
     "PPO's clip range: how far the ratio may move from 1.", false},
    {"train.value_clip", LU_SCHEDULE, "0", 0, 1e9, NULL, "Clip range of the value loss; 0 = off.",
     false},
    {"train.value_cost", LU_SCHEDULE, "0.5", 0, 1e9, NULL, "Weight of the value loss.", false},
    {"train.entropy", LU_SCHEDULE, "0.005", 0, 1e3, NULL, "Entropy bonus of each head.", false},
    {"train.entropy_heads", LU_LIST, "", 0, 1e6, NULL,
     "Factors of the entropy bonus, head by head; empty for 1.", false},
    {"train.kl_stop", LU_SCHEDULE, "0", 0, 1e9, NULL,
     "Skips further epochs once an epoch's mean KL exceeds this; 0 = off.", false},
    {"train.eps_greedy", LU_SCHEDULE, "0", 0, 1, NULL,
     "Share of decisions, drawn per environment and step, that take the best option of every head "
     "instead of sampling; log-probabilities remain those of the policy.",
     false},
    {"train.normalise_observation", LU_BOOL, "true", 0, 0, NULL,
     "Normalises every number of the observation by its running mean and standard deviation.",
     false},
    {"train.observation_clip", LU_REAL, "10", 0.01, 1e6, NULL,
     "Normalised observations are clipped to +- this; stored in the model.", false},
    {"train.normalise_return", LU_BOOL, "true", 0, 0, NULL,
     "Divides rewards by the running standard deviation of discounted returns.", false},
    {"train.normalise_advantage", LU_ENUM, "minibatch", 0, 0, "none|batch|minibatch",
     "Rows over which advantages are normalised to mean 0 and standard deviation 1.", false},
    {"train.reward_clip", LU_SCHEDULE, "0", 0, 1e9, NULL,
     "Rewards, after scaling, are clipped to +- this; 0 = off.", false},
    {"train.novelty", LU_SCHEDULE, "0", 0, 1e6, NULL,
     "Novelty bonus: this times the sum of max(|z| - 1, 0) over the normalised numbers z of the "
     "observation that have varied.",
     false},
    {"train.observation_noise", LU_TEXT, "", 0, 0, NULL,
     "Gaussian noise on the learner's observations: 'FIELD,GROUP,3,8-11,all: DEVIATION; ...', "
     "deviations as schedules in units of the field; empty for none.",
     false},
    {"train.reward", LU_TEXT, "", 0, 2048, NULL,
     "Adds a reward to the game's: a formula over the terms of a step, before their weights, with "
     "p and u as in schedules: 'max(0,damage_dealt_scale-0.1)'.",
     false},
    {"train.closed", LU_TEXT, "", 0, 2048, NULL,
     "An option that the learner may not choose: HEAD:OPTION, or HEAD:OPTION=SCHEDULE while that "
     "is above 0. The last legal option of a head always stays open.",
     true},
    {"train.prioritise", LU_REAL, "0", 0, 1, NULL,
     "Samples segments in proportion to (sum of |advantage|)^this; 0 takes each once per epoch.",
     false},
    {"train.prioritise_beta", LU_REAL, "0.2", 0, 1, NULL,
     "How much of that bias is corrected at the start; by the end all of it.", false},
    {"train.opponents", LU_TEXT, "", 0, 0, NULL,
     "Players for seats that do not learn, with shares: 'self:1, bot:NAME:2, RUN:7:1'; empty: "
     "every seat learns.",
     false},
    {"train.win_rate", LU_BOOL, "false", 0, 0, NULL,
     "Also trains a win predictor on the seat's observation; for games with the flag 'won'.",
     false},
    {"train.save_failed", LU_TEXT, "", 0, 0, NULL,
     "File for the batch if loss, gradient or logits are NaN or infinite; empty for none.", false},
};

const lu_table lu_ppo_table = {"train", rows, (int)(sizeof rows / sizeof rows[0])};

/* ---- profiles ---- */

typedef struct profile_row {
    const char *key, *value;
} profile_row;

/* CleanRL's ppo.py: an episode that is cut off counts as over, and the critic is a net of its own.
 */
static const profile_row classic[] = {
    {"train.steps", "500000"},
    {"train.environments", "4"},
    {"train.horizon", "128"},
    {"train.minibatch", "128"},
    {"train.epochs", "4"},
    {"train.rate", "linear(2.5e-4,0)"},
    {"train.max_norm", "0.5"},
    {"train.gamma", "0.99"},
    {"train.lambda", "0.95"},
    {"train.truncation", "end"},
    {"train.clip", "0.2"},
    {"train.value_clip", "0.2"},
    {"train.value_cost", "0.5"},
    {"train.entropy", "0.01"},
    {"train.normalise_observation", "false"},
    {"train.normalise_return", "false"},
    {"net.hidden", "64"},
    {"net.layers", "2"},
    {"net.activation", "tanh"},
    {"net.critic", "separate"},
};

lu_status lu_ppo_profile(lu_settings *settings, lu_error *error) {
    if (lu_settings_enum(settings, "train.profile") == 0) {
        return LU_OK;
    }
    for (size_t i = 0; i < sizeof classic / sizeof classic[0]; i++) {
        const profile_row *row = &classic[i];
        if (lu_settings_has(settings, row->key)) {
            lu_status status = lu_settings_set(settings, row->key, row->value, LU_FROM_DEFAULT,
                                               "profile classic", error);
            if (status != LU_OK) {
                return status;
            }
        }
    }
    return LU_OK;
}

/* ---- reading ---- */

const char *const ppo_schedules[] = {"entropy",    "clip",    "value_clip", "value_cost",
                                     "lambda",     "kl_stop", "rho_clip",   "c_clip",
                                     "eps_greedy", "novelty", NULL};

static lu_status read_heads(const lu_game *game, const lu_settings *s, ppo_config *config,
                            lu_error *error) {
    const double *factor;
    size_t count = lu_settings_list(s, "train.entropy_heads", &factor);
    if (count != 0 && count != (size_t)game->heads) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'train.entropy_heads' has %zu numbers, but %s has %d heads: set one per head", count,
            game->id, game->heads);
    }
    for (int h = 0; h < game->heads; h++) {
        config->head_entropy[h] = count ? (float)factor[h] : 1.0f;
    }
    return LU_OK;
}

/* False for a schedule that is 0 for all time. */
static bool is_ever(const lu_trainer *trainer, const char *key) {
    double value;
    return !lu_schedule_is_constant(lu_settings_schedule(trainer->settings, key), &value) ||
           value != 0.0;
}

/* A part has its share of environments and of every minibatch. */
static lu_status read_parts(lu_trainer *trainer, lu_error *error) {
    int parts = (int)train_int(trainer, "parts");
    if (trainer->environments % parts != 0) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'train.environments' = %d isn't a multiple of 'train.parts' = %d: change one",
            trainer->environments, parts);
    }
    if (parts > 1 && train_bool(trainer, "win_rate")) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'train.win_rate' needs a single part: set train.parts to 1, or turn it off");
    }
    trainer->parts = parts;
    trainer->environments /= parts;
    trainer->minibatch = at_least(trainer->minibatch / parts, 1);
    return LU_OK;
}

lu_status ppo_config_read(lu_trainer *trainer, lu_error *error) {
    ppo_config *config = &ppo_of(trainer)->config;
    *config = (ppo_config){
        .segment = (int)train_int(trainer, "segment"),
        .epochs = (int)train_int(trainer, "epochs"),
        .prioritise = train_real(trainer, "prioritise"),
        .prioritise_beta = train_real(trainer, "prioritise_beta"),
        .normalise_advantage = (ppo_normalise)train_enum(trainer, "normalise_advantage"),
        .normalise_return = train_bool(trainer, "normalise_return"),
        .recompute = train_bool(trainer, "recompute"),
        .novelty = is_ever(trainer, "train.novelty"),
    };
    /* rows are gone through in chunks that fit the cache: one large minibatch costs no more memory
     */
    int64_t all = trainer->minibatch * train_int(trainer, "accumulate");
    trainer->minibatch = (int)(all < INT32_MAX ? all : INT32_MAX);
    LU_TRY(read_parts(trainer, error));
    if (config->segment == 0) {
        config->segment = trainer->horizon;
    }
    if (trainer->horizon % config->segment != 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'train.horizon' = %d isn't a multiple of 'train.segment' = %d: change one",
                       trainer->horizon, config->segment);
    }
    if (config->novelty && !trainer->normalise_observation) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'train.novelty' needs normalised observations: turn on train.normalise_observation");
    }
    /* a drawn segment may stand twice in a minibatch, or not at all in an epoch */
    if (config->recompute && config->prioritise > 0.0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'train.recompute' needs every row once per epoch, but 'train.prioritise' "
                       "samples them: turn one off");
    }
    config->noise = ppo_noise_new(
        trainer->game, lu_settings_text_of(trainer->settings, "train.observation_noise"), error);
    if (!config->noise) {
        return LU_BAD_VALUE;
    }
    LU_TRY(ppo_win_read(ppo_of(trainer), error));
    return read_heads(trainer->game, trainer->settings, config, error);
}
