/* Replay files on the probe games: round trips, equal bytes, seeking, and every kind of damage. */
#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/replay.h"

#include "probes/duet/duet.h"
#include "test.h"

#include <limits.h>
#include <stdlib.h>

enum {
    HEADER = 136,
    AT_VERSION = 8,
    AT_SPEC = 16,
    AT_SEED = 32,
    AT_DECISIONS = 40,
    AT_CHECK = 132
};

/* A game ready to play; `key` sets one setting, `option` one reset option, either may be NULL. */
static lu_episode begin(const char *id, const char *key, const char *value, const char *option,
                        const char *wish) {
    lu_error error;
    lu_episode e;
    const lu_game *game = lu_game_find(id, &error);
    lu_settings *settings = lu_game_settings(game), *options = NULL;
    if (key) {
        CHECK_INT(lu_settings_set(settings, key, value, LU_FROM_FLAG, "test", &error), LU_OK);
    }
    if (option) {
        options = lu_game_options(game);
        CHECK_INT(lu_settings_set(options, option, wish, LU_FROM_FLAG, "test", &error), LU_OK);
    }
    CHECK_INT(lu_episode_open(&e, game, settings, options, &error), LU_OK);
    return e;
}

/* Thoughts of all seats, of which some do not think. */
static void think(const lu_env *env, lu_rng *rng, lu_thought *thoughts) {
    int options = lu_game_mask_length(env->game);
    for (int seat = 0; seat < env->game->seats; seat++) {
        lu_thought *t = &thoughts[seat];
        *t = (lu_thought){.known = lu_rng_below(rng, 3) > 0};
        if (!t->known) {
            continue;
        }
        t->value = (float)lu_rng_unit(rng);
        t->entropy = 0.5f;
        t->top_count = (int32_t)lu_rng_below(rng, LU_THOUGHT_MOST + 1);
        for (int i = 0; i < t->top_count; i++) {
            t->top_action[i] = (int32_t)lu_rng_below(rng, (uint32_t)options);
            t->top_probability[i] = 1.0f / (float)(1 + i);
        }
    }
}

static void check_thought(const lu_thought *got, const lu_thought *want) {
    CHECK(got->known == want->known && got->value == want->value && got->entropy == want->entropy);
    CHECK_INT(got->top_count, want->top_count);
    CHECK(memcmp(got->top_action, want->top_action, sizeof got->top_action) == 0);
    CHECK(memcmp(got->top_probability, want->top_probability, sizeof got->top_probability) == 0);
}

/* Records random legal play, with one wild action at `wild_at` (-1: none). */
static char *record(lu_episode *e, uint64_t seed, int64_t most, int64_t wild_at, bool thoughts,
                    size_t *length) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_rng rng = lu_rng_from(seed);
    lu_error error;
    char *bytes;
    lu_env_reset(e->env, seed, e->options);
    lu_recorder *r = lu_recorder_new(e->env, e->settings_json, e->options_json);
    int options = lu_game_mask_length(e->game);
    while (!e->env->over && e->env->decisions < most) {
        for (int seat = 0; seat < e->game->seats; seat++) {
            lu_action_random(e->game, e->rules, e->env->state, seat, e->env->mask + seat * options,
                             &rng, actions + seat * e->game->heads);
        }
        if (e->env->decisions == wild_at) {
            actions[0] = INT_MIN;
        } else if (wild_at >= 0 && e->env->decisions == wild_at + 1) {
            actions[0] = INT_MAX;
        }
        lu_thought made[LU_MAX_SEATS];
        think(e->env, &rng, made);
        lu_env_step(e->env, actions);
        lu_recorder_step(r, e->env, thoughts ? made : NULL);
    }
    CHECK_INT(lu_recorder_finish(r, e->env, &bytes, length, &error), LU_OK);
    lu_recorder_delete(r);
    return bytes;
}

