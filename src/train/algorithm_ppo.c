/* PPO in the table of algorithms: every call hands on to train.h. */
#include "algorithm_inside.h"

#include "ludus/train.h"

#include <string.h>

static lu_status memory(const lu_game *game, const lu_settings *settings, lu_training_need *need,
                        lu_error *error) {
    lu_train_need own;
    lu_status status = lu_train_memory(game, settings, &own, error);
    *need = (lu_training_need){.total = own.total,
                               .lower = "train.environments, train.horizon or net.hidden"};
    lu_figure_add(need->part, &need->parts, "rollout", (double)own.rollout);
    lu_figure_add(need->part, &need->parts, "environments", (double)own.environments);
    lu_figure_add(need->part, &need->parts, "learning", (double)own.learning);
    return status;
}

LU_HAND_ON(lu_train)

static void figures(const lu_train_stats *s, lu_progress *p) {
    lu_figure_add(p->figure, &p->figures, "reward", s->reward);
    lu_figure_add(p->figure, &p->figures, "policy_loss", s->policy_loss);
    lu_figure_add(p->figure, &p->figures, "value_loss", s->value_loss);
    lu_figure_add(p->figure, &p->figures, "entropy", s->entropy);
    lu_figure_add(p->figure, &p->figures, "kl", s->kl);
    lu_figure_add(p->figure, &p->figures, "clipped", s->clipped);
    lu_figure_add(p->figure, &p->figures, "explained", s->explained);
    lu_figure_add(p->figure, &p->figures, "value_bias", s->value_bias);
    lu_figure_add(p->figure, &p->figures, "advantage_std", s->advantage_std);
    lu_figure_add(p->figure, &p->figures, "gradient_norm", s->norm);
    lu_figure_add(p->figure, &p->figures, "epochs", s->epochs);
    lu_figure_add(p->figure, &p->figures, "rate", s->rate);
    lu_figure_add(p->figure, &p->figures, "entropy_cost", s->entropy_cost);
    lu_figure_add(p->figure, &p->figures, "clip", s->clip);
    lu_figure_add(p->figure, &p->figures, "return_scale", s->return_scale);
    lu_figure_add(p->part, &p->parts, "infer", s->infer);
    lu_figure_add(p->part, &p->parts, "choose", s->choose);
    lu_figure_add(p->part, &p->parts, "play", s->play);
    lu_figure_add(p->part, &p->parts, "advantages", s->advantages);
    lu_figure_add(p->part, &p->parts, "learn", s->learn);
}

static lu_status update(void *trainer, lu_progress *p, lu_error *error) {
    lu_train_stats s;
    lu_status status = lu_train_update(trainer, &s, error);
    *p = (lu_progress){.updates = s.updates,
                       .steps = s.steps,
                       .ticks = s.ticks,
                       .truncated = s.truncated,
                       .illegal = s.illegal,
                       .reward = s.reward,
                       .reward_square = s.reward_square,
                       .silent = s.silent,
                       .seconds = s.seconds,
                       .steps_per_second = s.steps_per_second,
                       .episodes = s.episodes,
                       .episode_return = s.episode_return,
                       .episode_length = s.episode_length,
                       .recent = s.recent,
                       .recent_return = s.recent_return,
                       .endings = s.endings};
    memcpy(p->info, s.info, sizeof p->info);
    memcpy(p->term, s.term, sizeof p->term);
    figures(&s, p);
    return status;
}

static const lu_normaliser *critic_normaliser(const void *trainer) {
    return lu_train_critic_normaliser(trainer);
}

static double return_scale(const void *trainer, const lu_settings *settings) {
    (void)settings;
    return lu_train_return_scale(trainer);
}

const lu_algorithm lu_algorithm_ppo = {
    .name = "ppo",
    .sentence = "Proximal policy optimisation, for every game.",
    .prefix = "train",
    .table = &lu_train_table,
    .shown = {"entropy", "kl", "policy_loss", "value_loss"},
    .profile = lu_train_profile,
    .memory = memory,
    .update = update,
    .critic_normaliser = critic_normaliser,
    .return_scale = return_scale,
    LU_HANDED_ON,
};
