/* `ludus joker seed SEED`: the seed browser. JSON in the layout of vectors/seeds.json
 * (seed_write.c), and for people a table per ante (seed_words.c). */
#include "seed.h"
#include "joker_words.h"

#include "ludus/tool.h"

#include <string.h>

static const lu_setting rows[] = {
    {"seed", LU_TEXT, "", 0, 40, NULL,
     "The seed: 1 to 8 letters or digits; or give it as the argument.", false},
    {"deck", LU_TEXT, "b_red", 0, 40, NULL,
     "The deck by key, title or colour: b_red, Red Deck, red.", false},
    {"stake", LU_TEXT, "white", 0, 40, NULL, "The stake by colour or number, 1 white to 8 gold.",
     false},
    {"antes", LU_INT, "8", 1, 64, NULL, "Antes whose boss, voucher and tags are shown.", false},
    {"queues", LU_INT, "3", 0, 64, NULL, "Antes whose shop cards and packs are listed.", false},
    {"cards", LU_INT, "12", 0, 64, NULL, "Shop cards listed per ante.", false},
    {"packs", LU_INT, "4", 0, 64, NULL, "Packs listed and opened per ante.", false},
    {"rounds", LU_INT, "4", 0, 64, NULL,
     "Blinds of a run in which each is won with the first hand and nothing is bought.", false},
    {"rerolls", LU_INT, "2", 0, 64, NULL, "Rerolls in each shop of that run.", false},
    {"played", LU_INT, "5", 0, JOKER_PLAY_MAX, NULL,
     "Cards of each dealt hand that are played, from the left; only Telescope depends on it.",
     false},
};

static lu_status read_ask(const lu_settings *settings, joker_seed_ask *ask, lu_error *error) {
    const char *deck = lu_settings_text_of(settings, "deck");
    memset(ask, 0, sizeof *ask);
    LU_TRY(joker_seed_read_deck(deck, &ask->deck, error));
    LU_TRY(joker_seed_read_stake(lu_settings_text_of(settings, "stake"), &ask->stake, error));
    ask->antes = (int)lu_settings_int(settings, "antes");
    ask->queues = (int)lu_settings_int(settings, "queues");
    ask->cards = (int)lu_settings_int(settings, "cards");
    ask->packs = (int)lu_settings_int(settings, "packs");
    ask->rounds = (int)lu_settings_int(settings, "rounds");
    ask->rerolls = (int)lu_settings_int(settings, "rerolls");
    ask->played = (int)lu_settings_int(settings, "played");
    ask->streams = joker_seed_streams;
    ask->calls = 3;
    LU_TRY(joker_read_seed(lu_settings_text_of(settings, "seed"), ask->seed, error));
    return *ask->seed
               ? LU_OK
               : lu_fail(error, LU_USAGE, "joker seed: name a seed of 1 to 8 letters or digits");
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    joker_seed_ask ask;
    lu_json json = LU_JSON_INIT;
    LU_TRY(read_ask(io->settings, &ask, error));
    lu_json_object(&json);
    joker_seed_write(&json, &ask);
    joker_seed_words(&json, &ask);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    return LU_OK;
}

extern const lu_tool lu_tool_joker_seed;
const lu_tool lu_tool_joker_seed = {
    .game = "joker",
    .name = "seed",
    .sentence =
        "Shows what a seed holds: bosses, vouchers, tags, shops, packs, the order of cards.",
    .settings = {"joker seed", rows, sizeof rows / sizeof *rows},
    .run = run,
    .argument = "seed",
};
