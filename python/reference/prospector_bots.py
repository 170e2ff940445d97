"""Baseline bots of the prospector rules, section 16, plus two trivial ones.

A bot is a function of the observation alone (260 float32 values); the two random players also
take a Pcg32 of their own, never the game's.  Rules of a bot are tried top to bottom.
"""

from math import exp

from prospector import CASH_OUT, HOLD
from prospector_tables import (CREDITS_SCALE, N_ACTIONS, N_COMMODITIES, N_ROCKS, N_SLOTS, f32,
                               sum_left)

# action numbers
DEEP_SCAN, WIDE_SCAN, SELECT, CAREFUL, NORMAL, HARD = 10, 8, 12, 28, 29, 30
STABILISE, COOL, SELL, FUEL_MEDIUM, FUEL_LARGE, BUY_KIT = 31, 33, 43, 62, 63, 64
SELL_25, SELL_50, SELL_100 = 0, 1, 2

# observation indices
FUEL, HULL, HEAT, TOOL, LOAD, TIME, CREDITS = 0, 1, 2, 3, 4, 6, 7
CARGO, KITS, STABILIZERS, AT_STATION = 8, 14, 15, 17
NEIGHBORS, ROCKS, PRICES, CHANGES = 24, 68, 244, 250
# fields of a neighbour slot (stride 7) and of a rock slot (stride 11)
PRESENT, IS_STATION, IS_CLUSTER = 0, 1, 2
COMPOSITION, STABILITY, DEPLETION, CONFIDENCE, SELECTED = 1, 7, 8, 9, 10


# --- helpers ----------------------------------------------------------------------------------

def lowest_slot(obs, wanted):
    """Lowest existing neighbour slot for which wanted(base index) holds, else None."""
    for slot in range(N_SLOTS):
        base = NEIGHBORS + 7 * slot
        if obs[base + PRESENT] > 0.5 and wanted(base):
            return slot
    return None


def first_of(*slots):
    """First slot that is not missing; travel action k is slot k.  All missing: hold."""
    for slot in slots:
        if slot is not None:
            return slot
    return HOLD


def station_slot(obs):
    return lowest_slot(obs, lambda base: obs[base + IS_STATION] > 0.5)


def any_slot(obs):
    return lowest_slot(obs, lambda base: True)


def outbound(obs):
    return first_of(lowest_slot(obs, lambda base: obs[base + IS_CLUSTER] > 0.5),
                    lowest_slot(obs, lambda base: obs[base + IS_STATION] <= 0.5), any_slot(obs))


def credits_of(obs):
    return exp(obs[CREDITS] * CREDITS_SCALE) - 1.0


def present_rocks(obs):
    return [a for a in range(N_ROCKS) if obs[ROCKS + 11 * a + PRESENT] > 0.5]


def best_rock(obs, score):
    """Present rock with the highest score, the first one on ties; None if there is no rock."""
    return max(present_rocks(obs), key=lambda a: score(obs, ROCKS + 11 * a), default=None)


def value_score(obs, base):
    """Price times composition: float32 products, summed in float64, the sum rounded to float32.

    That is the float32 dot of the BLAS inside numpy's wheels, which recorded the episodes.  With all
    six prices at or above base every dot is 1 up to rounding, so it decides which rock wins (about 1
    greedy episode in 100); it gives the means of section 16, plain float32 sums do not.
    """
    dot = 0.0
    for c in range(N_COMMODITIES):
        dot += f32(obs[PRICES + c] * obs[base + COMPOSITION + c])
    return f32(dot) * obs[base + STABILITY] * (1.0 - obs[base + DEPLETION])


def target_score(target):
    def score(obs, base):
        return (obs[base + COMPOSITION + target] * (0.5 + 0.5 * obs[base + CONFIDENCE])
                * obs[base + STABILITY] * (1.0 - obs[base + DEPLETION]))
    return score


def sale(obs, threshold, share, commodities=range(N_COMMODITIES)):
    """Sell action for the lowest-index commodity above the threshold, else None."""
    for c in commodities:
        if obs[CARGO + c] > threshold:
            return SELL + 3 * c + share
    return None


