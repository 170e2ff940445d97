/* `ludus verify craft FILE...`: chances and cheapest costs that files expect, computed again from
 * all outcomes. A file is one case: {"id","kind","rules","input","expect"}. */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-6  /* relative */
#define ROUNDING  1e-12 /* of a chance that is none */

void craft_case_number(lu_check *check, const lu_json_value *expect, const char *key, double got) {
    const lu_json_value *value = lu_json_get(expect, key);
    if (lu_json_kind_of(value) == LU_JSON_NUMBER) {
        double want = lu_json_real_or(value, (double)NAN);
        lu_check_number(check, key, want, got, fmax(TOLERANCE * fabs(want), ROUNDING));
    }
}

/* ---- switches ---- */

/* Whole numbers, and words for them; `words` is NULL for 0 and 1. */
typedef struct switch_row {
    const char *key;
    size_t at;
    const char *const *words;
} switch_row;

static const char *const side_words[] = {"pooled", "side_first", NULL};
static const char *const bone_words[] = {"pooled", "even", NULL};
static const char *const floor_words[] = {"keep_top", "strict", "keep_absolute_top", NULL};
static const char *const alchemy_words[] = {"off", "keep", "replace", NULL};
static const char *const lord_words[] = {"one", "all", NULL};
static const char *const factor_words[] = {"5 at 20", "1 + q", NULL};
static const char *const divine_words[] = {"keep", "reroll", NULL};
static const char *const tie_words[] = {"even", "first", NULL};
static const char *const weight_words[] = {"est", "flat", NULL};

#define AT(member) offsetof(craft_switches, member)
static const switch_row switch_rows[] = {
    {"side_choice", AT(side_choice), side_words},
    {"floor_mode", AT(floor_mode), floor_words},
    {"floor_needs_ilvl", AT(floor_needs_ilvl), NULL},
    {"magic_limit_shift", AT(magic_limit_shift), NULL},
    {"alchemy_on_magic", AT(alchemy_on_magic), alchemy_words},
    {"removed_can_return", AT(removed_can_return), NULL},
    {"essence_blocked_by_family", AT(essence_blocked_by_family), NULL},
    {"bone_side", AT(bone_side), bone_words},
    {"lord_omen", AT(lord_all), lord_words},
    {"lord_mode", AT(lord_all), lord_words},
    {"reveal_gate_65", AT(reveal_gate_65), NULL},
    {"catalysing_factor", AT(catalysing_quality), factor_words},
    {"fracture_unrevealed_counts", AT(fracture_unrevealed_counts), NULL},
    {"divine_fractured", AT(divine_rerolls_fractured), divine_words},
    {"whittling_tie", AT(whittling_first), tie_words},
    {"weights", AT(flat_weights), weight_words},
};

/* A number, a flag, or a word that begins like one of the row's. */
static bool switch_value(const switch_row *row, const lu_json_value *value, int32_t *to) {
    lu_json_kind kind = lu_json_kind_of(value);
    if (kind == LU_JSON_NUMBER || kind == LU_JSON_TRUE || kind == LU_JSON_FALSE) {
        *to = kind == LU_JSON_NUMBER ? (int32_t)lu_json_real_or(value, 0.0) : kind == LU_JSON_TRUE;
        return true;
    }
    for (int k = 0; kind == LU_JSON_STRING && row->words && row->words[k]; k++) {
        if (strncmp(lu_json_text(value, NULL), row->words[k], strlen(row->words[k])) == 0) {
            *to = k;
            return true;
        }
    }
    return false;
}

/* Chances of 1, 2, 3 options; a number is the chance of each further one. */
static bool read_exclusive(const lu_json_value *value, double *chance) {
    const char *text =
        lu_json_kind_of(value) == LU_JSON_STRING ? strpbrk(lu_json_text(value, NULL), "0.1") : NULL;
    double further = text ? strtod(text, NULL) : lu_json_real_or(value, -1.0);
    if (lu_json_kind_of(value) == LU_JSON_ARRAY && lu_json_count(value) == 3) {
        for (size_t k = 0; k < 3; k++) {
            chance[k] = lu_json_real_or(lu_json_at(value, k), 0.0);
        }
        return true;
    }
    chance[0] = (1.0 - further) * (1.0 - further);
    chance[1] = 2.0 * further * (1.0 - further);
    chance[2] = further * further;
    return further >= 0.0 && further <= 1.0;
}

