/* Opening replays: the bytes are checked (replay_parse.c), then the episode is played once, its
 * hashes are compared, and copies of the state are kept every few decisions so that any frame shows
 * at once. Recording is in replay_write.c. */
#include "replay_layout.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

enum { KEYFRAME_LEAST = 16 };                  /* decisions between two keyframes, at least */
static const size_t keyframe_room = 32u << 20; /* bytes of all keyframes of a replay, about */

/* What is kept of a frame besides its state. */
typedef struct keyframe {
    int64_t ticks, illegal;
    double returns[LU_MAX_SEATS];
} keyframe;

struct lu_replay_internal {
    int64_t distance; /* decisions between two keyframes */
    keyframe *frames;
    unsigned char *states; /* of the keyframes */
    size_t state_bytes;
    unsigned char *thoughts;   /* as in the file, or NULL */
    const unsigned char *wins; /* a part of it, or NULL */
    uint32_t *begins;          /* where those of a decision begin, and the end of all */
    uint8_t *movers;           /* version 1: the seat that thought at each decision; else NULL */
};

/* ---- game, settings, options ---- */

static lu_status find_game(const lu_replay_reader *r, lu_replay *replay) {
    const lu_replay_part *p = &r->parts[LU_REPLAY_GAME];
    if (!replay->episode.game) {
        char id[128];
        if (p->stored >= sizeof id || memchr(p->bytes, 0, p->stored)) {
            lu_replay_damaged(r, p->offset, "game id", "not a name");
            return LU_DAMAGED_FILE;
        }
        memcpy(id, p->bytes, p->stored);
        id[p->stored] = 0;
        lu_error inner;
        replay->episode.game = lu_game_find(id, &inner);
        if (!replay->episode.game || strcmp(replay->episode.game->id, id) != 0) {
            lu_fail(r->error, LU_NOT_FOUND,
                    "'%s' is a replay of '%s', which this build "
                    "does not have; `ludus games` lists what it has",
                    r->name, id);
            return LU_NOT_FOUND;
        }
    } else if (strlen(replay->episode.game->id) != p->stored ||
               memcmp(replay->episode.game->id, p->bytes, p->stored) != 0) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s' is not a replay of %s", r->name,
                       replay->episode.game->id);
    }
    const lu_game *game = replay->episode.game;
    if (LU_REPLAY_CHECKED && r->spec != lu_spec_hash(game) && !lu_spec_older(game, r->spec)) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' was made with another specification of %s (%016llx; this build has "
                       "%016llx): use the build that wrote it",
                       r->name, game->id, (unsigned long long)r->spec,
                       (unsigned long long)lu_spec_hash(game));
    }
    if (r->seats != game->seats || r->heads != game->heads) {
        return lu_replay_damaged(r, LU_REPLAY_AT_SEATS, "header",
                                 "seats or heads that differ from the game's");
    }
    return LU_OK;
}

/* Values from a part into settings. What this build refuses is another build's. */
static lu_status read_values(const lu_replay_reader *r, int index, lu_settings *settings) {
    const lu_replay_part *p = &r->parts[index];
    lu_error inner;
    lu_status status = lu_settings_text(settings, "json", r->name, (const char *)p->bytes,
                                        p->stored, LU_FROM_FILE, &inner);
    if (status == LU_UNKNOWN_KEY || status == LU_BAD_VALUE) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' has %s that this build does not accept: %.600s", r->name,
                       lu_replay_part_names[index], inner.text);
    }
    if (status == LU_NOT_FOUND || status == LU_IO) { /* a file that a setting names */
        return lu_fail(r->error, status, "'%s': %.600s", r->name, inner.text);
    }
    return status == LU_OK
               ? LU_OK
               : lu_replay_damaged(r, p->offset, lu_replay_part_names[index], inner.text);
}

static lu_status read_options(const lu_replay_reader *r, lu_episode *episode) {
    const lu_replay_part *p = &r->parts[LU_REPLAY_OPTIONS];
    if (p->stored == 0) {
        return LU_OK;
    }
    if (episode->game->options.bytes == 0) {
        return lu_replay_damaged(r, p->offset, "options", "this game has none");
    }
    lu_settings *options = lu_game_options(episode->game);
    lu_settings_read_files(options);
    lu_status status = read_values(r, LU_REPLAY_OPTIONS, options);
    if (status != LU_OK) {
        lu_settings_delete(options);
        return status;
    }
    lu_error inner;
    if (lu_episode_set_options(episode, options, &inner) != LU_OK) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s': its options are not accepted: %.600s",
                       r->name, inner.text);
    }
    return LU_OK;
}

