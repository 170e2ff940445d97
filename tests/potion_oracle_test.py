#!/usr/bin/env python3
"""The exact solver of potion against integer programmes, which another program solves (HiGHS).

    potion_oracle_test.py LUDUS [--long]

Random tasks of a fixed seed: recipes of two and three magimins, cauldrons from 6 slots and 160 magimins
to 12 and 975, stocks of 0 to 3 pieces of 30 to 120 kinds. For each, three programmes made from
games/potion/data alone: the largest total of exactly the ratio, the largest profit of that total, and the
largest profit of all. `ludus potion solve` must answer each with the same number, and with a mix that adds
up to it. The comparison itself is tested with answers that are wrong. --long takes more tasks, larger ones
too. Needs the package highspy. Ends with a line "N passed, N failed".
"""

import argparse
import copy
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import highspy

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "games/potion/data"
MAGIMINS = "abcde"
SEED = 6
TASKS, TASKS_LONG = 60, 300
SECONDS_EACH = 300  # for one programme, which takes a few at most; then the task counts as failed


def table(name):
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


INGREDIENTS = {int(row["action"]): {"price": int(row["price"]), **{m: int(row[m]) for m in MAGIMINS}}
               for row in table("ingredients")}
RECIPES = [{m: int(row[m]) for m in MAGIMINS} for row in table("recipes")]
CAULDRONS = [(int(row["items"]), int(row["magimins"])) for row in table("cauldrons")]
GRADES = [int(row["from"]) for row in table("grades")]
PRICES = [[int(row[str(grade)]) for grade in range(len(GRADES))] for row in table("prices")]
SHIFT = next(int(row["shift"]) for row in table("stability")
             if (row["rules"], row["name"]) == ("game", "perfect"))


def price_of(recipe, grade):
    """Of a perfect potion whose magimins alone make this grade."""
    return PRICES[recipe][min(grade + SHIFT, len(GRADES) - 1)]


