/* Names of joker-brief-v1: heads and the groups of its observation. */
#include "joker_words.h"
#include "variants/joker_brief_layout.h"

#define YES(name)                                                                                  \
    { name, 0.0f, 1.0f, "", 0 }
#define UP(name, high, unit)                                                                       \
    { name, 0.0f, high, unit, 0 }

/* ---- observation ---- */

static const lu_field scalar_fields[JOKER_BRIEF_SCALARS] = {
    UP("score", 1e9f, "share of the target"),
    {"ante", -2.0f, 5000.0f, "share of 8", 0},
    {"blind", -0.5f, 1.0f, "kind, share of 2; -0.5 none", 0},
    UP("stage", 1.0f, "share of 4"),
    UP("hands", 5000.0f, "share of 4"),
    UP("discards", 8000.0f, "share of 3"),
    {"money", -1e6f, 1e7f, "share of $100", 0},
    {"pending", -1e6f, 1e7f, "share of $20", 0},
    UP("draw pile", 4.0f, "share of 52"),
    UP("jokers", 16.0f, "share of the slots"),
    UP("round", 1e6f, "share of 24"),
    UP("step", 1e6f, "share of the limit"),
    {"boss", -0.1f, 1.0f, "share of 27; -0.1 none", 0},
    UP("consumables", 8.0f, "share of the slots"),
    UP("vouchers", 1.0f, "share of 36"),
    UP("level of High Card", 7000.0f, "share of 10"),
    UP("level of Pair", 7000.0f, "share of 10"),
    UP("level of Two Pair", 7000.0f, "share of 10"),
    UP("level of Three of a Kind", 7000.0f, "share of 10"),
    UP("level of Straight", 7000.0f, "share of 10"),
    UP("level of Flush", 7000.0f, "share of 10"),
    UP("level of Full House", 7000.0f, "share of 10"),
    UP("level of Four of a Kind", 7000.0f, "share of 10"),
    UP("level of Straight Flush", 7000.0f, "share of 10"),
    UP("level of not used", 7000.0f, "share of 10"),
    UP("level of Five of a Kind", 7000.0f, "share of 10"),
    UP("level of Flush House", 7000.0f, "share of 10"),
    UP("level of Flush Five", 7000.0f, "share of 10"),
    UP("tags", 2.0f, "share of 10"),
    YES("endless"),
    UP("extra antes", 5000.0f, "share of 10"),
    UP("reroll price", 1e6f, "share of $20"),
};

static const lu_field selection_fields[JOKER_BRIEF_HAND] = {
    YES("selected 1"), YES("selected 2"), YES("selected 3"), YES("selected 4"),
    YES("selected 5"), YES("selected 6"), YES("selected 7"), YES("selected 8"),
};

static const lu_field card_fields[JOKER_BRIEF_CARD] = {
    YES("Ace"),
    YES("2"),
    YES("3"),
    YES("4"),
    YES("5"),
    YES("6"),
    YES("7"),
    YES("8"),
    YES("9"),
    YES("10"),
    YES("Jack"),
    YES("Queen"),
    YES("King"),
    YES("Spades"),
    YES("Diamonds"),
    YES("Hearts"),
    YES("Clubs"),
    UP("enhancement", 1.0f, "share of 8"),
    UP("seal", 1.0f, "share of 4"),
    UP("edition", 1.0f, "share of 4"),
    YES("face down"),
};

static const lu_field hand_type_fields[JOKER_BRIEF_HANDS] = {
    YES("High Card"),      YES("Pair"),     YES("Two Pair"),       YES("Three of a Kind"),
    YES("Straight"),       YES("Flush"),    YES("Full House"),     YES("Four of a Kind"),
    YES("Straight Flush"), YES("not used"), YES("Five of a Kind"), YES("Flush House"),
    YES("Flush Five"),
};

