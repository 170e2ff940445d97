/* Facts of prospector as tables: observation fields, actions, reward terms, info fields, events and
 * settings, and the rules block that follows from the settings. Left out: the rules (prospector.c),
 * words about states (prospector_view.c), bots (prospector_bots.c). */
#include "prospector.h"

#include <stddef.h>
#include <string.h>

/* ---- observation ---- */

static const lu_field ship_fields[] = {
    {"fuel", 0, 1, "share of 1000", 0},
    {"hull", 0, 1, "share of 100", 0},
    {"heat", 0, 1, "share of 100", 0},
    {"tool", 0, 1, "share of 100", 0},
    {"load", 0, 1, "share of 200", 0},
    {"alert", 0, 1, "share of 100", 0},
    {"time left", 0, 1, "share of the budget", 0},
    {"credits", 0, 1, "ln(1 + credits) / ln(1 + 1e7)", 0},
    {"iron", 0, 1, "share of 200", 0},
    {"nickel", 0, 1, "share of 200", 0},
    {"water ice", 0, 1, "share of 200", 0},
    {"platinum group", 0, 1, "share of 200", 0},
    {"rare isotopes", 0, 1, "share of 200", 0},
    {"volatiles", 0, 1, "share of 200", 0},
    {"kits", 0, 1, "share of 12", 0},
    {"stabilizers", 0, 1, "share of 12", 0},
    {"decoys", 0, 1, "share of 12", 0},
    {"docked", 0, 1, "", 0},
    {"rock in reach", 0, 1, "", 0},
    {"station", 0, 1, "", 0},
    {"cluster", 0, 1, "", 0},
    {"hazard", 0, 1, "", 0},
    {"node", 0, 1, "index / 31", 0},
    {"hops home", 0, 1, "hops / 31", 0},
};

static const lu_field neighbour_fields[] = {
    {"present", 0, 1, "", 0},        {"station", 0, 1, "", 0},
    {"cluster", 0, 1, "", 0},        {"hazard", 0, 1, "", 0},
    {"time", 0, 1, "ticks / 8", 0},  {"fuel", 0, 1, "units / 160", 0},
    {"threat", 0, 1, "estimate", 0},
};

/* Always 0: the rules leave two numbers between the blocks. */
static const lu_field reserved_fields[] = {
    {"reserved 1", 0, 0, "", 0},
    {"reserved 2", 0, 0, "", 0},
};

static const lu_field rock_fields[] = {
    {"present", 0, 1, "", 0},
    {"iron", 0, 1, "estimated share", 0},
    {"nickel", 0, 1, "estimated share", 0},
    {"water ice", 0, 1, "estimated share", 0},
    {"platinum group", 0, 1, "estimated share", 0},
    {"rare isotopes", 0, 1, "estimated share", 0},
    {"volatiles", 0, 1, "estimated share", 0},
    {"stability", 0, 1, "estimate", 0},
    {"depletion", 0, 1, "share mined", 0},
    {"confidence", 0, 1, "of the estimates", 0},
    {"selected", 0, 1, "", 0},
};

static const lu_field market_fields[] = {
    {"iron price", 0, 1, "share of the base price, at most 1", 0},
    {"nickel price", 0, 1, "share of the base price, at most 1", 0},
    {"water ice price", 0, 1, "share of the base price, at most 1", 0},
    {"platinum group price", 0, 1, "share of the base price, at most 1", 0},
    {"rare isotopes price", 0, 1, "share of the base price, at most 1", 0},
    {"volatiles price", 0, 1, "share of the base price, at most 1", 0},
    {"iron change", -1, 1, "credits / 100 since the last decision", 0},
    {"nickel change", -1, 1, "credits / 100 since the last decision", 0},
    {"water ice change", -1, 1, "credits / 100 since the last decision", 0},
    {"platinum group change", -1, 1, "credits / 100 since the last decision", 0},
    {"rare isotopes change", -1, 1, "credits / 100 since the last decision", 0},
    {"volatiles change", -1, 1, "credits / 100 since the last decision", 0},
    {"iron stock", 0, 1, "units / 500", 0},
    {"water ice stock", 0, 1, "units / 500", 0},
    {"platinum group stock", 0, 1, "units / 500", 0},
    {"rare isotopes stock", 0, 1, "units / 500", 0},
};

