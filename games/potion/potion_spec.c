/* The facts of potion as tables, for the three variants: what hosts, docs, command line and site
 * read. Left out: settings (potion_settings.c), ingredients, recipes and prices (potion_tables.c).
 */
#include "potion.h"

/* ---- observation ---- */

#define X(action, name, ...) {name, 0.0f, 10.0f, "tens of pieces", 0},
static const lu_field stock_fields[POTION_ACTIONS] = {
    {"finish", 0.0f, 0.0f, "", 0}, POTION_INGREDIENT_ROWS(X){"reserved", 0.0f, 0.0f, "", 0}};
#undef X
#define X(action, name, ...) {name, 0.0f, 1.0f, "share of 14 pieces", 0},
static const lu_field piece_fields[POTION_ACTIONS] = {
    {"finish", 0.0f, 0.0f, "", 0}, POTION_INGREDIENT_ROWS(X){"reserved", 0.0f, 0.0f, "", 0}};
#undef X
#define X(recipe, name, ...) {name, 0.0f, 1.0f, "", 0},
static const lu_field recipe_fields[POTION_RECIPES] = {POTION_RECIPE_ROWS(X)};
#undef X
static const lu_field ratio_fields[POTION_MAGIMINS] = {
    {"A", 0.0f, 1.0f, "share of the mix", 0}, {"B", 0.0f, 1.0f, "share of the mix", 0},
    {"C", 0.0f, 1.0f, "share of the mix", 0}, {"D", 0.0f, 1.0f, "share of the mix", 0},
    {"E", 0.0f, 1.0f, "share of the mix", 0},
};
static const lu_field wanted_fields[POTION_MAGIMINS] = {
    {"A wanted", 0.0f, 1.0f, "share of the recipe", 0},
    {"B wanted", 0.0f, 1.0f, "share of the recipe", 0},
    {"C wanted", 0.0f, 1.0f, "share of the recipe", 0},
    {"D wanted", 0.0f, 1.0f, "share of the recipe", 0},
    {"E wanted", 0.0f, 1.0f, "share of the recipe", 0},
};
static const lu_field missing_fields[POTION_MAGIMINS] = {
    {"A missing", -1.0f, 1.0f, "wanted less present", 0},
    {"B missing", -1.0f, 1.0f, "wanted less present", 0},
    {"C missing", -1.0f, 1.0f, "wanted less present", 0},
    {"D missing", -1.0f, 1.0f, "wanted less present", 0},
    {"E missing", -1.0f, 1.0f, "wanted less present", 0},
};
static const lu_field cauldron_fields[POTION_SEEN] = {
    {"fullness", 0.0f, 1.0f, "share of the cauldron's magimins", 0},
    {"items", 0.0f, 1.0f, "share of the cauldron's slots", 0},
    {"free slots", 0.0f, 1.0f, "share of 14", 0},
    {"free magimins", 0.0f, 1.0f, "share of 2000", 0},
    {"slots", 0.0f, 1.0f, "share of 14", 0},
    {"magimins", 0.0f, 1.0f, "share of 2000", 0},
    {"grade", 0.0f, 1.0f, "by magimins alone, share of 35", 0},
    {"stability", 0.0f, 1.0f, "class, share of 4", 0},
};
static const lu_group groups[POTION_GROUPS] = {
    {"stock", LU_SCALARS, 1, -1, POTION_ACTIONS, stock_fields},
    {"pieces", LU_SCALARS, 1, -1, POTION_ACTIONS, piece_fields},
    {"recipe", LU_SCALARS, 1, -1, POTION_RECIPES, recipe_fields},
    {"ratios", LU_SCALARS, 1, -1, POTION_MAGIMINS, ratio_fields},
    {"wanted", LU_SCALARS, 1, -1, POTION_MAGIMINS, wanted_fields},
    {"missing", LU_SCALARS, 1, -1, POTION_MAGIMINS, missing_fields},
    {"cauldron", LU_SCALARS, 1, -1, POTION_SEEN, cauldron_fields},
};

