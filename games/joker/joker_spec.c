/* The facts of joker as tables: what hosts, docs, command line and site read. Left out: settings
 * (joker_settings.c), jokers, consumables and so on (joker_tables.c). */
#include "joker_words.h"
#include "variants/joker_brief_layout.h"
#include "variants/joker_layout.h"
#include "variants/joker_plan_layout.h"

#define YES(name)                                                                                  \
    { name, 0.0f, 1.0f, "", 0 }
#define PART(name, unit)                                                                           \
    { name, 0.0f, 1.0f, unit, 0 }
#define AROUND(name, unit)                                                                         \
    { name, -1.0f, 1.0f, unit, 0 }
#define ID(name, count)                                                                            \
    { name, 0.0f, (float)(count)-1.0f, "", count }
#define FOUR_SUITS(before)                                                                         \
    YES(before "Spades"), YES(before "Hearts"), YES(before "Clubs"), YES(before "Diamonds")

/* ---- observation of joker-v1 ---- */

const lu_field joker_see_run_fields[] = {
    YES("blind select"),
    YES("play"),
    YES("cash out"),
    YES("shop"),
    YES("end"),
    YES("arcana pack"),
    YES("celestial pack"),
    YES("standard pack"),
    YES("buffoon pack"),
    YES("spectral pack"),
    YES("small blind"),
    YES("big blind"),
    YES("boss blind"),
    AROUND("ante", "share of 16"),
    PART("round", "share of 48"),
    PART("target", "digits, share of 12"),
    PART("score", "share of the target"),
    PART("left", "digits of what is missing, share of 12"),
    PART("hands", "share of 8"),
    PART("discards", "share of 8"),
    AROUND("money", "share of $100"),
    AROUND("owed", "share of $50"),
    PART("interest", "full $5, share of 20"),
    AROUND("hand size", "share of 16"),
    PART("held", "share of 16"),
    AROUND("free joker slots", "share of 16"),
    AROUND("joker slots", "share of 16"),
    AROUND("free consumable slots", "share of 8"),
    AROUND("consumable slots", "share of 8"),
    PART("draw pile", "share of 128"),
    PART("deck", "cards owned, share of 128"),
    PART("reroll price", "share of $20"),
    PART("free rerolls", "share of 4"),
    PART("picks left", "share of 2"),
    PART("hands played", "in this round, share of 8"),
    PART("discards used", "in this round, share of 8"),
    PART("hands in the run", "share of 100"),
    PART("tarots used", "share of 50"),
    PART("blinds skipped", "share of 16"),
    PART("credit", "share of $40"),
    PART("flush", "most cards of one suit, share of 5"),
    PART("straight", "longest run of ranks, share of 5"),
    PART("pairs", "most cards of one rank, share of 4"),
    PART("idol rank", "share of 14"),
    PART("mail rank", "share of 14"),
    FOUR_SUITS("idol "),
    FOUR_SUITS("ancient "),
    FOUR_SUITS("castle "),
};
LU_STATIC_ASSERT(LU_COUNT(joker_see_run_fields) == JOKER_RUN_FIELDS,
                 "a field of the run has no name");

#define X(id, kind, from, factor, reward, key, title, ...) YES(title),
#define Y(id, from, seen, key, title, ...)                 YES("skip for " title),
const lu_field joker_see_blind_fields[] = {
    JOKER_BLIND_ROWS(X) JOKER_TAG_ROWS(Y) YES("boss disabled"), YES("boss rerolled")};
#undef X
#undef Y
LU_STATIC_ASSERT(LU_COUNT(joker_see_blind_fields) == JOKER_NOW_FIELDS,
                 "a field of the blind has no name");

#define X(id, from, seen, key, title, ...)                     PART(title, "held, share of 4"),
#define Y(id, price, tier, needs, open, key, title, ...)       YES(title),
#define Z(id, a, b, c, d, e, f, g, h, i, key, title, ...)      YES(title),
#define W(table, eternal, perishable, rental, key, title, ...) YES(title " stake"),
const lu_field joker_see_owned_fields[] = {JOKER_TAG_ROWS(X) JOKER_VOUCHER_ROWS(Y)
                                               JOKER_DECK_ROWS(Z) JOKER_STAKE_ROWS(W)};