static const lu_group groups[PROSPECTOR_GROUPS] = {
    {"ship", LU_SCALARS, 1, -1, LU_ROWS(ship_fields)},
    {"neighbours", LU_SLOTS, PROSPECTOR_SLOTS, 0, LU_ROWS(neighbour_fields)},
    {"reserved", LU_SCALARS, 1, -1, LU_ROWS(reserved_fields)},
    {"rocks", LU_SLOTS, PROSPECTOR_ROCKS, PROSPECTOR_ROCK_PRESENT, LU_ROWS(rock_fields)},
    {"market", LU_SCALARS, 1, -1, LU_ROWS(market_fields)},
};

/* ---- actions ---- */

static const char *const action_names[PROSPECTOR_ACTIONS] = {
    "travel 1",
    "travel 2",
    "travel 3",
    "travel 4",
    "travel 5",
    "travel 6",
    "hold",
    "emergency burn",
    "wide scan",
    "focused scan",
    "deep scan",
    "threat listen",
    "select rock 1",
    "select rock 2",
    "select rock 3",
    "select rock 4",
    "select rock 5",
    "select rock 6",
    "select rock 7",
    "select rock 8",
    "select rock 9",
    "select rock 10",
    "select rock 11",
    "select rock 12",
    "select rock 13",
    "select rock 14",
    "select rock 15",
    "select rock 16",
    "mine careful",
    "mine normal",
    "mine hard",
    "stabilise rock",
    "refine",
    "active cooling",
    "tool maintenance",
    "hull patch",
    "jettison iron",
    "jettison nickel",
    "jettison water ice",
    "jettison platinum group",
    "jettison rare isotopes",
    "jettison volatiles",
    "dock",
    "sell iron 25%",
    "sell iron 50%",
    "sell iron 100%",
    "sell nickel 25%",
    "sell nickel 50%",
    "sell nickel 100%",
    "sell water ice 25%",
    "sell water ice 50%",
    "sell water ice 100%",
    "sell platinum group 25%",
    "sell platinum group 50%",
    "sell platinum group 100%",
    "sell rare isotopes 25%",
    "sell rare isotopes 50%",
    "sell rare isotopes 100%",
    "sell volatiles 25%",
    "sell volatiles 50%",
    "sell volatiles 100%",
    "buy fuel 120",
    "buy fuel 260",
    "buy fuel 480",
    "buy kit",
    "buy stabilizer",
    "buy decoy",
    "overhaul",
    "cash out",
};

/* Headings the actions are listed under. */
static const char *const action_sets[PROSPECTOR_ACTIONS] = {
    "Travel",   "Travel",   "Travel",  "Travel",  "Travel",   "Travel",   "Travel",   "Travel",
    "Scan",     "Scan",     "Scan",    "Scan",    "Rocks",    "Rocks",    "Rocks",    "Rocks",
    "Rocks",    "Rocks",    "Rocks",   "Rocks",   "Rocks",    "Rocks",    "Rocks",    "Rocks",
    "Rocks",    "Rocks",    "Rocks",   "Rocks",   "Mine",     "Mine",     "Mine",     "Mine",
    "Ship",     "Ship",     "Ship",    "Ship",    "Jettison", "Jettison", "Jettison", "Jettison",
    "Jettison", "Jettison", "Station", "Sell",    "Sell",     "Sell",     "Sell",     "Sell",
    "Sell",     "Sell",     "Sell",    "Sell",    "Sell",     "Sell",     "Sell",     "Sell",
    "Sell",     "Sell",     "Sell",    "Sell",    "Sell",     "Buy",      "Buy",      "Buy",
    "Buy",      "Buy",      "Buy",     "Station", "Station",
};