/* Everything an environment shows, as one number. */
static uint64_t sight(const lu_env *env) {
    const lu_game *g = env->game;
    size_t seats = (size_t)g->seats;
    uint64_t h = lu_hash(env->state, env->rules->state_bytes, 0);
    h = lu_hash(env->before, env->rules->state_bytes, h);
    h = lu_hash(env->observation, seats * (size_t)lu_game_observation_length(g) * sizeof(float), h);
    h = lu_hash(env->mask, seats * (size_t)lu_game_mask_length(g), h);
    h = lu_hash(env->terms, seats * (size_t)g->terms * sizeof(double), h);
    h = lu_hash(env->reward, seats * sizeof(double), h);
    h = lu_hash(env->returns, seats * sizeof(double), h);
    h = lu_hash(env->actions, seats * (size_t)g->heads * sizeof(int32_t), h);
    h = lu_hash(&env->step, sizeof env->step, h);
    const int64_t numbers[] = {(int64_t)env->seed, env->decisions, env->ticks,
                               env->illegal,       env->over,      env->to_move};
    return lu_hash(numbers, sizeof numbers, h);
}

/* Opens a replay and compares every frame, in mixed order, with forward play. */
static void check_frames(const char *bytes, size_t length, bool thoughts) {
    lu_error error;
    lu_replay *r = lu_replay_read("test", bytes, length, &error);
    if (!r) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return;
    }
    CHECK(r->thoughts == thoughts);
    size_t rows = (size_t)(r->episode.game->seats * r->episode.game->heads);
    lu_env *play = lu_env_new(r->episode.game, r->episode.rules),
           *seek = lu_env_new(r->episode.game, r->episode.rules);
    uint64_t *want = lu_alloc((size_t)(r->decisions + 1) * sizeof *want);
    lu_env_reset(play, r->seed, r->episode.options);
    want[0] = sight(play);
    for (int64_t i = 0; i < r->decisions; i++) {
        lu_env_step(play, r->actions + (size_t)i * rows);
        want[i + 1] = sight(play);
    }
    CHECK(play->over == r->ended);
    for (int64_t i = 0; i <= r->decisions; i++) {
        int64_t frame = i * 37 % (r->decisions + 1); /* some order that jumps */
        lu_replay_seek(r, seek, frame);
        CHECK_HEX(sight(seek), want[frame]);
    }
    lu_replay_seek(r, seek, -5);
    CHECK_INT(seek->decisions, 0);
    lu_replay_seek(r, seek, INT64_MAX);
    CHECK_INT(seek->decisions, r->decisions);
    free(want);
    lu_env_delete(play);
    lu_env_delete(seek);
    lu_replay_close(r);
}

TEST(every_probe_records_and_replays) {
    for (int i = 0; i < lu_game_count(); i++) {
        for (int way = 0; way < 4; way++) {
            lu_episode e = begin(lu_game_at(i)->id, NULL, NULL, NULL, NULL);
            size_t length;
            char *bytes = record(&e, 5 + (uint64_t)i, 1000, way & 1 ? 3 : -1, way & 2, &length);
            check_frames(bytes, length, way & 2);
            free(bytes);
            lu_episode_close(&e);
        }
    }
}

TEST(recording_twice_gives_equal_bytes) {
    lu_episode e = begin("chain-v1", NULL, NULL, NULL, NULL);
    size_t first, second;
    char *one = record(&e, 9, 1000, 4, true, &first), *two = record(&e, 9, 1000, 4, true, &second);
    CHECK_INT(first, second);
    CHECK(memcmp(one, two, first) == 0);
    char *other = record(&e, 10, 1000, 4, true, &second);
    CHECK(first != second || memcmp(one, other, first) != 0);
    free(one);
    free(two);
    free(other);
    lu_episode_close(&e);
}

TEST(finishing_twice_gives_equal_bytes) {
    lu_episode e = begin("clock-v1", NULL, NULL, NULL, NULL);
    lu_error error;
    lu_env_reset(e.env, 3, NULL);
    lu_recorder *r = lu_recorder_new(e.env, e.settings_json, NULL);
    char *bytes[2];
    size_t length[2];
    for (int32_t nap = 0; nap < 3; nap++) {
        lu_env_step(e.env, &nap);
        lu_recorder_step(r, e.env, NULL);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_INT(lu_recorder_finish(r, e.env, &bytes[i], &length[i], &error), LU_OK);
    }
    CHECK_INT(length[0], length[1]);
    CHECK(memcmp(bytes[0], bytes[1], length[0]) == 0);
    /* an unfinished episode replays up to where it was left */
    lu_replay *replay = lu_replay_read("test", bytes[0], length[0], &error);
    CHECK(replay && replay->decisions == 3 && !replay->ended);
    lu_replay_close(replay);
    free(bytes[0]);
    free(bytes[1]);
    lu_recorder_delete(r);
    lu_episode_close(&e);
}

