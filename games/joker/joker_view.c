/* How joker looks to people: the board for a terminal, what a decision did in words and as events,
 * and why an action is illegal. Left out: JSON (joker_state_json.c), names (joker_tables.c). */
#include "joker_json_parts.h"
#include "rules/joker_outlook.h"
#include "variants/joker_brief.h"
#include "variants/joker_plan.h"

#include <stdio.h>
#include <string.h>

enum {
    LINE = 78,
    NOTE_OUTCOMES = 4096 /* of luck that the preview of a hand runs */
};

static const char *const phase_names[] = {"choosing a blind", "playing", "cashing out", "shopping",
                                          "over"};
static const char *const blind_names[] = {"Small Blind", "Big Blind"};

static const char *blind_title(const joker_state *s) {
    return s->blind < 2 ? blind_names[s->blind] : joker_blind_words[s->boss].title;
}

/* ---- board ---- */

/* A number as people read scores: 1,234,567, or 1.23e15. */
static void put_score(lu_text *text, double value) {
    char digits[32];
    if (value >= 1e12) {
        lu_text_addf(text, "%.3g", value);
        return;
    }
    int n = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            lu_text_add_char(text, ',');
        }
        lu_text_add_char(text, digits[i]);
    }
}

/* Adds a word to a list that wraps after LINE columns; the first one follows a name and a space. */
static void put_word(lu_text *text, int *column, const char *word) {
    int length = (int)strlen(word);
    bool first = text->text[text->length - 1] == ' ';
    if (!first && *column + 2 + length > LINE) {
        lu_text_add(text, ",\n  ");
        *column = 2;
    } else if (!first) {
        lu_text_add(text, ", ");
        *column += 2;
    }
    lu_text_add(text, word);
    *column += length;
}

/* A sentence from `column` on over as many lines as it takes, ends with a line break. */
static void put_sentence(lu_text *text, int column, const char *sentence) {
    while (*sentence) {
        int length = (int)strcspn(sentence, " ");
        if (column > 2 && column + 1 + length > LINE) {
            lu_text_add(text, "\n ");
            column = 1;
        }
        lu_text_add(text, " ");
        lu_text_add_n(text, sentence, (size_t)length);
        column += 1 + length;
        sentence += length + (sentence[length] == ' ');
    }
    lu_text_add(text, "\n");
}

static void put_hand(const joker_state *s, int seat, lu_text *text) {
    lu_text_add(text, "hand");
    for (int i = 0; i < s->held; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        lu_text_addf(text, "  %d:", i + 1);
        if (card->flags & JOKER_CARD_DOWN && seat >= 0) {
            lu_text_add(text, "??");
        } else {
            joker_card plain = *card;
            plain.flags = 0;
            plain.bonus = 0;
            plain.enhancement = JOKER_PLAIN;
            plain.edition = JOKER_BASE & 7u;
            plain.seal = JOKER_NO_SEAL & 7u;
            joker_put_card(&plain, text);
            bool marked = card->enhancement || card->edition || card->seal;
            lu_text_add(text, marked ? "*" : "");
            lu_text_add(text, card->flags & JOKER_CARD_DEBUFFED ? "-" : "");
        }
        if (i == 7 && s->held > 8) {
            lu_text_add(text, "\n    ");
        }
    }
    lu_text_add(text, "\n");
}

/* Cards of the hand that have something special. */
static void put_specials(const joker_state *s, int seat, lu_text *text) {
    int shown = 0;
    for (int i = 0; i < s->held && shown < 4; i++) {
        const joker_card *card = &s->card[s->hand[i]];
        bool marked = card->enhancement || card->edition || card->seal || card->bonus;
        if (marked && !(card->flags & JOKER_CARD_DOWN && seat >= 0)) {
            joker_card plain = *card;
            plain.flags = 0;
            lu_text_add(text, shown++ ? "  " : "  * ");
            joker_put_card(&plain, text);
        }
    }
    lu_text_add(text, shown ? "\n" : "");
}