#undef X
#undef Y
#undef Z
#undef W
LU_STATIC_ASSERT(LU_COUNT(joker_see_owned_fields) == JOKER_OWNED_FIELDS,
                 "a lasting thing has no name");

static const lu_field level_fields[] = {
    PART("level", "share of 30"),       PART("chips", "share of 1000"),
    PART("mult", "share of 100"),       PART("plays", "in the run, share of 50"),
    PART("round", "plays, share of 8"), YES("known"),
};
LU_STATIC_ASSERT(LU_COUNT(level_fields) == JOKER_LEVEL_FIELDS, "a field of a hand has no name");

#define RANKS                                                                                      \
    YES("2"), YES("3"), YES("4"), YES("5"), YES("6"), YES("7"), YES("8"), YES("9"), YES("10"),     \
        YES("Jack"), YES("Queen"), YES("King"), YES("Ace")
#define ENHANCED                                                                                   \
    YES("Bonus"), YES("Mult"), YES("Wild"), YES("Glass"), YES("Steel"), YES("Stone"), YES("Gold"), \
        YES("Lucky")
#define SEALED YES("Gold seal"), YES("Red seal"), YES("Blue seal"), YES("Purple seal")

static const lu_field card_fields[] = {
    YES("present"),
    YES("face down"),
    RANKS,
    FOUR_SUITS(""),
    ENHANCED,
    YES("Foil"),
    YES("Holographic"),
    YES("Polychrome"),
    SEALED,
    PART("chip value", "share of 11"),
    PART("bonus chips", "share of 100"),
    YES("debuffed"),
    YES("forced"),
};
LU_STATIC_ASSERT(LU_COUNT(card_fields) == JOKER_CARD_FIELDS, "a field of a card has no name");

const lu_field joker_see_joker_fields[] = {
    YES("present"),
    ID("joker", JOKER_JOKERS + 1),
    PART("rarity", "share of 4"),
    AROUND("sell value", "share of $30"),
    YES("Foil"),
    YES("Holographic"),
    YES("Polychrome"),
    YES("Negative"),
    YES("eternal"),
    PART("perishable", "rounds left, share of 5"),
    YES("rental"),
    YES("debuffed"),
    YES("face down"),
    AROUND("stored", "share of 100"),
    AROUND("stored too", "share of 32"),
    AROUND("multiplier", "share of 10"),
};
LU_STATIC_ASSERT(LU_COUNT(joker_see_joker_fields) == JOKER_SEEN_FIELDS,
                 "a field of a joker has no name");

static const lu_field bag_fields[] = {
    YES("present"),  ID("consumable", JOKER_CONSUMABLES + 1),
    YES("Negative"), AROUND("sell value", "share of $10"),
    YES("usable"),
};
LU_STATIC_ASSERT(LU_COUNT(bag_fields) == JOKER_BAG_FIELDS, "a field of a consumable has no name");

static const lu_field item_fields[] = {
    YES("present"),
    ID("joker", JOKER_JOKERS + 1),
    ID("consumable", JOKER_CONSUMABLES + 1),
    PART("price", "share of $20"),
    YES("legal"),
    PART("rarity", "share of 4"),
    YES("Foil"),
    YES("Holographic"),
    YES("Polychrome"),
    YES("Negative"),
    YES("eternal"),
    YES("perishable"),
    YES("rental"),
    PART("rank", "share of 14"),
    FOUR_SUITS(""),
    ENHANCED,
    SEALED,
};
LU_STATIC_ASSERT(LU_COUNT(item_fields) == JOKER_ITEM_FIELDS, "a field of an offer has no name");

