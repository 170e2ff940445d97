/* The facts of craft as tables: what hosts, docs, command line and site read. Left out: settings
 * (craft_settings.c), modifiers and currencies (craft_tables.c). */
#include "craft.h"

/* ---- observation ---- */

#define UNIT(name, unit)                                                                           \
    { name, 0, 1, unit, 0 }

static const lu_field item_fields[] = {
    UNIT("normal", ""),
    UNIT("magic", ""),
    UNIT("rare", ""),
    UNIT("prefixes", "share of the limit"),
    UNIT("suffixes", "share of the limit"),
    UNIT("prefix_limit", "share of 5"),
    UNIT("suffix_limit", "share of 5"),
    UNIT("open_prefix", ""),
    UNIT("open_suffix", ""),
    UNIT("corrupted", ""),
    UNIT("sanctified", ""),
    UNIT("fractured", ""),
    UNIT("unrevealed", ""),
    UNIT("desecrated", ""),
    UNIT("crafted", ""),
    UNIT("choosing", ""),
    UNIT("quality", "share of 40 percent"),
};
static const lu_field need_fields[CRAFT_NEED_FIELDS] = {
    UNIT("used", ""),
    UNIT("count", "share of 3"),
    UNIT("matched", "share of the count"),
    UNIT("best", "quality of the best modifier"),
    UNIT("blocked", "share of its families"),
    UNIT("locked", "a hit is fractured"),
    UNIT("prefix_share", "share of its weight"),
    UNIT("suffix_share", "share of its weight"),
    UNIT("chance", "of an exalted orb"),
    UNIT("weight", "share of the heaviest"),
};
static const lu_field mod_fields[] = {
    UNIT("junk_prefixes", "share of 3"),  UNIT("junk_suffixes", "share of 3"),
    UNIT("lowest_level", "share of 100"), UNIT("hits", "share of 6"),
    UNIT("loose_hits", "share of 6"),
};
static const lu_field spent_fields[] = {
    UNIT("spent", "share of the budget"),
    UNIT("steps", "share of the limit"),
    UNIT("spent_log", "log10(1 + exalted) / 6"),
};
static const lu_field option_fields[CRAFT_OPTION_FIELDS] = {
    UNIT("hits", ""),
    UNIT("quality", ""),
    UNIT("blocks", ""),
    UNIT("desecrated_only", ""),
};
#define X(name, use, first, second) UNIT("price_" name, "(log10(exalted) + 4) / 8"),
static const lu_field price_fields[CRAFT_ACTIONS] = {CRAFT_ACTION_ROWS(X)};
#undef X
static const lu_field free_fields[] = {
    UNIT("free_1", ""), UNIT("free_2", ""),  UNIT("free_3", ""),  UNIT("free_4", ""),
    UNIT("free_5", ""), UNIT("free_6", ""),  UNIT("free_7", ""),  UNIT("free_8", ""),
    UNIT("free_9", ""), UNIT("free_10", ""), UNIT("free_11", ""),
};

static const lu_group groups[CRAFT_GROUPS] = {
    [CRAFT_GROUP_ITEM] = {"item", LU_SCALARS, 1, -1, LU_ROWS(item_fields)},
    [CRAFT_GROUP_NEEDS] = {"requirements", LU_SLOTS, CRAFT_NEEDS_MAX, 0, LU_ROWS(need_fields)},
    [CRAFT_GROUP_MODS] = {"modifiers", LU_SCALARS, 1, -1, LU_ROWS(mod_fields)},
    [CRAFT_GROUP_SPENT] = {"spent", LU_SCALARS, 1, -1, LU_ROWS(spent_fields)},
    [CRAFT_GROUP_OPTIONS] = {"options", LU_SLOTS, 3, -1, LU_ROWS(option_fields)},
    [CRAFT_GROUP_PRICES] = {"prices", LU_SCALARS, 1, -1, LU_ROWS(price_fields)},
    [CRAFT_GROUP_FREE] = {"free", LU_SCALARS, 1, -1, LU_ROWS(free_fields)},
};

