/* A case of a seeds file: everything is generated anew and compared, member by member. */
#include "seed.h"
#include "verify.h"

#include <string.h>

enum { COUNT_MAX = 64 };

/* The number of entries of a list in the case, at most COUNT_MAX; -1 when it is no list. */
static int count_of(const lu_json_value *object, const char *key) {
    const lu_json_value *list = lu_json_get(object, key);
    size_t count = lu_json_count(list);
    return lu_json_kind_of(list) == LU_JSON_ARRAY && count <= COUNT_MAX ? (int)count : -1;
}

/* Seed, deck and stake. */
static lu_status read_run(lu_check *c, const lu_json_value *entry, joker_seed_ask *ask) {
    const char *seed, *deck;
    int64_t stake;
    lu_error inner;
    if (lu_json_get_text(entry, "seed", &seed, &inner) != LU_OK ||
        lu_json_get_text(entry, "deck", &deck, &inner) != LU_OK ||
        lu_json_get_int(entry, "stake", 1, JOKER_STAKES, &stake, &inner) != LU_OK) {
        return lu_check_bad(c, inner.text);
    }
    if (!*seed || strlen(seed) > 8) {
        return lu_check_bad(c, "'seed' must have 1 to 8 letters");
    }
    memcpy(ask->seed, seed, strlen(seed) + 1);
    ask->deck = joker_find_deck(deck);
    ask->stake = (int)stake - 1;
    return ask->deck < 0 ? lu_check_bad(c, "'deck' isn't a key of a deck (b_red)") : LU_OK;
}

/* The streams a case lists, and how many calls of each. */
static lu_status read_streams(lu_check *c, const lu_json_value *entry, joker_seed_ask *ask,
                              const char **keys) {
    int n = count_of(entry, "streams");
    for (int i = 0; i < n; i++) {
        const lu_json_value *stream = lu_json_at(lu_json_get(entry, "streams"), (size_t)i);
        int calls = count_of(stream, "calls");
        if (lu_json_get_text(stream, "key", &keys[i], NULL) != LU_OK || calls < 0 ||
            strlen(keys[i]) > JOKER_SEED_KEY_MAX) {
            return lu_check_bad(c, "a stream needs a 'key' of at most 40 letters and 'calls'");
        }
        ask->calls = calls > ask->calls ? calls : ask->calls;
    }
    keys[n < 0 ? 0 : n] = NULL;
    ask->streams = keys;
    return LU_OK;
}

/* How much of everything the case has. */
static void read_sizes(const lu_json_value *entry, joker_seed_ask *ask) {
    const lu_json_value *queue = lu_json_at(lu_json_get(entry, "queues"), 0);
    const lu_json_value *round = lu_json_at(lu_json_get(entry, "rounds"), 0);
    ask->antes = count_of(entry, "antes");
    ask->queues = count_of(entry, "queues");
    ask->cards = count_of(queue, "shop_queue");
    ask->packs = count_of(queue, "pack_queue");
    ask->rounds = count_of(entry, "rounds");
    ask->rerolls = count_of(lu_json_get(round, "shop"), "rerolls");
}

/* Everything of the case against what the question gives. */
static lu_status compare(lu_check *c, const lu_json_value *entry, const joker_seed_ask *ask) {
    static const char *const parts[] = {"hashed_seed", "streams", "start",  "antes",
                                        "build_order", "targets", "queues", "rounds"};
    lu_json ours = LU_JSON_INIT;
    lu_json_object(&ours);
    joker_seed_write(&ours, ask);
    lu_json_object_end(&ours);
    lu_json_document *document = lu_json_read("ours", ours.text, ours.length, c->error);
    for (size_t i = 0; document && i < sizeof parts / sizeof *parts; i++) {
        const lu_json_value *want = lu_json_get(entry, parts[i]);
        if (want) {
            lu_check_value(c, parts[i], want, lu_json_get(lu_json_root(document), parts[i]));
        }
    }
    lu_status status = document ? LU_OK : LU_BAD_DATA;
    lu_json_close(document);
    lu_json_free(&ours);
    return status;
}

/* A case does not say which cards won the rounds; only Telescope asks for the hands played. There
 * the case passes when the first 5, 1, 2, 3, 4 or no cards of each hand give what it shows. */
lu_status joker_check_seed(lu_check *c, const lu_json_value *entry) {
    static const int plays[] = {JOKER_PLAY_MAX, 1, 2, 3, 4, 0};
    const char *keys[COUNT_MAX + 1];
    joker_seed_ask ask = {.calls = 0};
    lu_status status = read_run(c, entry, &ask);
    LU_THEN(status, read_streams(c, entry, &ask, keys));
    if (status != LU_OK) {
        return status;
    }
    read_sizes(entry, &ask);
    bool telescope = (joker_deck_facts[ask.deck].vouchers >> JOKER_V_TELESCOPE & 1u) != 0;
    for (int i = 0; i < (telescope ? 6 : 1) && status == LU_OK; i++) {
        lu_check_again(c);
        ask.played = plays[i];
        status = compare(c, entry, &ask);
        if (!lu_check_differs(c)) {
            break;
        }
    }
    return status;
}
