/* Names of joker-plan-v1: its choices and the groups of its observation; its bots. */
#include "joker_words.h"
#include "variants/joker_plan_layout.h"

#define YES(name)                                                                                  \
    { name, 0.0f, 1.0f, "", 0 }
#define PART(name, unit)                                                                           \
    { name, 0.0f, 1.0f, unit, 0 }
#define AROUND(name, unit)                                                                         \
    { name, -1.0f, 1.0f, unit, 0 }

/* ---- choices ---- */

static const char *const choice_names[] = {
    "go on",         "select blind",  "skip blind", "cash out",   "next round", "reroll",
    "reroll boss",   "skip pack",     "buy 1",      "buy 2",      "buy 3",      "buy 4",
    "buy voucher 1", "buy voucher 2", "buy pack 1", "buy pack 2", "pick 1",     "pick 2",
    "pick 3",        "pick 4",        "pick 5",     "use 1",      "use 2",      "use 3",
    "use 4",         "use 5",         "use 6",      "use 7",      "use 8",
};
LU_STATIC_ASSERT(LU_COUNT(choice_names) == JOKER_CHOICES, "a choice has no name");
static const char *const choice_sets[JOKER_CHOICES] = {
    "Round", "Blind", "Blind", "Round", "Shop",  "Shop",  "Blind", "Pack",  "Shop",  "Shop",
    "Shop",  "Shop",  "Shop",  "Shop",  "Shop",  "Shop",  "Pack",  "Pack",  "Pack",  "Pack",
    "Pack",  "Owned", "Owned", "Owned", "Owned", "Owned", "Owned", "Owned", "Owned",
};
const lu_head joker_plan_heads[1] = {
    {"choice", JOKER_CHOICES, choice_names, choice_sets, 0, NULL, JOKER_PLAN_CHOICES, false},
};

/* ---- observation ---- */

#define HANDS(field, what, unit)                                                                   \
    field("Flush Five" what, unit), field("Flush House" what, unit),                               \
        field("Five of a Kind" what, unit), field("Straight Flush" what, unit),                    \
        field("Four of a Kind" what, unit), field("Full House" what, unit),                        \
        field("Flush" what, unit), field("Straight" what, unit),                                   \
        field("Three of a Kind" what, unit), field("Two Pair" what, unit),                         \
        field("Pair" what, unit), field("High Card" what, unit)

static const lu_field build_fields[] = {
    HANDS(PART, "", "digits of a typical score, share of 12"),
    HANDS(PART, " level", "share of 20"),
    HANDS(PART, " played", "share of 50"),
    PART("strength", "mean logarithm of typical scores, share of 40"),
    PART("income", "by jokers, share of $20"),
    AROUND("bonus", "of jokers, in logarithms, share of 2"),
    AROUND("margin", "over this blind, in logarithms, share of 6"),
    AROUND("boss margin", "over this ante's boss, in logarithms, share of 6"),
    AROUND("next margin", "over the next ante's boss, in logarithms, share of 6"),
    PART("faces", "share of the deck"),
    PART("spades", "share of the deck"),
    PART("hearts", "share of the deck"),
    PART("clubs", "share of the deck"),
    PART("diamonds", "share of the deck"),
    PART("bonus cards", "share of 16"),
    PART("mult cards", "share of 16"),
    PART("wild cards", "share of 16"),
    PART("glass cards", "share of 16"),
    PART("steel cards", "share of 16"),
    PART("stone cards", "share of 16"),
    PART("gold cards", "share of 16"),
    PART("lucky cards", "share of 16"),
};
LU_STATIC_ASSERT(LU_COUNT(build_fields) == JOKER_BUILD_FIELDS, "a field of the build has no name");