static const lu_field look_fields[CRAFT_LOOK_FIELDS] = {
    [CRAFT_LOOK_LEGAL] = UNIT("legal", ""),
    [CRAFT_LOOK_PRICE] = UNIT("price", "(log10(share of the yardstick) + 5) / 6"),
    [CRAFT_LOOK_HOPE] = UNIT("hope", "(log10(chance to be finished by plain draws) + 6) / 6"),
    [CRAFT_LOOK_CHANGE] = {"change", -1, 1, "log10(hope after / hope now) / 3", 0},
    [CRAFT_LOOK_PAYS] = {"pays", -1, 1, "hope after less hope now, less price / yardstick", 0},
    [CRAFT_LOOK_REACH] = UNIT("reach", "(log10(chance to be finished by any additions) + 6) / 6"),
    [CRAFT_LOOK_REACH_CHANGE] = {"reach_change", -1, 1, "log10(reach after / reach now) / 3", 0},
    [CRAFT_LOOK_REACH_PAYS] = {"reach_pays", -1, 1, "reach after less now, less price / yardstick",
                               0},
    [CRAFT_LOOK_DONE] = UNIT("done", "chance to be finished at once"),
    [CRAFT_LOOK_DONE_LOG] = UNIT("done_log", "(log10(chance to be finished at once) + 4) / 4"),
    [CRAFT_LOOK_DONE_STAKE] = {"done_stake", -1, 1, "z / (1 + |z|), z: done less price, in stakes",
                               0},
    [CRAFT_LOOK_HOPE_STAKE] = {"hope_stake", -1, 1, "the same of pays", 0},
    [CRAFT_LOOK_REACH_STAKE] = {"reach_stake", -1, 1, "the same of reach_pays", 0},
    [CRAFT_LOOK_BET_STAKE] = {"bet_stake", -1, 1, "the same of the bet after less now", 0},
    [CRAFT_LOOK_GAIN] = {"gain", -1, 1, "hits more, share of all", 0},
    [CRAFT_LOOK_LOST] = UNIT("lost", "chance that a hit goes"),
    [CRAFT_LOOK_HOPELESS] = UNIT("hopeless", "chance that additions can no longer finish it"),
    [CRAFT_LOOK_ADDS] = UNIT("adds", ""),
    [CRAFT_LOOK_REMOVES] = UNIT("removes", ""),
    [CRAFT_LOOK_GIVES] = UNIT("gives", ""),
    [CRAFT_LOOK_BASE] = UNIT("base", ""),
    [CRAFT_LOOK_STOP] = UNIT("stop", ""),
};
static const lu_field look_item_fields[CRAFT_LOOK_ITEM_FIELDS] = {
    UNIT("normal", ""),
    UNIT("magic", ""),
    UNIT("rare", ""),
    UNIT("prefix_room", "of a rare item, share of 3"),
    UNIT("suffix_room", "of a rare item, share of 3"),
    UNIT("junk_prefixes", "share of 3"),
    UNIT("junk_suffixes", "share of 3"),
    UNIT("hits", "share of all"),
    UNIT("needed", "hits of a finished item, share of 6"),
    UNIT("hope", "(log10(chance to be finished by plain draws) + 6) / 6"),
    UNIT("hope_of_a_base", "the same of a white base"),
    UNIT("uses", "(log10(uses of the yardstick / 1000) + 3) / 4"),
    UNIT("reach", "(log10(chance to be finished by any additions) + 6) / 6"),
    UNIT("reach_of_a_base", "the same of a white base"),
    UNIT("final", "corrupted or sanctified"),
    UNIT("fractured", ""),
    UNIT("unrevealed", ""),
    UNIT("desecrated", ""),
    UNIT("choosing", ""),
    UNIT("bet", "z / (1 + z), z: what draws and essences are worth, in stakes"),
};
static const lu_field look_need_fields[CRAFT_LOOK_NEED_FIELDS] = {
    UNIT("used", ""),
    UNIT("count", "share of 3"),
    UNIT("missing", "share of the count"),
    UNIT("blocked", "share of its families that are taken"),
    UNIT("prefix_share", "share of its weight"),
    UNIT("chance", "(log10(chance of an exalted orb) + 4) / 4"),
    UNIT("greater_chance", "the same of a Greater one"),
    UNIT("essence", "price of the cheapest essence that hits it, as prices are; 0: none"),
};
#define X(name, use, first, second) UNIT("price_" name, "(log10(share of the yardstick) + 5) / 6"),
static const lu_field look_price_fields[CRAFT_ACTIONS] = {CRAFT_ACTION_ROWS(X)};
#undef X
static const lu_group look_groups[CRAFT_LOOK_GROUPS] = {
    [CRAFT_LOOK_GROUP_ACTIONS] = {"actions", LU_SLOTS, CRAFT_ACTIONS, CRAFT_LOOK_LEGAL,
                                  LU_ROWS(look_fields)},
    [CRAFT_LOOK_GROUP_ITEM] = {"item", LU_SCALARS, 1, -1, LU_ROWS(look_item_fields)},
    [CRAFT_LOOK_GROUP_NEEDS] = {"requirements", LU_SLOTS, CRAFT_NEEDS_MAX, 0,
                                LU_ROWS(look_need_fields)},
    [CRAFT_LOOK_GROUP_PRICES] = {"prices", LU_SCALARS, 1, -1, LU_ROWS(look_price_fields)},
};

