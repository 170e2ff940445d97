/* An episode for people: the last step in words, events and reward terms, why an option is illegal,
 * the board as text, what bots would do, and the whole episode as bytes that any instance with the
 * same settings takes back. Bots are begun with the episode, one per seat and kind, and remember.
 */
#include "module.h"

#include "ludus/frame.h"
#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>

int32_t EXPORT(ludus_about)(void);
int32_t EXPORT(ludus_story)(void);
int32_t EXPORT(ludus_events)(void);
int32_t EXPORT(ludus_terms)(int32_t seat);
int32_t EXPORT(ludus_why_not)(int32_t seat, int32_t head, int32_t option);
int32_t EXPORT(ludus_show)(int32_t seat);
int32_t EXPORT(ludus_over)(void);
int32_t EXPORT(ludus_bot_act)(int32_t bot, int32_t seat);
int32_t EXPORT(ludus_save)(void);
const uint8_t *EXPORT(ludus_saved)(void);
int32_t EXPORT(ludus_restore)(int32_t length);
uint32_t EXPORT(ludus_bytes_hash)(int32_t length, int32_t high);

static struct {
    lu_seated_bot *seated; /* bots x seats */
    int seated_bots;
    uint8_t *saved; /* what ludus_save gave */
} episode;

/* ---- facts for people ---- */