static const lu_field deck_fields[52] = {
    UP("AS", 32.0f, "copies in the draw pile, share of 4"),
    UP("2S", 32.0f, "copies in the draw pile, share of 4"),
    UP("3S", 32.0f, "copies in the draw pile, share of 4"),
    UP("4S", 32.0f, "copies in the draw pile, share of 4"),
    UP("5S", 32.0f, "copies in the draw pile, share of 4"),
    UP("6S", 32.0f, "copies in the draw pile, share of 4"),
    UP("7S", 32.0f, "copies in the draw pile, share of 4"),
    UP("8S", 32.0f, "copies in the draw pile, share of 4"),
    UP("9S", 32.0f, "copies in the draw pile, share of 4"),
    UP("10S", 32.0f, "copies in the draw pile, share of 4"),
    UP("JS", 32.0f, "copies in the draw pile, share of 4"),
    UP("QS", 32.0f, "copies in the draw pile, share of 4"),
    UP("KS", 32.0f, "copies in the draw pile, share of 4"),
    UP("AD", 32.0f, "copies in the draw pile, share of 4"),
    UP("2D", 32.0f, "copies in the draw pile, share of 4"),
    UP("3D", 32.0f, "copies in the draw pile, share of 4"),
    UP("4D", 32.0f, "copies in the draw pile, share of 4"),
    UP("5D", 32.0f, "copies in the draw pile, share of 4"),
    UP("6D", 32.0f, "copies in the draw pile, share of 4"),
    UP("7D", 32.0f, "copies in the draw pile, share of 4"),
    UP("8D", 32.0f, "copies in the draw pile, share of 4"),
    UP("9D", 32.0f, "copies in the draw pile, share of 4"),
    UP("10D", 32.0f, "copies in the draw pile, share of 4"),
    UP("JD", 32.0f, "copies in the draw pile, share of 4"),
    UP("QD", 32.0f, "copies in the draw pile, share of 4"),
    UP("KD", 32.0f, "copies in the draw pile, share of 4"),
    UP("AH", 32.0f, "copies in the draw pile, share of 4"),
    UP("2H", 32.0f, "copies in the draw pile, share of 4"),
    UP("3H", 32.0f, "copies in the draw pile, share of 4"),
    UP("4H", 32.0f, "copies in the draw pile, share of 4"),
    UP("5H", 32.0f, "copies in the draw pile, share of 4"),
    UP("6H", 32.0f, "copies in the draw pile, share of 4"),
    UP("7H", 32.0f, "copies in the draw pile, share of 4"),
    UP("8H", 32.0f, "copies in the draw pile, share of 4"),
    UP("9H", 32.0f, "copies in the draw pile, share of 4"),
    UP("10H", 32.0f, "copies in the draw pile, share of 4"),
    UP("JH", 32.0f, "copies in the draw pile, share of 4"),
    UP("QH", 32.0f, "copies in the draw pile, share of 4"),
    UP("KH", 32.0f, "copies in the draw pile, share of 4"),
    UP("AC", 32.0f, "copies in the draw pile, share of 4"),
    UP("2C", 32.0f, "copies in the draw pile, share of 4"),
    UP("3C", 32.0f, "copies in the draw pile, share of 4"),
    UP("4C", 32.0f, "copies in the draw pile, share of 4"),
    UP("5C", 32.0f, "copies in the draw pile, share of 4"),
    UP("6C", 32.0f, "copies in the draw pile, share of 4"),
    UP("7C", 32.0f, "copies in the draw pile, share of 4"),
    UP("8C", 32.0f, "copies in the draw pile, share of 4"),
    UP("9C", 32.0f, "copies in the draw pile, share of 4"),
    UP("10C", 32.0f, "copies in the draw pile, share of 4"),
    UP("JC", 32.0f, "copies in the draw pile, share of 4"),
    UP("QC", 32.0f, "copies in the draw pile, share of 4"),
    UP("KC", 32.0f, "copies in the draw pile, share of 4"),
};

#define X(id, rarity, price, flags, pool, hooks, key, title, ...) YES(title),
static const lu_field joker_fields[JOKER_BRIEF_JOKER] = {JOKER_JOKER_ROWS(X) YES("enabled"),
                                                         YES("eternal"), YES("negative")};
static const lu_field offer_fields[JOKER_BRIEF_OFFER] = {JOKER_JOKER_ROWS(X)
                                                             UP("price", 1e6f, "share of $20")};
#undef X

#define X(id, kind, from, factor, reward, key, title, ...) YES(title),
/* All bosses but the last, which has no place of its own. */
static const lu_field boss_fields[] = {JOKER_BLIND_ROWS(X)};
#undef X

#define X(id, a, b, c, d, e, f, g, h, i, key, title, ...) YES(title),
static const lu_field deck_type_fields[JOKER_BRIEF_DECKS] = {JOKER_DECK_ROWS(X) YES("no deck")};
#undef X
#define X(table, eternal, perishable, rental, key, title, ...) YES(title),
static const lu_field stake_fields[JOKER_STAKES] = {JOKER_STAKE_ROWS(X)};
#undef X
#define X(id, price, tier, needs, open, key, title, ...) YES(title),
static const lu_field voucher_fields[JOKER_BRIEF_VOUCHERS] = {
    JOKER_VOUCHER_ROWS(X) YES("no voucher 33"), YES("no voucher 34"), YES("no voucher 35"),
    YES("no voucher 36")};