/* ---- actions ---- */

static const lu_head heads[] = {
    {"action", CRAFT_ACTIONS, craft_action_names, NULL, 0, NULL, -1, false}};
static const lu_head look_heads[] = {
    {"action", CRAFT_ACTIONS, craft_action_names, NULL, 0, NULL, CRAFT_LOOK_GROUP_ACTIONS, false}};
static const lu_head classic_heads[] = {
    {"action", CRAFT_CLASSIC_ACTIONS, craft_classic_names, NULL, 0, NULL, -1, false}};

/* ---- rewards: shaped, cost, brief ---- */

static const lu_term terms[CRAFT_TERMS] = {
    [CRAFT_TERM_COST] = {"cost", "Price of what was used, in units of the scale.", {-1, -1, -1}},
    [CRAFT_TERM_SUCCESS] = {"success", "1 when the item fulfils the target.", {1, 1, 0}},
    [CRAFT_TERM_UNFINISHED] = {"unfinished",
                               "1 when the episode ends without such an item.",
                               {-0.1, -0.1, 0}},
    [CRAFT_TERM_POTENTIAL] = {"potential",
                              "Discounted score after less score before, share of the most; 0 "
                              "after the end, so that the best policy stays the same.",
                              {1, 0, 0}},
    [CRAFT_TERM_SCORE] = {"score", "Change of the score.", {0, 0, 1}},
    [CRAFT_TERM_CHAOS] = {"chaos",
                          "Price of a chaos orb in units of the scale, on success.",
                          {0, 0, 50}},
};

/* ---- figures ---- */

const char *const craft_end_names[CRAFT_ENDS + 1] = {"running", "success", "stopped", "budget",
                                                     "bases",   "steps",   NULL};
const char *const craft_rarity_names[CRAFT_RARITIES + 1] = {"normal", "magic", "rare", NULL};

static const lu_info infos[CRAFT_INFOS] = {
    [CRAFT_INFO_SUCCESS] = {"success", LU_INFO_FLAG, "", "The item fulfils the target.", NULL,
                            true},
    [CRAFT_INFO_SPENT] = {"spent", LU_INFO_REAL, "exalted", "Spent, the first base included.", NULL,
                          true},
    [CRAFT_INFO_SCORE] = {"score", LU_INFO_REAL, "", "Score of the item on the table.", NULL, true},
    [CRAFT_INFO_SHARE] = {"share", LU_INFO_REAL, "", "Score as a share of the most.", NULL, true},
    [CRAFT_INFO_BASES] = {"bases", LU_INFO_COUNT, "bases", "White bases.", NULL, true},
    [CRAFT_INFO_STEPS] = {"steps", LU_INFO_COUNT, "decisions", "Decisions so far.", NULL, true},
    [CRAFT_INFO_USES] = {"uses", LU_INFO_COUNT, "uses", "Currencies used.", NULL, true},
    [CRAFT_INFO_ILLEGAL] = {"illegal", LU_INFO_COUNT, "decisions",
                            "Decisions without effect, since not legal.", NULL, true},
    [CRAFT_INFO_RARITY] = {"rarity", LU_INFO_NAME, "", "Rarity of the item.", craft_rarity_names,
                           false},
    [CRAFT_INFO_PREFIXES] = {"prefixes", LU_INFO_COUNT, "", "Prefixes of the item.", NULL, true},
    [CRAFT_INFO_SUFFIXES] = {"suffixes", LU_INFO_COUNT, "", "Suffixes of the item.", NULL, true},
    [CRAFT_INFO_HITS] = {"hits", LU_INFO_COUNT, "", "Modifiers that hit a requirement.", NULL,
                         true},
    [CRAFT_INFO_TASK] = {"task", LU_INFO_COUNT, "", "Which of the targets.", NULL, false},
    [CRAFT_INFO_END] = {"end", LU_INFO_NAME, "", "How the episode ended.", craft_end_names, false},
    [CRAFT_INFO_RNG] = {"rng", LU_INFO_BITS, "", "State of the generator.", NULL, false},
};