static const lu_field pack_fields[] = {
    YES("present"),
    PART("price", "share of $20"),
    YES("legal"),
    YES("arcana"),
    YES("celestial"),
    YES("standard"),
    YES("buffoon"),
    YES("spectral"),
    PART("picks", "share of 2"),
    PART("shown", "share of 5"),
};
LU_STATIC_ASSERT(LU_COUNT(pack_fields) == JOKER_PACK_FIELDS, "a field of a pack has no name");

static const lu_field voucher_fields[] = {
    YES("present"),
    ID("voucher", JOKER_VOUCHERS + 1),
    PART("price", "share of $20"),
    YES("legal"),
};
LU_STATIC_ASSERT(LU_COUNT(voucher_fields) == JOKER_VOUCHER_FIELDS,
                 "a field of a voucher has no name");

#define LEFT(card) PART(card, "copies to be drawn, share of 4")
#define LEFT_SUIT(suit)                                                                            \
    LEFT("2" suit), LEFT("3" suit), LEFT("4" suit), LEFT("5" suit), LEFT("6" suit),                \
        LEFT("7" suit), LEFT("8" suit), LEFT("9" suit), LEFT("10" suit), LEFT("J" suit),           \
        LEFT("Q" suit), LEFT("K" suit), LEFT("A" suit)
#define MANY(name) PART(name " left", "share of 16")
static const lu_field deck_fields[] = {
    LEFT_SUIT("S"), LEFT_SUIT("H"), LEFT_SUIT("C"), LEFT_SUIT("D"), MANY("Bonus"), MANY("Mult"),
    MANY("Wild"),   MANY("Glass"),  MANY("Steel"),  MANY("Stone"),  MANY("Gold"),  MANY("Lucky"),
};
LU_STATIC_ASSERT(LU_COUNT(deck_fields) == JOKER_DECK_FIELDS, "a field of the deck has no name");

static const lu_group groups[JOKER_GROUPS] = {
    {"run", LU_SCALARS, 1, -1, JOKER_RUN_FIELDS, joker_see_run_fields},
    {"blind", LU_SCALARS, 1, -1, JOKER_NOW_FIELDS, joker_see_blind_fields},
    {"owned", LU_SCALARS, 1, -1, JOKER_OWNED_FIELDS, joker_see_owned_fields},
    {"levels", LU_SLOTS, JOKER_HANDS, -1, JOKER_LEVEL_FIELDS, level_fields},
    {"hand", LU_SLOTS, JOKER_HAND_MAX, JOKER_CARD_PRESENT, JOKER_CARD_FIELDS, card_fields},
    {"jokers", LU_IDS, JOKER_ROW_MAX, JOKER_SEEN_PRESENT, JOKER_SEEN_FIELDS,
     joker_see_joker_fields},
    {"consumables", LU_IDS, JOKER_BAG_MAX, JOKER_BAG_PRESENT, JOKER_BAG_FIELDS, bag_fields},
    {"shop", LU_IDS, JOKER_SHOP_MAX, JOKER_ITEM_PRESENT, JOKER_ITEM_FIELDS, item_fields},
    {"packs", LU_SLOTS, JOKER_SHOP_PACKS, JOKER_OFFER_PRESENT, JOKER_PACK_FIELDS, pack_fields},
    {"vouchers", LU_IDS, JOKER_SHOP_VOUCHERS, JOKER_VOUCHER_PRESENT, JOKER_VOUCHER_FIELDS,
     voucher_fields},
    {"pack", LU_IDS, JOKER_PACK_MAX, JOKER_ITEM_PRESENT, JOKER_ITEM_FIELDS, item_fields},
    {"deck", LU_SCALARS, 1, -1, JOKER_DECK_FIELDS, deck_fields},
};

/* ---- actions of joker-v1 ---- */

