/* Names under which other programs know games and the settings of a training: see ludus/preset.h.
 */
#include "ludus/preset.h"

#include "ludus/game_ask.h"

#include <string.h>

static const char *const game_names[][2] = {
    {"NhEnv", "duel-v1"},
    {"DharokEnv", "duel-dharok-v1"},
};

const lu_game *lu_env_game(const char *name, lu_error *error) {
    for (size_t i = 0; i < sizeof game_names / sizeof *game_names; i++) {
        name = strcmp(game_names[i][0], name) == 0 ? game_names[i][1] : name;
    }
    return lu_game_find(name, error);
}

#define NAMED(name, key, sentence)                                                                 \
    { name, LU_ALIAS, key, 0, 0, NULL, sentence, false }
/* A yes or no in place of a word or number. */
#define YES_NO(name, key, yes, no, sentence)                                                       \
    { name, LU_ALIAS, key, 0, 0, yes "|" no, sentence, false }

static const lu_setting rows[] = {
    NAMED("experiment", "run.experiment", "Name of the experiment."),
    NAMED("experiment_name", "run.experiment", "Name of the experiment."),
    NAMED("name", "run.experiment", "Name of the experiment."),
    NAMED("total_timesteps", "train.steps", "Steps to train for."),
    NAMED("train_rollouts", "run.stop_update", "Updates to train for."),
    NAMED("early_stopping", "run.stop_when", "Condition on which a training stops."),
    NAMED("num_envs", "train.environments", "Environments side by side."),
    NAMED("n_steps", "train.horizon", "Steps of each environment between two updates."),
    NAMED("num_rollout_steps", "train.horizon", "Steps of each environment between two updates."),
    NAMED("workers", "train.threads", "Threads."),
    NAMED("learning_rate", "train.rate", "Learning rate."),
    NAMED("batch_size", "train.minibatch", "Rows of a minibatch."),
    NAMED("epochs", "train.epochs", "Passes over a batch."),
    NAMED("n_epochs", "train.epochs", "Passes over a batch."),
    NAMED("gamma", "train.gamma", "Discount."),
    NAMED("gae_lambda", "train.lambda", "GAE's lambda: the weight of longer returns."),
    NAMED("clip_coef", "train.clip", "How far the ratio may move from 1."),
    NAMED("value_coef", "train.value_cost", "Weight of the value loss."),
    NAMED("entropy_coef", "train.entropy", "Entropy bonus."),
    NAMED("grad_accum", "train.accumulate", "Minibatches per optimiser step."),
    NAMED("max_grad_norm", "train.max_norm", "Gradients are clipped to this norm."),
    NAMED("eps_greedy", "train.eps_greedy", "Share of decisions that take the best option."),
    NAMED("novelty_reward_scale", "train.novelty", "Novelty bonus."),
    NAMED("custom_reward_function", "train.reward", "A formula over reward terms."),
    NAMED("action_mask_override", "train.closed", "Options that may not be chosen."),
    NAMED("noise_generator", "train.observation_noise", "Noise on observations."),
    NAMED("stack_frames", "net.frames", "Frame stacking: observations that the net reads at once."),
    NAMED("add_win_rate_extension", "train.win_rate", "Trains a win predictor."),
    YES_NO("normalize_advantages", "train.normalise_advantage", "minibatch", "none",
           "Yes is `minibatch`, no is `none`."),
    NAMED("normalize_rewards", "train.normalise_return", "Divides rewards by their deviation."),
    NAMED("normalize_observations", "train.normalise_observation",
          "Shifts and scales observations."),
    YES_NO("share_feature_extractor", "net.critic", "shared", "separate",
           "Yes is `shared`, no is `separate`."),
    YES_NO("autoregressive_actions", "net.heads", "autoregressive", "independent",
           "Yes is `autoregressive`, no is `independent`."),
    NAMED("include_target_obs_in_critic", "net.critic_inputs",
          "The critic sees what is hidden from the policy."),
    NAMED("precision", "net.precision", "Operands of the matrix products."),
    NAMED("self_play_percent", "self_play.pure", "Share of self-play."),
    NAMED("past_self_play_percent", "self_play.past", "Share against the league."),
    NAMED("past_self_play_deterministic_percent", "self_play.past_greedy",
          "Share of episodes in which members take their best action."),
    NAMED("past_self_play_learning_rate", "league.rate",
          "How much a win lowers a member's quality."),
    NAMED("past_self_play_delay_chance", "self_play.past_delay", "Probability of reacting late."),
    NAMED("target_self_play_percent", "self_play.target", "Share against targets."),
    NAMED("target_self_play_deterministic_percent", "self_play.target_greedy",
          "Share of episodes in which targets take their best action."),
    NAMED("target", "self_play.targets", "A player for self_play.target."),
    NAMED("latest_self_play_percent", "self_play.latest", "Share against the newest checkpoint."),
    NAMED("latest_self_play_deterministic_percent", "self_play.latest_greedy",
          "Share of episodes in which the newest checkpoint takes its best action."),
    NAMED("latest_self_play_delay_chance", "self_play.latest_delay",
          "Probability of reacting late."),
    NAMED("latest_self_play_experiment", "self_play.latest_run",
          "Run or experiment whose newest checkpoint is played against."),
    NAMED("past_self_play_experiment", "league.run",
          "Run or experiment whose league is played against."),
    NAMED("past_self_override_env_kwargs", "self_play.past_game",
          "Settings of the game in episodes against the league."),
    NAMED("latest_self_override_env_kwargs", "self_play.latest_game",
          "Settings of the game in episodes against the newest checkpoint."),
    NAMED("num_main_exploiters", "league.main_exploiters",
          "Exploiters against the newest checkpoint."),
    NAMED("main_exploiter_delay", "league.main_exploiter_delay",
          "Updates before the main exploiters' first turn."),
    NAMED("main_exploiter_preset", "league.main_exploiter_preset", "Preset for main exploiters."),
    NAMED("league_exploiter_preset", "league.league_exploiter_preset",
          "Preset for league exploiters."),
    NAMED("add_past_self_play_league_targets", "league.grows",
          "Checkpoints of the run join its league."),
    NAMED("num_league_exploiters", "league.league_exploiters", "Exploiters against the league."),
    NAMED("num_eval_agent", "eval.episodes", "Episodes of an evaluation."),
    NAMED("num_reference_rating_envs", "eval.league_seeds",
          "Seeds that rate a window against the members of the league and eval.anchors."),
    NAMED("eval_deterministic_percent", "eval.best_share",
          "Share of evaluation seeds on which the best action is taken."),
    NAMED("eval_override_env_kwargs", "eval.game", "Settings of the game for evaluations."),
    NAMED("experiment_description", "run.description", "The first note of the run."),
    NAMED("pfsp_power", "league.power",
          "Exponent of league.weighting=pfsp; setting it chooses pfsp."),
    NAMED("checkpoint_frequency", "run.checkpoint_updates", "Updates between checkpoints."),
    YES_NO("optimize_old_models", "run.keep", "1", "0",
           "Yes: older checkpoints keep only their model; no: all stay complete."),
};

const lu_table lu_train_names_table = {"other names of train", rows,
                                       (int)(sizeof rows / sizeof *rows)};