static lu_status open_episode(const lu_replay_reader *r, lu_episode *episode) {
    const lu_game *game = episode->game;
    lu_settings *settings = lu_game_settings(game);
    lu_settings_read_files(settings);
    lu_status status = read_values(r, LU_REPLAY_SETTINGS, settings);
    if (status != LU_OK) {
        lu_settings_delete(settings);
        return status;
    }
    lu_error inner;
    if (lu_episode_open(episode, game, settings, NULL, &inner) != LU_OK) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s': its settings are not accepted: %.600s",
                       r->name, inner.text);
    }
    if (LU_REPLAY_CHECKED && lu_rules_hash_under(episode->rules, r->spec) != r->rules) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' was made with different data files of %s for the same settings: use "
                       "the build that wrote it",
                       r->name, game->id);
    }
    return read_options(r, episode);
}

/* ---- playing it once ---- */

static void keep(lu_replay *replay, const lu_env *env, int64_t index) {
    struct lu_replay_internal *in = replay->inside;
    keyframe *frame = &in->frames[index];
    frame->ticks = env->ticks;
    frame->illegal = env->illegal;
    memcpy(frame->returns, env->returns, (size_t)env->game->seats * sizeof(double));
    memcpy(in->states + (size_t)index * in->state_bytes, env->state, in->state_bytes);
}

/* A distance that keeps all copies within their room, however long the episode is. */
static void plan_keyframes(lu_replay *replay) {
    struct lu_replay_internal *in = replay->inside;
    size_t each = replay->episode.rules->state_bytes + sizeof(keyframe);
    in->state_bytes = replay->episode.rules->state_bytes;
    in->distance = KEYFRAME_LEAST;
    while ((size_t)(replay->decisions / in->distance) > keyframe_room / each) {
        in->distance *= 2;
    }
    size_t count = (size_t)(replay->decisions / in->distance) + 1;
    in->frames = lu_alloc_zero(count, sizeof *in->frames);
    in->states = lu_alloc_zero(count, in->state_bytes);
}

static lu_status differs(const lu_replay_reader *r, const lu_replay *replay, int64_t frame) {
    return lu_fail(r->error, LU_CHECK_FAILED,
                   "'%s': played again, the state at decision %lld differs from the recorded one: "
                   "either the rules of %s have changed, or a build computes differently",
                   r->name, (long long)frame, replay->episode.game->id);
}

static lu_status play(const lu_replay_reader *r, lu_replay *replay) {
    const lu_replay_part *p = &r->parts[LU_REPLAY_HASHES];
    size_t row = (size_t)r->seats * r->heads;
    uint64_t hashes = lu_replay_hashes(r->decisions, r->every);
    lu_status status = LU_OK;
    if (p->stored % 8 || p->stored / 8 != hashes) {
        return lu_replay_damaged(r, p->offset, "hashes", "there are fewer than the decisions need");
    }
    plan_keyframes(replay);
    lu_env *env = replay->episode.env;
    lu_episode_reset(&replay->episode, replay->seed);
    const unsigned char *at = p->bytes;
    for (int64_t frame = 0;; frame++) {
        if (frame % replay->inside->distance == 0) {
            keep(replay, env, frame / replay->inside->distance);
        }
        if (frame % r->every == 0 || frame == replay->decisions) {
            if (LU_REPLAY_CHECKED && lu_replay_number(at, 8) != lu_env_hash(env)) {
                status = differs(r, replay, frame);
                break;
            }
            at += 8;
        }
        if (frame == replay->decisions) {
            if (env->over != replay->ended) {
                status = differs(r, replay, frame);
            }
            break;
        }
        if (env->over) {
            status = differs(r, replay, frame);
            break;
        }
        if (replay->inside->movers && env->core->to_move) {
            uint8_t seats = env->core->to_move(env->rules, env->state);
            replay->inside->movers[frame] = seats ? (uint8_t)__builtin_ctz(seats) : 0;
        }
        lu_env_skip(env, replay->actions + (size_t)frame * row);
    }
    return status;
}

/* ---- the door ---- */

static lu_status read_all(lu_replay_reader *r, lu_replay *replay) {
    lu_status status;
    if ((status = lu_replay_header(r)) != LU_OK || (status = lu_replay_check(r)) != LU_OK ||
        (status = find_game(r, replay)) != LU_OK ||
        (status = open_episode(r, &replay->episode)) != LU_OK) {
        return status;
    }
    replay->seed = lu_replay_number(r->bytes + LU_REPLAY_AT_SEED, 8);
    replay->ended = r->flags & LU_REPLAY_ENDED;
    replay->actions = lu_replay_actions(r);
    if (!replay->actions) {
        return LU_DAMAGED_FILE;
    }
    replay->decisions = (int64_t)r->decisions;
    if (r->flags & LU_REPLAY_THOUGHTS) {
        struct lu_replay_internal *in = replay->inside;
        in->thoughts = lu_replay_thoughts(r, replay->episode.game, &in->begins);
        if (!in->thoughts) {
            return LU_DAMAGED_FILE;
        }
        in->movers = r->version == 1 ? lu_alloc_zero(r->decisions + 1, 1) : NULL;
        in->wins = r->flags & LU_REPLAY_WINS ? in->thoughts + in->begins[r->decisions] : NULL;
        replay->thoughts = true;
    } else if (r->parts[LU_REPLAY_THINKING].stored || r->parts[LU_REPLAY_THINKING].unpacked) {
        return lu_replay_damaged(r, LU_REPLAY_AT_FLAGS, "header", "thoughts that the flags deny");
    }
    return play(r, replay);
}