static lu_status read_switches(lu_check *check, const lu_json_value *entry,
                               const lu_json_value *input, craft_switches *switches) {
    const lu_json_value *version = lu_json_get(input, "version");
    version = version ? version : lu_json_get(entry, "rules");
    const char *told = lu_json_kind_of(version) == LU_JSON_STRING   ? lu_json_text(version, NULL)
                       : lu_json_kind_of(version) == LU_JSON_NUMBER ? lu_json_number_text(version)
                                                                    : "0.4";
    if (strlen(told) != 3 || memcmp(told, "0.", 2) != 0 || told[2] < '3' || told[2] > '5') {
        return lu_check_bad(check, "'version' must be 0.3, 0.4 or 0.5");
    }
    *switches = craft_switches_of(told[2] - '0');
    for (size_t k = 0; k < sizeof switch_rows / sizeof *switch_rows; k++) {
        const switch_row *row = &switch_rows[k];
        const lu_json_value *value = lu_json_get(input, row->key);
        int32_t *to = (int32_t *)((char *)switches + row->at);
        if (value && !switch_value(row, value, to)) {
            char text[120];
            snprintf(text, sizeof text, "'%s' has an unknown value", row->key);
            return lu_check_bad(check, text);
        }
    }
    const lu_json_value *exclusive = lu_json_get(input, "reveal_exclusive");
    if (exclusive && !read_exclusive(exclusive, switches->reveal_exclusive)) {
        return lu_check_bad(check, "'reveal_exclusive' must be three chances");
    }
    return LU_OK;
}

/* ---- base, item, target ---- */

/* A key that nothing reads would change nothing: it is the case's mismatch, by name. */
static lu_status known_keys(lu_check *check, const lu_json_value *object, const char *const *keys,
                            bool switches) {
    for (size_t k = 0; k < lu_json_count(object); k++) {
        const char *key = "";
        (void)lu_json_member(object, k, &key);
        bool known = switches && strcmp(key, "reveal_exclusive") == 0;
        for (size_t row = 0; switches && row < sizeof switch_rows / sizeof *switch_rows; row++) {
            known = known || strcmp(key, switch_rows[row].key) == 0;
        }
        for (int row = 0; keys[row]; row++) {
            known = known || strcmp(key, keys[row]) == 0;
        }
        if (!known) {
            char text[120];
            snprintf(text, sizeof text, "the key '%.60s' is not known", key);
            lu_check_say(check, text);
            return LU_BAD_VALUE;
        }
    }
    return LU_OK;
}

static lu_status check_keys(lu_check *check, const craft_case *c) {
    static const char *const input[] = {
        "base",    "ilvl", "item",   "actions", "action", "setup",     "spec",   "prices",
        "version", "want", "wanted", "side",    "lord",   "min_level", "echoes", NULL};
    static const char *const item[] = {"rarity", "mods", "fractured", "unrevealed", NULL};
    lu_status status = known_keys(check, c->input, input, true);
    return status == LU_OK ? known_keys(check, lu_json_get(c->input, "item"), item, false) : status;
}

static lu_status read_base(lu_check *check, const lu_json_value *entry, craft_case *c) {
    craft_switches switches = {0};
    const char *name = "";
    int64_t ilvl = 0;
    lu_error inner;
    lu_status status = read_switches(check, entry, c->input, &switches);
    if (status != LU_OK) {
        return status;
    }
    char pack[16];
    snprintf(pack, sizeof pack, "poe2-0.%d", (int)switches.version);
    c->pack = craft_pack_find(pack);
    if (lu_json_get_text(c->input, "base", &name, &inner) != LU_OK ||
        lu_json_get_int(c->input, "ilvl", 1, 100, &ilvl, &inner) != LU_OK) {
        return lu_check_bad(check, inner.text);
    }
    int base = craft_base_find(c->pack, name);
    if (base < 0) {
        return lu_check_bad(check, "'base' names no base of the tables");
    }
    return craft_pool_init(&c->pool, c->pack, base, (int)ilvl, &switches, &inner) == LU_OK
               ? LU_OK
               : lu_check_bad(check, inner.text);
}

/* Marks what `fractured` names: a modifier or its number, or a list of them. False: it names one
 * that the item has not. */
static bool read_fractured(craft_case *c, const lu_json_value *value) {
    lu_json_kind kind = lu_json_kind_of(value);
    bool list = kind == LU_JSON_ARRAY || kind == LU_JSON_NULL || !value, found = list;
    for (size_t k = 0; kind == LU_JSON_ARRAY && k < lu_json_count(value); k++) {
        found = read_fractured(c, lu_json_at(value, k)) && found;
    }
    for (int k = 0; k < c->mods; k++) {
        const char *id = c->pack->mods[c->pool.entry[c->mod[k]].mod].id;
        bool named = kind == LU_JSON_STRING && strcmp(lu_json_text(value, NULL), id) == 0;
        bool numbered = kind == LU_JSON_NUMBER && (int)lu_json_real_or(value, -1.0) == k;
        c->flags[k] |= named || numbered ? CRAFT_FRACTURED : 0;
        found = found || named || numbered;
    }
    return found;
}

