"""Players of the parity suites: which actions the two sides are compared on.

A player is a function (env, obs, rng) -> action.  It may look at the hidden state of the reference:
its purpose is to reach rare rules, not to be fair.  `rng` is the player's own generator.
"""

from prospector import CASH_OUT, HOLD
from prospector_bots import BOTS, random_legal
from prospector_tables import BASE_PRICE

# B: illegal in turn at home or outside; 324 and -188 would be cash out if cut to 8 bits
PATTERN_B = (-1, 69, 29, 9, 10, 31, 67, 64, 324, 0, 12, 43, 63, 42, -188, 5)
# C: out by slot 0, scan, mine, refine, patch, back by slot 0 (a node's slot 0 is its parent), trade
PATTERN_C = (0, 8, 12, 10, 31, 29, 28, 30, 32, 35, 0, 45, 57, 61)

SELECT, CAREFUL, HARD, STABILISE, COOL, PATCH, DOCK, SELL = 12, 28, 30, 31, 33, 35, 42, 43
OVERHAUL, FUEL_OFFERS, SUPPLIES = 67, (63, 62, 61), (64, 65, 66)


def any_action(env, obs, rng):
    return rng.integer(-5, 75)


def pattern_b(env, obs, rng):
    return PATTERN_B[env.decisions % len(PATTERN_B)]


def pattern_c(env, obs, rng):
    return PATTERN_C[env.decisions % len(PATTERN_C)]


# --- suite D ----------------------------------------------------------------------------------

def of_bot(name):
    return lambda env, obs, rng: BOTS[name](obs)


def legal(env, obs, rng):
    """Random legal play without cash out."""
    mask = env.mask()
    mask[CASH_OUT] = 0
    return random_legal(rng, mask)


def slots(env, wanted=lambda other: True):
    """Existing slots of this node whose neighbour is wanted, the quickest edge first."""
    here = env.neighbors[env.node]
    found = [k for k in range(6) if here[k] >= 0 and wanted(here[k])]
    return sorted(found, key=lambda k: env.edge_time[env.node][k])


def toward_home(env):
    return min(slots(env), key=lambda k: env.hops[env.neighbors[env.node][k]])


def rock_worth(rock):
    value = sum(share * price for share, price in zip(rock.composition, BASE_PRICE))
    return value * rock.richness * (1.0 - rock.depletion) * rock.stability ** 2


def node_worth(env, node):
    best = sorted(map(rock_worth, env.rocks[node]))[-3:]
    return sum(best) * (1.0 - env.node_hazard[node])


def select_or(env, action, key):
    """`action` if the best rock by key is selected, else the selection; hold without rocks."""
    here = env.rocks[env.node]
    alive = [a for a in range(len(here)) if here[a].depletion < 1.0]
    if not alive:
        return HOLD
    best = max(alive, key=lambda a: key(here[a]))
    return action if env.selected == best else SELECT + best


def pilot(env, obs, rng):
    """Trades at home, mines station neighbours, repairs, retires there; gets rich and old."""
    chance = rng.unit()
    if chance < 0.01 and env.hull > 50.0 and env.fuel > 250.0:
        action = rng.integer(-5, 75)
        return HOLD if action == CASH_OUT else action
    mask = env.mask()
    if env.node == 0:
        cargo = [c for c in range(6) if env.cargo[c] > 0.5]
        if cargo:
            return SELL + 3 * cargo[0] + (2 if chance < 0.7 else rng.integer(0, 3))
        if env.hull < 85.0 and (mask[OVERHAUL] or mask[PATCH]):
            return OVERHAUL if mask[OVERHAUL] else PATCH
        if env.fuel < 600.0 and any(mask[a] for a in FUEL_OFFERS):
            return next(a for a in FUEL_OFFERS if mask[a])
        if env.credits > 1500.0 and chance < 0.5:
            return SUPPLIES[rng.integer(0, 3)]
        if chance < 0.1 or env.alert > 20.0:
            return (DOCK, DOCK, 11, COOL, 8, 36)[rng.integer(0, 6)]
        worth = [(node_worth(env, env.neighbors[0][k]) / (4 + env.edge_time[0][k]), k)
                 for k in slots(env)]
        best, slot = max(worth)
        retired = best < 3.0 or env.hull < 50.0 or env.fuel < 300.0
        return (HOLD, HOLD, DOCK, 8)[rng.integer(0, 4)] if retired else slot
    if env.hops[env.node] > 1 or env.hull < 65.0 or env.fuel < 250.0 or sum(env.cargo) > 50.0:
        return toward_home(env)
    if env.heat > 60.0:
        return COOL
    if chance > 0.97:
        return (8, 9, 10, 11, 7, 32, 34)[rng.integer(0, 7)]
    if not any(rock.depletion < 1.0 for rock in env.rocks[env.node]):
        return toward_home(env)
    if chance > 0.94 and mask[STABILISE]:
        return STABILISE
    return select_or(env, CAREFUL, rock_worth)


def hot_miner(env, obs, rng):
    """Mines hard without cooling: fractures, overheating and the heat factor."""
    if env.node == 0 or not any(rock.depletion < 1.0 for rock in env.rocks[env.node]):
        return (slots(env, lambda other: other != 0) or slots(env))[0]
    return select_or(env, HARD, lambda rock: rock.stability)


def stabiliser(env, obs, rng):
    """Stabilises a slot, flies on by the quickest edge and mines the same slot number there."""
    ready = [a for a in range(len(env.rocks[env.node])) if env.stabilise_ticks[a] > 0
             and env.rocks[env.node][a].depletion < 1.0]
    if env.node and env.selected in ready:
        stay = env.stabilise_ticks[env.selected] >= 4  # fresh: carry it away
        return slots(env)[0] if stay else HARD
    if env.node and ready:
        return SELECT + ready[0]
    if env.node == 0:
        return slots(env)[0]
    if env.mask()[STABILISE]:
        return STABILISE
    return select_or(env, HARD, lambda rock: -rock.stability)


PLAYERS_D = (of_bot("greedy_miner"), pilot, hot_miner, of_bot("cautious_scanner"), stabiliser,
             legal, of_bot("market_timer"))

# suite: (player of the episode with this seed, tick budgets)
SUITES = {
    "A": (lambda seed: any_action, (2000, 8000)),
    "B": (lambda seed: pattern_b, (2000, 8000)),
    "C": (lambda seed: pattern_c, (2000, 8000)),
    "D": (lambda seed: PLAYERS_D[seed % len(PLAYERS_D)], (2000, 8000, 20000)),
}
