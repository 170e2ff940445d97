/* Joker, part: what is offered and what a run starts with. Tags that act in the shop, shop cards,
 * packs, vouchers, bosses, tags, targets, round targets, the deck, the start of a run. Every draw
 * names its stream (joker_rng.h), every card is made by joker_item.h. Left out: what jokers and
 * vouchers change when they are gained (joker_event.h, joker_use.h).
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_item.h"

LU_C_BEGIN

/* ---- tags held ---- */

/* Takes a tag out of the row of tags. */
LU_INLINE void joker_remove_tag(joker_state *s, int at) {
    s->tags--;
    for (int i = at; i < s->tags; i++) {
        s->tag[i] = s->tag[i + 1];
    }
    memset(&s->tag[s->tags], 0, sizeof s->tag[0]);
}

/* Uses up the first tag of a kind; false when none is held. */
LU_INLINE bool joker_spend_tag(joker_state *s, int id) {
    for (int i = 0; i < s->tags; i++) {
        if (s->tag[i].id == id) {
            joker_remove_tag(s, i);
            return true;
        }
    }
    return false;
}

/* Different Rare jokers owned. */
LU_INLINE int joker_rares_owned(const joker_state *s) {
    uint64_t seen[3] = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < s->jokers; i++) {
        int id = s->joker[i].id;
        bool again = seen[id >> 6] >> (id & 63) & 1u;
        count += joker_joker_facts[id].rarity == JOKER_RARE && !again ? 1 : 0;
        seen[id >> 6] |= (uint64_t)1 << (id & 63);
    }
    return count;
}

/* The first Uncommon or Rare Tag puts its joker into a shop slot. A Rare Tag whose jokers are all
 * owned is used up for nothing. */
LU_INLINE bool joker_tag_creates(const joker_rules *m, joker_state *s, joker_item *out) {
    for (int i = 0; i < s->tags; i++) {
        int id = s->tag[i].id;
        if (id != JOKER_TAG_UNCOMMON && id != JOKER_TAG_RARE) {
            continue;
        }
        bool rare = id == JOKER_TAG_RARE;
        joker_remove_tag(s, i);
        if (rare && joker_rares_owned(s) >=
                        joker_rarity_from[JOKER_RARE + 1] - joker_rarity_from[JOKER_RARE]) {
            i--;
            continue;
        }
        joker_make_joker(m, s, rare ? JOKER_RARE : JOKER_UNCOMMON,
                         rare ? JOKER_SUFFIX_RTA : JOKER_SUFFIX_UTA, JOKER_PLACE_SHOP, out);
        out->free = 1;
        joker_price_item(s, out);
        return true;
    }
    return false;
}

/* The first edition tag acts on a joker without edition and makes it free. */
LU_INLINE void joker_tag_modifies(joker_state *s, joker_item *item) {
    if (item->kind != JOKER_KIND_JOKER || item->joker.edition != JOKER_BASE) {
        return;
    }
    for (int i = 0; i < s->tags; i++) {
        int edition = s->tag[i].id == JOKER_TAG_NEGATIVE     ? JOKER_NEGATIVE
                      : s->tag[i].id == JOKER_TAG_FOIL       ? JOKER_FOIL
                      : s->tag[i].id == JOKER_TAG_HOLO       ? JOKER_HOLO
                      : s->tag[i].id == JOKER_TAG_POLYCHROME ? JOKER_POLY
                                                             : JOKER_BASE;
        if (edition != JOKER_BASE) {
            item->joker.edition = (uint8_t)edition;
            item->free = 1;
            joker_price_item(s, item);
            joker_remove_tag(s, i);
            return;
        }
    }
}

/* ---- the shop ---- */