/* Those of the site, where Shift and a number aims at a rock. */
static const char action_keys[] = "123456"
                                  "hbqewt"
                                  "                "
                                  "nmksrcfp"
                                  "UIOPJK"
                                  "d"
                                  "ZAQXSWCDEVFRBGTNHY"
                                  "789yuiox";
LU_STATIC_ASSERT(sizeof action_keys == PROSPECTOR_ACTIONS + 1, "an action has no place for a key");

static const lu_head heads[] = {
    {"action", PROSPECTOR_ACTIONS, action_names, action_sets, 0, NULL, -1, false},
};

/* ---- reward ----
 * Mode 0, profit: what a report counts, credits, with end penalties that outweigh a few risky
 * trips. Mode 1, reference: the reward of the rules; it punishes hull damage far above its repair
 * price, so an agent that maximises it cashes out at once. */

static const lu_term terms[PROSPECTOR_TERMS] = {
    [PROSPECTOR_TERM_CREDITS] = {"credits", "Credits won or spent, per 1000.", {1.0, 1.0}},
    [PROSPECTOR_TERM_CARGO] = {"cargo",
                               "0.02 per 1000 credits by which the cargo gained value.",
                               {0.0, 1.0}},
    [PROSPECTOR_TERM_FUEL] = {"fuel", "-0.1 per 100 units of fuel used.", {0.0, 1.0}},
    [PROSPECTOR_TERM_TIME] = {"time", "-0.001 per tick.", {0.0, 1.0}},
    [PROSPECTOR_TERM_WEAR] = {"wear", "-0.05 per 10 points of tool wear.", {0.0, 1.0}},
    [PROSPECTOR_TERM_HEAT] = {"heat",
                              "-0.2 times the square of heat above 70, per 100.",
                              {0.0, 1.0}},
    [PROSPECTOR_TERM_DAMAGE] = {"damage", "-1 per 10 points of hull damage.", {0.0, 1.0}},
    [PROSPECTOR_TERM_SCAN] = {"scan", "-0.005 for a scan, valid or not.", {0.0, 1.0}},
    [PROSPECTOR_TERM_INVALID] = {"invalid", "-0.01 for an invalid action.", {0.0, 1.0}},
    [PROSPECTOR_TERM_PIRATES] = {"pirates",
                                 "-1 per 1000 credits' worth of cargo lost to pirates.",
                                 {0.0, 1.0}},
    [PROSPECTOR_TERM_STRANDED] = {"stranded",
                                  "-50 when the fuel ends away from the station.",
                                  {0.2, 1.0}},
    [PROSPECTOR_TERM_DESTROYED] = {"destroyed", "-100 when the hull is gone.", {0.1, 1.0}},
    [PROSPECTOR_TERM_BONUS] = {"bonus",
                               "0.002 per 1000 credits at the end, unless stranded or destroyed.",
                               {0.0, 1.0}},
    [PROSPECTOR_TERM_SPEND] =
        {"spend",
         "-1 per 1000 credits spent at the station, which credits already count.",
         {0.0, 0.0}},
};

/* ---- figures ---- */

static const char *const context_names[] = {"station", "field", NULL};
static const char *const end_names[] = {
    "running", "cash_out", "destroyed", "stranded", "destroyed_and_stranded", "time_limit", NULL};

