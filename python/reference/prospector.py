"""Asteroid Belt Prospector: readable reference of the rules, used only to validate the C core.

It follows the rules text section by section (numbers in the headings) and prefers the plain form
of a rule over a fast one.  Sections 2 to 4 stand in prospector_tables.py, which also says how
float32 storage is written here.  Nothing but the standard library is needed.

Left out on purpose: lazy rocks, batching, rendering and every reward except the reference one.
"""

from array import array
from math import exp, log1p, pi, sin, sqrt

from prospector_tables import *  # constants, f32, clamp, normalise, sigmoid, sum_left, Pcg32

# action number -> (method, argument); the method returns dt, or None for an invalid action
HOLD, CASH_OUT, SCAN_ACTIONS = 6, 68, (8, 9, 10)
ACTIONS = (
    [("_travel", k) for k in range(N_SLOTS)]                                      # 0-5
    + [("_hold", None), ("_burn", None)]                                          # 6, 7
    + [("_wide_scan", None)]                                                      # 8
    + [("_scan_selected", "focused"), ("_scan_selected", "deep")]                 # 9, 10
    + [("_listen", None)]                                                         # 11
    + [("_select", k) for k in range(N_ROCKS)]                                    # 12-27
    + [("_mine", mode) for mode in MINES]                                         # 28-30
    + [("_stabilise", None), ("_refine", None), ("_cool", None)]                  # 31-33
    + [("_use_kit", repair) for repair in REPAIRS]                                  # 34, 35
    + [("_jettison", c) for c in range(N_COMMODITIES)]                            # 36-41
    + [("_dock", None)]                                                           # 42
    + [("_sell", (c, s)) for c in range(N_COMMODITIES) for s in SELL_SHARES]      # 43-60
    + [("_buy_fuel", offer) for offer in FUEL_OFFERS]                             # 61-63
    + [("_buy_supply", offer) for offer in SUPPLY_OFFERS]                         # 64-66
    + [("_overhaul", None), ("_cash_out", None)]                                  # 67, 68
)
assert len(ACTIONS) == N_ACTIONS

# --- 5 State ----------------------------------------------------------------------------------

class Rock:
    """One rock slot that is present; the first four fields are hidden from the pilot."""

    __slots__ = ("composition", "richness", "stability", "noise", "composition_estimate",
                 "stability_estimate", "confidence", "depletion", "shown_composition")

    def __init__(self, rng):  # 20 draws
        self.composition = array("f", rng.simplex6())
        self.richness = f32(clamp(rng.lognormal(-0.2, 0.65), 0.2, 4.0))
        self.stability = f32(rng.beta(3, 2))
        self.noise = f32(rng.uniform(0.04, 0.22))
        self.stability_estimate, self.confidence, self.depletion = 0.5, f32(0.10), 0.0
        self.set_estimate(rng.simplex6())

    def set_estimate(self, composition):
        self.composition_estimate = array("f", composition)
        self.shown_composition = normalise(self.composition_estimate)  # what the pilot sees


