/* Random legal play of joker over all decks and stakes: no action may break a rule of the state,
 * and over all runs every row of every table must have come up. Half of the runs get levels, money
 * and gifts, so that they reach what a random player never sees. LUDUS_TEST_LONG=1: a million runs.
 */
#include "joker_test.h"

#include <stdio.h>

/* How often each row of each table was used. */
static struct {
    uint32_t joker[JOKER_JOKERS], consumable[JOKER_CONSUMABLES], voucher[JOKER_VOUCHERS],
        tag[JOKER_TAGS], blind[JOKER_BLINDS], pack[JOKER_PACK_KINDS], deck[JOKER_DECKS],
        stake[JOKER_STAKES], enhancement[JOKER_ENHANCEMENTS], edition[JOKER_EDITIONS],
        seal[JOKER_SEALS], hand[JOKER_HANDS], end[2], full[JOKER_FULLS], steps;
} used;

static uint64_t rng;
static bool helped;

static uint32_t below(uint32_t n) {
    rng = rng * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((rng >> 33) % n);
}

/* `least` to `most` held cards at random, the forced among them. */
static uint16_t choose_cards(int least, int most) {
    uint16_t chosen = 0;
    int count = least + (int)below((uint32_t)(most - least + 1));
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_FORCED) {
            chosen = (uint16_t)(chosen | 1u << i);
        }
    }
    for (int tries = 0; tries < 64 && lu_bits_set(chosen) < count && s->held > 0; tries++) {
        chosen = (uint16_t)(chosen | 1u << below(s->held));
    }
    return chosen;
}

static uint16_t choose_for(int id) {
    const joker_consumable_fact *fact = &joker_consumable_facts[id];
    uint16_t chosen = 0;
    int count = fact->choose_min + (int)below(fact->choose_max - fact->choose_min + 1u);
    for (int tries = 0; tries < 64 && lu_bits_set(chosen) < count && s->held > 0; tries++) {
        chosen = (uint16_t)(chosen | 1u << below(s->held));
    }
    return chosen;
}

/* ---- one action; false when the one drawn is not legal ---- */

static bool act_owned(uint32_t kind) {
    if (kind == 0 && s->jokers > 0) {
        int i = (int)below(s->jokers);
        if (!joker_can_sell_joker(m, s, i) || below(8)) {
            return false;
        }
        joker_sell_joker(m, s, i);
        return true;
    }
    if (kind == 1 && s->bag > 0 && !below(8)) {
        joker_sell_consumable(m, s, (int)below(s->bag));
        return true;
    }
    if (kind == 2 && s->bag > 0) {
        int i = (int)below(s->bag), id = s->consumable[i].id;
        uint16_t chosen = choose_for(id);
        if (!joker_can_use_consumable(m, s, i, chosen)) {
            return false;
        }
        used.consumable[id]++;
        joker_use_consumable(m, s, i, chosen);
        return true;
    }
    if (kind == 3 && s->jokers > 1) {
        joker_move_joker(m, s, (int)below(s->jokers), (int)below(s->jokers));
        return true;
    }
    if (kind == 4 && s->held > 1) {
        joker_move_card(m, s, (int)below(s->held), (int)below(s->held));
        return true;
    }
    return false;
}

static bool act_pack(void) {
    int i = (int)below(JOKER_PACK_MAX);
    const joker_item *item = &s->shown[i];
    if (!below(12)) {
        joker_skip_pack(m, s);
        return true;
    }
    if (item->kind == JOKER_KIND_CONSUMABLE) {
        uint16_t chosen = choose_for(item->id);
        if (!joker_can_use(m, s, item->id, chosen)) {
            return false;
        }
        used.consumable[item->id]++;
        joker_pick_pack(m, s, i, chosen);
        return true;
    }
    if (!joker_can_pick(m, s, i)) {
        return false;
    }
    joker_pick_pack(m, s, i, 0);
    return true;
}

