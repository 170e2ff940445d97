/* What a seed gives, by the generators of the rules alone (joker_make.h): no hand is scored. */
#include "rules/joker_make.h"

#include "seed.h"

#include <stdlib.h>
#include <string.h>

const char *const joker_seed_streams[] = {"boss",       "shuffle", "nr1",      "cdt1", "rarity1sho",
                                          "lucky_mult", "glass",   "misprint", NULL};

/* ---- words of the layout ---- */

static const char rank_letters[] = "0123456789TJQKA"; /* by rank, from 2 on */
static const char suit_letters[] = "SHCD";

static void card_text(const joker_card *card, char out[3]) {
    out[0] = rank_letters[card->rank];
    out[1] = suit_letters[card->suit];
    out[2] = 0;
}

static void write_card(lu_json *json, const joker_card *card) {
    char text[3];
    card_text(card, text);
    lu_json_string(json, text);
}

static void key_letter(lu_json *json, const char *key, char letter) {
    char text[2] = {letter, 0};
    lu_json_key_string(json, key, text);
}

/* An item with what is special about it, and its price where it is for sale. */
static void write_item(lu_json *json, const joker_item *item, bool cost) {
    char text[4] = "";
    int n = 0;
    int edition = item->kind == JOKER_KIND_CARD ? item->card.edition : item->joker.edition;
    lu_json_object(json);
    if (item->kind == JOKER_KIND_JOKER) {
        lu_json_key_string(json, "key", joker_joker_words[item->joker.id].key);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        lu_json_key_string(json, "key", joker_consumable_words[item->id].key);
    } else {
        card_text(&item->card, text);
        lu_json_key_string(json, "card", text);
        if (item->card.enhancement != JOKER_PLAIN) {
            lu_json_key_string(json, "enh", joker_enhancement_words[item->card.enhancement].key);
        }
    }
    if (edition != JOKER_BASE) {
        lu_json_key_string(json, "ed", joker_edition_words[edition].key);
    }
    if (item->kind == JOKER_KIND_CARD && item->card.seal != JOKER_NO_SEAL) {
        lu_json_key_string(json, "seal", joker_seal_words[item->card.seal].key);
    }
    for (int i = 0; i < 3 && item->kind == JOKER_KIND_JOKER; i++) {
        if (item->joker.flags >> i & 1) {
            text[n++] = "EPR"[i];
        }
    }
    if (n > 0) {
        text[n] = 0;
        lu_json_key_string(json, "stickers", text);
    }
    if (cost) {
        lu_json_key_int(json, "cost", item->price);
    }
    lu_json_object_end(json);
}

static void write_items(lu_json *json, const joker_item *items, int count, bool cost) {
    lu_json_array(json);
    for (int i = 0; i < count; i++) {
        if (items[i].kind != JOKER_KIND_NONE) {
            write_item(json, &items[i], cost);
        }
    }
    lu_json_array_end(json);
}

/* ---- streams and start ---- */

