/* Bots of prospector: the three baselines of the reference project, two floors (random, cash out),
 * the pilot (prospector_pilot.c) and the ace (prospector_ace.c). Except for `random` all are
 * deterministic; none sees hidden things. The baselines follow the reference rule by rule,
 * including what they forget: they never repair, and when every rock around is gone the greedy
 * miner and the market timer send an invalid action again and again. */
#include "prospector_ace.h"
#include "prospector_pilot.h"

enum { GOODS = PROSPECTOR_GOODS, MARKET_TARGET = 3 /* platinum group */ };

/* Numbers of the ship in the observation. */
enum {
    FUEL,
    HULL,
    HEAT,
    TOOL,
    LOAD,
    ALERT,
    TIME,
    CREDITS,
    CARGO,
    KITS = 14,
    STABILIZERS,
    DECOYS,
    DOCKED
};

/* ---- what the baselines share ---- */

static const float *neighbour_of(const float *o, int k) {
    return o + PROSPECTOR_AT_NEIGHBOURS + PROSPECTOR_NEIGHBOUR_FIELDS * k;
}

static const float *rock_of(const float *o, int a) {
    return o + PROSPECTOR_AT_ROCKS + PROSPECTOR_SHOWN * a;
}

static double credits_of(const float *o) {
    return lu_exp((double)o[CREDITS] * 16.11809575095832) - 1.0;
}

/* Lowest slot whose neighbour is the station, -1 if none. */
static int station_slot(const float *o) {
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        if (neighbour_of(o, k)[0] > 0.5f && neighbour_of(o, k)[1] > 0.5f) {
            return k;
        }
    }
    return -1;
}

static int any_slot(const float *o) {
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        if (neighbour_of(o, k)[0] > 0.5f) {
            return k;
        }
    }
    return -1;
}

/* The lowest cluster, else the lowest that is not the station, else any. */
static int outbound_slot(const float *o) {
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        if (neighbour_of(o, k)[0] > 0.5f && neighbour_of(o, k)[2] > 0.5f) {
            return k;
        }
    }
    for (int k = 0; k < PROSPECTOR_SLOTS; k++) {
        if (neighbour_of(o, k)[0] > 0.5f && neighbour_of(o, k)[1] < 0.5f) {
            return k;
        }
    }
    return any_slot(o);
}

static int travel(int slot) {
    return slot >= 0 ? PROSPECTOR_TRAVEL + slot : PROSPECTOR_HOLD;
}

/* Towards the station, else anywhere. */
static int travel_home(const float *o) {
    int slot = station_slot(o);
    return travel(slot >= 0 ? slot : any_slot(o));
}

/* Prices by composition, times stability, times what is left. The reference's dot product (that of
 * the BLAS in numpy's wheels) rounds each product to single precision, adds in double and rounds
 * the sum: ties hang on it. */
static double value_score(const float *o, const float *rock) {
    double sum = 0.0;
    for (int c = 0; c < GOODS; c++) {
        sum += (double)(o[PROSPECTOR_AT_MARKET + c] * rock[PROSPECTOR_ROCK_CONTENT + c]);
    }
    return (double)(float)sum * (double)rock[PROSPECTOR_ROCK_STABILITY] *
           (1.0 - (double)rock[PROSPECTOR_ROCK_DEPLETION]);
}

static double target_score(const float *o, const float *rock) {
    (void)o;
    return (double)rock[PROSPECTOR_ROCK_CONTENT + MARKET_TARGET] *
           (0.5 + 0.5 * (double)rock[PROSPECTOR_ROCK_CONFIDENCE]) *
           (double)rock[PROSPECTOR_ROCK_STABILITY] *
           (1.0 - (double)rock[PROSPECTOR_ROCK_DEPLETION]);
}

/* The present rock of the highest score, the first on ties, -1 if there is none. */
static int best_rock(const float *o, double (*score)(const float *, const float *)) {
    int best = -1;
    double most = 0.0;
    for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
        const float *rock = rock_of(o, a);
        if (rock[PROSPECTOR_ROCK_PRESENT] > 0.5f) {
            double value = score(o, rock);
            if (best < 0 || value > most) {
                most = value;
                best = a;
            }
        }
    }
    return best;
}

/* Sells this share (0 = 25 %, 1 = 50 %, 2 = 100 %) of the first good above `least`; -1: nothing. */
static int sell_first(const float *o, int share, double least, int except) {
    for (int c = 0; c < GOODS; c++) {
        if (c != except && (double)o[CARGO + c] > least) {
            return PROSPECTOR_SELL + 3 * c + share;
        }
    }
    return -1;
}

static bool is_selected(const float *o, int a) {
    return rock_of(o, a)[PROSPECTOR_ROCK_SELECTED] > 0.5f;
}

/* ---- greedy miner ---- */

static int greedy(const float *o) {
    if (o[DOCKED] > 0.5f) {
        int sale = sell_first(o, 2, 0.01, -1);
        if (sale >= 0) {
            return sale;
        }
        if ((double)o[FUEL] < 0.40 && credits_of(o) >= 210.0) {
            return PROSPECTOR_BUY_FUEL + 2;
        }
        return travel(outbound_slot(o));
    }
    if ((double)o[LOAD] > 0.85 || (double)o[HEAT] > 0.80 || (double)o[HULL] < 0.40 ||
        (double)o[FUEL] < 0.15) {
        return travel_home(o);
    }
    int rock = best_rock(o, value_score);
    if (rock < 0) {
        return travel(outbound_slot(o));
    }
    if (!is_selected(o, rock)) {
        return PROSPECTOR_SELECT + rock;
    }
    return (double)o[TOOL] > 0.60 && (double)o[HEAT] < 0.60 ? PROSPECTOR_MINE + 2
                                                            : PROSPECTOR_MINE + 1;
}