/* "2: Holographic Smeared Joker (eternal)". */
static void joker_word(const joker_joker *j, int number, char *word, size_t size) {
    bool edition = j->edition != JOKER_BASE;
    snprintf(word, size, "%d: %s%s%s%s%s%s%s", number,
             edition ? joker_edition_words[j->edition].title : "", edition ? " " : "",
             joker_joker_words[j->id].title, j->flags & JOKER_ETERNAL ? " (eternal)" : "",
             j->flags & JOKER_PERISHABLE ? " (perishable)" : "",
             j->flags & JOKER_RENTAL ? " (rental)" : "",
             j->flags & JOKER_DEBUFFED ? " (debuffed)" : "");
}

static void put_jokers(const joker_state *s, int seat, lu_text *text) {
    int column = 7;
    lu_text_add(text, "jokers ");
    for (int i = 0; i < s->jokers && i < 12; i++) {
        const joker_joker *j = &s->joker[i];
        char word[96];
        if (j->flags & JOKER_DOWN && seat >= 0) {
            snprintf(word, sizeof word, "%d: face down", i + 1);
        } else {
            joker_word(j, i + 1, word, sizeof word);
        }
        put_word(text, &column, word);
    }
    lu_text_add(text, s->jokers ? "\n" : "none\n");
}

static void put_bag(const joker_state *s, lu_text *text) {
    int column = 6;
    if (s->bag == 0) {
        return;
    }
    lu_text_add(text, "cards ");
    for (int i = 0; i < s->bag; i++) {
        char word[48];
        snprintf(word, sizeof word, "%d: %s", i + 1,
                 joker_consumable_words[s->consumable[i].id].title);
        put_word(text, &column, word);
    }
    lu_text_add(text, "\n");
}

static void item_word(const joker_item *item, int number, char *word, size_t size) {
    if (item->kind == JOKER_KIND_JOKER) {
        joker_word(&item->joker, number, word, size);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        snprintf(word, size, "%d: %s", number, joker_consumable_words[item->id].title);
    } else {
        lu_text text = LU_TEXT_INIT;
        joker_put_card(&item->card, &text);
        snprintf(word, size, "%d: %.40s", number, text.text);
        lu_text_free(&text);
    }
}

/* What the shop sells has a price; what an open pack shows is paid for. */
static void put_items(const char *name, const joker_item *items, int count, bool priced,
                      lu_text *text) {
    int column = (int)strlen(name) + 1;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || items[i].kind != JOKER_KIND_NONE;
    }
    if (!any) {
        return;
    }
    lu_text_addf(text, "%s ", name);
    for (int i = 0; i < count; i++) {
        char word[112];
        if (items[i].kind != JOKER_KIND_NONE) {
            item_word(&items[i], i + 1, word, sizeof word - 8);
            size_t length = strlen(word);
            if (priced) {
                snprintf(word + length, sizeof word - length, " $%d", items[i].price);
            }
            put_word(text, &column, word);
        }
    }
    lu_text_add(text, "\n");
}

