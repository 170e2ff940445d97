/* The tables: every cell is that of data/CSV, and what the rules say about them holds. */
#include "rules/joker_make.h"

#include "ludus/file.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a small reader of data/NAME.csv: cells may stand in quotes, "" is a quote ---- */

enum { CELLS = 16, ROWS = 160 };

typedef struct csv {
    char *text;
    int rows;
    char *head[CELLS];
    char *cell[ROWS][CELLS];
} csv;

/* Takes one cell, in place; where the next one starts, NULL at the end of the line. */
static char *take_cell(char *from, char **cell) {
    char *to = from;
    bool quoted = *from == '"';
    *cell = to;
    from += quoted;
    while (*from && (quoted || *from != ',')) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                from++;
                break;
            }
            from++;
        }
        *to++ = *from++;
    }
    char *next = *from == ',' ? from + 1 : NULL;
    *to = 0;
    return next;
}

static bool csv_read(csv *c, const char *name) {
    char path[128];
    size_t length;
    lu_error error;
    memset(c, 0, sizeof *c);
    snprintf(path, sizeof path, "games/joker/data/%s.csv", name);
    if (lu_file_read(lu_test_source(path), 1 << 20, &c->text, &length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return false;
    }
    char *line = c->text;
    for (int r = -1; *line && r < ROWS; r++) {
        char *end = strchr(line, '\n');
        *end = 0;
        char **cells = r < 0 ? c->head : c->cell[r];
        for (int k = 0; line && k < CELLS; k++) {
            line = take_cell(line, &cells[k]);
        }
        c->rows = r + 1;
        line = end + 1;
    }
    return true;
}

static const char *text_of(const csv *c, int row, const char *column) {
    for (int k = 0; k < CELLS && c->head[k]; k++) {
        if (strcmp(c->head[k], column) == 0) {
            return c->cell[row][k];
        }
    }
    lu_test_fail(__FILE__, __LINE__, "no column '%s'", column);
    return "";
}

static double number(const csv *c, int row, const char *column) {
    return strtod(text_of(c, row, column), NULL);
}

static bool yes(const csv *c, int row, const char *column) {
    return strcmp(text_of(c, row, column), "yes") == 0;
}

/* Key, title and effect of a row, and its number. */
static void check_words(const csv *c, int row, const joker_words *words) {
    CHECK_INT((int)number(c, row, "no"), row + 1);
    CHECK_TEXT(words->key, text_of(c, row, "key"));
    CHECK_TEXT(words->title, text_of(c, row, "title"));
}

/* ---- each file ---- */

static const char *const hooks[] = {
    "passive",   "rule",         "blind_set",   "first_draw",    "before",      "scored",
    "held",      "again_scored", "again_held",  "main",          "after_other", "destroy",
    "after",     "pre_discard",  "discard",     "cards_lost",    "card_added",  "planet_used",
    "round_end", "payout",       "sell_self",   "sell_any",      "reroll",      "pack_open",
    "pack_skip", "shop_exit",    "last_chance", "debuffed_hand", "copy"};

TEST(jokers_are_those_of_the_file) {
    static const char *const pools[] = {"",
                                        "deck holds a Steel card",
                                        "deck holds a Stone card",
                                        "deck holds a Gold card",
                                        "deck holds a Lucky card",
                                        "deck holds a Glass card",
                                        "until Gros Michel went extinct",
                                        "after Gros Michel went extinct"};
    csv c;
    NEED(csv_read(&c, "jokers"));
    CHECK_INT(c.rows, JOKER_JOKERS);
    for (int r = 0; r < c.rows; r++) {
        const joker_joker_fact *fact = &joker_joker_facts[r];
        char names[160];
        uint32_t bits = 0;
        check_words(&c, r, &joker_joker_words[r]);
        CHECK_TEXT(joker_joker_words[r].effect, text_of(&c, r, "effect"));
        CHECK_TEXT(joker_joker_words[r].when, text_of(&c, r, "state_start_and_change"));
        CHECK_TEXT(joker_joker_words[r].stream, text_of(&c, r, "random_stream"));
        CHECK_TEXT(joker_rarity_names[fact->rarity], text_of(&c, r, "rarity"));
        CHECK_INT(fact->price, (int)number(&c, r, "price"));
        CHECK_INT(fact->flags, (yes(&c, r, "open_at_start") ? JOKER_IS_OPEN : 0) |
                                   (yes(&c, r, "copyable") ? JOKER_IS_COPYABLE : 0) |
                                   (yes(&c, r, "may_be_eternal") ? JOKER_IS_MAY_ETERNAL : 0) |
                                   (yes(&c, r, "may_be_perishable") ? JOKER_IS_MAY_PERISH : 0));
        CHECK_TEXT(pools[fact->pool], text_of(&c, r, "pool_condition"));
        snprintf(names, sizeof names, " %s ", text_of(&c, r, "hooks"));
        for (int h = 0; h < 29; h++) {
            char one[32];
            snprintf(one, sizeof one, " %s ", hooks[h]);
            bits |= strstr(names, one) ? 1u << h : 0u;
        }
        CHECK_INT(fact->hooks, bits);
        CHECK_INT(joker_find_joker(text_of(&c, r, "key")), r);
        CHECK_INT(joker_find_joker(text_of(&c, r, "title")), r);
    }
    free(c.text);
}

TEST(consumables_are_those_of_the_files) {
    static const char *const names[] = {"tarots", "planets", "spectrals"};
    for (int set = 0, id = 0; set < JOKER_SETS; set++) {
        csv c;
        NEED(csv_read(&c, names[set]));
        CHECK_INT(joker_set_from[set], id);
        for (int r = 0; r < c.rows; r++, id++) {
            const joker_consumable_fact *fact = &joker_consumable_facts[id];
            check_words(&c, r, &joker_consumable_words[id]);
            CHECK_INT(fact->set, set);
            CHECK_INT(fact->price, (int)number(&c, r, "price"));
            CHECK_INT(joker_find_consumable(text_of(&c, r, "key")), id);
            if (set == JOKER_PLANET) {
                const joker_hand_fact *hand = &joker_hand_facts[fact->hand];
                CHECK_TEXT(joker_hand_words[fact->hand].title, text_of(&c, r, "raises_hand"));
                CHECK_INT(hand->chips_step, (int)number(&c, r, "chips_per_level"));
                CHECK_INT(hand->mult_step, (int)number(&c, r, "mult_per_level"));
                CHECK_INT(!hand->visible, yes(&c, r, "only_after_hand_was_played"));
                CHECK_INT(hand->planet, id);
                CHECK_INT(fact->pool, 1);
                continue;
            }
            CHECK_TEXT(joker_consumable_words[id].effect, text_of(&c, r, "effect"));
            CHECK_TEXT(joker_consumable_words[id].stream, text_of(&c, r, "random_stream"));
            CHECK_INT(fact->choose_min, (int)number(&c, r, "choose_min"));
            CHECK_INT(fact->choose_max, (int)number(&c, r, "choose_max"));
            CHECK_INT(fact->hand, JOKER_NONE);
            CHECK_INT(fact->pool, set == JOKER_TAROT || yes(&c, r, "in_normal_pool"));
        }
        CHECK_INT(joker_set_from[set + 1], id);
        free(c.text);
    }
}

TEST(vouchers_and_tags_are_those_of_the_files) {
    csv c;
    NEED(csv_read(&c, "vouchers"));
    CHECK_INT(c.rows, JOKER_VOUCHERS);
    for (int r = 0; r < c.rows; r++) {
        const joker_voucher_fact *fact = &joker_voucher_facts[r];
        const char *needs = text_of(&c, r, "needs");
        check_words(&c, r, &joker_voucher_words[r]);
        CHECK_TEXT(joker_voucher_words[r].effect, text_of(&c, r, "effect"));
        CHECK_INT(fact->price, (int)number(&c, r, "price"));
        CHECK_INT(fact->tier, (int)number(&c, r, "tier"));
        CHECK_INT(fact->needs, *needs ? joker_find_voucher(needs) : JOKER_NONE);
        CHECK_INT(fact->open, yes(&c, r, "open_at_start"));
    }
    free(c.text);
    NEED(csv_read(&c, "tags"));
    CHECK_INT(c.rows, JOKER_TAGS);
    for (int r = 0; r < c.rows; r++) {
        check_words(&c, r, &joker_tag_words[r]);
        CHECK_TEXT(joker_tag_words[r].effect, text_of(&c, r, "effect"));
        CHECK_TEXT(joker_tag_words[r].when, text_of(&c, r, "fires"));
        CHECK_TEXT(joker_tag_needs[r], text_of(&c, r, "needs_seen"));
        CHECK_INT(joker_tag_from[r], (int)number(&c, r, "from_ante"));
        CHECK_INT(joker_find_tag(text_of(&c, r, "key")), r);
    }
    free(c.text);
}

TEST(blinds_are_those_of_the_file) {
    static const char *const kinds[] = {"small", "big", "boss", "showdown"};
    csv c;
    NEED(csv_read(&c, "blinds"));
    CHECK_INT(c.rows, JOKER_BLINDS);
    for (int r = 0; r < c.rows; r++) {
        const joker_blind_fact *fact = &joker_blind_facts[r];
        check_words(&c, r, &joker_blind_words[r]);
        CHECK_TEXT(joker_blind_words[r].effect, text_of(&c, r, "effect"));
        CHECK_TEXT(joker_blind_words[r].when, text_of(&c, r, "acts"));
        CHECK_TEXT(joker_blind_words[r].stream, text_of(&c, r, "random_stream"));
        CHECK_TEXT(kinds[fact->kind], text_of(&c, r, "kind"));
        CHECK_INT(fact->from, (int)number(&c, r, "from_ante"));
        CHECK(fact->factor == number(&c, r, "target_factor"));
        CHECK_INT(fact->reward, (int)number(&c, r, "reward"));
        CHECK_INT(joker_find_blind(text_of(&c, r, "key")), r);
    }
    for (int i = 1; i < JOKER_BOSSES; i++) {
        CHECK(strcmp(joker_blind_words[joker_bosses[i - 1]].key,
                     joker_blind_words[joker_bosses[i]].key) < 0);
    }
    free(c.text);
}

TEST(decks_and_stakes_are_those_of_the_files) {
    csv c;
    NEED(csv_read(&c, "decks"));
    CHECK_INT(c.rows, JOKER_DECKS);
    for (int r = 0; r < c.rows; r++) {
        const joker_deck_fact *fact = &joker_deck_facts[r];
        char listed[80] = "", bag[40] = "";
        check_words(&c, r, &joker_deck_words[r]);
        CHECK_TEXT(joker_deck_words[r].effect, text_of(&c, r, "effect"));
        CHECK_INT(fact->dollars, (int)number(&c, r, "dollars"));
        CHECK_INT(fact->hands, (int)number(&c, r, "hands"));
        CHECK_INT(fact->discards, (int)number(&c, r, "discards"));
        CHECK_INT(fact->hand_size, (int)number(&c, r, "hand_size"));
        CHECK_INT(fact->joker_slots, (int)number(&c, r, "joker_slots"));
        CHECK_INT(fact->bag_slots, (int)number(&c, r, "consumable_slots"));
        snprintf(listed, sizeof listed, " %s ", text_of(&c, r, "vouchers"));
        for (int v = 0; v < JOKER_VOUCHERS; v++) {
            char one[40];
            snprintf(one, sizeof one, " %s ", joker_voucher_words[v].key);
            CHECK_INT(fact->vouchers >> v & 1u, strstr(listed, one) != NULL);
        }
        for (int i = 0; i < 2 && fact->bag[i] != JOKER_NONE; i++) {
            size_t used = strlen(bag);
            snprintf(bag + used, sizeof bag - used, "%s%s", i ? " " : "",
                     joker_consumable_words[fact->bag[i]].key);
        }
        CHECK_TEXT(bag, text_of(&c, r, "consumables"));
    }
    free(c.text);
    NEED(csv_read(&c, "stakes"));
    CHECK_INT(c.rows, JOKER_STAKES);
    for (int r = 0; r < c.rows; r++) {
        const joker_stake_fact *fact = &joker_stake_facts[r];
        CHECK_INT((int)number(&c, r, "no"), r + 1);
        CHECK_TEXT(joker_stake_words[r].key, text_of(&c, r, "key"));
        CHECK_TEXT(joker_stake_words[r].effect, text_of(&c, r, "adds"));
        CHECK_INT(fact->table, (int)number(&c, r, "target_table"));
        CHECK_INT(fact->eternal, yes(&c, r, "eternal_stickers"));
        CHECK_INT(fact->perishable, yes(&c, r, "perishable_stickers"));
        CHECK_INT(fact->rental, yes(&c, r, "rental_stickers"));
    }
    free(c.text);
}

TEST(packs_and_hands_are_those_of_the_files) {
    static const char *const sizes[] = {"normal", "jumbo", "mega"};
    double weights = 0.0;
    csv c;
    NEED(csv_read(&c, "packs"));
    CHECK_INT(c.rows, JOKER_PACKS);
    for (int r = 0; r < c.rows; r++) {
        const joker_pack_fact *fact = &joker_pack_facts[r];
        check_words(&c, r, &joker_pack_words[r]);
        CHECK_TEXT(joker_pack_kind_names[fact->kind], text_of(&c, r, "kind"));
        CHECK_TEXT(sizes[fact->size], text_of(&c, r, "size"));
        CHECK_INT(fact->price, (int)number(&c, r, "price"));
        CHECK_INT(fact->shown, (int)number(&c, r, "shown"));
        CHECK_INT(fact->picks, (int)number(&c, r, "picks"));
        CHECK(fact->weight == number(&c, r, "weight"));
        CHECK(fact->shown <= JOKER_PACK_MAX);
        weights += fact->weight;
    }
    CHECK_NEAR(weights, 22.42, 1e-12);
    free(c.text);
    NEED(csv_read(&c, "hands"));
    CHECK_INT(c.rows, JOKER_HANDS);
    for (int r = 0; r < c.rows; r++) {
        const joker_hand_fact *fact = &joker_hand_facts[r];
        CHECK_INT((int)number(&c, r, "no"), r + 1);
        CHECK_TEXT(joker_hand_words[r].title, text_of(&c, r, "title"));
        CHECK_TEXT(joker_hand_words[r].effect, text_of(&c, r, "needs"));
        CHECK_INT(fact->chips, (int)number(&c, r, "chips"));
        CHECK_INT(fact->mult, (int)number(&c, r, "mult"));
        CHECK_INT(fact->chips_step, (int)number(&c, r, "chips_per_level"));
        CHECK_INT(fact->mult_step, (int)number(&c, r, "mult_per_level"));
        CHECK_INT(fact->planet, joker_find_consumable(text_of(&c, r, "planet")));
        CHECK_INT(fact->visible, yes(&c, r, "visible_at_start"));
    }
    free(c.text);
}

TEST(modifiers_are_those_of_the_file) {
    static const struct {
        const char *kind;
        const joker_words *words;
        int from;
    } kinds[] = {{"enhancement", joker_enhancement_words, 1},
                 {"edition", joker_edition_words, 1},
                 {"seal", joker_seal_words, 1},
                 {"sticker", joker_sticker_words, 0}};
    csv c;
    int r = 0;
    NEED(csv_read(&c, "modifiers"));
    for (int k = 0; k < 4; k++) {
        for (int at = kinds[k].from; r < c.rows && !strcmp(text_of(&c, r, "kind"), kinds[k].kind);
             at++, r++) {
            CHECK_TEXT(kinds[k].words[at].key, text_of(&c, r, "key"));
            CHECK_TEXT(kinds[k].words[at].title, text_of(&c, r, "title"));
            CHECK_TEXT(kinds[k].words[at].effect, text_of(&c, r, "effect"));
            CHECK_TEXT(kinds[k].words[at].stream, text_of(&c, r, "random_stream"));
            if (k == 1) {
                CHECK_INT(joker_edition_price[at], (int)number(&c, r, "sold_price_change"));
            }
        }
    }
    CHECK_INT(r, c.rows);
    CHECK_INT(joker_find_enhancement("m_lucky"), JOKER_LUCKY);
    CHECK_INT(joker_find_edition("negative"), JOKER_NEGATIVE);
    CHECK_INT(joker_find_seal("Purple"), JOKER_PURPLE_SEAL);
    free(c.text);
}

/* The table reaches to ante 16: up to 8 it is read, from 9 on computed. */
TEST(targets_are_those_of_the_file) {
    static const struct {
        const char *column;
        int blind;
    } columns[] = {{"small_white", JOKER_BL_SMALL},
                   {"big_white", JOKER_BL_BIG},
                   {"boss_x2_white", JOKER_BL_HOOK},
                   {"boss_x4_white", JOKER_BL_WALL},
                   {"showdown_x6_white", JOKER_BL_FINAL_VESSEL}};
    joker_state *s = calloc(1, sizeof *s);
    joker_rules m = {.deck = JOKER_B_RED};
    csv c;
    NEED(csv_read(&c, "antes"));
    CHECK_INT(c.rows, JOKER_ANTE_ROWS_COUNT);
    for (int r = 0; r < c.rows; r++) {
        CHECK_INT((int)number(&c, r, "ante"), r);
        for (int table = 1; table <= 3; table++) {
            char column[32];
            snprintf(column, sizeof column, "table%d", table);
            double want = number(&c, r, column);
            CHECK(joker_antes[r][table - 1] == want);
            CHECK_NEAR(joker_ante_base(r, table) / want, 1.0, 1e-14);
        }
        for (int k = 0; k < 5; k++) {
            double want = number(&c, r, columns[k].column);
            CHECK_NEAR(joker_target(&m, s, r, columns[k].blind) / want, 1.0, 1e-14);
        }
    }
    CHECK(joker_ante_base(-3, 2) == 100.0);
    CHECK(joker_ante_base(60, 3) > 1e300);
    free(c.text);
    free(s);
}

/* ---- what holds about them ---- */

TEST(jokers_by_rarity_are_all_jokers_in_order) {
    int seen[JOKER_JOKERS] = {0};
    for (int rarity = 0; rarity < JOKER_RARITIES; rarity++) {
        int from = joker_rarity_from[rarity], end = joker_rarity_from[rarity + 1];
        CHECK(end - from <= 64); /* pools are 64 bits */
        for (int i = from; i < end; i++) {
            CHECK_INT(joker_joker_facts[joker_by_rarity[i]].rarity, rarity);
            CHECK(i == from || joker_by_rarity[i] > joker_by_rarity[i - 1]);
            seen[joker_by_rarity[i]]++;
        }
    }
    for (int id = 0; id < JOKER_JOKERS; id++) {
        CHECK_INT(seen[id], 1);
    }
    CHECK_INT(joker_find_joker("no such joker"), -1);
    CHECK_INT(joker_find_joker("BLUEPRINT"), JOKER_J_BLUEPRINT);
}