/* Weights of the kinds of shop cards: joker, Tarot, Planet, playing card, Spectral. */
LU_INLINE void joker_shop_weights(const joker_state *s, double weight[5]) {
    weight[0] = 20.0;
    weight[1] = joker_has_voucher(s, JOKER_V_TAROT_TYCOON)     ? 32.0
                : joker_has_voucher(s, JOKER_V_TAROT_MERCHANT) ? 9.6
                                                               : 4.0;
    weight[2] = joker_has_voucher(s, JOKER_V_PLANET_TYCOON)     ? 32.0
                : joker_has_voucher(s, JOKER_V_PLANET_MERCHANT) ? 9.6
                                                                : 4.0;
    weight[3] = joker_has_voucher(s, JOKER_V_MAGIC_TRICK) ? 4.0 : 0.0;
    weight[4] = s->deck == JOKER_B_GHOST ? 2.0 : 0.0;
}

/* Makes the card of a shop slot. */
LU_INLINE void joker_make_shop_card(const joker_rules *m, joker_state *s, joker_item *out) {
    double weight[5];
    int kind = 0;
    if (joker_tag_creates(m, s, out)) {
        joker_tag_modifies(s, out);
        return;
    }
    bool illusion = joker_has_voucher(s, JOKER_V_ILLUSION);
    bool enhanced = illusion && joker_u(m, s, joker_key_now(s, JOKER_K_ILLUSION)) > 0.6;
    joker_shop_weights(s, weight);
    double total = weight[0] + weight[1] + weight[2] + weight[3] + weight[4];
    double x = joker_u(m, s, joker_key_now(s, JOKER_K_CDT)) * total, sum = weight[0];
    while (kind < 4 && x > sum) {
        kind++;
        sum += weight[kind];
    }
    switch (kind) {
    case 0:
        joker_make_joker(m, s, -1, JOKER_SUFFIX_SHO, JOKER_PLACE_SHOP, out);
        break;
    case 1:
        joker_make_consumable(m, s, JOKER_TAROT, JOKER_SUFFIX_SHO, false, out);
        break;
    case 2:
        joker_make_consumable(m, s, JOKER_PLANET, JOKER_SUFFIX_SHO, false, out);
        break;
    case 3:
        joker_make_playing_card(m, s, JOKER_SUFFIX_SHO, enhanced, out);
        break;
    default:
        joker_make_consumable(m, s, JOKER_SPECTRAL, JOKER_SUFFIX_SHO, false, out);
        break;
    }
    if (kind == 3 && illusion && joker_u(m, s, joker_key_now(s, JOKER_K_ILLUSION)) > 0.8) {
        double u = joker_u(m, s, joker_key_now(s, JOKER_K_ILLUSION));
        out->card.edition = (unsigned)joker_sure_edition(u) & 7u;
        joker_price_item(s, out);
    }
    joker_tag_modifies(s, out);
}

/* Fills the slots from `from` on, the first ones first (Overstock adds one to a running shop). */
LU_INLINE void joker_fill_cards(const joker_rules *m, joker_state *s, int from) {
    for (int i = from; i < s->shop_slots && i < JOKER_SHOP_MAX; i++) {
        joker_make_shop_card(m, s, &s->shop[i]);
    }
}

/* Empties the slots for cards. */
LU_INLINE void joker_clear_cards(joker_state *s) {
    memset(s->shop, 0, sizeof s->shop);
}

/* Nothing is for sale any more. */
LU_INLINE void joker_clear_shop(joker_state *s) {
    joker_clear_cards(s);
    memset(s->pack, 0, sizeof s->pack);
    memset(s->voucher, 0, sizeof s->voucher);
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        s->pack[i].id = JOKER_NONE;
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        s->voucher[i].id = JOKER_NONE;
    }
}

/* The pack of a shop place; the very first of a run is a Buffoon pack. */
LU_INLINE int joker_draw_pack(const joker_rules *m, joker_state *s) {
    if (!s->first_shop) {
        s->first_shop = 1;
        return JOKER_P_BUFFOON_NORMAL_1;
    }
    double x = joker_u(m, s, joker_key_now(s, JOKER_K_SHOP_PACK)) * 22.42;
    double sum = 0.0;
    for (int pack = 0; pack < JOKER_PACKS; pack++) {
        sum += joker_pack_facts[pack].weight;
        if (sum >= x) {
            return pack;
        }
    }
    return JOKER_PACKS - 1;
}