static void put_offers(const joker_rules *m, const joker_state *s, lu_text *text) {
    int column = 6;
    lu_text_add(text, "packs ");
    for (int i = 0; i < JOKER_SHOP_PACKS; i++) {
        char word[64];
        if (s->pack[i].id != JOKER_NONE) {
            snprintf(word, sizeof word, "%d: %s $%d", i + 1, joker_pack_words[s->pack[i].id].title,
                     s->pack[i].price);
            put_word(text, &column, word);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS; i++) {
        char word[64];
        if (s->voucher[i].id != JOKER_NONE) {
            snprintf(word, sizeof word, "voucher %d: %s $%d", i + 1,
                     joker_voucher_words[s->voucher[i].id].title, s->voucher[i].price);
            put_word(text, &column, word);
        }
    }
    lu_text_addf(text, "\nreroll $%d\n", joker_reroll_price(m, s));
}

/* The score of the round; before it begins what the blind asks for and pays, and what there will
 * be. */
static void put_round(const joker_rules *m, const joker_state *s, lu_text *text) {
    int blind = joker_blind_row(s, s->blind), hands = s->hands, discards = s->discards;
    if (s->phase == JOKER_BLIND_SELECT || s->phase == JOKER_SHOP) {
        hands = s->round_hands > 1 ? s->round_hands : 1;
        discards = s->round_discards > 0 ? s->round_discards : 0;
        lu_text_add(text, "asks for ");
        put_score(text, joker_target(m, s, s->ante, blind));
        lu_text_addf(text, ", pays $%d", joker_reward_of(s, blind));
    } else {
        lu_text_add(text, "score ");
        put_score(text, s->score);
        lu_text_add(text, " of ");
        put_score(text, s->target);
    }
    lu_text_addf(text, "  hands %d  discards %d  draw pile %d of %d\n", hands, discards, s->draws,
                 s->owned);
}

/* What the boss does: in its round, and while a blind of its ante is chosen. */
static void put_boss(const joker_state *s, lu_text *text) {
    const char *effect = joker_blind_words[s->boss].effect;
    size_t start = text->length;
    if (s->blind == 2) {
        lu_text_add(text, "boss:");
        put_sentence(text, 5, s->disabled ? "switched off" : effect);
    } else if (s->phase == JOKER_BLIND_SELECT) {
        lu_text_addf(text, "boss %s:", joker_blind_words[s->boss].title);
        put_sentence(text, (int)(text->length - start), effect);
    }
}

void joker_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const joker_rules *m = joker_rules_of(rules);
    const joker_state *s = bytes;
    lu_text_addf(text, "ante %d  %s  %s  $%d\n", s->ante, blind_title(s), phase_names[s->phase],
                 s->money);
    put_round(m, s, text);
    put_boss(s, text);
    put_jokers(s, seat, text);
    put_bag(s, text);
    if (s->held > 0) {
        put_hand(s, seat, text);
        put_specials(s, seat, text);
    }
    if (s->pack_open) {
        put_items("pack", s->shown, JOKER_PACK_MAX, false, text);
        lu_text_addf(text, "picks left %d\n", s->pack_picks);
    } else if (s->phase == JOKER_SHOP) {
        put_items("shop", s->shop, JOKER_SHOP_MAX, true, text);
        put_offers(m, s, text);
    } else if (s->phase == JOKER_BLIND_SELECT && s->blind < 2) {
        int tag = s->blind == 0 ? s->tag_small : s->tag_big;
        size_t start = text->length;
        lu_text_addf(text, "skip for %s:", joker_tag_words[tag].title);
        put_sentence(text, (int)(text->length - start), joker_tag_words[tag].effect);
    } else if (s->phase == JOKER_CASH_OUT) {
        lu_text_addf(text, "to be paid $%d\n", s->owed);
    } else if (s->phase == JOKER_END) {
        lu_text_add(text, s->lost ? "the run is lost\n" : "the run is won\n");
    }
    if (s->last_score > 0.0) {
        lu_text_addf(text, "last hand %.6g x %.6g = ", s->last_chips, s->last_mult);
        put_score(text, s->last_score);
        lu_text_add(text, "\n");
    }
}

/* ---- events ---- */