static const char *const type_names[JOKER_TYPES] = {
    "select",      "play",        "discard",    "select blind",    "cash out",   "buy",
    "next round",  "reroll",      "sell joker", "skip blind",      "use",        "buy voucher",
    "buy pack",    "pick",        "skip pack",  "sell consumable", "move joker", "move card",
    "reroll boss", "buy and use",
};
static const char *const type_sets[JOKER_TYPES] = {
    "Round", "Round", "Round", "Blind", "Round", "Shop",  "Shop",  "Shop",  "Owned", "Blind",
    "Owned", "Shop",  "Shop",  "Pack",  "Pack",  "Owned", "Owned", "Owned", "Blind", "Shop",
};
static const char *const number_names[JOKER_INDEX_OPTIONS] = {
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
};
static const char *const card_names[] = {"leave", "choose"};

#define FOR(type)                                                                                  \
    { -1, LU_NEED_ANY, JOKER_HEAD_TYPE, type }
static const lu_need index_needs[] = {
    FOR(JOKER_ACT_BUY),         FOR(JOKER_ACT_SELL_JOKER),      FOR(JOKER_ACT_USE),
    FOR(JOKER_ACT_BUY_VOUCHER), FOR(JOKER_ACT_BUY_PACK),        FOR(JOKER_ACT_PICK_PACK),
    FOR(JOKER_ACT_MOVE_JOKER),  FOR(JOKER_ACT_SELL_CONSUMABLE), FOR(JOKER_ACT_MOVE_CARD),
    FOR(JOKER_ACT_BUY_AND_USE),
};
static const lu_need to_needs[] = {FOR(JOKER_ACT_MOVE_JOKER), FOR(JOKER_ACT_MOVE_CARD)};
static const lu_need card_needs[] = {
    FOR(JOKER_ACT_PLAY),      FOR(JOKER_ACT_DISCARD),     FOR(JOKER_ACT_USE),
    FOR(JOKER_ACT_PICK_PACK), FOR(JOKER_ACT_BUY_AND_USE),
};
#define CARD(n)                                                                                    \
    { "card " n, 2, card_names, NULL, LU_ROWS(card_needs), -1, false }
static const lu_head heads[JOKER_HEADS] = {
    {"do", JOKER_TYPES, type_names, type_sets, 0, NULL, -1, false},
    {"which", JOKER_INDEX_OPTIONS, number_names, NULL, LU_ROWS(index_needs), -1, false},
    {"to", JOKER_INDEX_OPTIONS, number_names, NULL, LU_ROWS(to_needs), -1, false},
    CARD("1"),
    CARD("2"),
    CARD("3"),
    CARD("4"),
    CARD("5"),
    CARD("6"),
    CARD("7"),
    CARD("8"),
    CARD("9"),
    CARD("10"),
    CARD("11"),
    CARD("12"),
    CARD("13"),
    CARD("14"),
    CARD("15"),
    CARD("16"),
};

/* ---- reward: modes engine, guide, client ---- */

#define GUIDE(name, sentence)                                                                      \
    {                                                                                              \
        name, sentence, {                                                                          \
            0, 1, 0                                                                                \
        }                                                                                          \
    }