/* Vouchers that may be drawn, bit = voucher: not owned, not in the shop, first tier owned. */
LU_INLINE uint64_t joker_pool_vouchers(const joker_state *s) {
    uint64_t open = 0;
    for (int id = 0; id < JOKER_VOUCHERS; id++) {
        int needs = joker_voucher_facts[id].needs;
        bool fits =
            !joker_has_voucher(s, id) && (needs == JOKER_NONE || joker_has_voucher(s, needs));
        for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
            fits = fits && s->voucher[i].id != id;
        }
        open |= (uint64_t)fits << id;
    }
    return open;
}

LU_INLINE int joker_draw_any_voucher(const joker_rules *m, joker_state *s, int base) {
    int id = joker_draw_pool(m, s, base, 0, joker_pool_vouchers(s), JOKER_VOUCHERS);
    return id < 0 ? (int)JOKER_V_BLANK : id;
}

/* Puts a voucher into the shop, if a place is left. */
LU_INLINE void joker_show_voucher(joker_state *s, int id) {
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        if (s->voucher[i].id == JOKER_NONE) {
            s->voucher[i].id = (uint8_t)id;
            s->voucher[i].free = 0;
            s->voucher[i].price = joker_voucher_price(s, id);
            return;
        }
    }
    s->full[JOKER_FULL_VOUCHERS]++;
}

/* Opens a shop: D6 Tag, voucher of the ante, Voucher Tags, cards, packs, Coupon Tag. */
LU_INLINE void joker_fill_shop(const joker_rules *m, joker_state *s) {
    joker_clear_shop(s);
    if (joker_spend_tag(s, JOKER_TAG_D_SIX)) {
        s->reroll_base = 0;
    }
    if (s->ante_voucher != JOKER_NONE) {
        joker_show_voucher(s, s->ante_voucher);
    }
    while (joker_spend_tag(s, JOKER_TAG_VOUCHER)) {
        joker_show_voucher(s, joker_draw_any_voucher(m, s, JOKER_K_VOUCHER_FROMTAG));
    }
    joker_fill_cards(m, s, 0);
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        s->pack[i].id = (uint8_t)joker_draw_pack(m, s);
        s->pack[i].price = joker_pack_price(s, s->pack[i].id);
    }
    if (joker_spend_tag(s, JOKER_TAG_COUPON)) {
        for (int i = 0; i < JOKER_SHOP_MAX; i++) {
            s->shop[i].free = s->shop[i].kind != JOKER_KIND_NONE;
            joker_price_item(s, &s->shop[i]);
        }
        for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
            s->pack[i].free = 1;
            s->pack[i].price = 0;
        }
    }
}

/* New cards in the shop: the old ones leave first. */
LU_INLINE void joker_reroll_shop(const joker_rules *m, joker_state *s) {
    joker_clear_cards(s);
    joker_fill_cards(m, s, 0);
}

/* ---- packs ---- */

/* The Planet of the most played visible hand, the stronger of equals; -1 = none was played. */
LU_INLINE int joker_favourite_planet(const joker_state *s) {
    int best = -1, most = 0;
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if ((s->visible >> hand & 1u) && s->plays[hand] > most) {
            most = s->plays[hand];
            best = joker_hand_facts[hand].planet;
        }
    }
    return best;
}

