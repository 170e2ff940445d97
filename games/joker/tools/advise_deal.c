/* The order of the draw pile by the seed of a run: that of its first blind, where nothing but the
 * seed and the deck has a say. Held cards that the seed does not deal leave the order unknown. */
#include "advise.h"

#include "rules/joker_run.h"

#include <stdlib.h>
#include <string.h>

/* The letters of a seed, upper case; false when it is none. */
static bool letters_of(const lu_json_value *value, char *text) {
    const char *given =
        value && lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : NULL;
    size_t n = 0;
    for (; given && given[n]; n++) {
        char c = given[n] >= 'a' && given[n] <= 'z' ? (char)(given[n] - 32) : given[n];
        if (n >= 8 || !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'))) {
            return false;
        }
        text[n] = c;
    }
    return n > 0;
}

/* Where the cards of the first blind lie in the state, in the order in which they are drawn; the
 * first `hand` of them are the first hand. Returns their count, 0 when one is not there. */
static int order_of(const joker_ask *ask, const char *seed, uint8_t *order, int *hand) {
    joker_rules real = ask->rules;
    joker_state *run = lu_alloc_zero(1, sizeof *run);
    int count = 0;
    real.fast = 0;
    joker_seed_text(&real, run, seed);
    joker_run_start(&real, run);
    joker_select_blind(&real, run);
    *hand = run->held;
    for (int k = 0; k < run->held + run->draws; k++) {
        int at = k < run->held ? run->hand[k] : run->draw[run->draws - 1 - (k - run->held)];
        for (int i = 0; i < JOKER_DECK_MAX; i++) {
            const joker_card *card = &ask->state.card[i];
            if (card->rank == run->card[at].rank && card->suit == run->card[at].suit) {
                order[count++] = (uint8_t)i;
                break;
            }
        }
        if (count != k + 1) {
            count = 0;
            break;
        }
    }
    free(run);
    return count;
}

/* How many cards were drawn so far: the last of them is held. 0 = the hand is not of this order. */
static int drawn_of(const joker_state *s, const uint8_t *order, int count, int hand) {
    int drawn = hand, found = 0;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < s->held; i++) {
            if (s->hand[i] == order[k]) {
                found++;
                drawn = k + 1 > drawn ? k + 1 : drawn;
            }
        }
    }
    return found == s->held ? drawn : 0;
}

bool joker_ask_deal(joker_ask *ask, const lu_json_value *root) {
    joker_state *s = &ask->state;
    uint8_t order[JOKER_DECK_MAX] = {0};
    char seed[9] = {0};
    int hand = 0;
    bool first = s->phase == JOKER_PLAY && s->ante == 1 && s->blind == 0 && s->round == 0;
    if (!first || !letters_of(lu_json_get(root, "seed"), seed)) {
        return false;
    }
    int count = order_of(ask, seed, order, &hand);
    bool full = count == s->owned && s->held == hand; /* a hand is filled up after each draw */
    int drawn = full ? drawn_of(s, order, count, hand) : 0;
    if (drawn == 0) {
        return false;
    }
    s->draws = s->gones = 0;
    for (int k = count - 1; k >= drawn; k--) {
        s->draw[s->draws++] = order[k];
    }
    for (int k = 0; k < drawn; k++) {
        if (!memchr(s->hand, order[k], s->held)) {
            s->gone[s->gones++] = order[k];
        }
    }
    return true;
}