class Prospector:
    def __init__(self, seed=None, time_max=TIME_MAX):
        self.time_max = float(time_max)
        self.rng = Pcg32(0)
        self.done = True
        if seed is not None:
            self.reset(seed)

    def reset(self, seed=None):
        """Start an episode; without a seed the generator keeps drawing.  Returns (obs, info)."""
        if seed is not None:
            self.rng = Pcg32(seed)
        self._make_world()

        # ship
        self.fuel, self.hull, self.tool = FUEL_MAX, HULL_MAX, TOOL_MAX
        self.heat, self.alert = 0.0, 0.0
        self.credits, self.time_left = 0.0, self.time_max
        self.cargo = zeros32(N_COMMODITIES)
        self.kits, self.stabilizers, self.decoys = 3, 2, 1
        self.node, self.selected = 0, -1
        self.escape_ticks, self.stabilise_ticks = 0, [0] * N_ROCKS  # the latter per slot number

        # counters
        self.ticks = self.overheat_ticks = self.encounters = self.scans = self.mining_ticks = 0
        self.total_spend = self.value_lost = self.use_sum = 0.0
        self.use_weight = 0

        self.done = False
        info = self._info(action=-1, dt=0, invalid=False, terminated=False, truncated=False,
                          survival=1.0, terms=dict.fromkeys(TERMS, 0.0))
        return self._observe(), info

    # --- 6 World generation -------------------------------------------------------------------

    def _make_world(self):
        rng = self.rng
        n = self.node_count = rng.integer(8, 33)

        # node 0 is the station: no hazard, no pirates
        self.node_type = [STATION] * n
        self.node_hazard, self.node_pirate = zeros32(n), zeros32(n)
        for i in range(1, n):
            self.node_type[i] = HAZARD if rng.unit() < 0.25 else CLUSTER
            self.node_hazard[i] = rng.uniform(0.05, 0.35)
            self.node_pirate[i] = rng.uniform(0.05, 0.30)
            if self.node_type[i] == HAZARD:
                self.node_hazard[i] = clamp(self.node_hazard[i] + 0.25, 0.0, 1.0)
                self.node_pirate[i] = clamp(self.node_pirate[i] + 0.12, 0.0, 1.0)

        # a random tree, then n tries for another edge
        self.neighbors = [[-1] * N_SLOTS for _ in range(n)]
        self.edge_time = [[1] * N_SLOTS for _ in range(n)]
        self.edge_fuel = [zeros32(N_SLOTS) for _ in range(n)]
        self.edge_threat = [zeros32(N_SLOTS) for _ in range(n)]
        self.edge_estimate = [array("f", [0.5] * N_SLOTS) for _ in range(n)]
        for i in range(1, n):
            self._add_edge(i, rng.integer(0, i))
        for _ in range(n):
            u = rng.integer(0, n)
            v = rng.integer(0, n)
            if u != v:
                self._add_edge(u, v)
        self.hops = self._hops_to_station()

        # rocks everywhere but at the station
        self.rocks = [[]]
        for _ in range(1, n):
            self.rocks.append([Rock(rng) for _ in range(rng.integer(5, 17))])

        # market
        self.price, self.last_price = zeros32(N_COMMODITIES), zeros32(N_COMMODITIES)
        self.stock, self.recent_sales = zeros32(N_COMMODITIES), zeros32(N_COMMODITIES)
        self.phase, self.period = zeros32(N_COMMODITIES), zeros32(N_COMMODITIES)
        self.amplitude = zeros32(N_COMMODITIES)
        for c in range(N_COMMODITIES):
            self.stock[c] = rng.uniform(20.0, 120.0)
            self.phase[c] = rng.uniform(0.0, 2.0 * pi)
            self.period[c] = rng.uniform(180.0, 380.0)
            self.amplitude[c] = BASE_PRICE[c] * rng.uniform(0.10, 0.30)
            self.price[c] = clamp(BASE_PRICE[c] + self.amplitude[c] * sin(self.phase[c]),
                                  LOWEST_PRICE[c], HIGHEST_PRICE[c])
            self.last_price[c] = self.price[c]

    def _add_edge(self, u, v):
        of_u, of_v = self.neighbors[u], self.neighbors[v]
        if v in of_u or -1 not in of_u or -1 not in of_v:
            return
        time = self.rng.integer(1, 9)
        fuel = self.rng.uniform(20.0, 112.0)
        hazard = f32(self.node_hazard[u] + self.node_hazard[v])
        pirate = f32(self.node_pirate[u] + self.node_pirate[v])
        threat = clamp(0.5 * hazard + 0.5 * pirate + self.rng.normal(0.0, 0.05), 0.0, 1.0)
        for here, there in ((u, v), (v, u)):
            slot = self.neighbors[here].index(-1)
            self.neighbors[here][slot] = there
            self.edge_time[here][slot] = time
            self.edge_fuel[here][slot] = fuel
            self.edge_threat[here][slot] = threat

    def _hops_to_station(self):
        hops = [UNREACHABLE_HOPS] * self.node_count
        hops[0] = 0
        queue = [0]
        for node in queue:
            for other in self.neighbors[node]:
                if other > 0 and hops[other] == UNREACHABLE_HOPS:
                    hops[other] = hops[node] + 1
                    queue.append(other)
        return hops

    # --- 7 Order of one step ------------------------------------------------------------------

    def step(self, action):
        """One decision: (obs array('f') of 260, reward, terminated, truncated, info)."""
        if self.done:
            raise RuntimeError("the episode is over: call reset() before step()")
        before = (self.credits, self.fuel, self.hull, self.tool, self.cargo_value(),
                  self.value_lost, self.total_spend)

        # the action; an out-of-range one becomes a hold, and holds once more as an invalid one
        in_range = 0 <= action < N_ACTIONS
        resolved = action if in_range else HOLD
        method, argument = ACTIONS[resolved]
        dt = getattr(self, method)(argument)  # None: invalid
        invalid = not in_range or dt is None
        if invalid:
            dt = self._hold()

        self._global_dynamics(dt)
        self.ticks += dt

        # 10 End of episode
        destroyed = self.hull <= 0.0
        stranded = self.fuel <= 0.0 and self.node != 0
        terminated = destroyed or stranded or resolved == CASH_OUT
        truncated = self.time_left <= 0.0 and not terminated
        self.done = terminated or truncated

        terms = self._terms(before, resolved, dt, invalid, destroyed, stranded)
        reward = sum_left(terms[name] for name in REWARD_TERMS)
        info = self._info(resolved, dt, invalid, terminated, truncated,
                          0.0 if destroyed or stranded else 1.0, terms)
        return self._observe(), reward, terminated, truncated, info

    # --- 8 Actions ----------------------------------------------------------------------------

    def cargo_total(self):
        """Sum of cargo in float32, left to right."""
        total = 0.0
        for amount in self.cargo:
            total = f32(total + amount)
        return total

    def cargo_value(self):
        return sum_left([amount * price for amount, price in zip(self.cargo, self.price)])

    def scale_cargo(self, factor):
        factor = f32(factor)
        for c in range(N_COMMODITIES):
            self.cargo[c] = self.cargo[c] * factor

    def selected_rock(self):
        """The selected rock if it is present here and not depleted, else None."""
        here = self.rocks[self.node]
        if 0 <= self.selected < len(here) and here[self.selected].depletion < 1.0:
            return here[self.selected]
        return None

    def _hold(self, _=None):
        self.alert = max(0.0, self.alert - 3.0)
        self.heat = max(0.0, self.heat - 2.5)
        return 1

    def _burn(self, _):
        self.fuel -= 18.0
        self.alert += 10.0
        self.escape_ticks = max(self.escape_ticks, 4)
        return 1

    def _listen(self, _):
        estimate = self.edge_estimate[self.node]
        for slot, other in enumerate(self.neighbors[self.node]):
            if other >= 0:
                true = self.edge_threat[self.node][slot]
                heard = clamp(true + self.rng.normal(0.0, 0.08), 0.0, 1.0)
                estimate[slot] = 0.25 * estimate[slot] + 0.75 * heard
        return 2

    def _select(self, slot):
        here = self.rocks[self.node]
        if slot >= len(here) or here[slot].depletion >= 1.0:
            return None
        self.selected = slot
        return 1

    def _stabilise(self, _):
        if self.selected_rock() is None or self.stabilizers <= 0:
            return None
        self.stabilizers -= 1
        self.stabilise_ticks[self.selected] = 6
        return 2

    def _cool(self, _):
        self.fuel -= 2.0
        self.heat = max(0.0, self.heat - 20.0)
        self.alert += 1.0
        return 2

    def _use_kit(self, repair):
        name, amount, most = repair
        if self.kits <= 0:
            return None
        self.kits -= 1
        setattr(self, name, min(most, getattr(self, name) + amount))
        return 2

    def _jettison(self, c):
        self.cargo[c] = 0.0
        self.alert = max(0.0, self.alert - 8.0)
        return 1

    def _dock(self, _):
        if self.node != 0:
            return None
        self.alert = max(0.0, self.alert - 20.0)
        return 1

    def _pay(self, price):
        if self.node != 0 or self.credits < price:
            return False
        self.credits -= price
        self.total_spend += price
        return True

    def _buy_fuel(self, offer):
        price, amount = offer
        if not self._pay(price):
            return None
        self.fuel = min(FUEL_MAX, self.fuel + amount)
        return 1

    def _buy_supply(self, offer):
        name, price = offer
        if getattr(self, name) >= SUPPLY_MAX or not self._pay(price):
            return None
        setattr(self, name, getattr(self, name) + 1)
        return 1

    def _overhaul(self, _):
        if not self._pay(OVERHAUL_PRICE):
            return None
        self.hull, self.tool = HULL_MAX, TOOL_MAX
        return 3

    def _cash_out(self, _):
        return 1

    # 8.1 Travel
    def _travel(self, slot):
        start = self.node
        if self.neighbors[start][slot] < 0:
            return None
        dt = self.edge_time[start][slot]
        threat = self.edge_threat[start][slot]
        self.fuel -= self.edge_fuel[start][slot] * (1.0 + 0.5 * (self.cargo_total() / CARGO_MAX))
        self.node = self.neighbors[start][slot]
        self.selected = -1
        self.hull -= dt * threat * 0.7 * self.rng.uniform(0.85, 1.15)
        self.heat += dt * threat * 0.5
        self.alert += dt * threat * 0.8
        self._pirate_check(dt, threat)
        return dt

    # 8.2 Scan
    def _scan_rock(self, rock, mode):
        blend, gain, factor = SCANS[mode][:3]
        normal = self.rng.normal
        s = rock.noise * (1.0 - rock.confidence + 0.1) * factor
        noisy = normalise([true + normal(0.0, s) for true in rock.composition])
        rock.set_estimate(normalise([(1.0 - blend) * old + blend * new for old, new
                                     in zip(rock.composition_estimate, noisy)]))
        y = clamp(rock.stability + normal(0.0, s), 0.0, 1.0)
        rock.stability_estimate = f32(clamp((1.0 - blend) * rock.stability_estimate + blend * y,
                                            0.0, 1.0))
        rock.confidence = f32(clamp(rock.confidence + gain, 0.0, 1.0))

    def _pay_scan(self, mode):
        fuel, alert, dt = SCANS[mode][3:]
        self.fuel -= fuel
        self.alert += alert
        return dt

    def _wide_scan(self, _):
        dt = self._pay_scan("wide")
        for rock in self.rocks[self.node]:
            self._scan_rock(rock, "wide")
        self.scans += 1
        return dt

    def _scan_selected(self, mode):
        dt = self._pay_scan(mode)  # charged even when there is nothing to scan
        rock = self.selected_rock()
        if rock is None:
            return None
        self._scan_rock(rock, mode)
        self.scans += 1
        return dt

    # 8.3 Mining
    def _mine(self, mode):
        rock = self.selected_rock()
        if rock is None:
            return None
        rate, heat, wear, alert, noise, bias = MINES[mode]
        tf = clamp(self.tool / 100.0, 0.0, 1.0)
        hf = clamp(self.heat / 100.0, 0.0, 2.0)

        # extraction, cut down to the free hold
        heat_factor = 1.0 if hf <= 0.7 else max(0.1, 1.0 - (hf - 0.7) / 0.3)
        amount = (rock.richness * (1.0 - rock.depletion) * (0.4 + 0.6 * tf) * heat_factor * rate
                  * exp(self.rng.normal(0.0, noise)))
        extracted = [amount * share for share in rock.composition]
        total = sum_left(extracted)
        free = max(0.0, CARGO_MAX - self.cargo_total())
        if total > free:
            scale = free / total
            extracted = [e * scale for e in extracted]
            total = sum_left(extracted)
        for c in range(N_COMMODITIES):
            self.cargo[c] = self.cargo[c] + f32(extracted[c])

        self.heat += heat
        self.tool -= wear
        self.alert += alert
        rock.depletion = f32(clamp(rock.depletion + 0.01 * total, 0.0, 1.0))
        self.mining_ticks += 1

        # fracture
        odds = (-3.1 + bias + 2.5 * (1.0 - rock.stability) + 2.2 * max(0.0, hf - 0.7)
                + 1.5 * (1.0 - tf) - 1.1 * (self.stabilise_ticks[self.selected] > 0))
        if self.rng.unit() < sigmoid(odds):
            self.hull -= 12.0 * self.rng.uniform(0.5, 1.0)
            rock.depletion = 1.0
            self.node_hazard[self.node] = clamp(self.node_hazard[self.node] + 0.1, 0.0, 1.0)
        return 1

    # 8.4 Refining
    def _refine(self, _):
        self.fuel -= 4.0
        self.heat += 6.0
        self.alert += 3.0
        low_grade = f32(self.cargo[0] + self.cargo[1])
        if low_grade > 0.0:
            used = 0.15 * low_grade
            keep = f32(1.0 - min(1.0, used / low_grade))
            self.cargo[0] = self.cargo[0] * keep
            self.cargo[1] = self.cargo[1] * keep
            self.cargo[4] = self.cargo[4] + f32(0.65 * used)
        return 2

    # 8.5 Selling
    def _sell(self, order):
        if self.node != 0:
            return None
        c, share = order
        q = self.cargo[c] * share
        if q > 0.0:
            r = q / max(1.0, self.stock[c] + q)
            slippage = clamp(0.25 * r + 0.2 * sqrt(r), 0.0, 0.70)
            self.credits += q * self.price[c] * (1.0 - slippage)
            self.cargo[c] = max(0.0, self.cargo[c] - q)
            self.stock[c] = self.stock[c] + f32(q)
            self.recent_sales[c] = self.recent_sales[c] + f32(q)
        return 1

    # --- 9 Global dynamics --------------------------------------------------------------------

    def _global_dynamics(self, dt):
        self.time_left -= dt
        self.heat = max(0.0, self.heat - 2.5 * dt)
        self.escape_ticks = max(0, self.escape_ticks - dt)
        self.stabilise_ticks = [max(0, ticks - dt) for ticks in self.stabilise_ticks]

        if self.heat > HEAT_MAX:
            self.hull -= 1.25 * (self.heat - HEAT_MAX)
            self.heat = HEAT_MAX
            self.overheat_ticks += dt

        if self.node != 0:
            hazard = self.node_hazard[self.node]
            if hazard > 0.0:
                self.hull -= dt * hazard * 0.7 * self.rng.uniform(0.8, 1.2)
                self.heat += dt * hazard * 0.5
                self.alert += dt * hazard * 0.8
            self._pirate_check(dt, self.node_pirate[self.node])

        self._move_market(dt)

        self.fuel = clamp(self.fuel, 0.0, FUEL_MAX)
        self.hull = clamp(self.hull, 0.0, HULL_MAX)
        self.heat = clamp(self.heat, 0.0, HEAT_MAX)
        self.tool = clamp(self.tool, 0.0, TOOL_MAX)
        self.alert = clamp(self.alert, 0.0, ALERT_MAX)
        self.time_left = clamp(self.time_left, 0.0, self.time_max)
        for c in range(N_COMMODITIES):
            self.cargo[c] = clamp(self.cargo[c], 0.0, CARGO_MAX)
        total = self.cargo_total()
        if total > CARGO_MAX:
            self.scale_cargo(CARGO_MAX / total)

        self.use_sum += clamp(self.cargo_total() / CARGO_MAX, 0.0, 1.0) * dt
        self.use_weight += dt

    def _move_market(self, dt):
        t = self.ticks + dt
        for c in range(N_COMMODITIES):
            base = BASE_PRICE[c]
            wave = self.amplitude[c] * sin(2.0 * pi * t / self.period[c] + self.phase[c])
            noise = self.rng.normal(0.0, 0.03 * base * sqrt(dt))
            price = base + wave - 0.04 * self.stock[c] - 0.05 * self.recent_sales[c] + noise
            self.last_price[c] = self.price[c]
            self.price[c] = clamp(price, LOWEST_PRICE[c], HIGHEST_PRICE[c])
        fade, leak = f32(exp(-dt / 14.0)), f32(0.998)
        for c in range(N_COMMODITIES):
            self.recent_sales[c] = self.recent_sales[c] * fade
            self.stock[c] = self.stock[c] * leak

    def _pirate_check(self, dt, intensity):
        if self.node == 0:
            return
        value = self.cargo_value()
        p1 = sigmoid(-4.0 + 3.0 * intensity + 2.2 * clamp(self.alert / 100.0, 0.0, 1.0)
                     + 0.8 * log1p(value / 1000.0) - 2.8 * (self.escape_ticks > 0))
        if self.rng.unit() >= 1.0 - (1.0 - p1) ** dt:
            return
        self.encounters += 1
        share = self.rng.uniform(0.08, 0.20)
        if self.decoys > 0 and self.rng.unit() < 0.6:
            self.decoys -= 1
            share *= 0.3
        self.scale_cargo(1.0 - share)
        self.value_lost += max(0.0, value - self.cargo_value())
        self.hull -= self.rng.uniform(1.0, 4.0)
        self.alert += 8.0

    # --- 11 Reward ----------------------------------------------------------------------------

    def _terms(self, before, action, dt, invalid, destroyed, stranded):
        credits, fuel, hull, tool, cargo_value, value_lost, spent = before
        lost = destroyed or stranded
        return {
            "credits": (self.credits - credits) / 1000.0,
            "cargo": 0.02 * max(0.0, self.cargo_value() - cargo_value) / 1000.0,
            "fuel": -0.10 * max(0.0, fuel - self.fuel) / 100.0,
            "time": -0.001 * dt,
            "wear": -0.05 * max(0.0, tool - self.tool) / 10.0,
            "heat": -0.20 * (max(0.0, self.heat - 70.0) / 100.0) ** 2,
            "damage": -1.00 * max(0.0, hull - self.hull) / 10.0,
            "scan": -0.005 if action in SCAN_ACTIONS else 0.0,
            "invalid": -0.01 if invalid else 0.0,
            "pirates": -1.00 * (self.value_lost - value_lost) / 1000.0,
            "stranded": -50.0 if stranded else 0.0,
            "destroyed": -100.0 if destroyed else 0.0,
            "bonus": 0.002 * self.credits / 1000.0 if self.done and not lost else 0.0,
            "spend": -(self.total_spend - spent) / 1000.0,
        }

    # --- 12 Observation -----------------------------------------------------------------------

    def _observe(self):
        kind = self.node_type[self.node]
        money = log1p(max(0.0, self.credits)) / CREDITS_SCALE

        obs = [self.fuel / FUEL_MAX, self.hull / HULL_MAX, self.heat / HEAT_MAX,
               self.tool / TOOL_MAX, clamp(self.cargo_total() / CARGO_MAX, 0.0, 1.0),
               self.alert / ALERT_MAX, self.time_left / self.time_max, clamp(money, 0.0, 1.0)]
        obs += [amount / CARGO_MAX for amount in self.cargo]
        obs += [self.kits / SUPPLY_MAX, self.stabilizers / SUPPLY_MAX, self.decoys / SUPPLY_MAX,
                self.node == 0, self.selected_rock() is not None,
                kind == STATION, kind == CLUSTER, kind == HAZARD,
                self.node / 31.0, self.hops[self.node] / 31.0]

        # 24-65 neighbour slots; 66 and 67 stay empty
        for slot, other in enumerate(self.neighbors[self.node]):
            if other < 0:
                obs += (0.0,) * 7
                continue
            kind = self.node_type[other]
            obs += (1.0, kind == STATION, kind == CLUSTER, kind == HAZARD,
                    self.edge_time[self.node][slot] / 8.0,
                    clamp(self.edge_fuel[self.node][slot] / 160.0, 0.0, 1.0),
                    self.edge_estimate[self.node][slot])
        obs += (0.0, 0.0)

        # 68-243 rock slots
        here = self.rocks[self.node]
        for slot, rock in enumerate(here):
            obs += (1.0, *rock.shown_composition, rock.stability_estimate, rock.depletion,
                    rock.confidence, slot == self.selected)
        obs += (0.0,) * (11 * (N_ROCKS - len(here)))

        # 244-259 market
        obs += [clamp(p / base, 0.0, 1.0) for p, base in zip(self.price, BASE_PRICE)]
        obs += [clamp((p - last) / 100.0, -1.0, 1.0)
                for p, last in zip(self.price, self.last_price)]
        obs += [clamp(self.stock[c] / 500.0, 0.0, 1.0) for c in STOCK_SHOWN]
        return array("f", obs)

    # --- 13 Info metrics ----------------------------------------------------------------------

    def _info(self, action, dt, invalid, terminated, truncated, survival, terms):
        profit = self.credits - self.total_spend
        return {
            "action": action, "dt": dt, "invalid_action": invalid,
            "terminated": terminated, "truncated": truncated,
            "credits": self.credits, "net_profit": profit,
            "profit_per_tick": profit / max(1, self.ticks),
            "survival": survival,
            "overheat_ticks": self.overheat_ticks,
            "pirate_encounters": self.encounters,
            "value_lost_to_pirates": self.value_lost,
            "fuel_used": max(0.0, FUEL_MAX - self.fuel),
            "hull_damage": max(0.0, HULL_MAX - self.hull),
            "tool_wear": max(0.0, TOOL_MAX - self.tool),
            "scan_count": self.scans, "mining_ticks": self.mining_ticks,
            "cargo_utilization_avg": self.use_sum / self.use_weight if self.use_weight else 0.0,
            "node_context": "station" if self.node == 0 else "field",
            "time_remaining": self.time_left,
            "rng": f"{self.rng.state:016x}",
            "terms": terms,
        }

    # --- 14 Action mask -----------------------------------------------------------------------

    def mask(self):
        """69 entries, 1 where the action would not be flagged invalid now."""
        home, money = self.node == 0, self.credits
        sel = self.selected_rock() is not None
        here = self.rocks[self.node]
        kit = self.kits > 0
        legal = [other >= 0 for other in self.neighbors[self.node]]                   # 0-5
        legal += (True, True, True, sel, sel, True)                                   # 6-11
        legal += [rock.depletion < 1.0 for rock in here]                              # 12-27
        legal += (False,) * (N_ROCKS - len(here))
        legal += (sel, sel, sel, sel and self.stabilizers > 0, True, True, kit, kit)  # 28-35
        legal += (True,) * 6 + (home,) * 19                                           # 36-60
        legal += [home and money >= price for price, _ in FUEL_OFFERS]                # 61-63
        legal += [home and money >= price and getattr(self, name) < SUPPLY_MAX        # 64-66
                  for name, price in SUPPLY_OFFERS]
        legal += (home and money >= OVERHAUL_PRICE, True)                             # 67, 68
        return [int(entry) for entry in legal]