static const lu_field choice_fields[] = {
    YES("legal"),
    YES("go on"),
    YES("select blind"),
    YES("skip blind"),
    YES("cash out"),
    YES("next round"),
    YES("reroll"),
    YES("reroll boss"),
    YES("skip pack"),
    YES("buy"),
    YES("buy voucher"),
    YES("buy pack"),
    YES("pick"),
    YES("use"),
    {"thing", 0.0f, (float)JOKER_THINGS - 1.0f, "", JOKER_THINGS},
    AROUND("price", "share of $20"),
    AROUND("money after", "share of $50"),
    AROUND("interest lost", "per round, share of $5"),
    AROUND("gain", "of typical scores, in logarithms, share of 4"),
    AROUND("side gain", "that no hand shows, in logarithms"),
    YES("replaces"),
    PART("rarity", "share of 4"),
    YES("foil"),
    YES("holographic"),
    YES("polychrome"),
    YES("negative"),
    YES("eternal"),
    YES("perishable"),
    YES("rental"),
    AROUND("card", "how good it is, share of 30"),
    PART("picks", "share of 2"),
    PART("shown", "share of 5"),
};
LU_STATIC_ASSERT(LU_COUNT(choice_fields) == JOKER_CHOICE_FIELDS, "a field of a choice has no name");

const lu_group joker_plan_groups[JOKER_PLAN_GROUPS] = {
    {"run", LU_SCALARS, 1, -1, JOKER_RUN_FIELDS, joker_see_run_fields},
    {"blind", LU_SCALARS, 1, -1, JOKER_NOW_FIELDS, joker_see_blind_fields},
    {"owned", LU_SCALARS, 1, -1, JOKER_OWNED_FIELDS, joker_see_owned_fields},
    {"build", LU_SCALARS, 1, -1, JOKER_BUILD_FIELDS, build_fields},
    {"jokers", LU_IDS, JOKER_ROW_MAX, JOKER_SEEN_PRESENT, JOKER_SEEN_FIELDS,
     joker_see_joker_fields},
    {"choices", LU_IDS, JOKER_CHOICES, JOKER_CHOICE_LEGAL, JOKER_CHOICE_FIELDS, choice_fields},
};

/* ---- bots ---- */

/* How much the keen bot wants a choice; 0 is what going on is worth. */
static double keenness(const float *o, int choice) {
    double cost = 20.0 * (double)o[JOKER_CHOICE_PRICE] + 5.0 * (double)o[JOKER_CHOICE_INTEREST];
    double gain = 4.0 / 3.0 * (double)o[JOKER_CHOICE_HANDS] + (double)o[JOKER_CHOICE_SIDE];
    if (choice >= JOKER_CHOICE_USE) {
        return 1.0;
    }
    if (choice >= JOKER_CHOICE_PICK) {
        return 0.001 + gain + 0.1 * (double)o[JOKER_CHOICE_CARD];
    }
    if (choice >= JOKER_CHOICE_PACK) {
        return 0.08 - 0.012 * cost;
    }
    if (choice >= JOKER_CHOICE_VOUCHER) {
        return 0.2 - 0.012 * cost;
    }
    if (choice >= JOKER_CHOICE_BUY) {
        return gain - 0.012 * cost - 0.12 * (double)o[JOKER_CHOICE_REPLACES];
    }
    if (choice == JOKER_CHOICE_REROLL) {
        return 50.0 * (double)o[JOKER_CHOICE_MONEY] >= 20.0 ? 0.0001 : -1.0;
    }
    bool away = choice == JOKER_CHOICE_SKIP || choice == JOKER_CHOICE_REROLL_BOSS;
    return away ? -1.0 : 0.0;
}

static void act_keen(const lu_seat_view *view, int32_t *actions) {
    double most = -1e9;
    actions[0] = 0;
    for (int i = 0; i < JOKER_CHOICES; i++) {
        const float *o = view->observation + JOKER_PLAN_AT_CHOICES + i * JOKER_CHOICE_FIELDS;
        double want = view->mask[i] ? keenness(o, i) : -1e9;
        if (want > most) {
            most = want;
            actions[0] = i;
        }
    }
}

const lu_bot joker_plan_bots[JOKER_PLAN_BOTS] = {
    {"keen", "Takes what the typical hands gain most by, if it is worth its price.", false, 0,
     act_keen, false},
};