/* The i-th card of a pack. */
LU_INLINE void joker_make_pack_card(const joker_rules *m, joker_state *s, int kind, int i,
                                    joker_item *out) {
    int planet = -1;
    switch (kind) {
    case JOKER_PACK_ARCANA:
        if (joker_has_voucher(s, JOKER_V_OMEN_GLOBE) &&
            joker_u(m, s, joker_key_now(s, JOKER_K_OMEN_GLOBE)) > 0.8) {
            joker_make_consumable(m, s, JOKER_SPECTRAL, JOKER_SUFFIX_AR2, true, out);
        } else {
            joker_make_consumable(m, s, JOKER_TAROT, JOKER_SUFFIX_AR1, true, out);
        }
        break;
    case JOKER_PACK_CELESTIAL:
        if (i == 0 && joker_has_voucher(s, JOKER_V_TELESCOPE)) {
            planet = joker_favourite_planet(s);
        }
        if (planet >= 0) {
            joker_make_this_consumable(s, planet, out);
        } else {
            joker_make_consumable(m, s, JOKER_PLANET, JOKER_SUFFIX_PL1, true, out);
        }
        break;
    case JOKER_PACK_SPECTRAL:
        joker_make_consumable(m, s, JOKER_SPECTRAL, JOKER_SUFFIX_SPE, true, out);
        break;
    case JOKER_PACK_BUFFOON:
        joker_make_joker(m, s, -1, JOKER_SUFFIX_BUF, JOKER_PLACE_PACK, out);
        break;
    default:
        joker_make_standard(m, s, out);
        break;
    }
}

/* No pack is open. */
LU_INLINE void joker_clear_pack(joker_state *s) {
    memset(s->shown, 0, sizeof s->shown);
    s->pack_open = 0;
    s->pack_shown = 0;
    s->pack_picks = 0;
}

/* Opens a pack: its cards are made one by one into `shown`, each blocking the next. */
LU_INLINE void joker_open_pack(const joker_rules *m, joker_state *s, int pack) {
    const joker_pack_fact *fact = &joker_pack_facts[pack];
    joker_clear_pack(s);
    for (int i = 0; i < fact->shown; i++) {
        joker_make_pack_card(m, s, fact->kind, i, &s->shown[i]);
    }
    s->pack_open = (uint8_t)(fact->kind + 1);
    s->pack_shown = fact->shown;
    s->pack_picks = fact->picks;
}

/* ---- what an ante brings ---- */

/* Draws a boss among those that were used least; counts the use. */
LU_INLINE void joker_draw_boss(const joker_rules *m, joker_state *s) {
    const int ante = s->ante < 1 ? 1 : s->ante;
    const bool showdown = ante % 8 == 0 && s->ante >= 2;
    uint8_t list[JOKER_BOSSES];
    int n = 0, least = 256;
    for (int i = 0; i < JOKER_BOSSES; i++) {
        const int id = joker_bosses[i];
        const joker_blind_fact *fact = &joker_blind_facts[id];
        bool last = fact->kind == JOKER_BLIND_SHOWDOWN;
        if (last != showdown || (!last && fact->from > ante) || s->boss_uses[id] > least) {
            continue;
        }
        if (s->boss_uses[id] < least) {
            least = s->boss_uses[id];
            n = 0;
        }
        list[n++] = (uint8_t)id;
    }
    s->boss = list[joker_pick(m, s, joker_key_now(s, JOKER_K_BOSS), n)];
    if (s->boss_uses[s->boss] < 255) {
        s->boss_uses[s->boss]++;
    }
}

/* Draws the voucher of the ante. */
LU_INLINE void joker_draw_voucher(const joker_rules *m, joker_state *s) {
    s->ante_voucher = (uint8_t)joker_draw_any_voucher(m, s, JOKER_K_VOUCHER);
}

LU_INLINE int joker_draw_tag(const joker_rules *m, joker_state *s) {
    uint64_t open = 0;
    for (int id = 0; id < JOKER_TAGS; id++) {
        open |= (uint64_t)(joker_tag_from[id] <= s->ante) << id;
    }
    int id = joker_draw_pool(m, s, JOKER_K_TAG, 0, open, JOKER_TAGS);
    return id < 0 ? (int)JOKER_TAG_HANDY : id;
}

