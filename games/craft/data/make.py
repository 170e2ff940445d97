#!/usr/bin/env python3
"""Turns the tables of this folder into ../craft_data.h: one constant array per file.

    python3 games/craft/data/make.py           writes the header
    python3 games/craft/data/make.py --check   exits 1 when the header is not what it would write

Numbers stand for names: pools, classes, families, ladders and tags are numbered in the order in
which bases.csv and mods.csv first name them. A spawn list leaves out tags that no item can have.
"""

import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "craft_data.h"

HEAD = """/* Made from data/CSV by data/make.py: change those, not this. craft_tables.h has the shape of the
 * rows, craft_tables.c alone includes this. */
#pragma once

#include "craft_tables.h"

// clang-format off
"""


def rows(name):
    with open(HERE / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def names_of(*lists):
    """Numbers of names, in the order of their first appearance."""
    numbers = {}
    for values in lists:
        for value in values:
            numbers.setdefault(value, len(numbers))
    return numbers


def split(text):
    return [part for part in text.split("|") if part]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def word(prefix, text):
    return f"CRAFT_{prefix}_{text.upper()}"


def bits(parts, numbers):
    return hex(sum(1 << numbers[part] for part in set(parts)))


def array(kind, name, lines):
    body = ",\n".join("    " + line for line in lines)
    return f"\nstatic const {kind} {name}[] = {{\n{body},\n}};\n"


def row(*cells):
    return "{" + ", ".join(str(cell) for cell in cells) + "}"


def name_array(name, numbers):
    return array("char *const", name, [quoted(text) for text in numbers])


BASES, MODS = rows("bases.csv"), rows("mods.csv")
CURRENCIES, OMENS, ESSENCES = rows("currencies.csv"), rows("omens.csv"), rows("essences.csv")
POOLS = names_of(base["pool"] for base in BASES)
CLASSES = names_of(entry["class"] for entry in rows("classes.csv"))
FAMILIES = names_of(mod["family"] for mod in MODS)
LADDERS = names_of(mod["ladder"] for mod in MODS)
TAGS = names_of(tag for mod in MODS for tag in split(mod["tags"]))
ADDED = names_of(sorted({tag for mod in MODS for tag in split(mod["adds_tags"])}))
# tags of the spawn test: the added ones first, then those that a base has and a list asks for
ASKED = {entry.partition("=")[0] for mod in MODS for entry in split(mod["spawn"])}
SPAWN = names_of(ADDED, [tag for base in BASES for tag in split(base["tags"]) if tag in ASKED])
MOD = {mod["mod"]: number for number, mod in enumerate(MODS)}
ESSENCE = {essence["essence"]: number for number, essence in enumerate(ESSENCES)}
ITEMS = [entry[key] for table, key in ((CURRENCIES, "currency"), (OMENS, "omen"), (ESSENCES, "essence"),
                                       (rows("bones.csv"), "bone"), (rows("catalysts.csv"), "catalyst"))
         for entry in table]


def spawn_of(mod):
    """Entries tag, +64 where the tag lets the modifier occur."""
    pairs = [entry.partition("=") for entry in split(mod["spawn"])]
    if any(tag in ADDED and value != "0" for tag, _, value in pairs):
        sys.exit(f"mods.csv: {mod['mod']} is let in by a tag that modifiers add, which the rules do not know")
    return tuple(SPAWN[tag] + (64 if value != "0" else 0) for tag, _, value in pairs if tag in SPAWN)


LISTS = names_of(spawn_of(mod) for mod in MODS)
STARTS = [sum(len(part) + 1 for part in list(LISTS)[:number]) for number in range(len(LISTS))]


def ranges_of(text):
    """low, high, decimals of each number; bounds are whole numbers of the last decimal."""
    cells = []
    for part in split(text):
        low, _, high = part.partition("..")
        decimals = max(len(bound.partition(".")[2]) for bound in (low, high))
        cells.append(row(round(float(low) * 10**decimals), round(float(high) * 10**decimals), decimals))
    return "{" + ", ".join(cells) + "}" if cells else "{{0, 0, 0}}"


def mod_row(mod):
    side = {"P": "CRAFT_PREFIX", "S": "CRAFT_SUFFIX", "C": "CRAFT_IMPLICIT"}[mod["affix"]]
    return row(quoted(mod["mod"]), quoted(mod["name"]), quoted(mod["text"]), bits(split(mod["tags"]), TAGS), ranges_of(mod["ranges"]),
               FAMILIES[mod["family"]], LADDERS[mod["ladder"]], STARTS[LISTS[spawn_of(mod)]], side, word("ORIGIN", mod["origin"]),
               word("LORD", mod["lord"] or "none"), mod["level"], bits(split(mod["adds_tags"]), ADDED), len(split(mod["ranges"])))


def base_row(base):
    tags = [tag for tag in split(base["tags"]) if tag in SPAWN]
    return row(quoted(base["base"]), quoted(base["implicit"]), bits(tags, SPAWN), CLASSES[base["class"]], POOLS[base["pool"]],
               *(base[key] for key in ("req_level", "quality_max", "sockets_max")), row(base["rare_prefixes"], base["rare_suffixes"]),
               base["obtainable"])


def line_of(currency):
    """The line of a currency: its name without greater or perfect, which its omens name."""
    return word("LINE", re.sub("^(greater|perfect)_", "", currency))


def currency_row(entry):
    floors = row(*(entry[f"floor_0_{minor}"] for minor in (3, 4, 5)))
    needs = " | ".join(word("NEEDS", need) for need in split(entry["needs"]))
    return row(quoted(entry["currency"]), quoted(entry["name"]), quoted(entry["sure"]), word("OP", entry["op"]), line_of(entry["currency"]),
               needs, floors, entry["n_remove"], entry["n_add"])


def omen_row(entry):
    """Versions in which it can be had: "0.2-0.3; no drops from 0.4", "0.1+"."""
    since, until = re.match(r"0\.(\d)(?:-0\.(\d)|\+)", entry["available"]).groups()
    return row(quoted(entry["omen"]), quoted(entry["name"]), quoted(entry["sure"]), word("LINE", entry["currency"]),
               word("OMEN", entry["effect"]), since, until or 255)


def group_rows():
    """Families and ladders of a group, those of the groups in it too, in one list each."""
    table = {entry["group"]: entry for entry in rows("groups.csv")}
    lines, members = [], []
    for entry in table.values():
        parts = [entry] + [table[name] for name in split(entry["groups"])]
        families = [FAMILIES[name] for part in parts for name in split(part["families"])]
        ladders = [LADDERS[name] for part in parts for name in split(part["ladders"])]
        lines.append(row(quoted(entry["group"]), quoted(entry["label"]), quoted(entry["synonyms"]), len(members), len(families), len(ladders)))
        members += families + ladders
    return lines, members


def pack_row(entry):
    cells = [quoted(entry[key]) for key in ("pack", "patch", "date", "source", "confidence")]
    return "X(" + ", ".join([*cells, entry["version"]]) + ")"


def text():
    groups, members = group_rows()
    spawn = [entry for part in LISTS for entry in (*part, "CRAFT_SPAWN_END")]
    return HEAD + "".join([
        name_array("pool_names", POOLS), name_array("family_names", FAMILIES), name_array("ladder_names", LADDERS),
        name_array("tag_names", TAGS), name_array("spawn_names", SPAWN),
        array("craft_class", "classes", [row(quoted(entry["class"]), word("KIND", entry["kind"])) for entry in rows("classes.csv")]),
        array("uint8_t", "spawn_lists", [", ".join(str(cell) for cell in spawn)]),
        array("craft_base", "bases", [base_row(base) for base in BASES]),
        array("craft_mod", "mods", [mod_row(mod) for mod in MODS]),
        array("craft_weight", "weights", [row(MOD[entry["mod"]], entry["weight"], word("WEIGHT", entry["source"]), entry["agree"],
                                              bits(split(entry["pools"]), POOLS)) for entry in rows("weights.csv")]),
        array("craft_currency", "currencies", [currency_row(entry) for entry in CURRENCIES]),
        array("craft_omen", "omens", [omen_row(entry) for entry in OMENS]),
        array("craft_essence", "essences", [row(quoted(entry["essence"]), quoted(entry["name"]), word("ESSENCE", entry["tier"]),
                                                int(entry["op"] == "swap")) for entry in ESSENCES]),
        array("craft_given", "given", [row(ESSENCE[entry["essence"]], MOD[entry["mod"]], entry["one_of"], bits(split(entry["pools"]), POOLS))
                                       for entry in rows("essence_mods.csv")]),
        array("craft_bone", "bones", [row(quoted(entry["bone"]), quoted(entry["name"]), quoted(entry["sure"]),
                                          " | ".join(word("BONE", target) for target in split(entry["target"])),
                                          entry["max_item_level"] or 100, entry["min_mod_level"]) for entry in rows("bones.csv")]),
        array("craft_catalyst", "catalysts", [row(quoted(entry["catalyst"]), quoted(entry["name"]), quoted(entry["sure"]),
                                                  TAGS[entry["tag"]],
                                                  row(*(entry[f"quality_{rarity}"] for rarity in ("normal", "magic", "rare"))),
                                                  entry["max_quality"]) for entry in rows("catalysts.csv")]),
        array("uint16_t", "group_members", [", ".join(str(member) for member in members)]),
        array("craft_group", "groups", groups),
        array("craft_price", "prices", [row(quoted(entry["item"]), entry["exalted"], entry["volume_divine"] or -1)
                                        for entry in rows("prices.csv") if entry["item"] in ITEMS]),
        "\n/* X(name, patch, date, source, confidence, version) */\n#define CRAFT_PACK_ROWS(X) \\\n    ",
        ", \\\n    ".join(pack_row(entry) for entry in rows("packs.csv")) + "\n",
        f"\nstatic const char price_date[] = {quoted(rows('prices.csv')[0]['date'])};\n",
    ])


def main():
    made = text()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != made:
            sys.exit("games/craft/craft_data.h is not what data/make.py writes: run it")
        return
    TARGET.write_text(made, encoding="utf-8")


main()