static bool act_choice(void) {
    if (joker_can_reroll_boss(m, s) && below(2)) {
        joker_reroll_boss(m, s);
    } else if (joker_can_skip_blind(m, s) && !below(3)) {
        used.tag[s->blind == 0 ? s->tag_small : s->tag_big]++;
        joker_skip_blind(m, s);
    } else {
        used.blind[joker_blind_row(s, s->blind)]++;
        joker_select_blind(m, s);
    }
    return true;
}

/* Makes five held cards a Flush Five, a Flush House or a Straight Flush. */
static void lucky_hand(uint16_t chosen) {
    static const uint8_t steps[3][5] = {{0, 0, 0, 0, 0}, {0, 0, 0, 1, 1}, {0, 1, 2, 3, 4}};
    uint32_t kind = below(3), lowest = 2 + below(9);
    for (int i = 0, n = 0; i < s->held && n < 5; i++) {
        if (joker_has(chosen, i)) {
            joker_card *card = &s->card[s->hand[i]];
            card->rank = (uint8_t)(lowest + steps[kind][n++]);
            card->suit = JOKER_CLUBS;
            joker_card_changed(s, s->hand[i]);
        }
    }
}

static bool act_round(void) {
    uint16_t chosen = choose_cards(1, 5);
    if (helped && !below(16)) {
        lucky_hand(chosen);
    }
    if (joker_can_discard(m, s, chosen) && !below(3)) {
        joker_discard(m, s, chosen);
        return true;
    }
    if (joker_can_play(m, s, chosen)) {
        joker_play(m, s, chosen);
        used.hand[s->last_hand]++;
        return true;
    }
    return false;
}

static bool act_shop(void) {
    int i = (int)below(JOKER_SHOP_MAX);
    switch (below(8)) {
    case 0:
    case 1:
        if (joker_can_buy(m, s, i)) {
            joker_buy_card(m, s, i);
            return true;
        }
        return false;
    case 2: {
        int id = s->shop[i].kind == JOKER_KIND_CONSUMABLE ? s->shop[i].id : 0;
        uint16_t chosen = choose_for(id);
        if (joker_can_buy_and_use(m, s, i, chosen)) {
            used.consumable[id]++;
            joker_buy_and_use(m, s, i, chosen);
            return true;
        }
        return false;
    }
    case 3:
        i %= JOKER_SHOP_VOUCHERS;
        if (joker_can_buy_voucher(m, s, i)) {
            used.voucher[s->voucher[i].id]++;
            joker_buy_voucher(m, s, i);
            return true;
        }
        return false;
    case 4:
    case 5:
        i %= JOKER_SHOP_PACKS;
        if (joker_can_buy_pack(m, s, i)) {
            used.pack[joker_pack_facts[s->pack[i].id].kind]++;
            joker_buy_pack(m, s, i);
            return true;
        }
        return false;
    case 6:
        if (joker_can_reroll(m, s)) {
            joker_reroll(m, s);
            return true;
        }
        return false;
    default:
        joker_leave_shop(m, s);
        return true;
    }
}

static bool act(void) {
    uint32_t kind = below(10);
    if (kind < 5) {
        return act_owned(kind);
    }
    if (s->pack_open) {
        return act_pack();
    }
    switch (s->phase) {
    case JOKER_BLIND_SELECT:
        return act_choice();
    case JOKER_PLAY:
        return act_round();
    case JOKER_CASH_OUT:
        joker_cash_out(m, s);
        return true;
    default:
        return act_shop();
    }
}

/* ---- a run ---- */

/* Things a random player never gets to: levels, money, jokers and consumables of any kind. */
static void help(void) {
    if (s->steps++ > 0 && (s->phase != JOKER_SHOP || below(3))) {
        return;
    }
    joker_item item;
    joker_earn(s, (int)below(60));
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        joker_level_up(s, hand, (int)below(200));
    }
    if (joker_has_room_joker(s)) {
        joker_make_this_joker(m, s, (int)below(JOKER_JOKERS), JOKER_SUFFIX_SHO, JOKER_PLACE_SHOP,
                              &item);
        joker_gain_joker(m, s, &item.joker);
    }
    if (joker_has_room_consumable(s)) {
        joker_gain_consumable(m, s, (int)below(JOKER_CONSUMABLES));
    }
    for (int copies = (int)below(12), i = (int)below(s->draws); copies > 8; copies--) {
        joker_card card = s->card[s->draw[i]];
        card.order = 0;
        joker_gain_card(m, s, &card, JOKER_ZONE_DRAW);
    }
    if (!below(4)) {
        joker_gain_tag(m, s, (int)below(JOKER_TAGS), JOKER_PAIR);
    }
}