static lu_status read_mods(lu_check *check, craft_case *c, const lu_json_value *list) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *value = lu_json_at(list, k);
        const char *id = lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
        int mod = craft_mod_find(c->pack, id);
        int entry = mod < 0 ? CRAFT_NO_ENTRY : craft_entry_of(&c->pool, mod);
        if (entry == CRAFT_NO_ENTRY || c->mods == CRAFT_MODS) {
            char text[160];
            snprintf(text, sizeof text,
                     "'mods': %.60s cannot be on this base, or they are too many", id);
            return lu_check_bad(check, text);
        }
        bool bones = c->pool.entry[entry].origin == CRAFT_ORIGIN_DESECRATED;
        c->flags[c->mods] = bones ? CRAFT_DESECRATED : 0;
        c->mod[c->mods++] = (uint16_t)entry;
    }
    return LU_OK;
}

static lu_status read_item(lu_check *check, craft_case *c) {
    static const char *const names[] = {"normal", "magic", "rare"};
    const lu_json_value *item = lu_json_get(c->input, "item");
    const lu_json_value *hidden = lu_json_get(item, "unrevealed");
    const char *rarity = "normal";
    (void)lu_json_get_text(item, "rarity", &rarity, NULL);
    for (c->rarity = 0; c->rarity < CRAFT_RARITIES && strcmp(names[c->rarity], rarity) != 0;) {
        c->rarity++;
    }
    if (c->rarity == CRAFT_RARITIES) {
        return lu_check_bad(check, "'rarity' must be normal, magic or rare");
    }
    for (size_t k = 0; k < lu_json_count(hidden); k++) {
        const lu_json_value *side = lu_json_at(hidden, k);
        const char *word = lu_json_kind_of(side) == LU_JSON_STRING ? lu_json_text(side, NULL) : "";
        if (*word != 'P' && *word != 'S') {
            return lu_check_bad(check, "'unrevealed' must be a list of sides, P or S");
        }
        c->hidden[*word == 'P' ? CRAFT_PREFIX : CRAFT_SUFFIX]++;
    }
    lu_status status = read_mods(check, c, lu_json_get(item, "mods"));
    if (status == LU_OK && !read_fractured(c, lu_json_get(item, "fractured"))) {
        return lu_check_bad(check, "'fractured' names a modifier that the item does not have");
    }
    return c->mods + c->hidden[0] + c->hidden[1] > CRAFT_MODS
               ? lu_check_bad(check, "the item has more than six modifiers")
               : status;
}

/* What no item fulfils has a chance of 0, so that is no error here. */
static lu_status read_goal(lu_check *check, craft_case *c) {
    const lu_json_value *spec = lu_json_get(c->input, "spec");
    lu_error inner;
    craft_target *target = lu_alloc(sizeof *target);
    lu_status status = LU_OK;
    if (spec && craft_target_read(target, c->pack, spec, &inner) != LU_OK) {
        status = lu_check_bad(check, inner.text);
    } else if (spec) {
        (void)craft_goal_init(&c->goal, target, c->pack, &c->pool, &inner);
    }
    c->has_goal = spec != NULL;
    free(target);
    return status;
}

/* ---- uses ---- */

static lu_status read_use(lu_check *check, const lu_json_value *value, craft_case_use *use) {
    const lu_json_value *omens = lu_json_get(value, "omens");
    lu_error inner;
    *use = (craft_case_use){0};
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        use->item = lu_json_text(value, NULL);
        return LU_OK;
    }
    if (lu_json_get_text(value, "currency", &use->item, &inner) != LU_OK) {
        return lu_check_bad(check, inner.text);
    }
    for (size_t k = 0; k < lu_json_count(omens); k++) {
        const lu_json_value *omen = lu_json_at(omens, k);
        if (lu_json_kind_of(omen) != LU_JSON_STRING || use->omens == CRAFT_USE_OMENS) {
            return lu_check_bad(check, "'omens' must be at most four names");
        }
        use->omen[use->omens++] = lu_json_text(omen, NULL);
    }
    return LU_OK;
}

lu_status craft_case_uses(lu_check *check, craft_case *c, const char *key) {
    const lu_json_value *value = lu_json_get(c->input, key);
    bool list = lu_json_kind_of(value) == LU_JSON_ARRAY;
    size_t count = list ? lu_json_count(value) : value ? 1 : 0;
    lu_status status = LU_OK;
    for (size_t k = 0; k < count && status == LU_OK; k++) {
        if (c->asks == CRAFT_CASE_USES) {
            return lu_check_bad(check, "it has too many actions");
        }
        status = read_use(check, list ? lu_json_at(value, k) : value, &c->asked[c->asks++]);
    }
    return status;
}

