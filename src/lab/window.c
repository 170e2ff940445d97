/* Sums of a window and the row they give: see window.h. */
#include "ludus/window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lu_window_add(lu_window *w, const lu_progress *p, double wall) {
    double steps = (double)(p->steps - w->steps);
    w->silent = w->updates > 0 ? w->silent & p->silent : p->silent;
    w->updates++;
    w->update = p->updates;
    w->steps = p->steps;
    w->ticks += p->ticks;
    w->episodes += p->episodes;
    w->endings += p->endings;
    w->truncated += p->truncated;
    w->illegal += p->illegal;
    w->wall = wall;
    w->seconds += p->seconds;
    w->reward += p->reward;
    w->reward_square += p->reward_square;
    w->returns += p->episode_return * (double)p->episodes;
    w->lengths += p->episode_length * (double)p->episodes;
    for (int i = 0; i < LU_MAX_TERMS; i++) {
        w->term[i] += p->term[i] * steps;
    }
    for (int i = 0; i < LU_MAX_INFOS && p->endings > 0; i++) {
        w->info[i] += p->info[i] * (double)p->endings;
    }
    for (int i = 0; i < p->figures; i++) {
        w->figure[i] += p->figure[i].value;
    }
    for (int i = 0; i < p->parts; i++) {
        w->part[i] += p->part[i].value;
    }
}

bool lu_window_full(const lu_window *w, int64_t size) {
    return w->steps / size > w->first_step / size;
}

/* ---- what looks wrong ---- */

/* Largest entropy of one decision: every option of every head alike. */
static double most_entropy(const lu_game *game) {
    double most = 0.0;
    for (int h = 0; h < game->heads; h++) {
        most += game->head[h].unused ? 0.0 : log((double)game->head[h].options);
    }
    return most;
}

static bool entropy_is_dead(const lu_window *w, const lu_progress *last, const lu_game *game) {
    for (int i = 0; i < last->figures; i++) {
        if (strcmp(last->figure[i].name, "entropy") == 0) {
            return w->figure[i] / (double)w->updates < 1e-3 * most_entropy(game);
        }
    }
    return false;
}

/* Rewards that differ nowhere teach nothing, unless episodes end sooner or later by what is done.
 */
static bool reward_is_constant(const lu_window *w) {
    double mean = w->reward / (double)w->updates, square = w->reward_square / (double)w->updates;
    bool same = square - mean * mean <= 1e-12 * square;
    return same && (square == 0.0 || w->endings == 0);
}

const char *lu_window_warning(const lu_window *w, const lu_progress *last, const lu_game *game,
                              int at) {
    static _Thread_local char text[240];
    int found = 0;
    if (w->updates == 0) {
        return NULL;
    }
    if (entropy_is_dead(w, last, game) && found++ == at) {
        return "the entropy has collapsed: the policy always takes the same action; raise the "
               "entropy "
               "bonus (train.entropy) or lower the rate";
    }
    if (reward_is_constant(w) && found++ == at) {
        return "every reward in this window was the same, so there is nothing to learn from: check "
               "the weights reward.*";
    }
    for (int h = 0; h < game->heads; h++) {
        if (!game->head[h].unused && ((w->silent >> h) & 1) && found++ == at) {
            snprintf(text, sizeof text,
                     "head '%.60s' had no legal option at any decision of this window, so it "
                     "cannot learn; check the mask",
                     game->head[h].name);
            return text;
        }
    }
    return NULL;
}

/* ---- the row ---- */

void lu_window_next(lu_window *w) {
    *w = (lu_window){.id = w->id + 1,
                     .first_step = w->steps,
                     .update = w->update,
                     .steps = w->steps,
                     .ticks = w->ticks,
                     .wall = w->wall};
}

/* The mean over updates, decisions and ends of episodes as lu_progress has them for one update. */
static lu_progress mean_of(const lu_window *w, const lu_progress *last) {
    double updates = w->updates > 0 ? (double)w->updates : 1.0;
    double episodes = w->episodes > 0 ? (double)w->episodes : 1.0;
    double endings = w->endings > 0 ? (double)w->endings : 1.0;
    double steps = w->steps > w->first_step ? (double)(w->steps - w->first_step) : 1.0;
    lu_progress mean = {.updates = w->update,
                        .steps = w->steps,
                        .ticks = w->ticks,
                        .truncated = w->truncated,
                        .illegal = w->illegal,
                        .seconds = w->seconds,
                        .steps_per_second = w->seconds > 0.0 ? steps / w->seconds : 0.0,
                        .episodes = w->episodes,
                        .episode_return = w->returns / episodes,
                        .episode_length = w->lengths / episodes,
                        .endings = w->endings,
                        .figures = last->figures,
                        .parts = last->parts};
    for (int i = 0; i < LU_MAX_TERMS; i++) {
        mean.term[i] = w->term[i] / steps;
    }
    for (int i = 0; i < LU_MAX_INFOS; i++) {
        mean.info[i] = w->info[i] / endings;
    }
    for (int i = 0; i < last->figures; i++) {
        mean.figure[i] = (lu_figure){last->figure[i].name, w->figure[i] / updates};
    }
    for (int i = 0; i < last->parts; i++) {
        mean.part[i] = (lu_figure){last->part[i].name, w->part[i]};
    }
    return mean;
}

void lu_window_write(const lu_window *w, const lu_progress *last, const lu_game *game,
                     lu_json *json) {
    lu_progress mean = mean_of(w, last);
    lu_json_key_int(json, "window_id", w->id);
    lu_json_key_int(json, "env_steps_start", w->first_step);
    lu_json_key_int(json, "updates", w->updates);
    lu_json_key_real(json, "wall_seconds", w->wall);
    lu_progress_write(&mean, game, json);
}
