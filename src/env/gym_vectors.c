/* Replays recorded episodes and compares every step: see gym_vectors.h. Under 100 given actions a
 * last bit becomes less than 1e-9 in cartpole and acrobot, well below the tolerance. */
#include "ludus/gym_vectors.h"

#include "ludus/episode.h"
#include "ludus/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GYM_FORMAT    "ludus gym trace 1"
#define GYM_TOLERANCE 1e-6

/* One episode being replayed. */
typedef struct gym_case {
    lu_check *check;
    lu_episode *episode;
    lu_env *env; /* of the episode */
    size_t step;
    double obs_error, reward_error;
} gym_case;

static lu_status gym_bad(gym_case *r, const char *what) {
    return lu_check_bad(r->check, what);
}

/* Equal within the tolerance; returns the error, relative above 1. t = -1 is the reset. */
static double gym_compare(gym_case *r, long long t, const char *key, double want, double got,
                          double tolerance) {
    lu_check_part(r->check, t < 0 ? "reset_obs" : "steps", t < 0 ? 0 : t);
    double allowed = lu_above_one(want, tolerance);
    return lu_check_number(r->check, key, want, got, allowed) / lu_above_one(want, 1.0);
}

/* An array of `count` numbers (any count when it is 0) under a key; NULL after an error. */
static const lu_json_value *gym_array(gym_case *r, const lu_json_value *episode, const char *key,
                                      size_t count) {
    const lu_json_value *value = lu_json_get(episode, key);
    char text[120];
    if (lu_json_kind_of(value) != LU_JSON_ARRAY || (count && lu_json_count(value) != count)) {
        snprintf(text, sizeof text, "\"%s\" must be an array with one entry per action", key);
        gym_bad(r, text);
        return NULL;
    }
    return value;
}

static lu_status gym_observation(gym_case *r, long long t, const lu_json_value *row) {
    size_t length = (size_t)lu_game_observation_length(r->env->game);
    const lu_group *group = &r->env->game->group[0];
    if (lu_json_kind_of(row) != LU_JSON_ARRAY || lu_json_count(row) != length) {
        return gym_bad(r, "an observation has another length than the game's");
    }
    for (size_t i = 0; i < length; i++) {
        double want = lu_json_real_or(lu_json_at(row, i), (double)NAN);
        double error = gym_compare(r, t, group->field[i].name, want, (double)r->env->observation[i],
                                   GYM_TOLERANCE);
        r->obs_error = fmax(r->obs_error, error);
    }
    return LU_OK;
}

/* Starts the episode: "start" holds one number per option of the game, as text for exactness. */
static lu_status gym_start(gym_case *r, const lu_json_value *episode) {
    const lu_game *game = r->episode->game;
    const lu_json_value *start = lu_json_get(episode, "start");
    lu_settings *options = lu_game_options(game);
    lu_error inner;
    lu_status status = LU_OK;
    for (int k = 0; k < game->options.table.count && status == LU_OK; k++) {
        const char *key = game->options.table.rows[k].key;
        const lu_json_value *value = lu_json_get(start, key);
        if (lu_json_kind_of(value) != LU_JSON_NUMBER) {
            status = lu_fail(&inner, LU_BAD_DATA, "\"start\" needs a number \"%s\"", key);
        } else {
            status = lu_settings_set(options, key, lu_json_number_text(value), LU_FROM_FLAG,
                                     "start", &inner);
        }
    }
    if (status != LU_OK) {
        lu_settings_delete(options);
    } else if ((status = lu_episode_set_options(r->episode, options, &inner)) == LU_OK) {
        lu_episode_reset(r->episode, 0);
    }
    return status == LU_OK ? LU_OK : gym_bad(r, inner.text);
}

/* Takes over Gymnasium's state where the episode has one for the decision `t`. */
static lu_status gym_sync(gym_case *r, const lu_json_value *episode, size_t t) {
    lu_error inner;
    int64_t every = 0;
    if (lu_json_get_int(episode, "sync", 1, 1000000, &every, &inner) != LU_OK) {
        return gym_bad(r, inner.text);
    }
    if (t == 0 || t % (size_t)every != 0) {
        return LU_OK;
    }
    const lu_json_value *state = lu_json_at(lu_json_get(episode, "states"), t / (size_t)every - 1);
    if (lu_json_kind_of(state) != LU_JSON_OBJECT) {
        return gym_bad(r, "\"states\" needs one state for every \"sync\" steps");
    }
    if (r->env->game->from_json(r->env->rules, r->env->state, state, &inner) != LU_OK) {
        return gym_bad(r, inner.text);
    }
    lu_env_refresh(r->env);
    return LU_OK;
}