def draw_tasks(count, largest):
    """Tasks as cases of `ludus potion solve`."""
    chance = random.Random(SEED)
    cauldrons = [k for k, limits in enumerate(CAULDRONS) if (6, 160) <= limits <= largest]
    cases = []
    for number in range(count):
        recipe = RECIPES[number % len(RECIPES)]
        # half of the kinds without unwanted magimins: of the others none can be in an exact mix
        clean = [i for i, row in INGREDIENTS.items() if not any(row[m] for m in MAGIMINS if not recipe[m])]
        wanted = chance.randint(30, 120)
        kinds = set(chance.sample(clean, min(wanted // 2, len(clean))))
        kinds |= set(chance.sample(sorted(set(INGREDIENTS) - set(clean)), wanted - len(kinds)))
        stock = {str(kind): chance.randint(0, 3) for kind in sorted(kinds)}
        cases.append({"id": str(number), "recipe": number % len(RECIPES),
                      "cauldron": chance.choice(cauldrons), "stock": stock})
    return cases


# ---- programmes ----

def line(terms):
    return " ".join(f"{'+' if factor >= 0 else '-'} {abs(factor)} {name}" for factor, name in terms if factor)


def programme(case, goal, total=None):
    """A task in the LP format. x: pieces, k: multiples of the ratio, p: potions (of grade g)."""
    recipe, (slots, room) = RECIPES[case["recipe"]], CAULDRONS[case["cauldron"]]
    parts = sum(recipe.values())
    pieces = {int(key): most for key, most in case["stock"].items() if most > 0}
    rows = [f"{line([(INGREDIENTS[i][m], f'x{i}') for i in pieces] + [(-recipe[m], 'k')])} = 0"
            for m in MAGIMINS if recipe[m] or any(INGREDIENTS[i][m] for i in pieces)]
    items = [(1, f"x{i}") for i in pieces]
    rows += [f"{line(items)} <= {slots}", f"{line(items)} >= 2"]
    cost = [(-INGREDIENTS[i]["price"], f"x{i}") for i in pieces]
    whole, binary = [f"x{i}" for i in pieces] + ["k"], []
    bounds = [f"0 <= x{i} <= {most}" for i, most in pieces.items()]
    bounds.append(f"0 <= k <= {room // parts}" if total is None else f"k = {total // parts}")
    objective = [(parts, "k")]
    if goal == "profit":
        lowest = [0] if total is None else [max(g for g, least in enumerate(GRADES) if least <= total)]
        grades = [g for g, least in enumerate(GRADES) if least <= room] if total is None else lowest
        whole += [f"p{g}" for g in grades]
        binary = [f"y{g}" for g in grades]
        objective = [(price_of(case["recipe"], g), f"p{g}") for g in grades] + cost
        rows += [f"{line([(1, f'p{g}'), (-(slots // 2), f'y{g}')])} <= 0" for g in grades]
        rows += [f"{line([(1, f'y{g}') for g in grades])} = 1",
                 f"{line([(GRADES[g], f'y{g}') for g in grades] + [(-parts, 'k')])} <= 0",
                 f"{line([(2, f'p{g}') for g in grades] + [(-f, x) for f, x in items])} <= 0"]
    return "\n".join(["Maximize", f" goal: {line(objective)}", "Subject To"]
                     + [f" r{number}: {row}" for number, row in enumerate(rows)]
                     + ["Bounds"] + [f" {bound}" for bound in bounds]
                     + ["General"] + [f" {name}" for name in whole]
                     + (["Binary"] + [f" {name}" for name in binary] if binary else []) + ["End", ""])


def optimum(case, goal, folder, total=None):
    """The largest value of a programme by HiGHS; None when no mix is allowed by it. Its mix is added up
    again, so that no rounding passes for an answer."""
    model, solver = folder / "model.lp", highspy.Highs()
    model.write_text(programme(case, goal, total), encoding="utf-8")
    for option, value in {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0, "mip_abs_gap": 0.4,
                          "time_limit": float(SECONDS_EACH)}.items():
        solver.setOptionValue(option, value)
    solver.readModel(str(model))
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, f"HiGHS says {status}"
    value = round(solver.getInfo().objective_function_value)
    names, numbers = solver.getLp().col_names_, solver.getSolution().col_value
    mix = {name[1:]: round(number) for name, number in zip(names, numbers) if name[0] == "x"}
    added = dict(zip(("total", "profit"), add_up(case, {key: count for key, count in mix.items() if count})))
    assert added[goal] == value, f"the programme says {value}, its mix adds up to {added[goal]}"
    return value


def solve_by_programmes(case, folder):
    total = optimum(case, "total", folder)
    if total is None:
        return {"total": None, "total_profit": None, "profit": None}
    return {"total": total, "total_profit": optimum(case, "profit", folder, total),
            "profit": optimum(case, "profit", folder)}


# ---- answers ----

def add_up(case, mix):
    """Total and profit of a mix, by the tables alone; says what is wrong with it."""
    recipe, (slots, room) = RECIPES[case["recipe"]], CAULDRONS[case["cauldron"]]
    pieces = {int(key): count for key, count in mix.items()}
    amounts = {m: sum(INGREDIENTS[i][m] * n for i, n in pieces.items()) for m in MAGIMINS}
    total, parts, items = sum(amounts.values()), sum(recipe.values()), sum(pieces.values())
    assert all(0 < n <= case["stock"].get(str(i), 0) for i, n in pieces.items()), "not in stock"
    assert 2 <= items <= slots and total <= room, "does not fit into the cauldron"
    assert all(amounts[m] * parts == recipe[m] * total for m in MAGIMINS), "not in ratio"
    grade = max(g for g, least in enumerate(GRADES) if least <= total)
    cost = sum(INGREDIENTS[i]["price"] * n for i, n in pieces.items())
    return total, items // 2 * price_of(case["recipe"], grade) - cost


def compare(case, got, want):
    """Raises AssertionError where an answer of the solver is not the optimum."""
    for key, total, profit in (("best_total", want["total"], want["total_profit"]),
                               ("best_profit", None, want["profit"])):
        answer = got[key]
        if profit is None:
            assert answer is None, f"{key}: there is no such potion"
            continue
        assert answer is not None, f"{key}: nothing found, but there is one of profit {profit}"
        assert answer["proof"] == "optimal", f"{key}: {answer['proof']}"
        added = add_up(case, answer["mix"])
        assert added == (answer["total"], answer["profit"]), f"{key}: the mix adds up to {added}"
        assert total in (None, answer["total"]), f"{key}: total {answer['total']}, not {total}"
        assert answer["profit"] == profit, f"{key}: profit {answer['profit']}, not {profit}"


# ---- tests ----

def small_case():
    """Feyberry 6 A, Mandrake Root 6 B, River-Pixie's Shell 4 A 4 B. The largest potion takes the shell, which
    costs more than it brings."""
    case = {"recipe": 0, "cauldron": 2, "stock": {"4": 2, "5": 3, "10": 1}}
    cost = 2 * INGREDIENTS[4]["price"] + 2 * INGREDIENTS[5]["price"]
    large = {"proof": "optimal", "total": 32, "mix": {"4": 2, "5": 2, "10": 1},
             "profit": 2 * PRICES[0][3 + SHIFT] - cost - INGREDIENTS[10]["price"]}
    cheap = {"proof": "optimal", "total": 24, "mix": {"4": 2, "5": 2},
             "profit": 2 * PRICES[0][2 + SHIFT] - cost}
    return case, {"best_total": large, "best_profit": cheap}


def programmes_find_what_is_known(folder):
    case, answer = small_case()
    compare(case, answer, solve_by_programmes(case, folder))
    case["stock"] = {"4": 2}
    compare(case, {"best_total": None, "best_profit": None}, solve_by_programmes(case, folder))


def wrong_answers_are_refused(folder):
    case, right = small_case()
    want = solve_by_programmes(case, folder)
    large, cheap = right["best_total"], right["best_profit"]
    wrong = [("best_total", cheap, "total 24, not 32"), ("best_profit", large, "profit 27, not 32"),
             ("best_total", {"total": 34}, "adds up"), ("best_profit", {"profit": 99}, "adds up"),
             ("best_total", {"mix": {"4": 2, "5": 3, "10": 1}}, "not in ratio"),
             ("best_total", {"mix": {"4": 3, "5": 3}}, "not in stock"),
             ("best_total", {"mix": {"4": 2, "5": 2, "8": 1}}, "not in stock"),
             ("best_profit", {"proof": "best found"}, "best found"), ("best_total", None, "nothing found")]
    for key, change, sentence in wrong:
        answer = copy.deepcopy(right)
        answer[key] = change and {**answer[key], **change}
        try:
            compare(case, answer, want)
        except AssertionError as refusal:
            assert sentence in str(refusal), f"{key} {change}: refused by '{refusal}'"
        else:
            raise AssertionError(f"{key} {change} was taken as right")


def answers_of(ludus, cases, folder):
    asked = folder / "cases.json"
    asked.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    said = subprocess.run([ludus, "potion", "solve", asked, "--json"], capture_output=True, text=True,
                          check=True).stdout
    return json.loads(said)["cases"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ludus")
    parser.add_argument("--long", action="store_true", help="more and larger tasks")
    args = parser.parse_args()
    passed = failed = 0

    def run(name, test, *arguments):
        nonlocal passed, failed
        began, problem = time.perf_counter(), None
        try:
            test(*arguments)
        except (AssertionError, subprocess.CalledProcessError) as wrong:
            problem = wrong
        failed, passed = failed + (problem is not None), passed + (problem is None)
        print(f"{'FAIL' if problem else 'ok  '} {time.perf_counter() - began:8.3f} s  potion_oracle:{name}")
        if problem:
            print(f"    {problem}")

    with tempfile.TemporaryDirectory(prefix="ludus-oracle-") as name:
        folder = Path(name)
        run("programmes_find_what_is_known", programmes_find_what_is_known, folder)
        run("wrong_answers_are_refused", wrong_answers_are_refused, folder)
        cases = draw_tasks(TASKS_LONG if args.long else TASKS, (14, 2000) if args.long else (12, 975))
        for case, got in zip(cases, answers_of(args.ludus, cases, folder), strict=True):
            run(f"task_{case['id']}", lambda c, g: compare(c, g, solve_by_programmes(c, folder)), case, got)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