uint64_t joker_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions) {
    const joker_state *a = before, *b = after;
    uint64_t bits = 0;
    int act = b->last_action;
    (void)rules;
    (void)actions;
#define WHEN(condition, event) bits |= (condition) ? UINT64_C(1) << (event) : 0
    WHEN(act < 0, JOKER_EVENT_IGNORED);
    WHEN(act == JOKER_ACT_PLAY, JOKER_EVENT_PLAYED);
    WHEN(act == JOKER_ACT_DISCARD, JOKER_EVENT_DISCARDED);
    WHEN(act == JOKER_ACT_SELECT_BLIND, JOKER_EVENT_BLIND_STARTED);
    WHEN(act == JOKER_ACT_SKIP_BLIND, JOKER_EVENT_BLIND_SKIPPED);
    WHEN(b->last_cleared, JOKER_EVENT_BLIND_BEATEN);
    WHEN(b->ante > a->ante, JOKER_EVENT_ANTE_UP);
    WHEN(act == JOKER_ACT_CASH_OUT, JOKER_EVENT_CASHED);
    WHEN(act == JOKER_ACT_BUY || act == JOKER_ACT_BUY_AND_USE, JOKER_EVENT_BOUGHT);
    WHEN(b->last_sold >= 0 || act == JOKER_ACT_SELL_CONSUMABLE, JOKER_EVENT_SOLD);
    WHEN(act == JOKER_ACT_REROLL || act == JOKER_ACT_REROLL_BOSS, JOKER_EVENT_REROLLED);
    WHEN(b->last_consumable >= 0, JOKER_EVENT_USED);
    WHEN(act == JOKER_ACT_BUY_VOUCHER, JOKER_EVENT_VOUCHER);
    WHEN(b->pack_open && !a->pack_open, JOKER_EVENT_PACK_OPENED);
    WHEN(act == JOKER_ACT_PICK_PACK, JOKER_EVENT_PICKED);
    WHEN(act == JOKER_ACT_MOVE_JOKER || act == JOKER_ACT_MOVE_CARD, JOKER_EVENT_MOVED);
    WHEN(b->jokers < a->jokers && act != JOKER_ACT_SELL_JOKER, JOKER_EVENT_JOKER_LOST);
    WHEN(b->owned < a->owned, JOKER_EVENT_CARD_LOST);
    for (int h = 0; h < JOKER_HANDS; h++) {
        WHEN(b->level[h] > a->level[h], JOKER_EVENT_LEVEL_UP);
    }
    WHEN(b->saved && !a->saved, JOKER_EVENT_SAVED);
    WHEN(b->won && !a->won, JOKER_EVENT_WON);
    WHEN(b->lost && !a->lost, JOKER_EVENT_LOST);
#undef WHEN
    return bits;
}

/* ---- story ---- */

/* Our name of a hand in the brief's numbers. */
static const char *hand_title(int number) {
    for (int h = 0; h < JOKER_HANDS; h++) {
        if (joker_brief_hand[h] == number) {
            return joker_hand_words[h].title;
        }
    }
    return "nothing";
}

static void tell_play(const joker_state *b, lu_text *text) {
    lu_text_addf(text, "played %s for ", hand_title(b->last_type));
    put_score(text, b->last_gain);
    if (b->last_cleared) {
        lu_text_add(text, ": the blind is beaten");
    } else if (b->lost) {
        lu_text_add(text, ": the run is lost");
    }
}

static void tell_new_joker(const joker_state *a, const joker_state *b, const char *verb,
                           lu_text *text) {
    bool instead = b->last_sold >= 0;
    lu_text_add(text, verb);
    if (b->jokers > a->jokers || instead) {
        lu_text_addf(text, " %s", joker_joker_words[b->joker[b->jokers - 1].id].title);
    } else if (b->bag > a->bag) {
        lu_text_addf(text, " %s", joker_consumable_words[b->consumable[b->bag - 1].id].title);
    } else if (b->last_consumable >= 0) {
        lu_text_addf(text, " and used %s", joker_consumable_words[b->last_consumable].title);
    } else {
        lu_text_add(text, " a card");
    }
    if (instead) {
        lu_text_addf(text, ", selling %s", joker_joker_words[b->last_sold].title);
    }
}

