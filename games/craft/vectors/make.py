#!/usr/bin/env python3
"""Cases of our own beside the public ones (P1 to P12), answered by a second reading of the rules.

    python3 games/craft/vectors/make.py           writes O*.json
    python3 games/craft/vectors/make.py --check   answers them again; exits 1 where a file says otherwise

Nothing here is shared with the C code but the tables of ../data: items are tuples of modifiers, every
outcome is enumerated, a cheapest plan is found by policy iteration over them, and its cost is played
too (`verified`: mean, standard error, distance in standard errors). The pools are
small (low item levels), so that plain Python takes a few seconds in all.
"""

import csv
import json
import math
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PLAYS = 4000
RARITIES = ("normal", "magic", "rare")


def table(name):
    with open(HERE.parent / "data" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


MODS = {row["mod"]: row for row in table("mods.csv")}
BASES = {row["base"]: row for row in table("bases.csv")}
CURRENCIES = {row["currency"]: row for row in table("currencies.csv")}
ESSENCES = {row["essence"]: row for row in table("essences.csv")}


class Pool:
    """What a base may have at an item level: modifiers as (id, side, family, level, hits)."""

    def __init__(self, case):
        base = BASES[case["base"]]
        self.ilvl, self.version = case["ilvl"], str(case.get("version", "0.4"))
        self.side_first = case.get("side_choice") == "side_first"
        self.returns = case.get("removed_can_return", 1)
        self.limits = {"normal": (0, 0), "magic": (1, 1), "rare": (int(base["rare_prefixes"]), int(base["rare_suffixes"]))}
        tags, weights = set(base["tags"].split("|")), {}
        for row in table("weights.csv"):
            if base["pool"] in row["pools"].split("|"):
                weights[row["mod"]] = int(row["weight"])
        flat = case.get("weights") == "flat"
        here = [m for m in weights if MODS[m]["origin"] == "natural"]
        self.ladders = {}
        for m in here:
            self.ladders.setdefault(MODS[m]["ladder"], []).append(m)
        for ladder in self.ladders.values():
            ladder.sort(key=lambda m: -int(MODS[m]["level"]))
        self.weight = {m: 1 if flat else weights[m] for m in here
                       if int(MODS[m]["level"]) <= self.ilvl and self.spawns(m, tags)}
        self.pool = base["pool"]

    @staticmethod
    def spawns(mod, tags):
        for entry in MODS[mod]["spawn"].split("|"):
            tag, value = entry.split("=")
            if tag in tags:
                return value == "1"
        return False

    def tier(self, mod):
        ladder = self.ladders.get(MODS[mod]["ladder"], [])
        return ladder.index(mod) + 1 if mod in ladder else 1

    def above(self, floor):
        """Modifiers of a draw: a ladder that would lose every tier keeps its best one."""
        kept = {}
        for ladder in self.ladders.values():
            there = [m for m in ladder if m in self.weight]
            high = [m for m in there if int(MODS[m]["level"]) >= floor]
            kept.update({m: self.weight[m] for m in high or there[:1]})
        return kept


class Rules:
    """Uses over items: (rarity, modifiers), a modifier is (id, flags) with ids as far as they are told apart."""

    def __init__(self, case):
        self.pool, self.need = Pool(case), case["spec"]["need"]
        self.open = (case["spec"].get("open_prefix", 0), case["spec"].get("open_suffix", 0))
        self.whole = case.get("removed_can_return", 1) == 0 or any("whittling" in o for a in case["actions"] for o in a.get("omens", []))
        self.like, self.drawn = {}, {}

    def matches(self, mod, matcher):
        row = MODS[mod]
        named = all(row[key] == matcher[key] for key in ("family", "ladder", "mod") if key in matcher)
        return named and self.pool.tier(mod) <= matcher.get("max_tier", 99)

    def sort(self, mod):
        """The modifier that stands for this one: same family, same requirements, as far as nothing asks for more."""
        if mod not in self.like:
            hits = tuple(any(self.matches(mod, m) for m in n["any_of"]) for n in self.need)
            key = mod if self.whole else (MODS[mod]["family"], hits)
            self.like[mod] = self.like.setdefault(key, mod)
        return self.like[mod]

    def done(self, item):
        rarity, mods = item
        for need in self.need:
            if sum(any(self.matches(m, one) and (f or not one.get("fractured")) for one in need["any_of"])
                   for m, f in mods) < need.get("count", 1):
                return False
        return all(self.room(item, rarity, side) >= self.open[side] for side in (0, 1))

    def room(self, item, rarity, side):
        return self.pool.limits[rarity][side] - sum(MODS[m]["affix"] == "PS"[side] for m, _ in item[1])

    def draw(self, item, rarity, floor=0, only=None, barred=None):
        """All items that one draw makes of this one with their chances; nothing: it finds none."""
        families = {MODS[m]["family"] for m, _ in item[1]}
        sums = [{}, {}]
        if floor not in self.drawn:
            self.drawn[floor] = self.pool.above(floor)
        for mod, weight in self.drawn[floor].items():
            side = "PS".index(MODS[mod]["affix"])
            fits = self.room(item, rarity, side) > 0 and only in (None, side) and mod != barred
            if fits and MODS[mod]["family"] not in families:
                sort = self.sort(mod)
                sums[side][sort] = sums[side].get(sort, 0) + weight
        totals = [sum(s.values()) for s in sums]
        spread = {}
        for side in (0, 1):
            share = (1 / sum(t > 0 for t in totals) if self.pool.side_first else totals[side] / sum(totals)) if totals[side] else 0
            for sort, weight in sums[side].items():
                add(spread, plus((rarity, item[1]), sort), share * weight / totals[side])
        return spread

    def draws(self, item, rarity, sides, floor=0, barred=None):
        """Several draws one after the other."""
        spread = {item: 1.0}
        for only in sides:
            after = {}
            for one, chance in spread.items():
                drawn = self.draw(one, rarity, floor, only, barred)
                if not drawn:
                    return {}
                for made, share in drawn.items():
                    add(after, made, chance * share)
            spread = after
        return spread

    def removals(self, item, side=None, lowest=False):
        """Places of modifiers that may go."""
        places = [k for k, (m, f) in enumerate(item[1]) if not f and side in (None, "PS".index(MODS[m]["affix"]))]
        least = min((int(MODS[item[1][k][0]]["level"]) for k in places), default=0)
        return [k for k in places if not lowest or int(MODS[item[1][k][0]]["level"]) == least]

    def use(self, action, item):
        """What an action makes of an item; nothing: it cannot be used."""
        name, omens = action["currency"], " ".join(action.get("omens", []))
        side = 0 if "sinistral" in omens else 1 if "dextral" in omens else None
        if name in ESSENCES:
            return self.essence(name, side, item)
        row, rarity = CURRENCIES[name], item[0]
        floor = int(row["floor_" + self.pool.version.replace(".", "_")])
        if floor > self.pool.ilvl:
            return {}
        if row["op"] == "add":
            gives = row["gives"]
            if rarity != row["needs"].split("_")[0]:
                return {}
            return self.draws(item, gives, [side] * (2 if "greater_exaltation" in omens else 1), floor)
        if row["op"] == "fill4":
            if rarity != "normal":
                return {}
            most = self.pool.limits["rare"][side or 0]
            return self.draws(item, "rare", [None] * 4 if side is None else ([side] * most + [1 - side] * 4)[:4])
        if row["op"] == "fracture":
            free = [k for k, (_, f) in enumerate(item[1]) if not f]
            if rarity != "rare" or len(item[1]) < 4 or len(free) < len(item[1]):
                return {}
            spread = {}
            for k in free:
                add(spread, (rarity, tuple(sorted((m, int(j == k)) for j, (m, _) in enumerate(item[1])))), 1 / len(free))
            return spread
        if rarity == "normal" or (row["op"] == "swap" and rarity != "rare"):
            return {}
        spread, places = {}, self.removals(item, side, "whittling" in omens)
        for k in places:
            less = (rarity, item[1][:k] + item[1][k + 1:])
            if row["op"] == "remove" and "greater_annulment" in omens:
                further = self.removals(less, side)
                if not further:
                    return {}
                for j in further:
                    add(spread, (rarity, less[1][:j] + less[1][j + 1:]), 1 / len(places) / len(further))
            elif row["op"] == "remove":
                add(spread, less, 1 / len(places))
            else:
                drawn = self.draw(less, "rare", floor, barred=None if self.pool.returns else item[1][k][0])
                if not drawn:
                    return {}
                for made, share in drawn.items():
                    add(spread, made, share / len(places))
        return spread

    def essence(self, name, side, item):
        given = [row["mod"] for row in table("essence_mods.csv") if row["essence"] == name and self.pool.pool in row["pools"].split("|")]
        mod, = given
        own = "PS".index(MODS[mod]["affix"])
        swaps = ESSENCES[name]["op"] == "swap"
        if MODS[mod]["family"] in {MODS[m]["family"] for m, _ in item[1]} or item[0] != ("rare" if swaps else "magic"):
            return {}
        if not swaps:
            return {plus(("rare", item[1]), self.sort(mod)): 1.0} if self.room(item, "rare", own) > 0 else {}
        full = self.room(item, "rare", own) == 0
        if full and side == 1 - own:
            return {}
        spread, places = {}, self.removals(item, own if full else side)
        for k in places:
            add(spread, plus(("rare", item[1][:k] + item[1][k + 1:]), self.sort(mod)), 1 / len(places))
        return spread


def plus(item, mod):
    return item[0], tuple(sorted(item[1] + ((mod, 0),)))


def add(spread, item, chance):
    spread[item] = spread.get(item, 0.0) + chance


def reach(rules, actions, fresh):
    """All items by number, the fresh one first: the moves of each, (action, chances by number, chance to stay); None where it is done."""
    numbers, items, moves = {fresh: 0}, [fresh], []
    while len(moves) < len(items):
        item = items[len(moves)]
        if rules.done(item):
            moves.append(None)
            continue
        own = []
        for a, action in enumerate(actions):
            spread, stay = rules.use(action, item), 0.0
            for made in spread:
                if made not in numbers:
                    numbers[made] = len(items)
                    items.append(made)
            stay = spread.pop(item, 0.0)
            if spread:
                own.append((a, [(numbers[made], chance) for made, chance in spread.items()], stay))
        moves.append(own)
    return moves


def sweep(order, step, still):
    """Repeats a step over all items until nothing moves by more than a share."""
    for _ in range(10000):
        if max(step(item) for item in order) < still:
            return
    raise RuntimeError("sweeps without end: the target cannot be reached")


def mean(move, values, price):
    """What a move costs; one that may leave the item as it is counts until it does not."""
    _, spread, stay = move
    return (price + sum(chance * values[made] for made, chance in spread)) / (1 - stay)


def cheapest(moves, case):
    """Value of a fresh base that is paid for, the policy (None: a new base), and its chance to be given up."""
    prices, cost = case["prices"], costs_of(case)
    order = [k for k in reversed(range(len(moves))) if moves[k] is not None]
    base, x, value, best, still = prices["white_base"], 1.0, [0.0] * len(moves), {}, 1e-5
    while True:
        def better(item):
            least, best[item] = base + x, None
            for move in moves[item]:
                price = mean(move, value, cost[move[0]])
                if price < least * (1 - 1e-12):
                    least, best[item] = price, move
            moved, value[item] = abs(value[item] - least) / max(least, 1e-9), least
            return moved
        sweep(order, better, still)
        spent, fails = [0.0] * len(moves), [0.0] * len(moves)

        def follow(item):
            if best[item] is None:
                fails[item] = 1.0
                return 0.0
            new = mean(best[item], spent, cost[best[item][0]]), mean(best[item], fails, 0.0)
            moved = abs(new[0] - spent[item]) / max(new[0], 1e-9) + abs(new[1] - fails[item])
            spent[item], fails[item] = new
            return moved
        sweep(order, follow, still)
        wins = 1 - fails[0]
        after = min((spent[0] + fails[0] * base) / wins if wins > 1e-12 else math.inf, 3 * x)
        moved = abs(after - x) / x
        if moved < 1e-12 and still < 1e-12:
            return x, best, fails[0]
        still = 1e-13 if moved < 1e-3 else still
        x = after


def costs_of(case):
    """Of each action: the currency and its omens."""
    return [sum(case["prices"][name] for name in [a["currency"], *a.get("omens", [])]) for a in case["actions"]]


def play(case, best):
    """Mean and standard error of what plays cost."""
    base, cost, rng, costs = case["prices"]["white_base"], costs_of(case), random.Random(7), []
    for _ in range(PLAYS):
        item, paid = 0, base
        while item in best:
            if best[item] is None:
                item, paid = 0, paid + base
                continue
            action, spread, stay = best[item]
            paid += cost[action]
            draw = rng.random() - stay
            if draw < 0:
                continue
            for item, chance in spread:
                draw -= chance
                if draw < 0:
                    break
        costs.append(paid)
    average = sum(costs) / PLAYS
    return average, math.sqrt(sum((c - average) ** 2 for c in costs) / (PLAYS - 1) / PLAYS)


def answer_mdp(case):
    rules = Rules(case)
    moves = reach(rules, case["actions"], ("normal", ()))
    x, best, fails = cheapest(moves, case)
    average, error = play(case, best)
    total = x + case["prices"]["white_base"]
    expect = {"optimal_total_cost": total, "give_up_probability_per_base": fails, "includes_first_base": True,
              "lower_bound_fresh": x, "upper_bound_fresh": x, "first_action": case["actions"][best[0][0]]}
    if not rules.whole and not any(a["currency"] == "fracturing_orb" for a in case["actions"]):
        expect["states"] = len(moves)
    return expect, {"method": "policy iteration over all items, in plain Python", "mc": average, "mc_standard_error": error,
                    "z": (average - total) / error}


def answer_fracture(case):
    item = case["item"]
    hidden = len(item.get("unrevealed", [])) if case.get("fracture_unrevealed_counts", 1) else 0
    usable = item["rarity"] == "rare" and not item.get("fractured") and len(item["mods"]) + hidden >= 4
    chance = 1 / len(item["mods"]) if usable and case["want"] in item["mods"] else 0.0
    return {"probability": chance}, {"method": "closed form"}


def uses(*names):
    """Actions from names, omens behind a plus."""
    return [{"currency": n.split("+")[0], **({"omens": n.split("+")[1:]} if "+" in n else {})} for n in names]


def need(*wants):
    """Requirements from (family, tier) or lists of them behind their count."""
    rows = []
    for want in wants:
        count, options = (want[0], want[1:]) if isinstance(want[0], int) else (1, [want])
        rows.append({"any_of": [{"family": f, "max_tier": t} for f, t in options], "count": count})
    return rows


PRICES = {"white_base": 1.0, "orb_of_transmutation": 0.1, "greater_orb_of_transmutation": 0.6, "orb_of_augmentation": 0.15,
          "regal_orb": 0.4, "orb_of_alchemy": 0.9, "exalted_orb": 1.0, "greater_exalted_orb": 3.0, "chaos_orb": 2.5,
          "orb_of_annulment": 4.0, "fracturing_orb": 9.0, "lesser_essence_of_the_body": 0.7, "perfect_essence_of_insulation": 12.0,
          "omen_of_dextral_exaltation": 2.0, "omen_of_sinistral_exaltation": 3.0, "omen_of_greater_exaltation": 1.5,
          "omen_of_whittling": 2.0, "omen_of_dextral_erasure": 1.0, "omen_of_sinistral_annulment": 2.0,
          "omen_of_greater_annulment": 1.0, "omen_of_dextral_alchemy": 2.5, "omen_of_sinistral_coronation": 1.2,
          "omen_of_dextral_crystallisation": 3.0}


def mdp(base, ilvl, wants, actions, open_suffix=0, **more):
    case = {"base": base, "ilvl": ilvl, "spec": {"need": need(*wants)}, "actions": uses(*actions), **more}
    if open_suffix:
        case["spec"]["open_suffix"] = open_suffix
    names = {n for a in case["actions"] for n in [a["currency"], *a.get("omens", [])]} | {"white_base"}
    case["prices"] = {n: PRICES[n] for n in sorted(names)}
    return "mdp", case


def locked(mods, want, rarity="rare", unrevealed=(), fractured=(), **more):
    item = {"rarity": rarity, "mods": mods}
    item.update({key: list(value) for key, value in (("unrevealed", unrevealed), ("fractured", fractured)) if value})
    return "fracture", {"base": "Blacksteel Sabatons", "ilvl": 82, "item": item, "want": want, **more}


LIFE, FIRE, COLD, SPEED, MANA = "IncreasedLife9", "FireResist6", "ColdResist6", "MovementVelocity3", "IncreasedMana6"

CASES = [
    # cheapest plans, one for each kind of use and each switch that changes a draw
    mdp("Distorted Amulet", 1, [("IncreasedLife", 9), ("Strength", 8)], ["orb_of_transmutation", "orb_of_augmentation", "orb_of_annulment"]),
    mdp("Broadhead Quiver", 1, [("PhysicalDamage", 9), ("Dexterity", 8)],
        ["orb_of_transmutation", "regal_orb", "exalted_orb", "orb_of_annulment", "orb_of_annulment+omen_of_sinistral_annulment",
         "orb_of_annulment+omen_of_greater_annulment"]),
    mdp("Distorted Amulet", 1, [("IncreasedLife", 9), ("IncreasedMana", 13), ("Strength", 8)],
        ["orb_of_alchemy", "orb_of_alchemy+omen_of_dextral_alchemy", "chaos_orb", "chaos_orb+omen_of_dextral_erasure"]),
    mdp("Broadhead Quiver", 5, [("PhysicalDamage", 9), ("FireDamage", 9)],
        ["orb_of_transmutation", "orb_of_augmentation", "regal_orb+omen_of_sinistral_coronation", "regal_orb",
         "exalted_orb", "exalted_orb+omen_of_greater_exaltation", "exalted_orb+omen_of_sinistral_exaltation"], open_suffix=2),
    mdp("Broadhead Quiver", 1, [("PhysicalDamage", 9), ("Dexterity", 8), ("IncreasedAccuracy", 9)],
        ["orb_of_alchemy", "chaos_orb", "exalted_orb", "fracturing_orb"]),
    mdp("Broadhead Quiver", 8, [("PhysicalDamage", 8), ("Dexterity", 8)],
        ["orb_of_transmutation", "orb_of_augmentation", "regal_orb", "chaos_orb", "chaos_orb+omen_of_whittling"]),
    mdp("Linen Belt", 5, [("IncreasedLife", 8), (1, ("FireResistance", 8), ("ColdResistance", 8), ("LightningResistance", 8))],
        ["orb_of_transmutation", "orb_of_augmentation", "lesser_essence_of_the_body", "exalted_orb+omen_of_dextral_exaltation"]),
    mdp("Linen Belt", 1, [("IncreasedLife", 10), ("FireDamageTakenRecoupedAsLife", 1)],
        ["orb_of_transmutation", "lesser_essence_of_the_body", "perfect_essence_of_insulation",
         "perfect_essence_of_insulation+omen_of_dextral_crystallisation"]),
    mdp("Linen Belt", 60, [("IncreasedLife", 5), ("FireResistance", 4)],
        ["orb_of_transmutation", "greater_orb_of_transmutation", "orb_of_augmentation", "orb_of_annulment"]),
    mdp("Distorted Amulet", 1, [("IncreasedLife", 9), ("Strength", 8)], ["orb_of_transmutation", "orb_of_augmentation", "regal_orb", "exalted_orb"],
        version="0.5", side_choice="side_first"),
    mdp("Distorted Amulet", 1, [("IncreasedLife", 9), ("Strength", 8)], ["orb_of_alchemy", "chaos_orb"], removed_can_return=0),
    mdp("Distorted Amulet", 1, [("IncreasedLife", 9), ("Strength", 8)], ["orb_of_alchemy", "chaos_orb"], weights="flat"),
    # which of an item's modifiers a fracture locks
    locked([LIFE, FIRE, COLD, SPEED, MANA], MANA),
    locked([LIFE, FIRE, COLD], COLD),
    locked([LIFE, FIRE, COLD], COLD, unrevealed="P"),
    locked([LIFE, FIRE, COLD], COLD, unrevealed="P", fracture_unrevealed_counts=0),
    locked([LIFE, FIRE, COLD, SPEED], LIFE, fractured=[FIRE]),
    locked([LIFE, FIRE, COLD, SPEED], MANA),
    locked([LIFE, FIRE], LIFE, rarity="magic"),
]


def main():
    check, wrong = "--check" in sys.argv[1:], 0
    for number, (kind, case) in enumerate(CASES, 1):
        began, problem = time.time(), None
        expect, verified = (answer_mdp if kind == "mdp" else answer_fracture)(case)
        path = HERE / f"O{number}.json"
        document = {"id": f"O{number}", "kind": kind, "rules": case.get("version", "0.4"), "input": case, "expect": expect,
                    "tolerance": {"exact_relative": 1e-06, "simulation_z": 4}, "verified": verified}
        text = json.dumps(document, indent=1, sort_keys=True) + "\n"
        if abs(verified.get("z", 0.0)) > 4:
            problem = f"plays cost {verified['mc']:.6g}, {verified['z']:.1f} standard errors off"
        elif not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            problem = "python3 games/craft/vectors/make.py writes another file"
        wrong += problem is not None
        print(f"{'FAIL' if problem else 'ok  '} {time.time() - began:8.3f} s  craft:{path.name}{': ' + problem if problem else ''}", flush=True)
    print(f"{len(CASES) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
