#!/usr/bin/env python3
"""Turns the tables of this folder into ../rules/joker_data.h: enums of the ids, and one X-macro per kind of row.

    python3 games/joker/data/make.py           writes the header
    python3 games/joker/data/make.py --check   exits 1 when the header is not what it would write
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "rules/joker_data.h"
HOOKS = (
    "passive rule blind_set first_draw before scored held again_scored again_held main after_other destroy after "
    "pre_discard discard cards_lost card_added planet_used round_end payout sell_self sell_any reroll pack_open pack_skip "
    "shop_exit last_chance debuffed_hand copy"
).split()
RARITIES = ["common", "uncommon", "rare", "legendary"]
POOLS = {
    "": "ALWAYS", "deck holds a Steel card": "STEEL", "deck holds a Stone card": "STONE", "deck holds a Gold card": "GOLD",
    "deck holds a Lucky card": "LUCKY", "deck holds a Glass card": "GLASS",
    "until Gros Michel went extinct": "GROS_MICHEL", "after Gros Michel went extinct": "CAVENDISH",
}
HANDS = {"Five of a Kind": "FIVE", "Four of a Kind": "FOUR", "Three of a Kind": "THREE"}

HEAD = """/* Made from data/CSV by data/make.py: change those, not this. The ids of all things, numbered from
 * 0 in the order of the files, and per kind a macro that calls X once per row. joker_tables.h gives
 * the rows their shape. */
#pragma once