static const lu_field look_fields[POTION_LOOK_FIELDS] = {
    {"legal", 0.0f, 1.0f, "", 0},
    {"finish", 0.0f, 1.0f, "", 0},
    {"stock", 0.0f, 10.0f, "tens of pieces", 0},
    {"pieces", 0.0f, 1.0f, "share of 14", 0},
    {"error after", 0.0f, 1.0f, "share of magimins in the wrong place", 0},
    {"change of the error", -1.0f, 1.0f, "after less now", 0},
    {"fullness after", 0.0f, 1.0f, "share of the cauldron's magimins", 0},
    {"stability after", 0.0f, 1.0f, "class, share of 4", 0},
    {"clean", 0.0f, 1.0f, "share of its magimins that the recipe wants", 0},
    {"price", 0.0f, 1.0f, "share of 500 gold", 0},
    {"size", 0.0f, 1.0f, "quarters of the magimins left by slots left", 0},
    {"need after", 0.0f, 1.0f, "magimins per slot left for a full cauldron, share of 200", 0},
    {"room after", -1.0f, 1.0f, "of the nearest wanted magimin, share of the cauldron's", 0},
    {"score within reach", 0.0f, 1.0f, "half of the best with at most one more clean piece", 0},
};
static const lu_field look_limit_fields[] = {
    {"slots", 0.0f, 1.0f, "share of 14", 0},
    {"magimins", 0.0f, 1.0f, "share of 2000", 0},
};
static const lu_field look_cauldron_fields[] = {
    {"fullness", 0.0f, 1.0f, "share of the cauldron's magimins", 0},
    {"items", 0.0f, 1.0f, "share of the cauldron's slots", 0},
    {"free slots", 0.0f, 1.0f, "share of 14", 0},
    {"free magimins", 0.0f, 1.0f, "share of 2000", 0},
    {"grade", 0.0f, 1.0f, "by magimins alone, share of 35", 0},
    {"stability", 0.0f, 1.0f, "class, share of 4", 0},
};
static const lu_group look_groups[POTION_LOOK_GROUPS] = {
    {"actions", LU_SLOTS, POTION_ACTIONS, POTION_LOOK_LEGAL, POTION_LOOK_FIELDS, look_fields},
    {"ratios", LU_SCALARS, 1, -1, POTION_MAGIMINS, ratio_fields},
    {"wanted", LU_SCALARS, 1, -1, POTION_MAGIMINS, wanted_fields},
    {"missing", LU_SCALARS, 1, -1, POTION_MAGIMINS, missing_fields},
    {"limits", LU_SCALARS, 1, -1, LU_ROWS(look_limit_fields)},
    {"cauldron", LU_SCALARS, 1, -1, LU_ROWS(look_cauldron_fields)},
};

#define X(action, name, ...) {name, 0.0f, (float)POTION_STOCK_MAX, "pieces", 0},
static const lu_field peer_stock_fields[POTION_ACTIONS] = {
    {"finish", 0.0f, 0.0f, "", 0}, POTION_INGREDIENT_ROWS(X){"reserved", 0.0f, 0.0f, "", 0}};
#undef X
#define X(action, name, ...) {name, 0.0f, (float)POTION_ITEMS_MAX, "pieces", 0},
static const lu_field peer_piece_fields[POTION_ACTIONS] = {
    {"finish", 0.0f, 0.0f, "", 0}, POTION_INGREDIENT_ROWS(X){"reserved", 0.0f, 0.0f, "", 0}};
#undef X
static const lu_field peer_recipe_field[] = {
    {"recipe", 0.0f, (float)(POTION_RECIPES - 1), "", POTION_RECIPES}};
static const lu_field peer_cauldron_fields[] = {
    {"total", 0.0f, (float)POTION_MAGIMINS_MAX, "magimins", 0},
    {"most magimins", 0.0f, (float)POTION_MAGIMINS_MAX, "magimins", 0},
    {"items", 0.0f, (float)POTION_ITEMS_MAX, "pieces", 0},
    {"most items", 0.0f, (float)POTION_ITEMS_MAX, "pieces", 0},
};
static const lu_group peer_groups[POTION_PEER_GROUPS] = {
    {"stock", LU_SCALARS, 1, -1, POTION_ACTIONS, peer_stock_fields},
    {"pieces", LU_SCALARS, 1, -1, POTION_ACTIONS, peer_piece_fields},
    {"recipe", LU_IDS, 1, -1, 1, peer_recipe_field},
    {"ratios", LU_SCALARS, 1, -1, POTION_MAGIMINS, ratio_fields},
    {"wanted", LU_SCALARS, 1, -1, POTION_MAGIMINS, wanted_fields},
    {"cauldron", LU_SCALARS, 1, -1, LU_ROWS(peer_cauldron_fields)},
};

/* ---- actions ---- */

#define X(action, name, ...) name,
static const char *const action_names[POTION_ACTIONS] = {"finish",
                                                         POTION_INGREDIENT_ROWS(X) "reserved"};