# --- section 16 -------------------------------------------------------------------------------

def greedy_miner(obs):
    if obs[AT_STATION] > 0.5:
        sell = sale(obs, 0.01, SELL_100)
        if sell is not None:
            return sell
        if obs[FUEL] < 0.40 and credits_of(obs) >= 210.0:
            return FUEL_LARGE
        return outbound(obs)

    if obs[LOAD] > 0.85 or obs[HEAT] > 0.80 or obs[HULL] < 0.40 or obs[FUEL] < 0.15:
        return first_of(station_slot(obs), any_slot(obs))
    rock = best_rock(obs, value_score)
    if rock is None:
        return outbound(obs)
    if obs[ROCKS + 11 * rock + SELECTED] < 0.5:
        return SELECT + rock
    return HARD if obs[TOOL] > 0.60 and obs[HEAT] < 0.60 else NORMAL


def cautious_scanner(obs):
    if obs[AT_STATION] > 0.5:
        sell = sale(obs, 0.01, SELL_50)
        if sell is not None:
            return sell
        if obs[KITS] < 0.30 and credits_of(obs) >= 150.0:
            return BUY_KIT
        if obs[FUEL] < 0.50 and credits_of(obs) >= 120.0:
            return FUEL_MEDIUM
        return outbound(obs)

    if obs[LOAD] > 0.70 or obs[HEAT] > 0.75 or obs[HULL] < 0.55 or obs[FUEL] < 0.20:
        return first_of(station_slot(obs), any_slot(obs))
    confidence = [obs[ROCKS + 11 * a + CONFIDENCE] for a in present_rocks(obs)]
    if confidence and sum_left(confidence) / len(confidence) < 0.35:
        return WIDE_SCAN
    rock = best_rock(obs, value_score)
    if rock is None:
        return outbound(obs)
    base = ROCKS + 11 * rock
    if obs[base + SELECTED] < 0.5:
        return SELECT + rock
    if obs[base + CONFIDENCE] < 0.60:
        return DEEP_SCAN
    if obs[base + STABILITY] < 0.40 and obs[STABILIZERS] > 0.10:
        return STABILISE
    return COOL if obs[HEAT] > 0.70 else CAREFUL


def market_timer(obs, target=3):
    load, heat, change = obs[LOAD], obs[HEAT], obs[CHANGES + target]
    if obs[AT_STATION] > 0.5:
        force = load > 0.70 or obs[TIME] < 0.15
        if (change > 0.01 and obs[PRICES + target] > 0.50) or force:
            sell = sale(obs, 0.01, SELL_25, (target,))
            if sell is not None:
                return sell
        if force:
            sell = sale(obs, 0.05, SELL_25, [c for c in range(N_COMMODITIES) if c != target])
            if sell is not None:
                return sell
        if obs[FUEL] < 0.50 and credits_of(obs) >= 120.0:
            return FUEL_MEDIUM
        return outbound(obs)

    if load > 0.12:
        if heat > 0.65:
            return COOL
        if station_slot(obs) is not None:
            return station_slot(obs)
    if change < -0.02 and load > 0.25:
        return COOL if heat > 0.60 else first_of(station_slot(obs), any_slot(obs))
    if load > 0.85 or heat > 0.80:
        return COOL if heat > 0.70 else first_of(station_slot(obs))
    rock = best_rock(obs, target_score(target))
    if rock is None:
        return outbound(obs)
    if obs[ROCKS + 11 * rock + SELECTED] < 0.5:
        return SELECT + rock
    return NORMAL if heat < 0.60 else CAREFUL


# --- trivial players --------------------------------------------------------------------------

def cash_out(obs):
    return CASH_OUT


def random_any(rng):
    """Uniform over the 69 actions, legal or not."""
    return rng.integer(0, N_ACTIONS)


def random_legal(rng, mask):
    """Uniform over the legal actions, cash out among them."""
    legal = [a for a in range(N_ACTIONS) if mask[a]]
    return legal[rng.integer(0, len(legal))]


BOTS = {
    "greedy_miner": greedy_miner,
    "cautious_scanner": cautious_scanner,
    "market_timer": market_timer,
    "cash_out": cash_out,
}