lu_replay *lu_replay_read_for(const lu_game *game, const char *name, const void *bytes,
                              size_t length, lu_error *error) {
    lu_replay_reader r = {.name = name, .bytes = bytes, .length = length, .error = error};
    if (length > LU_REPLAY_LIMIT) {
        lu_fail(error, LU_LIMIT, "'%s' has %zu bytes; replays have at most %zu", name, length,
                LU_REPLAY_LIMIT);
        return NULL;
    }
    lu_replay *replay = lu_alloc_zero(1, sizeof *replay);
    replay->episode.game = game;
    replay->inside = lu_alloc_zero(1, sizeof *replay->inside);
    if (read_all(&r, replay) != LU_OK) {
        lu_replay_close(replay);
        return NULL;
    }
    return replay;
}

lu_replay *lu_replay_read(const char *name, const void *bytes, size_t length, lu_error *error) {
    return lu_replay_read_for(NULL, name, bytes, length, error);
}

lu_replay *lu_replay_open(const char *path, lu_error *error) {
    char *bytes;
    size_t length;
    if (lu_file_read(path, LU_REPLAY_LIMIT, &bytes, &length, error) != LU_OK) {
        return NULL;
    }
    lu_replay *replay = lu_replay_read(path, bytes, length, error);
    free(bytes);
    return replay;
}

void lu_replay_close(lu_replay *replay) {
    if (!replay) {
        return;
    }
    if (replay->inside) {
        free(replay->inside->frames);
        free(replay->inside->states);
        free(replay->inside->thoughts);
        free(replay->inside->begins);
        free(replay->inside->movers);
        free(replay->inside);
    }
    lu_episode_close(&replay->episode);
    free((void *)(uintptr_t)replay->actions);
    free(replay);
}

/* Version 1 has its options by probability alone: puts them head by head. */
static void sort_heads(const lu_game *game, lu_thought *t) {
    for (int i = 1; i < t->top_count; i++) {
        int32_t action = t->top_action[i];
        float probability = t->top_probability[i];
        int at = i, head = lu_game_option_head(game, action);
        for (; at > 0 && lu_game_option_head(game, t->top_action[at - 1]) > head; at--) {
            t->top_action[at] = t->top_action[at - 1];
            t->top_probability[at] = t->top_probability[at - 1];
        }
        t->top_action[at] = action;
        t->top_probability[at] = probability;
    }
}

bool lu_replay_thought(const lu_replay *replay, int64_t decision, int seat, lu_thought *thought) {
    const struct lu_replay_internal *in = replay->inside;
    const lu_game *game = replay->episode.game;
    memset(thought, 0, sizeof *thought);
    if (!replay->thoughts || decision < 0 || decision >= replay->decisions) {
        return false;
    }
    const unsigned char *at = in->thoughts + in->begins[decision];
    const unsigned char *end = in->thoughts + in->begins[decision + 1];
    unsigned seats = in->movers ? 1u << in->movers[decision] : *at++;
    for (int s = 0; s <= seat; s++) {
        memset(thought, 0, sizeof *thought);
        if (seats >> s & 1) {
            at = lu_thought_read(at, end, lu_game_mask_length(game), thought);
        }
    }
    if (in->movers) {
        sort_heads(game, thought);
    }
    if (in->wins && thought->known) {
        size_t place = (size_t)decision * (size_t)game->seats + (size_t)seat;
        lu_thought_read_win(in->wins + place * LU_REPLAY_WIN_BYTES, thought);
    }
    return thought->known;
}

void lu_replay_seek(lu_replay *replay, lu_env *env, int64_t frame) {
    const struct lu_replay_internal *in = replay->inside;
    const lu_game *game = replay->episode.game;
    size_t row = (size_t)(game->seats * game->heads);
    frame = frame < 0 ? 0 : frame > replay->decisions ? replay->decisions : frame;
    lu_env_reset(env, replay->seed, replay->episode.options);
    if (frame == 0) {
        return;
    }
    /* the keyframe before the frame, never at it: the last step itself is part of what is shown */
    int64_t index = (frame - 1) / in->distance;
    const keyframe *from = &in->frames[index];
    memcpy(env->state, in->states + (size_t)index * in->state_bytes, in->state_bytes);
    memcpy(env->returns, from->returns, (size_t)game->seats * sizeof(double));
    env->ticks = from->ticks;
    env->illegal = from->illegal;
    env->decisions = index * in->distance;
    while (env->decisions < frame - 1) {
        lu_env_skip(env, replay->actions + (size_t)env->decisions * row);
    }
    lu_env_step(env, replay->actions + (size_t)env->decisions * row);
}