void joker_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text) {
    const joker_state *a = before, *b = after;
    uint32_t bought = b->vouchers & ~a->vouchers;
    (void)rules;
    (void)actions;
    switch (b->last_action) {
    case JOKER_ACT_PLAY:
        tell_play(b, text);
        break;
    case JOKER_ACT_DISCARD:
        lu_text_addf(text, "discarded %d", b->last_cards);
        break;
    case JOKER_ACT_SELECT_BLIND:
        lu_text_addf(text, "%s begins", blind_title(b));
        break;
    case JOKER_ACT_SKIP_BLIND:
        lu_text_addf(text, "skipped for %s",
                     b->last_tag >= 0 ? joker_tag_words[b->last_tag].title : "a tag");
        break;
    case JOKER_ACT_CASH_OUT:
        lu_text_addf(text, "was paid $%d", b->last_money);
        break;
    case JOKER_ACT_BUY:
    case JOKER_ACT_BUY_AND_USE:
        tell_new_joker(a, b, "bought", text);
        break;
    case JOKER_ACT_PICK_PACK:
        tell_new_joker(a, b, "picked", text);
        break;
    case JOKER_ACT_NEXT_ROUND:
        lu_text_add(text, "left the shop");
        break;
    case JOKER_ACT_REROLL:
        lu_text_add(text, "rerolled the shop");
        break;
    case JOKER_ACT_REROLL_BOSS:
        lu_text_addf(text, "rerolled the boss: %s", joker_blind_words[b->boss].title);
        break;
    case JOKER_ACT_SELL_JOKER:
        lu_text_addf(text, "sold %s",
                     b->last_sold >= 0 ? joker_joker_words[b->last_sold].title : "a joker");
        break;
    case JOKER_ACT_SELL_CONSUMABLE:
        lu_text_addf(text, "sold a card for $%d", b->last_money);
        break;
    case JOKER_ACT_USE:
        lu_text_addf(text, "used %s",
                     b->last_consumable >= 0 ? joker_consumable_words[b->last_consumable].title
                                             : "a card");
        break;
    case JOKER_ACT_BUY_VOUCHER:
        lu_text_addf(text, "bought %s",
                     bought ? joker_voucher_words[lu_lowest_bit(bought)].title : "a voucher");
        break;
    case JOKER_ACT_BUY_PACK:
        lu_text_add(text, "opened a pack");
        break;
    case JOKER_ACT_SKIP_PACK:
        lu_text_add(text, "left the pack");
        break;
    case JOKER_ACT_MOVE_JOKER:
        lu_text_add(text, "moved a joker");
        break;
    case JOKER_ACT_MOVE_CARD:
        lu_text_add(text, "moved a card");
        break;
    case JOKER_ACT_SELECT:
        lu_text_add(text, "selected cards");
        break;
    default:
        lu_text_add(text, "nothing: the action was illegal");
        break;
    }
    if (b->won && !a->won) {
        lu_text_add(text, ": the run is won");
    }
}

/* ---- before a choice ---- */

/* "Pair: 64, and 300 is needed": what the chosen cards score, under all luck there is. */
static void note_hand(const joker_rules *m, const joker_state *s, uint32_t chosen, lu_text *text) {
    static const char *const unknown = "the score is not known: a card in hand is face down";
    joker_state copy;
    joker_scoring call;
    joker_outlook look;
    double need = s->target - s->score;
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            lu_text_add(text, unknown);
            return;
        }
    }
    memset(&copy, 0, sizeof copy);
    memcpy(&copy, s, joker_state_bytes(m));
    joker_scoring_facts(m, &copy, &call);
    joker_scoring_choose(&copy, &call, chosen);
    call.hands_left = s->hands - 1;
    call.luck.mode = JOKER_LUCK_MEAN;
    call.trace = NULL;
    joker_look(m, &copy, &call, NOTE_OUTCOMES, need, &look);
    lu_text_addf(text, "%s: ", joker_hand_words[call.found.hand].title);
    put_score(text, look.worst);
    if (look.best > look.worst) {
        lu_text_add(text, " to ");
        put_score(text, look.best);
        lu_text_add(text, ", on average ");
        put_score(text, look.mean);
    }
    lu_text_add(text, " of the ");
    put_score(text, need);
    lu_text_add(text, " you still need");
    if (look.reach >= 1.0) {
        lu_text_add(text, ": beats the blind");
    } else if (look.reach > 0.0) {
        lu_text_addf(text, ": %.0f%% chance to beat the blind", 100.0 * look.reach);
    }
}

void joker_preview(const lu_rules *rules, const void *state, int seat, int head,
                   const int32_t *chosen, lu_text *text) {
    const joker_rules *m = joker_rules_of(rules);
    const joker_state *s = state;
    uint32_t cards = 0;
    (void)seat;
    if (head < JOKER_HEADS || chosen[JOKER_HEAD_TYPE] != JOKER_ACT_PLAY) {
        return;
    }
    for (int i = 0; i < s->held; i++) {
        cards |= chosen[JOKER_HEAD_CARD + i] == 1 ? 1u << i : 0;
    }
    if (joker_can_play(m, s, (uint16_t)cards)) {
        note_hand(m, s, cards, text);
    }
}

