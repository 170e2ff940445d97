#!/usr/bin/env python3
"""Turns the tables of this folder into ../duel_data.h: one X-macro per file, one line per row.

    python3 games/duel/data/make.py           writes the header
    python3 games/duel/data/make.py --check   exits 1 when the header is not what it would write
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "duel_data.h"
SETS = ["mage", "ranged", "melee", "spec"]
SLOTS = ["head", "cape", "neck", "ammo", "weapon", "body", "shield", "legs", "hands", "feet", "ring"]
BONUSES = [
    "att_stab", "att_slash", "att_crush", "att_magic", "att_ranged", "def_stab", "def_slash", "def_crush", "def_magic",
    "def_ranged", "str_melee", "str_ranged", "magic_damage_pct", "prayer",
]
LEVELS = ["attack", "defence", "strength", "hitpoints", "ranged", "prayer", "magic"]

HEAD = """/* Made from data/CSV by data/make.py: change those, not this. Each macro calls X once per row; the
 * columns are those of the file, names in quotes, words as DUEL_ constants. duel_tables.h gives the
 * rows their shape. */
#pragma once

// clang-format off
"""


def rows(name):
    with open(HERE / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ITEMS = {row["key"]: row for row in rows("items.csv")}


def quoted(text):
    return '"' + text + '"'


def word(prefix, text):
    return f"DUEL_{prefix}_{text.upper()}" if text else "0"


def macro(name, comment, lines):
    body = " \\\n".join("    X(" + ", ".join(str(cell) for cell in line) + ")" for line in lines)
    return f"\n/* X({comment}) */\n#define {name}(X) \\\n{body}\n"


def items():
    numbers = ("speed", "game_speed", "range", "game_range")
    special = ("energy", "accuracy", "game_accuracy", "damage", "poison")
    return [
        [word("ITEM", row["key"]), quoted(row["key"]), row["id"], quoted(row["name"]), word("SLOT", row["slot"]), row["two_handed"]]
        + [row[key] for key in BONUSES] + [word("CLASS", row["class"])] + [row[key] for key in numbers]
        + [word("STANCE", row["stance"]), word("TYPE", row["type"]), word("SPECIAL", row["special"])]
        + [row[key] for key in special]
        for row in ITEMS.values()
    ]


def gear():
    """Items by slot; a slot that a set leaves empty is 0."""
    made = []
    for row in rows("gear.csv"):
        worn = {ITEMS[key]["slot"]: word("ITEM", key) for key in row["items"].split()}
        made.append([word("BUILD", row["build"]), word("SET", row["set"])] + [worn.get(slot, "0") for slot in SLOTS])
    return made


def changes():
    made = []
    for row in rows("changes.csv"):
        put = [word("ITEM", key) for key in row["items"].split()]
        sets = sum(1 << SETS.index(name) for name in row["sets"].split())
        clears = 1 + SLOTS.index(row["clears"]) if row["clears"] else 0
        made.append([word("BUILD", row["build"]), row["chance"], row["chain"], sets] + (put + ["0"] * 4)[:4]
                    + [word("ITEM", row["half"]), clears])
    return made


def builds():
    numbers = ("combat", "ranging", "restore", "brew", "karambwan")
    return [
        [word("BUILD", row["build"]), quoted(row["build"]), word("FIGHT", row["fight"])] + [row[key] for key in LEVELS]
        + [int(row["prayers"] == "high")] + [row[key] for key in numbers]
        + [word("FOOD", row["food"]), word("FOOD", row["other_food"]), row["lunar"], row["no_mage"]]
        for row in rows("builds.csv")
    ]


def text():
    prayers = [[word("PRAYER", row["prayer"]), quoted(row["prayer"])] + list(row.values())[1:] for row in rows("prayers.csv")]
    spells = [[word("SPELL", row["spell"]), quoted(row["spell"])] + list(row.values())[1:] for row in rows("spells.csv")]
    return HEAD + "".join([
        macro("DUEL_ITEM_ROWS", "item, key, id, name, slot, two-handed, 14 bonuses, class, speed, game speed, range, game range, "
              "stance, type, special, energy, accuracy %, game accuracy %, damage in thousandths, poison", items()),
        macro("DUEL_PRAYER_ROWS", "prayer, name, level, drain per minute, % of attack, strength, defence, ranged, ranged strength, "
              "magic", prayers),
        macro("DUEL_SPELL_ROWS", "spell, name, level, max hit, game max hit, freeze ticks, heal %", spells),
        macro("DUEL_BUILD_ROWS", "build, name, fight, 7 levels, high prayers, combat, ranging, restore and brew vials, karambwans, "
              "food, other food, % lunar, % without a mage set", builds()),
        macro("DUEL_GEAR_ROWS", "build, set, item in each of 11 slots", gear()),
        macro("DUEL_CHANGE_ROWS", "build, %, chain, sets, four items, item of every second one, 1 + slot that the ref rules clear",
              changes()),
    ])


def main():
    made = text()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != made:
            sys.exit("games/duel/duel_data.h is not what data/make.py writes: run it")
        return
    TARGET.write_text(made, encoding="utf-8")


main()