static lu_status gym_episode(gym_case *r, const lu_json_value *episode) {
    const lu_json_value *actions = gym_array(r, episode, "actions", 0);
    if (!actions) {
        return LU_BAD_DATA;
    }
    size_t count = lu_json_count(actions);
    const lu_json_value *seen = gym_array(r, episode, "obs", count);
    const lu_json_value *reward = seen ? gym_array(r, episode, "reward", count) : NULL;
    const lu_json_value *terminated = reward ? gym_array(r, episode, "terminated", count) : NULL;
    const lu_json_value *truncated = terminated ? gym_array(r, episode, "truncated", count) : NULL;
    if (!truncated || gym_start(r, episode) != LU_OK ||
        gym_observation(r, -1, lu_json_get(episode, "reset_obs")) != LU_OK) {
        return LU_BAD_DATA;
    }
    for (size_t t = 0; t < count; t++, r->step++) {
        double action = lu_json_real_or(lu_json_at(actions, t), -1.0);
        if (r->env->over) {
            if (lu_check_differs(r->check)) {
                return LU_OK; /* ended early, which is told already */
            }
            return gym_bad(r, "a step after the end of the episode");
        }
        if (!(action >= 0.0 && action < r->env->game->head[0].options)) {
            return gym_bad(r, "an action isn't an option of the game");
        }
        LU_TRY(gym_sync(r, episode, t));
        int32_t choice = (int32_t)action;
        long long at = (long long)t;
        lu_episode_step(r->episode, &choice);
        double ends = lu_json_real_or(lu_json_at(terminated, t), (double)NAN);
        double cut = lu_json_real_or(lu_json_at(truncated, t), (double)NAN);
        cut = ends > 0.0 ? 0.0 : cut;
        gym_compare(r, at, "terminated", ends, (double)r->env->step.terminated, 0.0);
        gym_compare(r, at, "truncated", cut, (double)r->env->step.truncated, 0.0);
        double want = lu_json_real_or(lu_json_at(reward, t), (double)NAN);
        r->reward_error =
            fmax(r->reward_error, gym_compare(r, at, "reward", want, r->env->reward[0], 0.0));
        LU_TRY(gym_observation(r, at, lu_json_at(seen, t)));
    }
    return LU_OK;
}

/* One line of a file: the header first, then episodes. */
static lu_status gym_line(lu_verify *v, lu_check *c, const lu_json_value *root) {
    lu_error inner;
    const char *text;
    gym_case r = {.check = c, .episode = v->user, .env = ((lu_episode *)v->user)->env};
    if (c->line == 1) {
        if (lu_json_get_text(root, "format", &text, &inner) != LU_OK ||
            strcmp(text, GYM_FORMAT) != 0) {
            return lu_check_bad(c, "expected a header line with \"format\": \"" GYM_FORMAT "\"");
        }
        if (lu_json_get_text(root, "game", &text, &inner) != LU_OK ||
            strcmp(text, r.env->game->id) != 0) {
            return lu_check_bad(c, "the file was recorded for another game");
        }
        return LU_OK;
    }
    if (lu_json_get_text(root, "id", &text, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    lu_check_start(c, text);
    lu_status status = gym_episode(&r, root);
    lu_check_part(c, NULL, -1);
    lu_json_key_int(&c->got, "steps", (int64_t)r.step);
    lu_json_key_real(&c->got, "max_obs_error", r.obs_error);
    lu_json_key_real(&c->got, "max_reward_error", r.reward_error);
    return lu_check_end(v, c, status);
}

static lu_status gym_file(lu_verify *v, const lu_tool_input *input) {
    lu_check c = {.input = input, .error = v->error};
    return lu_verify_lines(v, &c, gym_line);
}

lu_status lu_gym_verify(const lu_game *game, const lu_tool_io *io, lu_error *error) {
    lu_episode episode;
    lu_verify v = {.io = io, .error = error, .what = "episodes of Gymnasium", .user = &episode};
    lu_status status = lu_episode_open(&episode, game, NULL, NULL, error);
    if (status == LU_OK) {
        status = lu_verify_files(&v, gym_file);
        lu_episode_close(&episode);
    }
    return status;
}