// clang-format off
"""


def rows(name):
    with open(HERE / (name + ".csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def ident(key):
    """The constant of a key: j_joker -> JOKER_J_JOKER."""
    return "JOKER_" + key.upper()


def hand(title):
    return "JOKER_" + HANDS.get(title, title.upper().replace(" ", "_"))


def yes(text):
    return int({"yes": True, "no": False}[text])


def enum(comment, names, count, values=None):
    values = values or [str(i) for i in range(len(names))]
    lines = [f"    {name} = {value}," for name, value in zip(names, values)]
    return f"\n/* {comment} */\nenum {{\n" + "\n".join(lines) + (f"\n    {count} = {len(names)}" if count else "") + "\n};\n"


def macro(name, comment, lines):
    body = " \\\n".join("    X(" + ", ".join(str(cell) for cell in line) + ")" for line in lines)
    return f"\n/* X({comment}) */\n#define {name}(X) \\\n{body}\n"


def words(row, effect="effect", when="", title="title"):
    """What people read: key, title, effect, when or how, stream."""
    cells = (row.get("key", ""), row[title], row[effect], row.get(when, ""), row.get("random_stream", ""))
    return [quoted(cell) for cell in cells]


def ids(comment, table, count):
    return enum(comment, [ident(row["key"]) for row in table], count)


def jokers(table):
    def hooks(row):
        return " | ".join("JOKER_HOOK_" + hook.upper() for hook in row["hooks"].split())

    def flags(row):
        names = {"open_at_start": "OPEN", "copyable": "COPYABLE", "may_be_eternal": "MAY_ETERNAL", "may_be_perishable": "MAY_PERISH"}
        return " | ".join("JOKER_IS_" + name for column, name in names.items() if yes(row[column])) or "0"

    return [
        [ident(row["key"]), "JOKER_" + row["rarity"].upper(), row["price"], flags(row), "JOKER_POOL_" + POOLS[row["pool_condition"]], hooks(row)]
        + words(row, when="state_start_and_change")
        for row in table
    ]


def consumables(tarots, planets, spectrals):
    lines = [[ident(r["key"]), "JOKER_TAROT", r["price"], r["choose_min"], r["choose_max"], 255, 1] + words(r) for r in tarots]
    for row in planets:
        row["effect"] = f"{row['raises_hand']} gains a level: +{row['chips_per_level']} chips, +{row['mult_per_level']} mult"
        lines.append([ident(row["key"]), "JOKER_PLANET", row["price"], 0, 0, hand(row["raises_hand"]), 1] + words(row))
    return lines + [
        [ident(r["key"]), "JOKER_SPECTRAL", r["price"], r["choose_min"], r["choose_max"], 255, yes(r["in_normal_pool"])] + words(r)
        for r in spectrals
    ]


def decks(table):
    keys = ("dollars", "hands", "discards", "hand_size", "joker_slots", "consumable_slots")

    def start(row):
        bits = " | ".join(f"1u << {ident(voucher)}" for voucher in row["vouchers"].split()) or "0u"
        bag = [ident(key) for key in row["consumables"].split()]
        return [bits] + (bag + [255, 255])[:2]

    return [[ident(row["key"])] + [row[key] for key in keys] + start(row) + words(row) for row in table]


def modifiers(table, kind):
    return [[row["sold_price_change"].lstrip("+") or 0] + words(row) for row in table if row["kind"] == kind]


def list_macro(name, comment, entries):
    return f"\n/* {comment} */\n#define {name} \\\n    " + ", \\\n    ".join(entries) + "\n"


def text():
    cards = rows("jokers")
    tarots, planets, spectrals = rows("tarots"), rows("planets"), rows("spectrals")
    blinds, packs, vouchers, tags, stakes, hands = (rows(n) for n in ("blinds", "packs", "vouchers", "tags", "stakes", "hands"))
    modifier = rows("modifiers")
    parts = [
        HEAD,
        ids("Jokers.", cards, "JOKER_JOKERS"),
        ids("Consumables: Tarots, Planets, Spectrals.", tarots + planets + spectrals, "JOKER_CONSUMABLES"),
        ids("Vouchers.", vouchers, "JOKER_VOUCHERS"),
        ids("Tags.", tags, "JOKER_TAGS"),
        ids("Blinds; the bosses begin at JOKER_BL_HOOK.", blinds, "JOKER_BLINDS"),
        ids("Decks.", rows("decks"), "JOKER_DECKS"),
        ids("Booster packs.", packs, "JOKER_PACKS"),
        enum("Poker hands, the strongest first.", [hand(row["title"]) for row in hands], "JOKER_HANDS"),
        enum("When a joker acts: bits.", ["JOKER_HOOK_" + hook.upper() for hook in HOOKS], "JOKER_HOOKS",
             [f"1 << {i}" for i in range(len(HOOKS))]),
        enum("Rarities.", ["JOKER_" + rarity.upper() for rarity in RARITIES], "JOKER_RARITIES"),
        enum("When a joker is in its pool: always, while the deck holds such a card, before or after Gros Michel went extinct.",
             ["JOKER_POOL_" + pool for pool in POOLS.values()], None),
        macro("JOKER_JOKER_ROWS", "id, rarity, price, flags, pool condition, hooks, key, title, effect, state, stream", jokers(cards)),
        macro("JOKER_CONSUMABLE_ROWS", "id, set, price, chosen cards at least, at most, hand of a Planet, in the normal pool, key, title, "
              "effect, -, stream", consumables(tarots, planets, spectrals)),
        macro("JOKER_VOUCHER_ROWS", "id, price, tier, needs, open at start, key, title, effect, -, -",
              [[ident(r["key"]), r["price"], r["tier"], ident(r["needs"]) if r["needs"] else 255, yes(r["open_at_start"])] + words(r)
               for r in vouchers]),
        macro("JOKER_TAG_ROWS", "id, from ante, key of what must have been seen, key, title, effect, fires, -",
              [[ident(r["key"]), r["from_ante"], quoted(r["needs_seen"])] + words(r, when="fires") for r in tags]),
        macro("JOKER_BLIND_ROWS", "id, kind, from ante, target factor, reward, key, title, effect, acts, stream",
              [[ident(r["key"]), "JOKER_BLIND_" + r["kind"].upper(), r["from_ante"], r["target_factor"], r["reward"]] + words(r, when="acts")
               for r in blinds]),
        macro("JOKER_DECK_ROWS", "id, dollars, hands, discards, hand size, joker slots, consumable slots, voucher bits, two consumables, "
              "key, title, effect, -, -", decks(rows("decks"))),
        macro("JOKER_STAKE_ROWS", "target table, eternal, perishable, rental stickers, key, title, adds, -, -",
              [[r["target_table"], yes(r["eternal_stickers"]), yes(r["perishable_stickers"]), yes(r["rental_stickers"])]
               + words(r, effect="adds", title="key") for r in stakes]),
        macro("JOKER_PACK_ROWS", "id, kind, size, price, shown, picks, weight, key, title",
              [[ident(r["key"]), "JOKER_PACK_" + r["kind"].upper(), "JOKER_PACK_" + r["size"].upper(), r["price"], r["shown"], r["picks"],
                r["weight"], quoted(r["key"]), quoted(r["title"])] for r in packs]),
        macro("JOKER_HAND_ROWS", "hand, chips, mult, chips per level, mult per level, Planet, visible at start, title, needs",
              [[hand(r["title"]), r["chips"], r["mult"], r["chips_per_level"], r["mult_per_level"], ident(r["planet"]),
                yes(r["visible_at_start"]), quoted(r["title"]), quoted(r["needs"])] for r in hands]),
        macro("JOKER_ANTE_ROWS", "ante, base of the targets in tables 1, 2, 3",
              [[r["ante"]] + [r[f"table{t}"] + ".0" for t in (1, 2, 3)] for r in rows("antes")]),
    ]
    for kind in ("enhancement", "edition", "seal", "sticker"):
        parts.append(macro(f"JOKER_{kind.upper()}_ROWS", "price it adds, key, title, effect, -, stream", modifiers(modifier, kind)))
    for rarity in RARITIES:
        parts.append(list_macro(f"JOKER_{rarity.upper()}_LIST", f"The {rarity} jokers.",
                                [ident(row["key"]) for row in cards if row["rarity"] == rarity]))
    parts.append(list_macro("JOKER_BOSS_LIST", "The bosses by their keys.",
                            [ident(key) for key in sorted(row["key"] for row in blinds if row["kind"] in ("boss", "showdown"))]))
    return "".join(parts)


def main():
    made = text()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != made:
            sys.exit("games/joker/rules/joker_data.h is not what data/make.py writes: run it")
        return
    TARGET.write_text(made, encoding="utf-8")


main()