/* Reward terms in words, with the weights of the open settings. */
static void put_weights(const lu_game *game, lu_json *json) {
    lu_json_key_array(json, "terms");
    for (int t = 0; t < game->terms; t++) {
        lu_json_object(json);
        lu_json_key_string(json, "name", game->term[t].name);
        lu_json_key_string(json, "sentence", game->term[t].sentence);
        lu_json_key_real(json, "weight", module.episode.rules->weight[t]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

/* The same hashes as replays of earlier specifications name them. */
static void put_earlier(lu_json *json) {
    const lu_rules *rules = module.episode.rules;
    uint64_t spec;
    lu_json_key_array(json, "earlier");
    for (int i = 0; (spec = lu_spec_earlier(module.episode.game, i)) != 0; i++) {
        lu_json_object(json);
        lu_json_key_hex(json, "spec", spec);
        lu_json_key_hex(json, "rules", lu_rules_hash_under(rules, spec));
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

/* What ludus_spec leaves out because no model depends on it: words, bots, events, and the hashes
 * and weights of the open settings. */
int32_t EXPORT(ludus_about)(void) {
    NEED_OPEN();
    const lu_game *game = module.episode.env->game;
    lu_json *json = &module.answer;
    lu_json_clear(json);
    lu_json_object(json);
    lu_game_facts_write(game, json);
    lu_json_key_hex(json, "spec", module.episode.rules->spec);
    lu_json_key_hex(json, "rules", module.episode.rules->hash);
    put_earlier(json);
    put_weights(game, json);
    lu_json_object_end(json);
    return LU_OK;
}

/* ---- the last step ---- */

static void answer_text(const lu_text *text) {
    lu_json_clear(&module.answer);
    lu_json_string_n(&module.answer, text->text, text->length);
}

/* One line, "" right after a reset. A game without stories tells the names of the actions. */
int32_t EXPORT(ludus_story)(void) {
    lu_text text = LU_TEXT_INIT;
    NEED_OPEN();
    lu_frame_story(module.episode.env, &text);
    answer_text(&text);
    lu_text_free(&text);
    return LU_OK;
}

/* Names of what happened in the last step. */
int32_t EXPORT(ludus_events)(void) {
    NEED_OPEN();
    lu_json_clear(&module.answer);
    lu_frame_write_events(module.episode.env, &module.answer);
    return LU_OK;
}

/* Reward terms of the last step by name, before their weights. */
int32_t EXPORT(ludus_terms)(int32_t seat) {
    NEED_OPEN();
    NEED_SEAT(seat, 0);
    lu_json_clear(&module.answer);
    lu_frame_write_terms(module.episode.env, seat, &module.answer);
    return LU_OK;
}

/* ---- now ---- */

/* Why an option is illegal now, as half a sentence; null when the mask has it. */
int32_t EXPORT(ludus_why_not)(int32_t seat, int32_t head, int32_t option) {
    const lu_env *env = module.episode.env;
    if (!env) {
        return wasm_nothing_open();
    }
    const lu_game *game = env->game;
    NEED_SEAT(seat, 0);
    if (head < 0 || head >= game->heads || option < 0 || option >= game->head[head].options) {
        return wasm_refuse_because(LU_NOT_FOUND, "the game has no such option");
    }
    int flat = lu_game_head_offset(game, head) + option;
    const char *reason = NULL;
    if (env->over) {
        reason = "the episode is over";
    } else if (!env->mask[seat * lu_game_mask_length(game) + flat]) {
        reason = game->why_not ? game->why_not(env->rules, env->state, seat, head, option) : NULL;
        reason = reason ? reason : "not possible now";
    }
    lu_json_clear(&module.answer);
    lu_json_string(&module.answer, reason);
    return LU_OK;
}

/* The board as a terminal shows it to a seat, everything for -1. */
int32_t EXPORT(ludus_show)(int32_t seat) {
    lu_text text = LU_TEXT_INIT;
    NEED_OPEN();
    NEED_SEAT(seat, -1);
    module.episode.env->game->show(module.episode.rules, module.episode.env->state, seat, &text);
    answer_text(&text);
    lu_text_free(&text);
    return LU_OK;
}

/* 1 when only a reset goes on. */
int32_t EXPORT(ludus_over)(void) {
    return !module.episode.env || module.episode.env->over;
}

/* ---- bots ---- */

void wasm_episode_close(void) {
    for (int d = 0; d < episode.seated_bots; d++) {
        lu_seated_bot_free(&episode.seated[d]);
    }
    free(episode.seated);
    free(episode.saved);
    memset(&episode, 0, sizeof episode);
}

void wasm_episode_begin(void) {
    const lu_game *game = module.episode.env->game;
    if (!episode.seated) {
        episode.seated_bots = lu_game_bots(game) * game->seats;
        episode.seated = lu_alloc_zero((size_t)episode.seated_bots, sizeof *episode.seated);
        for (int d = 0; d < episode.seated_bots; d++) {
            lu_seated_bot_init(&episode.seated[d], lu_game_bot_at(game, d / game->seats));
        }
    }
    /* the draws of lu_crew_begin: those of a seat are its own */
    for (int d = 0; d < episode.seated_bots; d++) {
        uint64_t seed = module.episode.env->seed, seat = (uint64_t)(d % game->seats);
        lu_seated_bot_begin(&episode.seated[d], seat == 0 ? seed : lu_mix(seed, seat, 2));
    }
}

/* What a bot (index into the list of ludus_about) does in a seat now: an array of an option per
 * head. Its memory moves on, so ask once per decision. */
int32_t EXPORT(ludus_bot_act)(int32_t bot, int32_t seat) {
    int32_t actions[LU_MAX_HEADS] = {0};
    NEED_OPEN();
    const lu_game *game = module.episode.env->game;
    NEED_SEAT(seat, 0);
    if (bot < 0 || bot >= lu_game_bots(game)) {
        return wasm_refuse_because(LU_NOT_FOUND, "the game has no such bot");
    }
    if (module.episode.env->over) {
        return wasm_refuse_because(LU_USAGE, "the episode is over; reset it first");
    }
    lu_seated_bot_act(&episode.seated[bot * game->seats + seat], module.episode.env, seat, actions);
    lu_json_clear(&module.answer);
    lu_json_array(&module.answer);
    for (int h = 0; h < game->heads; h++) {
        lu_json_int(&module.answer, actions[h]);
    }
    lu_json_array_end(&module.answer);
    return LU_OK;
}

/* ---- the whole episode as bytes ---- */

/* First bytes of a saved episode. */
typedef struct saved_head {
    uint8_t magic[8];
    uint64_t spec, rules; /* it fits an environment of this specification and these settings */
    uint64_t agent;       /* bytes at the end that a model remembers */
} saved_head;

static const uint8_t saved_magic[8] = {0x8c, 'L', 'U', 'E', 'P', 'I', 1, '\n'};

typedef void part_visit(void *user, void *at, size_t bytes);

/* Everything of the episode, part by part in a fixed order, but for what a model remembers. */
static void each_part(void *user, part_visit *visit) {
    lu_env *env = module.episode.env;
    const lu_game *game = env->game;
    size_t seats = (size_t)game->seats;
    visit(user, env->state, env->rules->state_bytes);
    visit(user, env->before, env->rules->state_bytes);
    visit(user, env->terms, seats * (size_t)game->terms * sizeof *env->terms);
    visit(user, env->reward, seats * sizeof *env->reward);
    visit(user, env->returns, seats * sizeof *env->returns);
    visit(user, env->actions, seats * (size_t)game->heads * sizeof *env->actions);
    visit(user, &env->step, sizeof env->step);
    visit(user, &env->seed, sizeof env->seed);
    visit(user, &env->decisions, sizeof env->decisions);
    visit(user, &env->ticks, sizeof env->ticks);
    visit(user, &env->illegal, sizeof env->illegal);
    visit(user, &env->over, sizeof env->over);
    for (int d = 0; d < episode.seated_bots; d++) {
        lu_seated_bot *seated = &episode.seated[d];
        visit(user, &seated->rng, sizeof seated->rng);
        if (seated->memory) {
            visit(user, seated->memory, (size_t)seated->bot->memory_bytes);
        }
    }
}

static void part_count(void *user, void *at, size_t bytes) {
    (void)at;
    *(size_t *)user += bytes;
}

static void part_out(void *user, void *at, size_t bytes) {
    uint8_t **to = user;
    memcpy(*to, at, bytes);
    *to += bytes;
}

static void part_in(void *user, void *at, size_t bytes) {
    const uint8_t **from = user;
    memcpy(at, *from, bytes);
    *from += bytes;
}

static saved_head head_now(void) {
    saved_head head = {.spec = module.episode.rules->spec, .rules = module.episode.rules->hash};
    size_t agent;
    memcpy(head.magic, saved_magic, sizeof saved_magic);
    (void)wasm_agent_memory(&agent);
    head.agent = agent;
    return head;
}

/* Bytes of the saved episode, which lies at ludus_saved until the next call of this; 0 while
 * nothing is open. */
int32_t EXPORT(ludus_save)(void) {
    size_t parts = 0, agent;
    if (!module.episode.env) {
        return 0;
    }
    const saved_head head = head_now();
    const void *memory = wasm_agent_memory(&agent);
    each_part(&parts, part_count);
    size_t length = sizeof head + parts + agent + sizeof(uint64_t);
    free(episode.saved);
    episode.saved = lu_alloc_zero(length, 1);
    uint8_t *to = episode.saved;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    each_part(&to, part_out);
    if (agent) {
        memcpy(to, memory, agent);
        to += agent;
    }
    uint64_t hash = lu_hash(episode.saved, length - sizeof hash, 0);
    memcpy(to, &hash, sizeof hash);
    return (int32_t)length;
}

const uint8_t *EXPORT(ludus_saved)(void) {
    return episode.saved;
}

/* The lent bytes of ludus_save become the episode; refused ones change nothing. A model remembers
 * what it did then, or nothing when another one is open now. */
int32_t EXPORT(ludus_restore)(int32_t length) {
    size_t parts = 0, agent;
    saved_head head;
    NEED_OPEN();
    each_part(&parts, part_count);
    size_t least = sizeof head + parts + sizeof(uint64_t), bytes = (size_t)length;
    if (!wasm_lent(length) || bytes < least) {
        return wasm_refuse_because(LU_BAD_DATA, "these bytes aren't a saved episode of this game");
    }
    memcpy(&head, module.lent, sizeof head);
    uint64_t hash;
    memcpy(&hash, module.lent + bytes - sizeof hash, sizeof hash);
    if (memcmp(head.magic, saved_magic, sizeof saved_magic) != 0 || head.agent != bytes - least ||
        hash != lu_hash(module.lent, bytes - sizeof hash, 0)) {
        return wasm_refuse_because(LU_BAD_DATA, "these bytes aren't a saved episode of this game");
    }
    if (head.spec != module.episode.rules->spec || head.rules != module.episode.rules->hash) {
        return wasm_refuse_because(LU_OTHER_SPEC,
                                   "the saved episode has other rules or settings than are open");
    }
    const uint8_t *from = (const uint8_t *)module.lent + sizeof head;
    each_part(&from, part_in);
    wasm_agent_begin();
    void *memory = wasm_agent_memory(&agent);
    if (agent && agent == head.agent) {
        memcpy(memory, from, agent);
    }
    lu_env_refresh(module.episode.env);
    return LU_OK;
}

/* Half of the hash of the lent bytes, as files carry it; 0 for more than were lent. */
uint32_t EXPORT(ludus_bytes_hash)(int32_t length, int32_t high) {
    uint64_t hash = wasm_lent(length) ? lu_hash(module.lent, (size_t)length, 0) : 0;
    return (uint32_t)(high ? hash >> 32 : hash);
}