#undef X
#define X(action, name, kind, chapter, ...) SET_##chapter,
#define SET_1                               "Chapter 1"
#define SET_2                               "Chapter 2"
#define SET_3                               "Chapter 3"
#define SET_4                               "Chapter 4"
#define SET_5                               "Chapter 5"
static const char *const action_sets[POTION_ACTIONS] = {"Brew", POTION_INGREDIENT_ROWS(X) "Brew"};
#undef X
static const lu_head heads[] = {
    {"action", POTION_ACTIONS, action_names, action_sets, 0, NULL, -1, false},
};
static const lu_head look_heads[] = {
    {"action", POTION_ACTIONS, action_names, action_sets, 0, NULL, POTION_LOOK_GROUP_ACTIONS,
     false},
};

/* ---- reward: modes code, text, profit, sigmoid ---- */

static const lu_term terms[POTION_TERMS] = {
    [POTION_TERM_MIX] =
        {"mix",
         "(1 - delta) x fullness of a potion: the reward as the reference computes it.",
         {1, 0, 0, 0}},
    [POTION_TERM_PRINTED] =
        {"printed",
         "1 - delta x fullness of a potion: the reward as its documentation states it.",
         {0, 1, 0, 0}},
    [POTION_TERM_STABILITY] = {"stability",
                               "Bonus for the stability of the mix, at the end.",
                               {1, 1, 0, 0}},
    [POTION_TERM_CANNOT_MAKE] = {"cannot_make_potion_reward",
                                 "1 when the episode ends without a potion.",
                                 {0, 0, 0, 0}},
    [POTION_TERM_PROFIT] = {"profit", "Profit of the brew, per 1000 gold.", {0, 0, 1, 0}},
    [POTION_TERM_SIGMOID] = {"profit_sigmoid",
                             "2 / (1 + exp(-profit / reward.profit_scale)) - 1.",
                             {0, 0, 0, 1}},
    [POTION_TERM_GRADE] = {"grade", "Final grade, share of 35.", {0, 0, 0, 0}},
    [POTION_TERM_CONTEST] = {"contest", "1 when the round of the contest is won.", {0, 0, 0, 0}},
    [POTION_TERM_PROGRESS] = {"progress",
                              "Change of (1 - error) x fullness at every addition, over all five "
                              "magimins: a guide on the "
                              "way to the end.",
                              {0, 0, 0, 0}},
};

/* ---- figures ---- */

static const char *const end_names[] = {"running",       "finished", "no_slot_left",
                                        "magimins_full", "step_cap", NULL};