static const lu_term terms[JOKER_TERMS] = {
    [JOKER_TERM_WIN] = {"win", "1 when the run is won.", {1, 0, 0}},
    [JOKER_TERM_LOSS] = {"loss", "1 when the run is lost.", {0, 0, 0}},
    [JOKER_TERM_BLIND] = {"blind", "1 for each blind beaten.", {0.05, 0, 0}},
    [JOKER_TERM_ANTE] = {"ante", "1 for each new ante reached.", {0.1, 0, 0}},
    [JOKER_TERM_PROGRESS] = {"progress",
                             "Share of the target that a hand scored, at most what was missing.",
                             {0.05, 0, 0}},
    [JOKER_TERM_MONEY] = {"money", "Change of money, per $100.", {0, 0, 0}},
    [JOKER_TERM_PLAY_REWARD] =
        GUIDE("play_reward", "For a scoring hand, by its share of the target and its type."),
    [JOKER_TERM_BLIND_PROGRESS_SIGNAL] =
        GUIDE("blind_progress_signal", "For coming closer to the target."),
    [JOKER_TERM_JOKER_CONTRIBUTION_REWARD] =
        GUIDE("joker_contribution_reward", "For what jokers added to the score."),
    [JOKER_TERM_SCORE_EFFICIENCY_REWARD] =
        GUIDE("score_efficiency_reward", "For scoring more than a quarter of the target at once."),
    [JOKER_TERM_BUILD_MATCH] = GUIDE("build_match", "For a hand of the kind that is played most."),
    [JOKER_TERM_PLAY_CAP] =
        GUIDE("play_cap", "What the limit of 0.5 takes off the parts of a play."),
    [JOKER_TERM_DISCARD_REWARD] = GUIDE("discard_reward", "Price of a discard."),
    [JOKER_TERM_HAND_SETUP_REWARD] =
        GUIDE("hand_setup_reward", "For a better hand after a discard."),
    [JOKER_TERM_POTENTIAL_CHANGE_REWARD] = GUIDE(
        "potential_change_reward", "For better chances of flush, straight and pairs after one."),
    [JOKER_TERM_DISCARD_LOOP] =
        GUIDE("discard_loop", "Price of the third discard in a row and later ones."),
    [JOKER_TERM_BLIND_CLEAR_REWARD] =
        GUIDE("blind_clear_reward", "For beating a blind, more with each ante."),
    [JOKER_TERM_BOSS_CLEAR_DIFFICULTY_BONUS] =
        GUIDE("boss_clear_difficulty_bonus", "For beating a hard boss."),
    [JOKER_TERM_BOSS_PREPARATION] =
        GUIDE("boss_preparation", "For money in hand after the Big Blind."),
    [JOKER_TERM_ANTE_PROGRESS_REWARD] = GUIDE("ante_progress_reward", "For entering a new ante."),
    [JOKER_TERM_GAME_END_REWARD] =
        GUIDE("game_end_reward", "For the end of the run: won, or lost how late."),
    [JOKER_TERM_MONEY_REWARD] = GUIDE("money_reward", "For interest steps at cash-out."),
    [JOKER_TERM_JOKER_HOLDING_BONUS] =
        GUIDE("joker_holding_bonus", "For jokers owned at cash-out."),
    [JOKER_TERM_JOKER_SYNERGY_REWARD] =
        GUIDE("joker_synergy_reward", "For several jokers and one kind of hand at cash-out."),
    [JOKER_TERM_JOKER_BUY_REWARD] = GUIDE("joker_buy_reward", "For buying a card of the shop."),
    [JOKER_TERM_SELL_JOKER_REWARD] =
        GUIDE("sell_joker_reward", "For selling a joker, mostly negative."),
    [JOKER_TERM_REROLL_REWARD] =
        GUIDE("reroll_reward", "For a reroll, by money, ante and what the shop had."),
    [JOKER_TERM_SKIP_BLIND_REWARD] =
        GUIDE("skip_blind_reward", "For skipping a blind, by tag, ante and jokers."),
    [JOKER_TERM_CONSUMABLE_USE_REWARD] = GUIDE("consumable_use_reward", "For using a consumable."),
    [JOKER_TERM_VOUCHER_BUY_REWARD] = GUIDE("voucher_buy_reward", "For buying a voucher."),
    [JOKER_TERM_PACK] = GUIDE("pack", "For buying a pack."),
    [JOKER_TERM_NO_OP] = GUIDE("no_op", "Price of an action without effect in a round."),
    [JOKER_TERM_JOKER_SHORTAGE_PENALTY] =
        GUIDE("joker_shortage_penalty", "Price of too few jokers, at every step in the shop."),
    [JOKER_TERM_SHOP_SAVING_REWARD] =
        GUIDE("shop_saving_reward", "For money while jokers are short, at every step in the shop."),
    [JOKER_TERM_BOSS_ACTION] = GUIDE("boss_action", "A trace for playing or discarding at a boss."),
};

/* ---- figures ---- */

#define REAL(name, unit, sentence)                                                                 \
    { name, LU_INFO_REAL, unit, sentence, NULL, false }
#define WHOLE(name, unit, sentence)                                                                \
    { name, LU_INFO_COUNT, unit, sentence, NULL, false }