static void count_owned(void) {
    for (int i = 0; i < s->jokers; i++) {
        used.joker[s->joker[i].id]++;
        used.edition[s->joker[i].edition]++;
    }
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        used.enhancement[s->card[i].enhancement]++;
        used.seal[s->card[i].seal]++;
    }
}

/* Plays a run to its end or for so many actions; true when nothing broke. */
static bool run(uint64_t seed, int actions) {
    int deck = (int)(seed % JOKER_DECKS), stake = (int)(seed / JOKER_DECKS % JOKER_STAKES);
    begin_run(deck, stake, seed);
    m->fast = seed % 7 != 0;
    m->endless = seed % 5 == 0;
    helped = seed % 2 == 1;
    rng = seed * 77777u + 5u;
    used.deck[deck]++;
    used.stake[stake]++;
    for (int k = 0; k < actions && s->phase != JOKER_END; k++) {
        if (helped) {
            help();
        }
        if (!act()) {
            continue;
        }
        used.steps++;
        const char *broken = broken_state();
        broken = broken || k % 16 ? broken : broken_orders();
        if (broken) {
            lu_test_fail(__FILE__, __LINE__, "run %llu, action %d, phase %d: %s",
                         (unsigned long long)seed, k, s->phase, broken);
            return false;
        }
        if (k % 64 == 0) {
            count_owned();
        }
    }
    used.end[0] += s->won;
    used.end[1] += s->lost;
    for (int i = 0; i < JOKER_FULLS; i++) {
        used.full[i] += s->full[i];
    }
    return true;
}

static void need_all(const char *kind, const uint32_t *counts, int n) {
    for (int i = 0; i < n; i++) {
        if (counts[i] == 0) {
            lu_test_fail(__FILE__, __LINE__, "%s %d never came up", kind, i);
        }
    }
}

TEST(random_play_breaks_nothing_and_uses_every_row) {
    bool all = getenv("LUDUS_TEST_LONG") != NULL;
    uint64_t runs = all ? 1000000 : 3000;
    memset(&used, 0, sizeof used);
    for (uint64_t seed = 0; seed < runs; seed++) {
        if (!run(seed, 3000)) {
            return;
        }
        if (all && seed % 20000 == 0) {
            fprintf(stderr, "joker fuzz: %llu of %llu runs\r", (unsigned long long)seed,
                    (unsigned long long)runs);
        }
    }
    need_all("joker", used.joker, JOKER_JOKERS);
    need_all("consumable", used.consumable, JOKER_CONSUMABLES);
    need_all("voucher", used.voucher, JOKER_VOUCHERS);
    need_all("tag", used.tag, JOKER_TAGS);
    need_all("blind", used.blind, JOKER_BLINDS);
    need_all("pack", used.pack, JOKER_PACK_KINDS);
    need_all("deck", used.deck, JOKER_DECKS);
    need_all("stake", used.stake, JOKER_STAKES);
    need_all("enhancement", used.enhancement, JOKER_ENHANCEMENTS);
    need_all("edition", used.edition, JOKER_EDITIONS);
    need_all("seal", used.seal, JOKER_SEALS);
    need_all("hand", used.hand, JOKER_HANDS);
    need_all("end", used.end, 2);
    CHECK(used.full[JOKER_FULL_DECK] > 0); /* capacities were reached, and nothing broke */
    CHECK(used.full[JOKER_FULL_HAND] > 0);
}

/* Two runs with the same seed and choices are the same to the last byte. */
TEST(a_run_repeats_to_the_last_byte) {
    static joker_state first;
    for (uint64_t seed = 0; seed < 60; seed++) {
        run(seed, 2000);
        first = state;
        run(seed, 2000);
        CHECK(memcmp(&first, &state, sizeof state) == 0);
    }
}