static const lu_info infos[POTION_INFOS] = {
    [POTION_INFO_SCORE] = {"score", LU_INFO_REAL, "",
                           "(1 - delta) x fullness + 0.25 x stability class; 0 without potion.",
                           NULL, true},
    [POTION_INFO_TOTAL] = {"total", LU_INFO_COUNT, "magimins", "Magimins in the cauldron.", NULL,
                           true},
    [POTION_INFO_FULLNESS] = {"fullness", LU_INFO_REAL, "share",
                              "Share of the cauldron's magimins.", NULL, true},
    [POTION_INFO_ITEMS] = {"items", LU_INFO_COUNT, "pieces", "Ingredients in the cauldron.", NULL,
                           true},
    [POTION_INFO_STABILITY] = {"stability", LU_INFO_NAME, "", "Stability of the mix.",
                               potion_code_names, false},
    [POTION_INFO_PERFECT] = {"perfect", LU_INFO_FLAG, "", "The mix is perfect.", NULL, true},
    [POTION_INFO_ACCURACY] = {"accuracy", LU_INFO_REAL, "share",
                              "1 less the error that the stability limits count.", NULL, true},
    [POTION_INFO_GRADE] = {"grade", LU_INFO_COUNT, "",
                           "Grade of the potion, 0 to 35; while mixing without luck.", NULL, true},
    [POTION_INFO_QUALITY] = {"quality", LU_INFO_NAME, "", "Tier of that grade.", potion_tier_names,
                             false},
    [POTION_INFO_STARS] = {"stars", LU_INFO_COUNT, "", "Stars of that grade.", NULL, false},
    [POTION_INFO_BREWED] = {"brewed", LU_INFO_COUNT, "potions", "Potions that come out.", NULL,
                            true},
    [POTION_INFO_PRICE] = {"price", LU_INFO_COUNT, "gold", "Base price of one.", NULL, true},
    [POTION_INFO_TRAIT_SUM] = {"trait_sum", LU_INFO_REAL, "",
                               "Sum of the five traits; while mixing their expectation.", NULL,
                               true},
    [POTION_INFO_UNIT_VALUE] = {"unit_value", LU_INFO_REAL, "gold",
                                "What one sells for, traits and shop bonus included.", NULL, true},
    [POTION_INFO_COST] = {"cost", LU_INFO_COUNT, "gold", "Price of the ingredients used.", NULL,
                          true},
    [POTION_INFO_PROFIT] = {"profit", LU_INFO_REAL, "gold", "Sales less cost.", NULL, true},
    [POTION_INFO_CONTEST_WON] = {"contest_won", LU_INFO_FLAG, "",
                                 "The round of the contest is won.", NULL, true},
    [POTION_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
    [POTION_INFO_ILLEGAL] = {"illegal", LU_INFO_COUNT, "decisions",
                             "Decisions without effect, since not legal.", NULL, true},
    [POTION_INFO_RECIPE] = {"recipe", LU_INFO_NAME, "", "What is brewed.", potion_recipe_names,
                            false},
    [POTION_INFO_CAULDRON] = {"cauldron", LU_INFO_NAME, "", "What it is brewed in.",
                              potion_cauldron_names, false},
    [POTION_INFO_END] = {"end", LU_INFO_NAME, "", "How the episode ended.", end_names, false},
    [POTION_INFO_RNG] = {"rng", LU_INFO_BITS, "", "State of the generator.", NULL, false},
};

static const lu_event events[POTION_EVENTS] = {
    [POTION_EVENT_ADDED] = {"added", "An ingredient went in."},
    [POTION_EVENT_IGNORED] = {"ignored", "The action was not legal and had no effect."},
    [POTION_EVENT_BREWED] = {"brewed", "Potions came out."},
    [POTION_EVENT_PERFECT] = {"perfect", "They are perfect."},
    [POTION_EVENT_FAILED] = {"failed", "The episode ended without a potion."},
    [POTION_EVENT_FULL] = {"full", "The cauldron is exactly full of magimins."},
    [POTION_EVENT_CONTEST] = {"contest_won", "The round of the contest is won."},
};

static const lu_milestone milestones[] = {
    {"perfect", 1, "A perfect mix."},
    {"score", 1, "A score of 1: half the best possible."},
    {"score", 1.5, "A score of 1.5."},
    {"score", 1.9, "A score of 1.9: perfect and nine tenths full."},
    {"score", 2, "A score of 2: perfect and exactly full."},
    {"profit", 100, "A profit of 100 gold."},
    {"profit", 1000, "A profit of 1,000 gold."},
    {"profit", 5000, "A profit of 5,000 gold."},
    {"contest_won", 1, "A round of a contest is won."},
};

/* ---- the variants ---- */

LU_CORES_DECLARE(potion);
LU_CORES_DECLARE(potion_look);
LU_CORES_DECLARE(potion_peer);

#define COMMON(name_, core_, setting_rows)                                                         \
    LU_PARTS(potion, core_),                                                                       \
        .id = name_ "-v1", .seats = 1, .terms = LU_ROWS(terms),                                    \
        .modes = "code|text|profit|sigmoid", .infos = LU_ROWS(infos), .headline = "score",         \
        .events = LU_ROWS(events), .milestones = LU_ROWS(milestones),                              \
        .settings = {name_, setting_rows, POTION_ROWS},                                            \
        .options = {{name_ " reset", potion_option_rows, POTION_OPTION_ROWS},                      \
                    sizeof(potion_options),                                                        \
                    potion_options_init},                                                          \
        .bots = LU_ROWS(core_##_bots), .rules_init = potion_rules_init, .to_json = potion_to_json, \
        .from_json = potion_from_json, .show = potion_show, .events_of = potion_events_of,         \
        .story = potion_story, .why_not = potion_why_not, .note = potion_note, .keys = "f"

static const lu_game game = {
    COMMON("potion", potion, potion_rows),
    .title = "Potion",
    .sentence = "Mix ingredients in the ratio of a recipe until the cauldron is full.",
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .limit = {LU_LIMIT_NONE, POTION_STEPS_PER_ITEM *POTION_ITEMS_MAX},
};

static const lu_game look = {
    COMMON("potion-look", potion_look, potion_rows),
    .title = "Potion, looking ahead",
    .sentence = "The same, shown by what each action would lead to.",
    .preset = "potion-look-ppo",
    .heads = LU_ROWS(look_heads),
    .groups = LU_ROWS(look_groups),
    .limit = {LU_LIMIT_NONE, POTION_STEPS_PER_ITEM *POTION_ITEMS_MAX},
};

/* Without the cap on decisions an episode of illegal actions has no end. */
static const lu_game peer = {
    COMMON("potion-peer", potion_peer, potion_peer_rows),
    .title = "Potion, reference rules",
    .sentence = "The same with the reference's observation and stability classes, for comparison.",
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(peer_groups),
};

LU_GAMES(potion) = {&game, &look, &peer, NULL};