TEST(an_episode_without_decisions_is_a_replay_too) {
    lu_episode e = begin("duet-v1", NULL, NULL, NULL, NULL);
    size_t length;
    char *bytes = record(&e, 1, 0, -1, false, &length);
    check_frames(bytes, length, false);
    free(bytes);
    lu_episode_close(&e);
}

TEST(illegal_actions_survive) {
    lu_episode e = begin("duet-v1", NULL, NULL, NULL, NULL);
    lu_error error;
    size_t length;
    char *bytes = record(&e, 2, 1000, 2, false, &length);
    lu_replay *r = lu_replay_read("test", bytes, length, &error);
    NEED(r);
    CHECK_INT(r->actions[2 * 2], INT_MIN);
    CHECK_INT(r->actions[3 * 2], INT_MAX);
    lu_replay_close(r);
    free(bytes);
    lu_episode_close(&e);
}

TEST(settings_and_options_travel_with_the_replay) {
    lu_error error;
    lu_episode e;
    CHECK_INT(lu_episode_open_text(&e, "duet", "{\"rounds\":33,\"reward\":{\"lost\":0.25}}",
                                   "{\"lead\":-7}", &error),
              LU_OK);
    size_t length;
    char *bytes = record(&e, 2, 1000, -1, true, &length);
    check_frames(bytes, length, true);
    lu_replay *r = lu_replay_read("test", bytes, length, &error);
    NEED(r);
    CHECK_INT(r->decisions, 33);
    CHECK_TEXT(r->episode.settings_json, e.settings_json);
    CHECK_TEXT(r->episode.options_json, e.options_json);
    CHECK_INT(((const duet_options *)r->episode.options)->lead, -7);
    CHECK_NEAR(r->episode.rules->weight[DUET_TERM_LOST], 0.25, 0);
    CHECK_INT(lu_settings_int(r->episode.settings, "rounds"), 33);
    lu_replay_close(r);
    free(bytes);
    lu_episode_close(&e);
}

TEST(thoughts_come_back_as_they_were) {
    lu_episode e = begin("duet-v1", NULL, NULL, NULL, NULL);
    lu_error error;
    lu_env_reset(e.env, 3, NULL);
    lu_recorder *recorder = lu_recorder_new(e.env, e.settings_json, NULL);
    lu_rng rng = lu_rng_from(8);
    lu_thought kept[8][DUET_SEATS];
    const int32_t throws[DUET_SEATS] = {0, 0};
    for (int i = 0; i < 8; i++) {
        think(e.env, &rng, kept[i]);
        lu_env_step(e.env, throws);
        lu_recorder_step(recorder, e.env, kept[i]);
    }
    char *bytes;
    size_t length;
    CHECK_INT(lu_recorder_finish(recorder, e.env, &bytes, &length, &error), LU_OK);
    lu_replay *r = lu_replay_read("test", bytes, length, &error);
    NEED(r);
    lu_thought thought;
    for (int i = 0; i < 8 * DUET_SEATS; i++) {
        const lu_thought *want = &kept[i / DUET_SEATS][i % DUET_SEATS];
        CHECK(lu_replay_thought(r, i / DUET_SEATS, i % DUET_SEATS, &thought) == want->known);
        check_thought(&thought, want);
    }
    CHECK(!lu_replay_thought(r, 8, 0, &thought) && !lu_replay_thought(r, -1, 0, &thought));
    lu_replay_close(r);
    lu_recorder_delete(recorder);
    free(bytes);
    lu_episode_close(&e);
}

TEST(a_replay_opens_from_a_file) {
    lu_episode e = begin("house-v1", "house", "false", NULL, NULL);
    lu_error error;
    size_t length;
    char path[300], *bytes = record(&e, 11, 1000, -1, false, &length);
    snprintf(path, sizeof path, "%s/a.replay", lu_test_folder());
    CHECK_INT(lu_file_write(path, bytes, length, &error), LU_OK);
    lu_replay *r = lu_replay_open(path, &error);
    CHECK(r && strcmp(r->episode.game->id, "house-v1") == 0);
    lu_replay_close(r);
    snprintf(path, sizeof path, "%s/none.replay", lu_test_folder());
    CHECK(!lu_replay_open(path, &error));
    CHECK_HAS(error.text, "none.replay");
    free(bytes);
    lu_episode_close(&e);
}

