/* A baseline measured: it plays so many episodes, each action is counted, and some episodes are
 * played again for their paths. */
#include "measure.h"
#include "on_item.h"

#include "ludus/episode.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATHS = 7, PATH_STEPS = 200, MEMORY = 64 };

typedef struct player {
    const lu_tool_io *io;
    lu_episode episode;
    const lu_bot *bot;
    int64_t uses[CRAFT_ACTIONS];
    craft_tally tally;
    craft_finals finals;
} player;

/* What an action did, for a path: its name, then the modifiers that came. */
static void put_step(const craft_rules *m, const craft_item *before, const craft_item *after,
                     const char *action, lu_json *json) {
    const craft_pack *pack = craft_rules_pack(m);
    lu_json_array(json);
    lu_json_string(json, action);
    for (int k = 0; k < craft_item_mods(after); k++) {
        const craft_slot *slot = &after->slot[k];
        bool known = !(slot->flags & CRAFT_UNREVEALED), old = false;
        for (int n = 0; n < craft_item_mods(before); n++) {
            old = old || before->slot[n].entry == slot->entry;
        }
        if (known && !old) {
            lu_json_string(json, pack->mods[m->pool.entry[slot->entry].mod].id);
        }
    }
    lu_json_array_end(json);
}

/* Plays the episode of a seed; `json` takes its steps, NULL = they are counted. */
static craft_played play(player *p, uint64_t seed, lu_json *json) {
    lu_env *env = p->episode.env;
    const lu_game *game = p->episode.game;
    const craft_rules *m = (const craft_rules *)(const void *)p->episode.rules;
    const craft_state *s = env->state;
    uint64_t memory[MEMORY / 8] = {0};
    lu_rng rng = lu_rng_from(lu_mix64(seed));
    lu_episode_reset(&p->episode, seed);
    while (!env->over) {
        lu_seat_view view = {p->episode.rules, s, 0, env->observation, env->mask, memory, &rng};
        craft_item before = s->item;
        int32_t action = 0;
        lu_bot_act(game, p->bot, &view, &action);
        lu_env_step(env, &action);
        if (json && env->decisions <= PATH_STEPS) {
            put_step(m, &before, &s->item, game->head[0].option[action], json);
        }
        p->uses[action] += json ? 0 : 1;
    }
    if (!json) {
        craft_finals_add(&p->finals, &craft_task_of(m, s)->goal, &m->pool, &s->item);
    }
    return (craft_played){.seed = seed,
                          .spent = s->spent,
                          .bases = s->bases,
                          .uses = (int)lu_env_info(env, 0, "uses"),
                          .end = s->end,
                          .success = s->end == CRAFT_END_SUCCESS};
}

static int by_cost(const void *a, const void *b) {
    const craft_played *x = a, *y = b;
    return (x->spent > y->spent) - (x->spent < y->spent);
}

/* Three cheapest, three around the median, one at p90 of the successes. */
static void write_paths(player *p, lu_json *json) {
    craft_played *done = lu_alloc((size_t)p->tally.count * sizeof *done + 1);
    int count = 0;
    for (int k = 0; k < p->tally.count; k++) {
        if (p->tally.list[k].success) {
            done[count++] = p->tally.list[k];
        }
    }
    qsort(done, (size_t)count, sizeof *done, by_cost);
    int at[PATHS] = {0, 1, 2, count / 2 - 1, count / 2, count / 2 + 1, 9 * (count - 1) / 10};
    static const char *const ranks[PATHS] = {"cheap",  "cheap",  "cheap", "median",
                                             "median", "median", "p90"};
    lu_json_key_array(json, "paths");
    for (int k = 0; k < PATHS && count >= PATHS; k++) {
        lu_json_object(json);
        lu_json_key_string(json, "rank", ranks[k]);
        lu_json_key_real(json, "cost", done[at[k]].spent);
        lu_json_key(json, "seed");
        lu_json_uint(json, done[at[k]].seed);
        lu_json_key_array(json, "steps");
        play(p, done[at[k]].seed, json);
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    free(done);
}

static void answer(player *p) {
    const lu_game *game = p->episode.game;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "game", game->id);
    lu_json_key_string(&json, "bot", p->bot->name);
    craft_tally_write(&p->tally, &json);
    lu_json_key_object(&json, "uses_by_action");
    for (int a = 0; a < game->head[0].options; a++) {
        if (p->uses[a] > 0) {
            lu_json_key_real(&json, game->head[0].option[a], (double)p->uses[a] / p->tally.count);
        }
    }
    lu_json_object_end(&json);
    const craft_rules *m = (const craft_rules *)(const void *)p->episode.rules;
    craft_finals_write(&p->finals, craft_rules_pack(m), &m->pool, &json);
    write_paths(p, &json);
    lu_json_key_array(&json, "words");
    craft_tally_words(&p->tally, p->bot->name, &json);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    p->io->emit(p->io->user, json.text, json.length);
    lu_json_free(&json);
}

static lu_status open_game(player *p, lu_error *error) {
    const lu_settings *v = p->io->settings;
    const lu_game *game = lu_game_find(lu_settings_text_of(v, "variant"), NULL);
    const char *text = lu_settings_text_of(v, "settings");
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    lu_status status = *text ? lu_settings_text(settings, "json", "settings", text, strlen(text),
                                                LU_FROM_FILE, error)
                             : LU_OK;
    LU_THEN(status, craft_file_setting(settings, "pack", lu_settings_file_of(v, "pack", 0), error));
    if (status != LU_OK) {
        lu_settings_delete(settings);
        lu_settings_delete(options);
        return status;
    }
    return lu_episode_open(&p->episode, game, settings, options, error);
}

lu_status craft_measure_bot(const lu_tool_io *io, const char *name, lu_error *error) {
    player p = {.io = io};
    int episodes = (int)lu_settings_int(io->settings, "episodes");
    uint64_t first = (uint64_t)lu_settings_int(io->settings, "seed");
    lu_status status = open_game(&p, error);
    if (status == LU_OK) {
        p.bot = lu_game_bot(p.episode.game, name);
        status = p.bot && p.bot->memory_bytes <= MEMORY
                     ? LU_OK
                     : lu_fail(error, LU_BAD_VALUE, "'bot': %s has no bot '%s'", p.episode.game->id,
                               name);
    }
    for (int k = 0; k < episodes && status == LU_OK; k++) {
        craft_played played = play(&p, first + (uint64_t)k, NULL);
        craft_tally_add(&p.tally, &played);
        if (k % 64 == 0 && io->progress) {
            io->progress(io->user, (double)k / episodes, name);
        }
        if (io->cancelled && io->cancelled(io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status == LU_OK && p.bot) {
        answer(&p);
    }
    craft_tally_free(&p.tally);
    lu_episode_close(&p.episode);
    return status;
}