static const lu_info infos[PROSPECTOR_INFOS] = {
    [PROSPECTOR_INFO_ACTION] = {"action", LU_INFO_COUNT, "",
                                "Last action; out of range counts as hold, -1 after a reset.", NULL,
                                false},
    [PROSPECTOR_INFO_DT] = {"dt", LU_INFO_COUNT, "ticks", "Ticks the last action took.", NULL,
                            false},
    [PROSPECTOR_INFO_INVALID] = {"invalid", LU_INFO_FLAG, "", "The last action was invalid.", NULL,
                                 false},
    [PROSPECTOR_INFO_TERMINATED] = {"terminated", LU_INFO_FLAG, "",
                                    "Cashed out, destroyed or stranded.", NULL, false},
    [PROSPECTOR_INFO_TRUNCATED] = {"truncated", LU_INFO_FLAG, "", "The time ran out.", NULL, false},
    [PROSPECTOR_INFO_CREDITS] = {"credits", LU_INFO_REAL, "credits", "Credits in hand.", NULL,
                                 true},
    [PROSPECTOR_INFO_TRUE_PROFIT] = {"true_profit", LU_INFO_REAL, "credits",
                                     "Credits in hand: spending counts once.", NULL, true},
    [PROSPECTOR_INFO_NET_PROFIT] =
        {"net_profit", LU_INFO_REAL, "credits",
         "Credits less all spending, which so counts twice: the reference's figure.", NULL, true},
    [PROSPECTOR_INFO_PROFIT_PER_TICK] = {"profit_per_tick", LU_INFO_REAL, "credits per tick",
                                         "net_profit over the ticks elapsed.", NULL, true},
    [PROSPECTOR_INFO_SURVIVAL] = {"survival", LU_INFO_FLAG, "", "Neither destroyed nor stranded.",
                                  NULL, true},
    [PROSPECTOR_INFO_OVERHEAT_TICKS] = {"overheat_ticks", LU_INFO_COUNT, "ticks",
                                        "Ticks of steps in which the ship overheated.", NULL, true},
    [PROSPECTOR_INFO_PIRATE_ENCOUNTERS] = {"pirate_encounters", LU_INFO_COUNT, "",
                                           "Meetings with pirates.", NULL, true},
    [PROSPECTOR_INFO_VALUE_LOST] = {"value_lost_to_pirates", LU_INFO_REAL, "credits",
                                    "Worth of the cargo pirates took.", NULL, true},
    [PROSPECTOR_INFO_FUEL_USED] = {"fuel_used", LU_INFO_REAL, "units",
                                   "Fuel missing from a full tank.", NULL, true},
    [PROSPECTOR_INFO_HULL_DAMAGE] = {"hull_damage", LU_INFO_REAL, "points",
                                     "Points missing from a sound hull.", NULL, true},
    [PROSPECTOR_INFO_TOOL_WEAR] = {"tool_wear", LU_INFO_REAL, "points",
                                   "Points missing from a new tool.", NULL, true},
    [PROSPECTOR_INFO_SCAN_COUNT] = {"scan_count", LU_INFO_COUNT, "", "Valid scans.", NULL, true},
    [PROSPECTOR_INFO_MINING_TICKS] = {"mining_ticks", LU_INFO_COUNT, "ticks", "Ticks spent mining.",
                                      NULL, true},
    [PROSPECTOR_INFO_CARGO_USE] = {"cargo_utilization_avg", LU_INFO_REAL, "share of 200",
                                   "Mean load over the ticks elapsed.", NULL, true},
    [PROSPECTOR_INFO_NODE_CONTEXT] = {"node_context", LU_INFO_NAME, "", "Where the ship is.",
                                      context_names, false},
    [PROSPECTOR_INFO_TIME_REMAINING] = {"time_remaining", LU_INFO_REAL, "ticks",
                                        "Ticks left of the budget.", NULL, false},
    [PROSPECTOR_INFO_TICKS_ELAPSED] = {"ticks_elapsed", LU_INFO_COUNT, "ticks",
                                       "Ticks since the reset.", NULL, true},
    [PROSPECTOR_INFO_TOTAL_SPEND] = {"total_spend", LU_INFO_REAL, "credits",
                                     "Credits spent at the station.", NULL, true},
    [PROSPECTOR_INFO_RNG] = {"rng", LU_INFO_BITS, "", "State of the generator (PCG32).", NULL,
                             false},
    [PROSPECTOR_INFO_END] = {"end", LU_INFO_NAME, "", "How the episode ended.", end_names, false},
};