static void write_stream(lu_json *json, const joker_state *s, const char *key, int calls) {
    char text[JOKER_SEED_KEY_MAX + 8];
    int n = joker_key_add(text, 0, key);
    for (int i = 0; i < 8 && s->seed[i]; i++) {
        text[n++] = s->seed[i];
    }
    double v = joker_hash(text, n);
    lu_json_object(json);
    lu_json_key_string(json, "key", key);
    lu_json_key_array(json, "calls");
    for (int i = 0; i < calls; i++) {
        v = joker_stream_step(v);
        double node = (v + s->hashed) / 2.0, u = joker_node_unit(node);
        lu_json_object(json);
        lu_json_key_real(json, "node", node);
        lu_json_key_real(json, "u", u);
        lu_json_key_int(json, "int_0_23", joker_between(u, 0, 23));
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_start(lu_json *json, const joker_state *s) {
    lu_json_key_object(json, "start");
    lu_json_key_int(json, "dollars", s->money);
    lu_json_key_int(json, "hands", s->round_hands);
    lu_json_key_int(json, "discards", s->round_discards);
    lu_json_key_int(json, "hand_size", s->hand_size);
    lu_json_key_int(json, "joker_slots", s->joker_slots);
    lu_json_key_int(json, "consumable_slots", s->bag_slots);
    lu_json_object_end(json);
}

/* The cards in the order of their creation. */
static void write_build_order(lu_json *json, const joker_state *s) {
    lu_json_key_array(json, "build_order");
    for (int i = 0; i < s->owned; i++) {
        write_card(json, &s->card[i]);
    }
    lu_json_array_end(json);
}

static void write_ante(lu_json *json, const joker_state *s) {
    lu_json_object(json);
    lu_json_key_int(json, "ante", s->ante);
    lu_json_key_string(json, "boss", joker_blind_words[s->boss].key);
    lu_json_key_string(json, "voucher", joker_voucher_words[s->ante_voucher].key);
    lu_json_key_string(json, "small_tag", joker_tag_words[s->tag_small].key);
    lu_json_key_string(json, "big_tag", joker_tag_words[s->tag_big].key);
    lu_json_object_end(json);
}

static void write_antes(lu_json *json, const joker_rules *m, joker_state *s, int antes) {
    lu_json_key_array(json, "antes");
    for (int ante = 1; ante <= antes; ante++) {
        if (ante > 1) {
            s->ante = s->top_ante = (int16_t)ante;
            joker_draw_voucher(m, s);
            joker_draw_tags(m, s);
            joker_draw_boss(m, s);
        }
        write_ante(json, s);
    }
    lu_json_array_end(json);
}

static void write_targets(lu_json *json, const joker_state *s) {
    char idol[3] = {rank_letters[s->idol_rank], suit_letters[s->idol_suit], 0};
    lu_json_object(json);
    lu_json_key_int(json, "ante_key", s->ante);
    lu_json_key_string(json, "idol", idol);
    key_letter(json, "mail_rank", rank_letters[s->mail_rank]);
    key_letter(json, "ancient_suit", suit_letters[s->ancient_suit]);
    key_letter(json, "castle_suit", suit_letters[s->castle_suit]);
    lu_json_object_end(json);
}

/* ---- queues: one thing at a time, so that nothing blocks ---- */

static void write_queue(lu_json *json, const joker_rules *m, joker_state *s, int cards, int packs) {
    lu_json_object(json);
    lu_json_key_int(json, "ante", s->ante);
    lu_json_key_array(json, "shop_queue");
    for (int i = 0; i < cards; i++) {
        joker_item item;
        joker_make_shop_card(m, s, &item);
        write_item(json, &item, false);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "pack_queue");
    for (int i = 0; i < packs; i++) {
        int pack = joker_draw_pack(m, s);
        joker_open_pack(m, s, pack);
        lu_json_object(json);
        lu_json_key_string(json, "pack", joker_pack_words[pack].key);
        lu_json_key(json, "contents");
        write_items(json, s->shown, s->pack_shown, false);
        lu_json_object_end(json);
        joker_clear_pack(s);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_queues(lu_json *json, const joker_rules *m, joker_state *s,
                         const joker_seed_ask *ask) {
    s->bag = 0; /* what the deck starts with blocks nothing here */
    lu_json_key_array(json, "queues");
    for (int ante = 1; ante <= ask->queues; ante++) {
        s->ante = s->top_ante = (int16_t)ante;
        write_queue(json, m, s, ask->cards, ask->packs);
    }
    lu_json_array_end(json);
}

/* ---- rounds ---- */

static void write_shop(lu_json *json, const joker_rules *m, joker_state *s, int rerolls) {
    joker_fill_shop(m, s);
    lu_json_key_object(json, "shop");
    lu_json_key_int(json, "ante_key", s->ante);
    lu_json_key(json, "first");
    write_items(json, s->shop, JOKER_SHOP_MAX, true);
    lu_json_key_array(json, "rerolls");
    for (int i = 0; i < rerolls; i++) {
        joker_reroll_shop(m, s);
        write_items(json, s->shop, JOKER_SHOP_MAX, true);
    }
    lu_json_array_end(json);
    lu_json_key_string(json, "voucher", joker_voucher_words[s->voucher[0].id].key);
    lu_json_key_array(json, "packs");
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        int pack = s->pack[i].id;
        lu_json_object(json);
        lu_json_key_string(json, "pack", joker_pack_words[pack].key);
        lu_json_key_int(json, "cost", s->pack[i].price);
        lu_json_key_int(json, "choose", joker_pack_facts[pack].picks);
        lu_json_key(json, "contents");
        joker_open_pack(m, s, pack);
        write_items(json, s->shown, s->pack_shown, false);
        joker_clear_pack(s);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    joker_clear_shop(s);
}

/* The hand that is dealt, sorted, and the rest of the pile in the order it would come; the first
 * `played` cards of the hand are played. */
static void write_deal(lu_json *json, joker_state *s, int size, int played) {
    joker_card hand[JOKER_HAND_MAX];
    int held = 0, left = s->draws;
    while (held < size && left > 0) {
        const joker_card *card = &s->card[s->draw[--left]];
        int at = held++;
        for (; at > 0 && joker_card_before(card, &hand[at - 1]); at--) {
            hand[at] = hand[at - 1];
        }
        hand[at] = *card;
    }
    lu_json_key_array(json, "hand");
    for (int i = 0; i < held; i++) {
        write_card(json, &hand[i]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "then_draws");
    while (left > 0) {
        write_card(json, &s->card[s->draw[--left]]);
    }
    lu_json_array_end(json);
    played = held < played ? held : played;
    if (played > 0) {
        int type = joker_detect(hand, played, joker_rule_bits(s)).hand;
        s->plays[type]++;
        s->visible |= (uint16_t)(1u << type);
    }
}

static void write_round(lu_json *json, lu_json *targets, const joker_rules *m, joker_state *s,
                        const joker_seed_ask *ask) {
    static const char *const slots[] = {"small", "big", "boss"};
    int row = joker_blind_row(s, s->blind);
    double target = joker_target(m, s, s->ante, row);
    lu_json_object(json);
    lu_json_key_string(json, "blind", joker_blind_words[row].key);
    lu_json_key_string(json, "slot", slots[s->blind]);
    lu_json_key_int(json, "ante", s->ante);
    lu_json_key(json, "target");
    target < 0x1p53 ? lu_json_int(json, (int64_t)target) : lu_json_real(json, target);
    lu_json_key_int(json, "reward", joker_reward_of(s, row));
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_NR), s->draw, s->draws);
    write_deal(json, s, s->hand_size - (row == JOKER_BL_MANACLE ? 1 : 0), ask->played);
    bool boss = s->blind == 2;
    s->blind = (uint8_t)(boss ? 0 : s->blind + 1);
    if (boss) {
        s->ante++;
        s->top_ante = s->ante;
        joker_draw_voucher(m, s);
    }
    joker_round_targets(m, s);
    write_targets(targets, s);
    joker_shuffle(m, s, joker_key_now(s, JOKER_K_CASHOUT), s->draw, s->draws);
    if (boss) {
        joker_draw_tags(m, s);
        joker_draw_boss(m, s);
    }
    write_shop(json, m, s, ask->rerolls);
    if (boss) {
        joker_draw_orbital(m, s);
    }
    lu_json_object_end(json);
}

/* ---- all of it ---- */

static void begin(const joker_rules *m, joker_state *s, const char *seed) {
    memset(s, 0, sizeof *s);
    joker_seed_text(m, s, seed);
    joker_new_run(m, s);
}

/* The joker that the first The Soul of the run makes, in any ante. */
static void write_soul(lu_json *json, const joker_rules *m, joker_state *s) {
    joker_item made;
    joker_make_joker(m, s, JOKER_LEGENDARY, JOKER_SUFFIX_SOU, JOKER_PLACE_NONE, &made);
    lu_json_key_string(json, "soul", joker_joker_words[made.joker.id].key);
}

/* The rounds of a run into `rounds`, the targets drawn on the way into `targets`. */
static void write_run(lu_json *rounds, lu_json *targets, const joker_rules *m, joker_state *s,
                      const joker_seed_ask *ask) {
    begin(m, s, ask->seed);
    lu_json_array(rounds);
    lu_json_array(targets);
    write_targets(targets, s);
    for (int i = 0; i < ask->rounds; i++) {
        write_round(rounds, targets, m, s, ask);
    }
    lu_json_array_end(targets);
    lu_json_array_end(rounds);
}

void joker_seed_write(lu_json *json, const joker_seed_ask *ask) {
    joker_rules m = {.deck = ask->deck, .stake = ask->stake, .win_ante = 8};
    joker_state *s = lu_alloc_zero(1, sizeof *s);
    lu_json rounds = LU_JSON_INIT, targets = LU_JSON_INIT;
    begin(&m, s, ask->seed);
    lu_json_key_string(json, "seed", ask->seed);
    lu_json_key_string(json, "deck", joker_deck_words[ask->deck].key);
    lu_json_key_int(json, "stake", ask->stake + 1);
    lu_json_key_real(json, "hashed_seed", s->hashed);
    lu_json_key_array(json, "streams");
    for (int i = 0; ask->streams[i]; i++) {
        write_stream(json, s, ask->streams[i], ask->calls);
    }
    lu_json_array_end(json);
    write_start(json, s);
    write_antes(json, &m, s, ask->antes);
    write_build_order(json, s);
    write_run(&rounds, &targets, &m, s, ask);
    lu_json_key(json, "targets");
    lu_json_raw(json, targets.text, targets.length);
    begin(&m, s, ask->seed);
    write_soul(json, &m, s);
    begin(&m, s, ask->seed);
    write_queues(json, &m, s, ask);
    lu_json_key(json, "rounds");
    lu_json_raw(json, rounds.text, rounds.length);
    lu_json_free(&targets);
    lu_json_free(&rounds);
    free(s);
}