/* Draws the tags of the Small and the Big Blind. */
LU_INLINE void joker_draw_tags(const joker_rules *m, joker_state *s) {
    s->tag_small = (uint8_t)joker_draw_tag(m, s);
    s->tag_big = (uint8_t)joker_draw_tag(m, s);
}

/* Draws the hands an Orbital Tag would show at the three blinds: when an ante is first displayed.
 */
LU_INLINE void joker_draw_orbital(const joker_rules *m, joker_state *s) {
    for (int i = 0; i < 3; i++) {
        s->orbital[i] = (uint8_t)joker_draw_hand(m, s, JOKER_K_ORBITAL, -1);
    }
}

/* Base of the targets of an ante; table 1..3. Above ante 8 it grows ever faster and is cut to two
 * leading digits. */
LU_INLINE double joker_ante_base(int ante, int table) {
    if (ante <= 8) {
        return joker_antes[ante < 0 ? 0 : ante][table - 1];
    }
    double c = (double)(ante - 8);
    double grown = lu_pow(0.75 * c, 1.0 + 0.2 * c);
    double v = lu_floor(joker_antes[8][table - 1] * lu_pow(1.6 + grown, c));
    double unit = 1.0;
    while (unit * 100.0 <= v && unit < 1e300) {
        unit *= 10.0;
    }
    return v < 1e300 ? lu_floor(v / unit) * unit : v;
}

/* The score to reach at a blind (JOKER_BL_...) in an ante. */
LU_INLINE double joker_target(const joker_rules *m, const joker_state *s, int ante, int blind) {
    (void)m;
    double base = joker_ante_base(ante, joker_stake_facts[s->stake].table);
    double twice = s->deck == JOKER_B_PLASMA ? 2.0 : 1.0;
    return lu_floor(base * joker_blind_facts[blind].factor * twice);
}

/* Dollars for beating a blind: the Small Blind pays nothing from the second stake on. */
LU_INLINE int joker_reward_of(const joker_state *s, int blind) {
    return blind == JOKER_BL_SMALL && s->stake >= 1 ? 0 : joker_blind_facts[blind].reward;
}

/* The row of blinds.csv that blind 0, 1, 2 of this ante is. */
LU_INLINE int joker_blind_row(const joker_state *s, int blind) {
    return blind == 0 ? (int)JOKER_BL_SMALL : blind == 1 ? (int)JOKER_BL_BIG : s->boss;
}

/* ---- round targets ---- */

/* Draws what The Idol, Mail-In Rebate, Ancient Joker and Castle look for. */
LU_INLINE void joker_round_targets(const joker_rules *m, joker_state *s) {
    uint8_t list[JOKER_DECK_MAX], suits[JOKER_SUITS];
    int n = 0, kinds = 0;
    for (int i = 0; i < JOKER_DECK_MAX; i++) {
        if (s->card[i].rank && s->card[i].enhancement != JOKER_STONE) {
            list[n++] = (uint8_t)i;
        }
    }
    joker_sort_by_order(s, list, n);
    joker_card none = joker_front(47); /* Ace of Spades */
    const joker_card *idol = &none, *mail = &none, *castle = &none;
    if (n > 0) {
        idol = &s->card[list[joker_pick(m, s, joker_key_now(s, JOKER_K_IDOL), n)]];
        mail = &s->card[list[joker_pick(m, s, joker_key_now(s, JOKER_K_MAIL), n)]];
    }
    for (int suit = 0; suit < JOKER_SUITS; suit++) {
        if (suit != s->ancient_suit) {
            suits[kinds++] = (uint8_t)suit;
        }
    }
    s->ancient_suit = suits[joker_pick(m, s, joker_key_now(s, JOKER_K_ANCIENT), kinds)];
    if (n > 0) {
        castle = &s->card[list[joker_pick(m, s, joker_key_now(s, JOKER_K_CASTLE), n)]];
    }
    s->idol_rank = idol->rank;
    s->idol_suit = idol->suit;
    s->mail_rank = mail->rank;
    s->castle_suit = castle->suit;
}