lu_status craft_case_start(lu_check *check, craft_case *c) {
    lu_error inner;
    int tells = 0;
    for (int k = 0; k < c->asks; k++) {
        const craft_case_use *use = &c->asked[k];
        tells |= craft_use_tells(&c->pool, use->item, use->omen, use->omens);
    }
    lu_status status = craft_sorts_init(&c->sorts, c->pack, &c->pool, c->has_goal ? &c->goal : NULL,
                                        tells, &inner);
    for (int k = 0; k < c->asks && status == LU_OK; k++) {
        const craft_case_use *use = &c->asked[k];
        status = craft_use_init(&c->use[k], &c->sorts, use->item, use->omen, use->omens, &inner);
    }
    c->start = (craft_set){.rarity = (uint8_t)c->rarity};
    for (int k = 0; k < c->mods && status == LU_OK; k++) {
        int flags = (c->flags[k] & CRAFT_FRACTURED ? CRAFT_SET_FRACTURED : 0) |
                    (c->flags[k] & CRAFT_DESECRATED ? CRAFT_SET_DESECRATED : 0);
        int sort = craft_sort_of(&c->sorts, c->mod[k], 0);
        c->start = craft_set_with(&c->sorts, &c->start, (uint16_t)(sort | flags));
    }
    for (int k = 0; k < CRAFT_SIDES * CRAFT_MODS && status == LU_OK; k++) {
        int side = k % CRAFT_SIDES;
        if (k / CRAFT_SIDES < c->hidden[side]) {
            int sort = craft_sort_hidden(&c->sorts, side, 0, CRAFT_LORD_NONE);
            c->start =
                craft_set_with(&c->sorts, &c->start, (uint16_t)(sort | CRAFT_SET_DESECRATED));
        }
    }
    if (status != LU_OK) {
        lu_check_say(check, inner.text);
    }
    return status == LU_OK ? LU_OK : LU_BAD_VALUE;
}

/* ---- cases ---- */

static const struct {
    const char *kind;
    craft_case_kind *answer;
} kinds[] = {{"prob", craft_case_prob},         {"until", craft_case_until},
             {"mdp", craft_case_mdp},           {"reveal", craft_case_reveal},
             {"fracture", craft_case_fracture}, {"classic_chaos", craft_case_classic}};

static lu_status check_one(const lu_tool_io *io, lu_check *check, const lu_json_value *entry) {
    craft_case *c = lu_alloc_zero(1, sizeof *c);
    const char *kind = "";
    craft_case_kind *answer = NULL;
    c->input = lu_json_get(entry, "input");
    (void)lu_json_get_text(entry, "kind", &kind, NULL);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        answer = strcmp(kinds[k].kind, kind) == 0 ? kinds[k].answer : answer;
    }
    lu_status status = answer ? LU_OK
                              : lu_check_bad(check, "'kind' must be prob, until, mdp, reveal, "
                                                    "fracture or classic_chaos");
    status = status == LU_OK ? check_keys(check, c) : status;
    status = status == LU_OK ? read_base(check, entry, c) : status;
    status = status == LU_OK ? read_item(check, c) : status;
    status = status == LU_OK ? read_goal(check, c) : status;
    status = status == LU_OK ? answer(check, io, c, lu_json_get(entry, "expect")) : status;
    craft_sorts_free(&c->sorts);
    free(c);
    return status == LU_BAD_VALUE ? LU_OK : status; /* told as the mismatch of this case */
}

static lu_status check_file(lu_verify *v, const lu_tool_input *input) {
    lu_check check = {.input = input, .error = v->error};
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, v->error);
    const char *id = input->name;
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document);
    (void)lu_json_get_text(root, "id", &id, NULL);
    lu_check_start(&check, id);
    lu_status status = lu_check_end(v, &check, check_one(v->io, &check, root));
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_verify v = {.io = io, .error = error, .what = "cases"};
    return lu_verify_files(&v, check_file);
}

static const lu_setting rows[] = {
    {"threads", LU_INT, "0", 0, 256, NULL, "Threads of the solver; 0: one per processor.", false},
};

extern const lu_tool lu_tool_craft_verify;
const lu_tool lu_tool_craft_verify = {
    .game = "craft",
    .name = "verify",
    .sentence = "Recomputes chances and cheapest costs of recorded cases.",
    .settings = {"craft verify", rows, sizeof rows / sizeof *rows},
    .run = run,
};