/* ---- why not ---- */

static const char *why_type(const joker_state *s, int type) {
    static const char *const needs[JOKER_TYPES] = {
        [JOKER_ACT_SELECT] = "every action carries its cards",
        [JOKER_ACT_PLAY] = "no blind is being played",
        [JOKER_ACT_DISCARD] = "no blind is being played",
        [JOKER_ACT_SELECT_BLIND] = "no blind is to be chosen",
        [JOKER_ACT_CASH_OUT] = "nothing is to be paid",
        [JOKER_ACT_BUY] = "nothing on offer fits and is affordable",
        [JOKER_ACT_NEXT_ROUND] = "not in the shop",
        [JOKER_ACT_REROLL] = "not in the shop, or too little money",
        [JOKER_ACT_SELL_JOKER] = "no joker can be sold",
        [JOKER_ACT_SKIP_BLIND] = "no blind is to be chosen, or it is the boss",
        [JOKER_ACT_USE] = "no card in hand can be used now",
        [JOKER_ACT_BUY_VOUCHER] = "no voucher is affordable",
        [JOKER_ACT_BUY_PACK] = "no pack is affordable",
        [JOKER_ACT_PICK_PACK] = "no card of a pack can be taken",
        [JOKER_ACT_SKIP_PACK] = "no pack is open",
        [JOKER_ACT_SELL_CONSUMABLE] = "there is no consumable",
        [JOKER_ACT_MOVE_JOKER] = "there are not two jokers",
        [JOKER_ACT_MOVE_CARD] = "there are not two cards",
        [JOKER_ACT_REROLL_BOSS] = "needs Director's Cut or Retcon, and $10",
        [JOKER_ACT_BUY_AND_USE] = "nothing on offer can be used at once",
    };
    if (s->phase == JOKER_END) {
        return "the run is over";
    }
    if (s->pack_open && type != JOKER_ACT_PICK_PACK) {
        return "a pack is open";
    }
    if (s->phase == JOKER_PLAY && type == JOKER_ACT_DISCARD) {
        return "no discard is left";
    }
    return needs[type];
}

const char *joker_why_not(const lu_rules *rules, const void *state, int seat, int head,
                          int option) {
    const joker_state *s = state;
    (void)rules;
    (void)seat;
    if (head == JOKER_HEAD_TYPE) {
        return why_type(state, option);
    }
    if (head < JOKER_HEAD_CARD) {
        return "nothing at this number can be taken now";
    }
    return head - JOKER_HEAD_CARD >= s->held ? "there is no such card in the hand"
                                             : "the action takes no more cards";
}

const char *joker_brief_why_not(const lu_rules *rules, const void *state, int seat, int head,
                                int option) {
    const joker_state *s = state;
    (void)rules;
    (void)seat;
    if (head == JOKER_BRIEF_HEAD_TYPE) {
        bool lay = option == JOKER_ACT_PLAY || option == JOKER_ACT_DISCARD;
        if (lay && s->phase == JOKER_PLAY && !joker_brief_selected(s)) {
            return "no card is selected";
        }
        return option == JOKER_ACT_SELECT ? "no blind is being played" : why_type(s, option);
    }
    return "it does not go with this action";
}

const char *joker_plan_why_not(const lu_rules *rules, const void *state, int seat, int head,
                               int option) {
    static const int types[JOKER_CHOICE_KINDS] = {
        JOKER_ACT_PLAY,       JOKER_ACT_SELECT_BLIND, JOKER_ACT_SKIP_BLIND,  JOKER_ACT_CASH_OUT,
        JOKER_ACT_NEXT_ROUND, JOKER_ACT_REROLL,       JOKER_ACT_REROLL_BOSS, JOKER_ACT_SKIP_PACK,
        JOKER_ACT_BUY,        JOKER_ACT_BUY_VOUCHER,  JOKER_ACT_BUY_PACK,    JOKER_ACT_PICK_PACK,
        JOKER_ACT_USE,
    };
    int number;
    (void)rules;
    (void)seat;
    (void)head;
    return why_type(state, types[joker_choice_kind(option, &number)]);
}
