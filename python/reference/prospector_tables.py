"""Prospector rules, sections 2 to 4: constants, number formats and random numbers.

A Python float is a float64.  A float32 field is either an array('f'), which rounds on every store,
or a scalar stored through f32().  A float32 sum, product or quotient of float32 operands equals the
float64 one rounded once, so f32(a + b) is an exact float32 addition.
"""

from array import array
from math import cos, exp, log, pi, sqrt

# --- 3 Constants ------------------------------------------------------------------------------

COMMODITIES = ("iron", "nickel", "water_ice", "platinum_group", "rare_isotopes", "volatiles")
N_COMMODITIES, N_SLOTS, N_ROCKS, N_ACTIONS = 6, 6, 16, 69
STATION, CLUSTER, HAZARD = 0, 1, 2
UNREACHABLE_HOPS = 31

FUEL_MAX, HULL_MAX, HEAT_MAX = 1000.0, 100.0, 100.0
TOOL_MAX, ALERT_MAX, CARGO_MAX = 100.0, 100.0, 200.0
SUPPLY_MAX = 12  # kits, stabilizers and decoys alike
TIME_MAX = 20000.0
CREDITS_SCALE = log(1.0 + 1.0e7)

#                 iron nickel    ice platinum isotopes volatiles
BASE_PRICE =    ( 45.0,  55.0,  85.0,   145.0,   210.0,    120.0)
LOWEST_PRICE =  ( 12.0,  15.0,  20.0,    50.0,    80.0,     30.0)
HIGHEST_PRICE = (180.0, 200.0, 240.0,   320.0,   420.0,    300.0)
STOCK_SHOWN = (0, 2, 3, 4)  # nickel and volatiles stay hidden

# scan:        blend  gain  noise factor  fuel  alert  dt
SCANS = {
    "wide":    (0.22, 0.10, 1.35, 5.0, 4.0, 3),
    "focused": (0.42, 0.20, 1.00, 4.0, 3.0, 2),
    "deep":    (0.80, 0.45, 0.55, 8.0, 6.0, 4),
}

# mining:      yield heat wear alert noise fracture bias
MINES = {
    "careful": (0.80, 2.0, 0.8, 1.2, 0.05, -0.7),
    "normal":  (1.15, 4.0, 1.6, 2.2, 0.10, 0.0),
    "hard":    (1.55, 7.0, 2.8, 4.0, 0.16, 0.8),
}

REPAIRS = (("tool", 25.0, TOOL_MAX), ("hull", 20.0, HULL_MAX))  # field, amount, most
SELL_SHARES = (0.25, 0.50, 1.00)
FUEL_OFFERS = ((60.0, 120.0), (120.0, 260.0), (210.0, 480.0))  # price, fuel
SUPPLY_OFFERS = (("kits", 150.0), ("stabilizers", 175.0), ("decoys", 110.0))
OVERHAUL_PRICE = 280.0

# reward terms (11) and info metrics (13), in their order
TERMS = ("credits", "cargo", "fuel", "time", "wear", "heat", "damage", "scan", "invalid",
         "pirates", "stranded", "destroyed", "bonus", "spend")
REWARD_TERMS = TERMS[:-1]  # the reference reward is their sum; spending is only reported
METRICS = ("credits", "net_profit", "profit_per_tick", "survival", "overheat_ticks",
           "pirate_encounters", "value_lost_to_pirates", "fuel_used", "hull_damage", "tool_wear",
           "scan_count", "mining_ticks", "cargo_utilization_avg", "time_remaining")

# --- 2 Number formats -------------------------------------------------------------------------

_cell = array("f", [0.0])


def f32(value):
    """Round to float32 (a store into a one-entry array beats struct and ctypes)."""
    _cell[0] = value
    return _cell[0]


def clamp(value, low, high):
    return min(high, max(low, value))


def zeros32(count):
    return array("f", bytes(4 * count))


def normalise(values):
    """Raise every entry to at least 1e-8, then divide by the sum; float64."""
    raised = [max(v, 1e-8) for v in values]
    total = sum_left(raised)
    return [v / total for v in raised]


def sum_left(values):
    """Left-to-right float64 sum (the built-in sum compensates from Python 3.12 on)."""
    total = 0.0
    for v in values:
        total += v
    return total


def sigmoid(x):
    return 1.0 / (1.0 + exp(-x))


# --- 4 Random numbers -------------------------------------------------------------------------

class Pcg32:
    """PCG32 XSH-RR with the fixed stream 54."""

    MULTIPLIER, INCREMENT, MASK64 = 6364136223846793005, 2 * 54 + 1, (1 << 64) - 1

    def __init__(self, seed):
        self.state = 0
        self.u32()
        self.state = (self.state + seed) & self.MASK64
        self.u32()

    def u32(self):
        s = self.state
        self.state = (s * self.MULTIPLIER + self.INCREMENT) & self.MASK64
        x = (((s >> 18) ^ s) >> 27) & 0xFFFFFFFF
        r = s >> 59
        return ((x >> r) | (x << (32 - r))) & 0xFFFFFFFF

    def unit(self):
        return self.u32() / 4294967296.0

    def uniform(self, a, b):
        return a + (b - a) * self.unit()

    def integer(self, a, b):
        return a + self.u32() % (b - a)

    def exp1(self):
        return -log(max(self.unit(), 1e-8))

    def normal(self, mean, deviation):
        u1 = max(self.unit(), 1e-8)
        u2 = self.unit()
        return mean + deviation * (sqrt(-2.0 * log(u1)) * cos(2.0 * pi * u2))

    def lognormal(self, mean, deviation):
        return exp(self.normal(mean, deviation))

    def gamma(self, k):
        return sum_left([self.exp1() for _ in range(k)])

    def beta(self, p, q):
        a = self.gamma(p)
        b = self.gamma(q)
        return a / (a + b)

    def simplex6(self):
        parts = [self.exp1() for _ in range(6)]
        total = sum_left(parts)
        return [p / total for p in parts]
