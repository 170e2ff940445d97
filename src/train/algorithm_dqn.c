/* DQN in the table of algorithms: every call hands on to dqn.h. */
#include "algorithm_inside.h"

#include "ludus/dqn.h"

#include <string.h>

static lu_status memory(const lu_game *game, const lu_settings *settings, lu_training_need *need,
                        lu_error *error) {
    lu_dqn_need own;
    lu_status status = lu_dqn_memory(game, settings, &own, error);
    *need = (lu_training_need){.total = own.total,
                               .lower = "dqn.replay, dqn.environments or net.hidden"};
    lu_figure_add(need->part, &need->parts, "replay", (double)own.buffer);
    lu_figure_add(need->part, &need->parts, "environments", (double)own.environments);
    lu_figure_add(need->part, &need->parts, "learning", (double)own.learning);
    return status;
}

LU_HAND_ON(lu_dqn)

static void figures(const lu_dqn_stats *s, lu_progress *p) {
    lu_figure_add(p->figure, &p->figures, "reward", s->reward);
    lu_figure_add(p->figure, &p->figures, "loss", s->loss);
    lu_figure_add(p->figure, &p->figures, "td_error", s->td_error);
    lu_figure_add(p->figure, &p->figures, "q", s->q);
    lu_figure_add(p->figure, &p->figures, "target", s->target);
    lu_figure_add(p->figure, &p->figures, "gradient_norm", s->norm);
    lu_figure_add(p->figure, &p->figures, "gradient_steps", (double)s->gradient_steps);
    lu_figure_add(p->figure, &p->figures, "target_moves", (double)s->target_moves);
    lu_figure_add(p->figure, &p->figures, "remembered", (double)s->remembered);
    lu_figure_add(p->figure, &p->figures, "rate", s->rate);
    lu_figure_add(p->figure, &p->figures, "epsilon", s->epsilon);
    lu_figure_add(p->figure, &p->figures, "beta", s->beta);
    lu_figure_add(p->part, &p->parts, "infer", s->infer);
    lu_figure_add(p->part, &p->parts, "choose", s->choose);
    lu_figure_add(p->part, &p->parts, "play", s->play);
    lu_figure_add(p->part, &p->parts, "priorities", s->priorities);
    lu_figure_add(p->part, &p->parts, "learn", s->learn);
    lu_figure_add(p->part, &p->parts, "move", s->move);
}

static lu_status update(void *trainer, lu_progress *p, lu_error *error) {
    lu_dqn_stats s;
    lu_status status = lu_dqn_update(trainer, &s, error);
    *p = (lu_progress){.updates = s.updates,
                       .steps = s.steps,
                       .ticks = s.ticks,
                       .truncated = s.truncated,
                       .illegal = s.illegal,
                       .reward = s.reward,
                       .reward_square = s.reward_square,
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

static const lu_normaliser *no_normaliser(const void *trainer) {
    (void)trainer;
    return NULL;
}

static double return_scale(const void *trainer, const lu_settings *settings) {
    (void)trainer;
    return lu_settings_real(settings, "dqn.reward_scale");
}

const lu_algorithm lu_algorithm_dqn = {
    .name = "dqn",
    .sentence = "Q-learning from a replay, for games whose seats all decide at every step.",
    .prefix = "dqn",
    .table = &lu_dqn_table,
    .shown = {"epsilon", "q", "td_error", "loss"},
    .memory = memory,
    .update = update,
    .critic_normaliser = no_normaliser,
    .return_scale = return_scale,
    LU_HANDED_ON,
};