#define MEAN(name, unit, sentence)                                                                 \
    { name, LU_INFO_COUNT, unit, sentence, NULL, true }
static const lu_info infos[JOKER_INFOS] = {
    [JOKER_INFO_EPISODE_STEP] = WHOLE("episode_step", "decisions", "Decisions so far."),
    [JOKER_INFO_CHIPS] = REAL("chips", "", "Score of this blind."),
    [JOKER_INFO_MULT] = REAL("mult", "", "Kept free: 1."),
    [JOKER_INFO_BLIND_TARGET] = REAL("blind_target", "", "Score to reach."),
    [JOKER_INFO_ANTE] = WHOLE("ante", "", "The ante, from 1."),
    [JOKER_INFO_STAGE] =
        WHOLE("stage", "", "0 before a blind, 1 in a blind, 2 after it, 3 shop, 4 end."),
    [JOKER_INFO_BLIND_TYPE] = WHOLE("blind_type", "", "0 Small, 1 Big, 2 Boss, -1 none."),
    [JOKER_INFO_PLAYS_LEFT] = WHOLE("plays_left", "hands", "Hands left in this round."),
    [JOKER_INFO_DISCARDS_LEFT] = WHOLE("discards_left", "", "Discards left in this round."),
    [JOKER_INFO_MONEY] = WHOLE("money", "$", "Money owned."),
    [JOKER_INFO_SCORE_DELTA] = REAL("score_delta", "", "Score won by the last action."),
    [JOKER_INFO_MONEY_DELTA] = WHOLE("money_delta", "$", "Change of money by the last action."),
    [JOKER_INFO_LAST_ACTION_TYPE] =
        WHOLE("last_action_type", "", "Type of the last action; -1 after reset."),
    [JOKER_INFO_LAST_ACTION_COST] = WHOLE("last_action_cost", "$", "What the last action cost."),
    [JOKER_INFO_JOKER_COUNT] = WHOLE("joker_count", "", "Jokers owned."),
    [JOKER_INFO_JOKER_SLOT_LIMIT] = WHOLE("joker_slot_limit", "", "Slots for jokers."),
    [JOKER_INFO_GAME_END] = WHOLE("game_end", "", "0 running, 1 won, 2 lost."),
    [JOKER_INFO_BLIND_CLEARED] = {"blind_cleared", LU_INFO_FLAG, "",
                                  "The last action won the blind.", NULL, false},
    [JOKER_INFO_CARDS_PLAYED] = WHOLE("cards_played", "cards", "Cards played by the last action."),
    [JOKER_INFO_CARDS_DISCARDED] =
        WHOLE("cards_discarded", "cards", "Cards discarded by the last action."),
    [JOKER_INFO_HAND_TYPE] = WHOLE(
        "hand_type", "", "Hand of the last play or discard, 0 High Card to 12 Flush Five; -1."),
    [JOKER_INFO_TAG_ID] = WHOLE("tag_id", "", "Tag of a skip, -1 none."),
    [JOKER_INFO_CONSUMABLE_ID] =
        WHOLE("consumable_id", "", "Consumable used by the last action, -1 none."),
    [JOKER_INFO_JOKER_SOLD_ID] =
        WHOLE("joker_sold_id", "", "Joker sold by the last action, -1 none."),
    [JOKER_INFO_BEST_SHOP_JOKER_COST] =
        WHOLE("best_shop_joker_cost", "$", "Highest price of a card in the shop."),
    [JOKER_INFO_FLUSH_POTENTIAL] =
        REAL("flush_potential", "share", "Most cards of one suit held, share of 5."),
    [JOKER_INFO_STRAIGHT_POTENTIAL] =
        REAL("straight_potential", "share", "Longest run of ranks held, share of 5."),
    [JOKER_INFO_PAIRS_POTENTIAL] =
        REAL("pairs_potential", "share", "Most cards of one rank held, share of 4."),
    [JOKER_INFO_JOKER_CHIP_CONTRIB] =
        REAL("joker_chip_contrib", "share", "Share of the chips that jokers gave."),
    [JOKER_INFO_JOKER_MULT_CONTRIB] =
        REAL("joker_mult_contrib", "share", "Share of the added mult that jokers gave."),
    [JOKER_INFO_JOKER_XMULT_CONTRIB] =
        REAL("joker_xmult_contrib", "share", "Log of the jokers' multiplier, share of log 4."),
    [JOKER_INFO_SCORE_EFFICIENCY] =
        REAL("score_efficiency", "", "Score of the last action over a quarter of the target."),
    [JOKER_INFO_BOSS_BLIND_ID] = WHOLE("boss_blind_id", "", "The boss of this blind, -1 none."),
    [JOKER_INFO_SHOP_QUALITY_SCORE] =
        REAL("shop_quality_score", "", "How good the jokers of the shop are."),
    [JOKER_INFO_REROLL_COUNT_THIS_SHOP] =
        WHOLE("reroll_count_this_shop", "", "Rerolls in this shop."),
    [JOKER_INFO_WON] = {"won", LU_INFO_FLAG, "", "The run is won.", NULL, true},
    [JOKER_INFO_TOP_ANTE] = MEAN("top_ante", "", "Highest ante reached."),
    [JOKER_INFO_ROUNDS_WON] = MEAN("rounds_won", "blinds", "Blinds beaten."),
    [JOKER_INFO_HANDS_PLAYED] = MEAN("hands_played", "hands", "Hands played in the run."),
    [JOKER_INFO_BEST_HAND] = {"best_hand", LU_INFO_REAL, "", "Highest score of one hand.", NULL,
                              true},
    [JOKER_INFO_BLINDS_SKIPPED] = MEAN("blinds_skipped", "blinds", "Blinds skipped."),
    [JOKER_INFO_DECK_SIZE] = MEAN("deck_size", "cards", "Cards owned."),
    [JOKER_INFO_ILLEGAL] =
        MEAN("illegal", "decisions", "Decisions without effect, since not legal."),
    [JOKER_INFO_CAPACITY] =
        MEAN("capacity", "times", "How often a capacity (jokers, deck, consumables) was reached."),
    [JOKER_INFO_DECK] = {"deck", LU_INFO_NAME, "", "The deck.", joker_deck_titles, false},
    [JOKER_INFO_STAKE] = {"stake", LU_INFO_NAME, "", "The stake.", joker_stake_titles, false},
    [JOKER_INFO_SEED] = {"seed", LU_INFO_BITS, "", "The seed: its eight letters as bytes.", NULL,
                         false},
    [JOKER_INFO_RNG] = {"rng", LU_INFO_BITS, "", "State of the fast generator.", NULL, false},
};

