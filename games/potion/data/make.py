#!/usr/bin/env python3
"""Turns the tables of this folder into ../potion_data.h: one X-macro per file, one line per row.

    python3 games/potion/data/make.py           writes the header
    python3 games/potion/data/make.py --check   exits 1 when the header is not what it would write
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "potion_data.h"
PLACES = [
    "Enchanted Forest", "Bone Wastes", "Mushroom Mire", "Shadow Steppe", "Ocean Coasts", "Storm Plains",
    "Sulfuric Falls", "Crystalline Forest", "Ice Craggs", "Dragon Oasis", "Crater", "Arctic", "Magical Wasteland",
]

HEAD = """/* Made from data/CSV by data/make.py: change those, not this. Each macro calls X once per row; the
 * columns are those of the file, names in quotes, words as POTION_ constants. potion_tables.h gives
 * the rows their shape. */
#pragma once

// clang-format off
"""


def rows(name):
    with open(HERE / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def word(prefix, text):
    return f"POTION_{prefix}_{text.upper()}"


def macro(name, comment, lines):
    body = " \\\n".join("    X(" + ", ".join(str(cell) for cell in line) + ")" for line in lines)
    return f"\n/* X({comment}) */\n#define {name}(X) \\\n{body}\n"


def places(text):
    """The places as bits, in the order of their chapters."""
    return hex(sum(1 << PLACES.index(place) for place in text.split("|")))


def ingredients():
    table = rows("ingredients.csv")
    return [
        [row["action"], quoted(row["name"]), word("KIND", row["kind"]), row["chapter"], places(row["places"]), word("RARITY", row["rarity"])]
        + [row[key] for key in ("a", "b", "c", "d", "e", "taste", "touch", "smell", "sight", "sound", "price", "drop_weight")]
        for row in table
    ]


def recipes():
    keys = ("a", "b", "c", "d", "e", "licence", "minor", "common", "greater", "grand", "superior", "masterwork")
    return [[row["recipe"], quoted(row["name"]), word("FAMILY", row["family"])] + [row[key] for key in keys] for row in rows("recipes.csv")]


def cauldrons():
    number = {row["name"]: row["action"] for row in rows("ingredients.csv")}
    return [
        [row["cauldron"], quoted(row["name"]), row["level"], row["items"], row["magimins"], row["day"], row["chapter"],
         row["gold"], number[row["extra"]] if row["extra"] else 0]
        for row in rows("cauldrons.csv")
    ]


def contests():
    keys = ("chapter", "day", "round", "recipe", "need_tier", "need_star", "target", "peer_cauldron", "cauldron")
    return [[word("CONTEST", row["contest"])] + [row[key] for key in keys] for row in rows("contests.csv")]


def stability():
    return [
        [word("RULES", row["rules"]), row["code"], word("ERROR", row["measure"])]
        + [row[key] for key in ("times", "limit", "equal", "shift", "lucky_shift")]
        for row in rows("stability.csv")
    ]


def text():
    prices = [[row["recipe"]] + [row[str(grade)] for grade in range(36)] for row in rows("prices.csv")]
    grades = [[row["grade"], row["from"]] for row in rows("grades.csv")]
    peers = [[row[key] for key in ("recipe", "grade", "price")] for row in rows("peer_prices.csv")]
    return HEAD + "".join([
        macro("POTION_INGREDIENT_ROWS", "action, name, kind, chapter, place bits, rarity, magimins a..e, taste, touch, smell, "
              "sight, sound, price, drop weight", ingredients()),
        macro("POTION_RECIPE_ROWS", "recipe, name, family, parts a..e, licence, brewing time of six tiers", recipes()),
        macro("POTION_CAULDRON_ROWS", "cauldron, name, level, items, magimins, day, chapter, gold, extra ingredient or 0",
              cauldrons()),
        macro("POTION_GRADE_ROWS", "grade, lowest magimins", grades),
        macro("POTION_PRICE_ROWS", "recipe, price at grades 0..35", prices),
        macro("POTION_PEER_PRICE_ROWS", "recipe, grade, price where the peer's table differs", peers),
        macro("POTION_STABILITY_ROWS", "rules, code, measure, times, limit, equal, star shift, lucky shift", stability()),
        macro("POTION_CONTEST_ROWS", "contest, chapter, day, round, recipe, tier, star, target price, the peer's cauldron, "
              "fitting cauldron", contests()),
    ])


def main():
    made = text()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != made:
            sys.exit("games/potion/potion_data.h is not what data/make.py writes: run it")
        return
    TARGET.write_text(made, encoding="utf-8")


main()