static const lu_event events[PROSPECTOR_EVENTS] = {
    [PROSPECTOR_EVENT_INVALID] = {"invalid_action", "The action was invalid and became a hold."},
    [PROSPECTOR_EVENT_PIRATES] = {"pirate_encounter", "Pirates took part of the cargo."},
    [PROSPECTOR_EVENT_OVERHEAT] = {"overheat_tick", "The ship overheated and took damage."},
    [PROSPECTOR_EVENT_TERMINATED] = {"terminated", "The episode ended by the rules."},
    [PROSPECTOR_EVENT_TRUNCATED] = {"truncated", "The time ran out."},
    [PROSPECTOR_EVENT_ARRIVED] = {"arrived", "The ship reached another node."},
    [PROSPECTOR_EVENT_FRACTURE] = {"fracture", "A rock broke under the drill."},
    [PROSPECTOR_EVENT_DECOY] = {"decoy_used", "A decoy drew the pirates off."},
    [PROSPECTOR_EVENT_SOLD] = {"sold", "Cargo was sold."},
    [PROSPECTOR_EVENT_BOUGHT] = {"bought", "Something was bought at the station."},
};

static const lu_milestone milestones[] = {
    {"survival", 1, "The ship is neither destroyed nor stranded."},
    {"net_profit", 100, "100 credits above twice the spending."},
    {"net_profit", 500, "500 credits above twice the spending."},
    {"net_profit", 1000, "1,000 credits above twice the spending."},
    {"true_profit", 10000, "10,000 credits in hand."},
    {"true_profit", 20000, "20,000 credits in hand."},
    {"true_profit", 50000, "50,000 credits in hand."},
    {"return", 10, "A return of 10."},
    {"return", 25, "A return of 25."},
    {"return", 50, "A return of 50."},
};

/* ---- settings and the rules block ---- */

static const lu_setting rows[] = {
    {"time_max", LU_REAL, "20000", 1.0, 1e7, NULL, "Ticks an episode may last.", false},
    {"mask.tight", LU_BOOL, "false", 0, 0, NULL,
     "Masks legal actions without effect too: selling, jettisoning or refining nothing, a wide "
     "scan at "
     "the station, fuel into a full tank.",
     false},
};

/* The affine map of `draws` draws, read off at 0 and 1. */
static void jump_of(uint64_t draws, uint64_t *mul, uint64_t *add) {
    const uint64_t stream = 109;
    *add = lu_pcg32_jump(0, stream, draws);
    *mul = lu_pcg32_jump(1, stream, draws) - *add;
}

/* Fuel, hull, heat, tool, load, alert, time left, credits. */
static void gauges_init(prospector_rules *rules) {
    static const double scale[PROSPECTOR_LANES] = {1000, 100, 100, 100, 1, 100, 0, 1};
    static const double rate[PROSPECTOR_LANES] = {-0.001, -0.1, 0, -0.005, 0, 0, 0, -0.001};
    for (int k = 0; k < PROSPECTOR_LANES; k++) {
        rules->scale[k] = rules->most[k] = scale[k];
        rules->rate[k] = rate[k];
        rules->least[k] = 0.0;
        rules->is_load[k] = k == 4 ? 1.0 : 0.0;
    }
    rules->most[4] = 0.0;
    rules->scale[6] = rules->most[6] = rules->time_max;
    /* credits have no bound and count both ways */
    rules->most[7] = 1e300;
    rules->least[7] = -1e300;
}