static const lu_event events[JOKER_EVENTS] = {
    [JOKER_EVENT_PLAYED] = {"played", "A hand was played."},
    [JOKER_EVENT_DISCARDED] = {"discarded", "Cards were discarded."},
    [JOKER_EVENT_BLIND_STARTED] = {"blind_started", "A blind began."},
    [JOKER_EVENT_BLIND_SKIPPED] = {"blind_skipped", "A blind was skipped for its tag."},
    [JOKER_EVENT_BLIND_BEATEN] = {"blind_beaten", "A blind was beaten."},
    [JOKER_EVENT_ANTE_UP] = {"ante_up", "A new ante began."},
    [JOKER_EVENT_CASHED] = {"cashed", "The round was paid."},
    [JOKER_EVENT_BOUGHT] = {"bought", "A card was bought."},
    [JOKER_EVENT_SOLD] = {"sold", "A joker or consumable was sold."},
    [JOKER_EVENT_REROLLED] = {"rerolled", "Shop or boss were rerolled."},
    [JOKER_EVENT_USED] = {"used", "A consumable was used."},
    [JOKER_EVENT_VOUCHER] = {"voucher", "A voucher was bought."},
    [JOKER_EVENT_PACK_OPENED] = {"pack_opened", "A pack was opened."},
    [JOKER_EVENT_PICKED] = {"picked", "A card was picked from a pack."},
    [JOKER_EVENT_MOVED] = {"moved", "A joker or card was moved."},
    [JOKER_EVENT_JOKER_LOST] = {"joker_lost", "A joker was destroyed."},
    [JOKER_EVENT_CARD_LOST] = {"card_lost", "A card was destroyed."},
    [JOKER_EVENT_LEVEL_UP] = {"level_up", "A hand gained a level."},
    [JOKER_EVENT_SAVED] = {"saved", "Mr. Bones saved the run."},
    [JOKER_EVENT_WON] = {"won", "The run is won."},
    [JOKER_EVENT_LOST] = {"lost", "The run is lost."},
    [JOKER_EVENT_IGNORED] = {"ignored", "The action was not legal and had no effect."},
};