static const lu_event events[CRAFT_EVENTS] = {
    [CRAFT_EVENT_USED] = {"used", "Something was used on the item."},
    [CRAFT_EVENT_IGNORED] = {"ignored", "The action was not legal and had no effect."},
    [CRAFT_EVENT_BASE] = {"base", "A new white base was taken."},
    [CRAFT_EVENT_HIT] = {"hit", "More modifiers hit a requirement than before."},
    [CRAFT_EVENT_LOST] = {"lost", "Fewer modifiers hit a requirement than before."},
    [CRAFT_EVENT_DONE] = {"done", "The item fulfils the target."},
    [CRAFT_EVENT_FAILED] = {"failed", "The episode ended without such an item."},
};

static const lu_milestone milestones[] = {
    {"share", 0.5, "Half of the score."},
    {"success", 1, "An item that fulfils its target."},
};

/* ---- the variants ---- */

LU_CORES_DECLARE(craft);
LU_CORES_DECLARE(craft_look);
LU_CORES_DECLARE(craft_classic);

#define COMMON(name_, core_)                                                                       \
    LU_PARTS(craft, core_),                                                                        \
        .id = name_ "-v1", .seats = 1, .terms = LU_ROWS(terms), .modes = "shaped|cost|brief",      \
        .infos = LU_ROWS(infos), .headline = "success", .events = LU_ROWS(events),                 \
        .milestones = LU_ROWS(milestones), .settings = {name_, craft_rows, CRAFT_ROWS},            \
        .options = {{name_ " reset", craft_option_rows, CRAFT_OPTION_ROWS},                        \
                    sizeof(craft_options),                                                         \
                    craft_options_init},                                                           \
        .rules_more = craft_rules_more, .to_json = craft_to_json, .from_json = craft_from_json,    \
        .show = craft_show, .events_of = craft_events_of, .story = craft_story,                    \
        .why_not = craft_why_not, .note = craft_note

static const lu_game game = {
    COMMON("craft", craft),
    .title = "Craft",
    .sentence = "Turn a white base into a wanted item with currencies, for as little as possible.",
    .preset = "craft-ppo",
    .limit = {LU_LIMIT_RULE, 2000},
    .groups = LU_ROWS(groups),
    .heads = LU_ROWS(heads),
    .bots = LU_ROWS(craft_bots),
    .rules_init = craft_rules_init,
};

/* The clock is not seen: play would go on after the last decision. */
static const lu_game look = {
    COMMON("craft-look", craft_look),
    .title = "Craft, looking ahead",
    .sentence = "The same, shown by what each action would lead to.",
    .preset = "craft-look-ppo",
    .limit = {LU_LIMIT_CUT, 2000},
    .groups = LU_ROWS(look_groups),
    .heads = LU_ROWS(look_heads),
    .bots = LU_ROWS(craft_bots),
    .rules_init = craft_rules_init,
};

static const lu_game classic = {
    COMMON("craft-classic", craft_classic),
    .title = "Craft, simple rules",
    .sentence =
        "The same where chaos rerolls all, with one essence and bench for each requirement.",
    .limit = {LU_LIMIT_RULE, 2000},
    .groups = LU_ROWS(groups),
    .heads = LU_ROWS(classic_heads),
    .bots = LU_ROWS(craft_classic_bots),
    .rules_init = craft_classic_init,
};

LU_GAMES(craft) = {&game, &classic, &look, NULL};