/* ---- damage ---- */

/* Reads bytes that must be refused, from a block of exactly their size so that the sanitizers see
 * a read behind it. */
static lu_status refused(const char *bytes, size_t length, lu_error *error) {
    char *exact = malloc(length ? length : 1);
    if (length) {
        memcpy(exact, bytes, length);
    }
    memset(error, 0, sizeof *error);
    lu_replay *r = lu_replay_read("test.replay", exact, length, error);
    lu_status status = r ? LU_OK : error->status;
    lu_replay_close(r);
    free(exact);
    return status;
}

static char *small_file(size_t *length) {
    lu_episode e = begin("oracle-v1", NULL, NULL, NULL, NULL);
    char *bytes = record(&e, 4, 1000, -1, true, length);
    lu_episode_close(&e);
    return bytes;
}

TEST(a_file_cut_off_anywhere_is_a_named_error) {
    size_t length;
    char *bytes = small_file(&length);
    lu_error error;
    for (size_t cut = 0; cut < length; cut++) {
        lu_status status = refused(bytes, cut, &error);
        if (status != (cut == 0 ? LU_FOREIGN_FILE : LU_DAMAGED_FILE) || !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "cut to %zu bytes: %s", cut, lu_status_name(status));
        }
    }
    CHECK_INT(refused(bytes, length, &error), LU_OK);
    char *longer = lu_alloc(length + 1);
    memcpy(longer, bytes, length);
    longer[length] = 0;
    CHECK_INT(refused(longer, length + 1, &error), LU_DAMAGED_FILE);
    free(longer);
    free(bytes);
}

TEST(every_flipped_bit_is_a_named_error) {
    size_t length;
    char *bytes = small_file(&length);
    lu_error error;
    for (size_t at = 0; at < length; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
            lu_status want = at < AT_VERSION       ? LU_FOREIGN_FILE
                             : at < AT_VERSION + 4 ? LU_OTHER_VERSION
                                                   : LU_DAMAGED_FILE;
            lu_status status = refused(bytes, length, &error);
            if (status != want || !strstr(error.text, "test.replay")) {
                lu_test_fail(__FILE__, __LINE__, "bit %d of byte %zu: %s '%s'", bit, at,
                             lu_status_name(status), error.text);
            }
            bytes[at] = (char)(bytes[at] ^ 1 << bit);
        }
    }
    free(bytes);
}

TEST(damage_is_named_by_its_part) {
    size_t length;
    char *bytes = small_file(&length);
    lu_error error;
    bytes[HEADER] ^= 1; /* the game id comes first */
    CHECK_INT(refused(bytes, length, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "at byte 136, in the game id");
    bytes[HEADER] ^= 1;
    bytes[length - 9] ^= 1;
    CHECK_INT(refused(bytes, length, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "thoughts");
    bytes[length - 9] ^= 1;
    bytes[length - 1] ^= 1;
    CHECK_INT(refused(bytes, length, &error), LU_DAMAGED_FILE);
    CHECK_HAS(error.text, "hash of the file");
    free(bytes);
}

TEST(foreign_files_are_named) {
    static const struct {
        const char *bytes;
        size_t length;
        const char *word;
    } files[] = {{"", 0, "empty"},
                 {"\x1f\x8b\x08\x00xxxxxxxxx", 13, "gzip"},
                 {"PK\x03\x04xxxxxxxxxxxx", 16, "zip"},
                 {"\x89PNG\r\n\x1a\nxxxx", 12, "PNG"},
                 {"\x28\xb5\x2f\xfdxxxxxxxx", 12, "zstd"},
                 {"{\"a\": 1}xxxxxxx", 15, "JSON"},
                 {"hello, this is some text", 24, "not those of one"},
                 {"x", 1, "not those of one"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lu_error error;
        CHECK_INT(refused(files[i].bytes, files[i].length, &error), LU_FOREIGN_FILE);
        CHECK_HAS(error.text, files[i].word);
    }
}

/* Makes the checks of a changed file agree again. */
static void seal(char *bytes, size_t length) {
    uint32_t check = (uint32_t)lu_hash(bytes, AT_CHECK, 0);
    memcpy(bytes + AT_CHECK, &check, sizeof check);
    uint64_t hash = lu_hash(bytes, length - 8, 0);
    memcpy(bytes + length - 8, &hash, sizeof hash);
}

TEST(another_version_another_spec_and_an_unknown_game_are_named) {
    size_t length;
    lu_error error;
    char *bytes = small_file(&length);
    bytes[AT_VERSION] = 3;
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_OTHER_VERSION);
    CHECK_HAS(error.text, "version 3");
    bytes[AT_VERSION] = 2;
    bytes[AT_SPEC] ^= 1;
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_OTHER_SPEC);
    CHECK_HAS(error.text, "oracle-v1");
    bytes[AT_SPEC] ^= 1;
    bytes[AT_SPEC + 8] ^= 1; /* hash of the model */
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_OTHER_SPEC);
    bytes[AT_SPEC + 8] ^= 1;
    bytes[HEADER] = 'O';
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "'Oracle-v1'");
    free(bytes);
}