#undef X
#define X(id, set, price, low, high, hand, pool, key, title, ...) YES(title),
static const lu_field consumable_fields[JOKER_CONSUMABLES] = {JOKER_CONSUMABLE_ROWS(X)};
#undef X
#define X(id, from, seen, key, title, ...) UP(title, 1.0f, "share of 5"),
static const lu_field tag_fields[JOKER_BRIEF_TAGS] = {JOKER_TAG_ROWS(X) YES("no tag")};
#undef X

const lu_group joker_brief_groups[JOKER_BRIEF_GROUPS] = {
    {"scalars", LU_SCALARS, 1, -1, JOKER_BRIEF_SCALARS, scalar_fields},
    {"selection", LU_SCALARS, 1, -1, JOKER_BRIEF_HAND, selection_fields},
    {"hand", LU_SLOTS, JOKER_BRIEF_HAND, -1, JOKER_BRIEF_CARD, card_fields},
    {"hand type", LU_SCALARS, 1, -1, JOKER_BRIEF_HANDS, hand_type_fields},
    {"deck", LU_SCALARS, 1, -1, 52, deck_fields},
    {"jokers", LU_SLOTS, JOKER_BRIEF_JOKERS, -1, JOKER_BRIEF_JOKER, joker_fields},
    {"shop", LU_SLOTS, JOKER_BRIEF_SHOP, -1, JOKER_BRIEF_OFFER, offer_fields},
    {"boss", LU_SCALARS, 1, -1, JOKER_BRIEF_BOSSES, boss_fields + 2},
    {"deck type", LU_SCALARS, 1, -1, JOKER_BRIEF_DECKS, deck_type_fields},
    {"stake", LU_SCALARS, 1, -1, JOKER_STAKES, stake_fields},
    {"vouchers", LU_SCALARS, 1, -1, JOKER_BRIEF_VOUCHERS, voucher_fields},
    {"consumables", LU_SLOTS, JOKER_BRIEF_BAG, -1, JOKER_CONSUMABLES, consumable_fields},
    {"tags", LU_SCALARS, 1, -1, JOKER_BRIEF_TAGS, tag_fields},
};

/* ---- actions ---- */

static const char *const type_names[JOKER_BRIEF_TYPES] = {
    "select", "play",       "discard",    "select blind", "cash out",    "buy",      "next round",
    "reroll", "sell joker", "skip blind", "use",          "buy voucher", "buy pack",
};
static const char *const card_names[] = {"leave", "select"};
static const char *const blind_names[] = {"small", "big", "boss"};
static const char *const numbers[] = {"1", "2", "3", "4", "5"};
static const char *const yes[] = {"yes"};

#define FOR(type)                                                                                  \
    { -1, LU_NEED_ALL, JOKER_BRIEF_HEAD_TYPE, type }
static const lu_need card_need[] = {FOR(JOKER_ACT_SELECT)};
static const lu_need blind_need[] = {FOR(JOKER_ACT_SELECT_BLIND)};
static const lu_need buy_need[] = {FOR(JOKER_ACT_BUY)};
static const lu_need sell_need[] = {FOR(JOKER_ACT_SELL_JOKER)};
static const lu_need reroll_need[] = {FOR(JOKER_ACT_REROLL)};
static const lu_need skip_need[] = {FOR(JOKER_ACT_SKIP_BLIND)};
static const lu_need use_need[] = {FOR(JOKER_ACT_USE)};
static const lu_need voucher_need[] = {FOR(JOKER_ACT_BUY_VOUCHER)};
static const lu_need pack_need[] = {FOR(JOKER_ACT_BUY_PACK)};

#define CARD(n)                                                                                    \
    { "card " n, 2, card_names, NULL, 1, card_need, -1, false }
const lu_head joker_brief_heads[JOKER_BRIEF_HEADS] = {
    {"do", JOKER_BRIEF_TYPES, type_names, NULL, 0, NULL, -1, false},
    CARD("1"),
    CARD("2"),
    CARD("3"),
    CARD("4"),
    CARD("5"),
    CARD("6"),
    CARD("7"),
    CARD("8"),
    {"blind", 3, blind_names, NULL, 1, blind_need, -1, false},
    {"buy", JOKER_BRIEF_SHOP, numbers, NULL, 1, buy_need, -1, false},
    {"sell", JOKER_BRIEF_JOKERS, numbers, NULL, 1, sell_need, -1, false},
    {"reroll", 1, yes, NULL, 1, reroll_need, -1, false},
    {"skip", 1, yes, NULL, 1, skip_need, -1, false},
    {"use", JOKER_BRIEF_BAG, numbers, NULL, 1, use_need, -1, false},
    {"voucher", 1, yes, NULL, 1, voucher_need, -1, false},
    {"pack", 2, numbers, NULL, 1, pack_need, -1, false},
};