static const lu_milestone milestones[] = {
    {"rounds_won", 1, "The first blind."},
    {"top_ante", 2, "Ante 2."},
    {"top_ante", 3, "Ante 3."},
    {"top_ante", 4, "Ante 4."},
    {"top_ante", 5, "Ante 5."},
    {"top_ante", 6, "Ante 6."},
    {"top_ante", 7, "Ante 7."},
    {"top_ante", 8, "Ante 8."},
    {"won", 1, "A run is won."},
    {"best_hand", 10000, "A hand of 10,000."},
    {"best_hand", 100000, "A hand of 100,000."},
    {"best_hand", 1000000, "A hand of a million."},
};

/* ---- the variants ---- */

LU_CORES_DECLARE(joker);
LU_CORES_DECLARE(joker_brief);
LU_CORES_DECLARE(joker_plan);

#define COMMON(name_, core_, setting_rows)                                                         \
    LU_PARTS(joker, core_),                                                                        \
        .id = name_ "-v1", .seats = 1, .terms = LU_ROWS(terms), .modes = "engine|guide|client",    \
        .infos = LU_ROWS(infos), .headline = "won", .events = LU_ROWS(events),                     \
        .milestones = LU_ROWS(milestones), .settings = {name_, joker_setting_rows, setting_rows},  \
        .options = {{name_ " reset", joker_option_rows, JOKER_OPTIONS},                            \
                    sizeof(joker_options),                                                         \
                    joker_options_init},                                                           \
        .rules_init = core_##_rules_init, .to_json = joker_to_json, .from_json = joker_from_json,  \
        .show = joker_show, .events_of = joker_events_of, .story = joker_story,                    \
        .why_not = core_##_why_not

static const lu_game game = {
    COMMON("joker", joker, JOKER_SETTINGS),
    .title = "Joker",
    .sentence = "Beat ever higher targets with poker hands, jokers and a growing deck.",
    .heads = LU_ROWS(heads),
    .keys = " pdbcynrskevotxz  hq",
    .note = joker_preview,
    .groups = LU_ROWS(groups),
    .limit = {LU_LIMIT_CUT, 1000},
    .bots = LU_ROWS(joker_bots),
};

static const lu_game brief = {
    COMMON("joker-brief", joker_brief, JOKER_SETTINGS),
    .title = "Joker, brief",
    .sentence = "The same behind 13 kinds of action, a mask of 46 and 1556 numbers.",
    .heads = LU_ROWS(joker_brief_heads),
    .groups = LU_ROWS(joker_brief_groups),
    .limit = {LU_LIMIT_RULE, 1000},
    .bots = LU_ROWS(joker_brief_bots),
};

static const lu_game plan = {
    COMMON("joker-plan", joker_plan, JOKER_PLAN_SETTINGS),
    .title = "Joker, planned",
    .sentence = "The same as one list of choices: a planner plays the cards, you make the build.",
    .preset = "joker-plan",
    .heads = LU_ROWS(joker_plan_heads),
    .groups = LU_ROWS(joker_plan_groups),
    .limit = {LU_LIMIT_CUT, 1000},
    .bots = LU_ROWS(joker_plan_bots),
};

LU_GAMES(joker) = {&game, &brief, &plan, NULL};