/* ---- the start of a run ---- */

/* Builds the deck; the draw pile lies in the order of creation. */
LU_INLINE void joker_build_deck(const joker_rules *m, joker_state *s) {
    uint8_t copies[52];
    for (int key = 0; key < 52; key++) {
        copies[key] = s->deck == JOKER_B_ERRATIC ? 0 : 1;
    }
    for (int i = 0; i < 52 && s->deck == JOKER_B_ERRATIC; i++) {
        copies[joker_pick(m, s, joker_key_now(s, JOKER_K_ERRATIC), 52)]++;
    }
    int n = 0;
    for (int key = 0; key < 52; key++) {
        joker_card card = joker_front(key);
        bool face = card.rank >= JOKER_JACK && card.rank <= JOKER_KING;
        if (s->deck == JOKER_B_CHECKERED) { /* Clubs are Spades, Diamonds are Hearts */
            card.suit &= 1u;
        }
        for (int k = 0; k < copies[key] && !(face && s->deck == JOKER_B_ABANDONED); k++) {
            card.order = (uint16_t)(n + 1);
            s->card[n] = card;
            s->draw[n] = (uint8_t)n;
            n++;
        }
    }
    s->draws = s->owned = s->start_deck = (uint8_t)n;
    s->next_order = (uint16_t)(n + 1);
}

/* Start values by deck and stake, with the vouchers and consumables of the deck. */
LU_INLINE void joker_start_values(const joker_rules *m, joker_state *s) {
    const joker_deck_fact *deck = &joker_deck_facts[m->deck];
    s->deck = (uint8_t)m->deck;
    s->stake = (uint8_t)m->stake;
    s->money = deck->dollars;
    s->round_hands = deck->hands;
    s->round_discards = (int16_t)(deck->discards - (m->stake >= 4 ? 1 : 0));
    s->hand_size = deck->hand_size;
    s->joker_slots = deck->joker_slots;
    s->bag_slots = deck->bag_slots;
    s->vouchers = deck->vouchers;
    s->shop_slots = joker_has_voucher(s, JOKER_V_OVERSTOCK_NORM) ? 3 : 2;
    s->ante = s->top_ante = 1;
    s->reroll_base = 5;
    s->interest_cap = 5;
    s->edition_rate = 1;
    s->hands = s->round_hands;
    s->discards = s->round_discards;
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        s->level[hand] = 1;
        s->visible |= (uint16_t)(joker_hand_facts[hand].visible << hand);
    }
    s->x_jokers = 1.0;
    s->ox_hand = JOKER_HIGH_CARD;
    s->first_hand = s->last_hand = s->last_used = s->heart = s->ante_voucher = JOKER_NONE;
    s->ancient_suit = JOKER_NONE;
    for (int i = 0; i < JOKER_ROW_MAX; i++) {
        s->joker[i].id = JOKER_NONE;
    }
    for (int i = 0; i < JOKER_BAG_MAX; i++) {
        s->consumable[i].id = JOKER_NONE;
    }
    joker_clear_shop(s);
}

/* Everything a run starts with (2.1), from a state of zeros with its seed set: values, boss,
 * voucher, tags and Orbital hands of ante 1, the shuffled deck, the consumables of the deck, the
 * round targets. */
LU_INLINE void joker_new_run(const joker_rules *m, joker_state *s) {
    joker_start_values(m, s);
    joker_draw_boss(m, s);
    joker_draw_voucher(m, s);
    joker_draw_tags(m, s);
    joker_build_deck(m, s);
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_SHUFFLE), s->draw, s->draws);
    for (int i = 0; i < 2 && joker_deck_facts[s->deck].bag[i] != JOKER_NONE; i++) {
        joker_item item;
        joker_make_this_consumable(s, joker_deck_facts[s->deck].bag[i], &item);
        joker_add_consumable(m, s, &item);
    }
    joker_round_targets(m, s);
    joker_draw_orbital(m, s);
}

LU_C_END