TEST(another_seed_is_found_by_playing) {
    size_t length;
    lu_error error;
    char *bytes = small_file(&length);
    bytes[32] ^= 1;
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_CHECK_FAILED);
    CHECK_HAS(error.text, "decision 0");
    bytes[32] ^= 1;
    bytes[12] ^= 1; /* the flag that the episode is over */
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_CHECK_FAILED);
    free(bytes);
}

TEST(an_episode_too_long_to_be_played_is_refused) {
    size_t length;
    lu_error error;
    char *bytes = small_file(&length);
    const uint64_t many = LU_REPLAY_DECISIONS + 1;
    memcpy(bytes + AT_DECISIONS, &many, sizeof many);
    seal(bytes, length);
    CHECK_INT(refused(bytes, length, &error), LU_LIMIT);
    CHECK_HAS(error.text, "1048577 decisions");
    free(bytes);
    /* nor is one written */
    lu_episode e = begin("oracle-v1", NULL, NULL, NULL, NULL);
    lu_env_reset(e.env, 1, NULL);
    lu_recorder *r = lu_recorder_new(e.env, e.settings_json, NULL);
    for (int64_t i = 1; i <= LU_REPLAY_DECISIONS + 1; i++) {
        e.env->decisions = i; /* no probe lasts that long */
        lu_recorder_step(r, e.env, NULL);
    }
    CHECK_INT(lu_recorder_finish(r, e.env, &bytes, &length, &error), LU_LIMIT);
    CHECK(!bytes && length == 0);
    CHECK_HAS(error.text, "too long for a replay");
    lu_recorder_delete(r);
    lu_episode_close(&e);
}

/* Any one byte of the header changed, with all checks made good: never a crash, never accepted as
 * if nothing were. */
TEST(a_wrong_header_with_good_checks_is_refused) {
    size_t length;
    lu_error error;
    char *bytes = small_file(&length);
    for (size_t at = 12; at < AT_CHECK; at++) {
        static const int changes[] = {1, 2, 128, 255};
        /* the checks of parts only say where a damaged file is damaged, and the distance of hashes
         * (52) is free where one of any size covers the episode */
        bool free_to_be = (at >= 52 && at < 56) || (at >= 56 && at < 128 && (at - 56) % 12 >= 8);
        for (int i = 0; i < 4; i++) {
            bytes[at] = (char)(bytes[at] ^ changes[i]);
            seal(bytes, length);
            lu_status status = refused(bytes, length, &error);
            if (status == LU_OK && !free_to_be) {
                lu_test_fail(__FILE__, __LINE__, "byte %zu changed by %d is accepted", at,
                             changes[i]);
            }
            bytes[at] = (char)(bytes[at] ^ changes[i]);
        }
    }
    free(bytes);
}

/* ---- carrying over ---- */

/* A file of the first version and of an earlier specification, as it was recorded then. */
static char *earlier(const char *name, size_t *length) {
    char path[600], *bytes;
    lu_error error;
    snprintf(path, sizeof path, "fuzz/corpus/replay/%s", name);
    CHECK_INT(lu_file_read(lu_test_source(path), LU_REPLAY_LIMIT, &bytes, length, &error), LU_OK);
    return bytes;
}