/* ---- cautious scanner ---- */

/* Of the rocks around; 1 where there are none, so that nobody scans an empty place. */
static double mean_confidence(const float *o) {
    double sum = 0.0;
    int count = 0;
    for (int a = 0; a < PROSPECTOR_ROCKS; a++) {
        if (rock_of(o, a)[PROSPECTOR_ROCK_PRESENT] > 0.5f) {
            sum += (double)rock_of(o, a)[PROSPECTOR_ROCK_CONFIDENCE];
            count++;
        }
    }
    return count > 0 ? sum / count : 1.0;
}

static int cautious(const float *o) {
    if (o[DOCKED] > 0.5f) {
        int sale = sell_first(o, 1, 0.01, -1);
        if (sale >= 0) {
            return sale;
        }
        if ((double)o[KITS] < 0.30 && credits_of(o) >= 150.0) {
            return PROSPECTOR_BUY_SUPPLY;
        }
        if ((double)o[FUEL] < 0.50 && credits_of(o) >= 120.0) {
            return PROSPECTOR_BUY_FUEL + 1;
        }
        return travel(outbound_slot(o));
    }
    if ((double)o[LOAD] > 0.70 || (double)o[HEAT] > 0.75 || (double)o[HULL] < 0.55 ||
        (double)o[FUEL] < 0.20) {
        return travel_home(o);
    }
    if (mean_confidence(o) < 0.35) {
        return PROSPECTOR_WIDE_SCAN;
    }
    int rock = best_rock(o, value_score);
    if (rock < 0) {
        return travel(outbound_slot(o));
    }
    if (!is_selected(o, rock)) {
        return PROSPECTOR_SELECT + rock;
    }
    if ((double)rock_of(o, rock)[PROSPECTOR_ROCK_CONFIDENCE] < 0.60) {
        return PROSPECTOR_DEEP_SCAN;
    }
    if ((double)rock_of(o, rock)[PROSPECTOR_ROCK_STABILITY] < 0.40 &&
        (double)o[STABILIZERS] > 0.10) {
        return PROSPECTOR_STABILISE;
    }
    return (double)o[HEAT] > 0.70 ? PROSPECTOR_COOL : PROSPECTOR_MINE;
}

/* ---- market timer ---- */

static int timer_at_station(const float *o) {
    double price = (double)o[PROSPECTOR_AT_MARKET + MARKET_TARGET];
    double change = (double)o[PROSPECTOR_AT_MARKET + GOODS + MARKET_TARGET];
    bool force = (double)o[LOAD] > 0.70 || (double)o[TIME] < 0.15;
    if ((double)o[CARGO + MARKET_TARGET] > 0.01 && ((change > 0.01 && price > 0.50) || force)) {
        return PROSPECTOR_SELL + 3 * MARKET_TARGET;
    }
    int sale = force ? sell_first(o, 0, 0.05, MARKET_TARGET) : -1;
    if (sale >= 0) {
        return sale;
    }
    if ((double)o[FUEL] < 0.50 && credits_of(o) >= 120.0) {
        return PROSPECTOR_BUY_FUEL + 1;
    }
    return travel(outbound_slot(o));
}

static int timer(const float *o) {
    if (o[DOCKED] > 0.5f) {
        return timer_at_station(o);
    }
    double heat = (double)o[HEAT], load = (double)o[LOAD];
    double change = (double)o[PROSPECTOR_AT_MARKET + GOODS + MARKET_TARGET];
    int home = station_slot(o);
    if (load > 0.12) {
        if (heat > 0.65) {
            return PROSPECTOR_COOL;
        }
        if (home >= 0) {
            return travel(home);
        }
    }
    if (change < -0.02 && load > 0.25) {
        return heat > 0.60 ? PROSPECTOR_COOL : travel_home(o);
    }
    if (load > 0.85 || heat > 0.80) {
        return heat > 0.70 ? PROSPECTOR_COOL : travel(home);
    }
    int rock = best_rock(o, target_score);
    if (rock < 0) {
        return travel(outbound_slot(o));
    }
    if (!is_selected(o, rock)) {
        return PROSPECTOR_SELECT + rock;
    }
    return heat < 0.60 ? PROSPECTOR_MINE + 1 : PROSPECTOR_MINE;
}

/* ---- as the contract wants them ---- */

#define BASELINE(name, choose)                                                                     \
    static void name(const lu_seat_view *view, int32_t *actions) {                                 \
        actions[0] = choose(view->observation);                                                    \
    }

static int quit(const float *o) {
    (void)o;
    return PROSPECTOR_CASH_OUT;
}

BASELINE(greedy_act, greedy)
BASELINE(cautious_act, cautious)
BASELINE(timer_act, timer)
BASELINE(quit_act, quit)

const lu_bot prospector_bots[PROSPECTOR_BOTS] = {
    {"greedy_miner",
     "Mines the rock that looks most valuable, as hard as it can; reference baseline.", false, 0,
     greedy_act, .wild = true},
    {"cautious_scanner", "Scans before it mines, and mines carefully; reference baseline.", false,
     0, cautious_act, .wild = true},
    {"market_timer", "Mines platinum and waits for its price; reference baseline.", false, 0,
     timer_act, .wild = true},
    {"cash_out", "Ends the episode at once, with nothing.", false, 0, quit_act, .wild = false},
    {"pilot", "Works the fields next to the station, carefully, and sells everything.", false,
     sizeof(pilot_memory), prospector_pilot_act, .wild = false},
    {"ace",
     "Maps the belt, learns what each rock yields, guards its cargo and sells at good prices.",
     false, sizeof(ace_memory), prospector_ace_act, .wild = false},
};