static lu_status rules_init(lu_rules *head, const lu_settings *settings, lu_error *error) {
    static const double base[PROSPECTOR_GOODS] = {45, 55, 85, 145, 210, 120};
    prospector_rules *rules = (prospector_rules *)(void *)head;
    (void)error;
    rules->time_max = lu_settings_real(settings, "time_max");
    gauges_init(rules);
    for (int k = 0; k < PROSPECTOR_ODDS; k++) {
        rules->pirate_most[k] = lu_sigmoid(-7.0 + (double)(k + 1) / 8.0) * (1.0 + 1e-9);
    }
    rules->tight = lu_settings_bool(settings, "mask.tight") ? 1.0 : 0.0;
    for (uint64_t j = 0; j <= PROSPECTOR_ROCKS; j++) {
        jump_of(20 * j, &rules->rock.mul[j], &rules->rock.add[j]);
        jump_of(14 * j, &rules->scan.mul[j], &rules->scan.add[j]);
    }
    for (uint64_t k = 0; k < 2; k++) {
        for (uint64_t c = 0; c < PROSPECTOR_LANES; c++) {
            jump_of(2 * c + k, &rules->price_mul[k][c], &rules->price_add[k][c]);
        }
    }
    for (int dt = 0; dt <= 8; dt++) {
        rules->fade[dt] = (float)lu_exp(-(double)dt / 14.0);
        for (int c = 0; c < PROSPECTOR_LANES; c++) {
            rules->noise[dt][c] = c < PROSPECTOR_GOODS ? 0.03 * base[c] * lu_sqrt((double)dt) : 0.0;
        }
    }
    rules->unused = 0.0f;
    return LU_OK;
}

void prospector_refresh(prospector_state *state) {
    const float *cargo = state->cargo;
    float total = ((((cargo[0] + cargo[1]) + cargo[2]) + cargo[3]) + cargo[4]) + cargo[5];
    state->load = lu_fmin((double)total / (double)PROSPECTOR_CARGO_MAX, 1.0);
    state->credits_shown = prospector_credits_shown(state->credits);
    for (int node = 0; node < PROSPECTOR_NODES; node++) {
        prospector_rocks *rocks = &state->rock[node];
        for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
            float *shown = rocks->shown[a];
            bool there = ((state->made >> node) & 1u) && a < state->graph[node].rocks;
            bool chosen = there && node == state->node && a == state->selected;
            double part[PROSPECTOR_GOODS], sum = 0.0;
            for (int c = 0; c < PROSPECTOR_GOODS; c++) {
                part[c] = lu_fmax((double)rocks->estimate[c][a], 1e-8);
                sum += part[c];
            }
            for (int c = 0; c < PROSPECTOR_GOODS; c++) {
                shown[PROSPECTOR_ROCK_CONTENT + c] = there ? (float)(part[c] / sum) : 0.0f;
            }
            shown[PROSPECTOR_ROCK_PRESENT] = there ? 1.0f : 0.0f;
            shown[PROSPECTOR_ROCK_SELECTED] = chosen ? 1.0f : 0.0f;
        }
    }
    uint32_t open = 0;
    for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
        const float *shown = state->rock[state->node].shown[a];
        bool free =
            shown[PROSPECTOR_ROCK_PRESENT] > 0.0f && shown[PROSPECTOR_ROCK_DEPLETION] < 1.0f;
        open |= (free ? 1u : 0u) << a;
    }
    state->open = (uint16_t)open;
}

LU_CORES_DECLARE(prospector);

static const lu_game game = {
    .id = "prospector-v1",
    LU_PARTS(prospector, prospector),
    .title = "Asteroid Belt Prospector",
    .sentence =
        "Scan and mine asteroids, survive pirates and overheating, and sell at the station.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .keys = action_keys,
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .modes = "profit|reference",
    .infos = LU_ROWS(infos),
    .headline = "true_profit",
    .preset = "prospector-profit",
    .events = LU_ROWS(events),
    .milestones = LU_ROWS(milestones),
    .settings = {"prospector", rows, LU_COUNT(rows)},
    .bots = LU_ROWS(prospector_bots),
    .limit = {LU_LIMIT_RULE, 20000},
    .tick_discount = true,
    .rules_init = rules_init,
    .to_json = prospector_to_json,
    .from_json = prospector_from_json,
    .show = prospector_show,
    .events_of = prospector_events_of,
    .story = prospector_story,
    .why_not = prospector_why_not,
};

LU_GAMES(prospector) = {&game, NULL};