/* Version 1 had one thought per decision, of the first seat that moves. */
static void check_first_movers(lu_replay *r) {
    const lu_game *game = r->episode.game;
    lu_env *env = lu_env_new(game, r->episode.rules);
    lu_thought thought;
    for (int64_t i = 0; i < r->decisions && r->thoughts; i++) {
        lu_replay_seek(r, env, i);
        for (int seat = 0; seat < game->seats; seat++) {
            bool first = (env->to_move & ((2u << seat) - 1u)) == 1u << seat;
            CHECK(lu_replay_thought(r, i, seat, &thought) == first);
            for (int k = 1; k < thought.top_count; k++) {
                CHECK(lu_game_option_head(game, thought.top_action[k - 1]) <=
                      lu_game_option_head(game, thought.top_action[k]));
            }
        }
    }
    lu_env_delete(env);
}

TEST(an_earlier_replay_is_read_and_carried_over) {
    static const char *const names[] = {"duet-options.replay", "turns-v1.replay", "house-v1.replay",
                                        "chain-v1.replay", "swarm-few-v1.replay"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length, first, second;
        char *bytes = earlier(names[i], &length), *once, *twice;
        lu_error error;
        lu_replay *replay = lu_replay_read(names[i], bytes, length, &error);
        NEED(replay);
        check_first_movers(replay);
        lu_replay_close(replay);
        NEED(lu_replay_upgrade(names[i], bytes, length, &once, &first, &error) == LU_OK);
        NEED(replay = lu_replay_read(names[i], once, first, &error));
        CHECK(memcmp(bytes + AT_DECISIONS, once + AT_DECISIONS, 8) == 0);
        check_first_movers(replay);
        /* of its own files the build gives the same bytes */
        NEED(lu_replay_upgrade(names[i], once, first, &twice, &second, &error) == LU_OK);
        CHECK(first == second && memcmp(once, twice, first) == 0);
        lu_replay_close(replay);
        free(bytes);
        free(once);
        free(twice);
    }
}

TEST(what_does_not_give_its_states_is_not_carried_over) {
    size_t length, upgraded_length;
    char *bytes = earlier("duet-v1.replay", &length), *upgraded = NULL;
    lu_error error;
    bytes[AT_SEED] ^= 1;
    seal(bytes, length);
    CHECK_INT(lu_replay_upgrade("seed", bytes, length, &upgraded, &upgraded_length, &error),
              LU_CHECK_FAILED);
    bytes[AT_SPEC] ^= 1;
    seal(bytes, length);
    CHECK_INT(lu_replay_upgrade("spec", bytes, length, &upgraded, &upgraded_length, &error),
              LU_OTHER_SPEC);
    CHECK_HAS(error.text, "use the build that wrote it");
    CHECK(!upgraded);
    free(bytes);
}

/* LUDUS_TEST_CORPUS=FOLDER writes the seeds of fuzz/replay_fuzz.c there; those of version 1 stay.
 */
TEST(the_corpus_of_the_fuzzer_can_be_made) {
    const char *folder = getenv("LUDUS_TEST_CORPUS");
    if (!folder) {
        lu_test_skip("LUDUS_TEST_CORPUS is not set");
        return;
    }
    for (int i = 0; i < lu_game_count(); i++) {
        lu_episode e = begin(lu_game_at(i)->id, NULL, NULL, NULL, NULL);
        lu_error error;
        size_t length;
        char path[600], *bytes = record(&e, 7, 12, i & 1 ? 2 : -1, i & 2, &length);
        snprintf(path, sizeof path, "%s/%s-%d.replay", folder, e.game->id, LU_REPLAY_VERSION);
        CHECK_INT(lu_file_write(path, bytes, length, &error), LU_OK);
        free(bytes);
        lu_episode_close(&e);
    }
    lu_episode e = begin("duet-v1", "rounds", "5", "lead", "3");
    lu_error error;
    size_t length;
    char path[600], *bytes = record(&e, 7, 100, 2, true, &length);
    snprintf(path, sizeof path, "%s/duet-options-%d.replay", folder, LU_REPLAY_VERSION);
    CHECK_INT(lu_file_write(path, bytes, length, &error), LU_OK);
    free(bytes);
    lu_episode_close(&e);
}
