/* What a seed that was found has: where each thing that was wanted lies, and what else is good in
 * its first two antes. */
#include "rules/joker_make.h"

#include "find.h"

#include <stdio.h>
#include <string.h>

enum { ALSO_ANTES = 2, ALSO_MOST = 6 };

/* ---- in words ---- */

static const char *title_of(const joker_find_term *term) {
    switch (term->kind) {
    case JOKER_FIND_JOKER:
        return term->id < 0 ? "joker" : joker_joker_words[term->id].title;
    case JOKER_FIND_CONSUMABLE:
        return joker_consumable_words[term->id].title;
    case JOKER_FIND_TAG:
        return joker_tag_words[term->id].title;
    case JOKER_FIND_VOUCHER:
        return joker_voucher_words[term->id].title;
    default:
        return joker_blind_words[term->id].title;
    }
}

static bool from_soul(const joker_find_term *term) {
    return term->kind == JOKER_FIND_JOKER && term->id >= 0 &&
           joker_joker_facts[term->id].rarity == JOKER_LEGENDARY;
}

static const char *const blinds[] = {"", "small", "big"};

/* "Negative Blueprint in shop card 3 of ante 1". */
static void add_words(const joker_find_term *term, int at, lu_text *text) {
    static const char *const kinds[] = {"", "", "", " voucher", " boss"};
    if (term->edition > JOKER_BASE) {
        lu_text_addf(text, "%s ", joker_edition_words[term->edition].title);
    }
    lu_text_add(text, title_of(term));
    lu_text_add(text, kinds[term->kind]);
    if (from_soul(term)) {
        lu_text_add(text, " from The Soul");
    }
    if (term->kind == JOKER_FIND_TAG) {
        lu_text_addf(text, " for the %s blind", blinds[at]);
    } else if (at > 0) {
        lu_text_addf(text, " in %s %d", term->place == JOKER_FIND_SHOP ? "shop card" : "pack", at);
    }
    lu_text_addf(text, "%s ante %d", at > 0 ? " of" : " in", term->ante);
}

static void write_thing(const joker_find_term *term, int at, lu_json *json) {
    static const char *const kinds[] = {"joker", "consumable", "tag", "voucher", "boss"};
    lu_json_object(json);
    lu_json_key_string(json, "kind", kinds[term->kind]);
    lu_json_key_string(json, "name", title_of(term));
    if (term->edition > JOKER_BASE) {
        lu_json_key_string(json, "edition", joker_edition_words[term->edition].key);
    }
    lu_json_key_int(json, "ante", term->ante);
    if (term->kind == JOKER_FIND_TAG) {
        lu_json_key_string(json, "blind", blinds[at]);
    } else if (at > 0) {
        lu_json_key_string(json, "place", term->place == JOKER_FIND_SHOP ? "shop" : "pack");
        lu_json_key_int(json, "at", at);
    }
    lu_json_object_end(json);
}

/* ---- what else is good ---- */

typedef struct also {
    const joker_find *find;
    lu_json *json;
    lu_text *words;
    const joker_find_spot *spots; /* of what was wanted, which is not told twice */
    int count;
} also;

static bool is_told(const also *a, const joker_find_term *term, int at) {
    for (int i = 0; i < a->find->clauses; i++) {
        const joker_find_term *wanted = &a->find->term[a->spots[i].term];
        if (wanted->ante == term->ante && wanted->place == term->place && a->spots[i].at == at) {
            return true;
        }
    }
    return false;
}

static void add_also(also *a, const joker_find_term *term, int at) {
    if (a->count == ALSO_MOST || is_told(a, term, at)) {
        return;
    }
    write_thing(term, at, a->json);
    lu_text_add(a->words, a->count++ == 0 ? "; also " : ", ");
    add_words(term, at, a->words);
}

/* A rare or Negative joker, or The Soul with what it makes. */
static void look_at(also *a, joker_state *s, const joker_item *item, int place, int at) {
    joker_find_term term = {
        .kind = JOKER_FIND_JOKER, .edition = -1, .place = place, .ante = s->ante};
    joker_item made;
    if (item->kind == JOKER_KIND_CONSUMABLE && item->id == JOKER_C_SOUL) {
        joker_make_joker(&a->find->rules, s, JOKER_LEGENDARY, JOKER_SUFFIX_SOU, JOKER_PLACE_NONE,
                         &made);
        item = &made;
    }
    bool good =
        item->kind == JOKER_KIND_JOKER && (joker_joker_facts[item->joker.id].rarity >= JOKER_RARE ||
                                           item->joker.edition == JOKER_NEGATIVE);
    if (good) {
        term.id = item->joker.id;
        term.edition = item->joker.edition;
        add_also(a, &term, at);
    }
}

static void fresh(joker_state *s, int ante) {
    s->streams = 0;
    memset(s->stream_key, 0, sizeof s->stream_key);
    s->ante = s->top_ante = (int16_t)ante;
    s->first_shop = ante > 1;
}

static void look_at_ante(also *a, joker_state *s, int ante) {
    const joker_rules *m = &a->find->rules;
    joker_item item;
    fresh(s, ante);
    for (int i = 1; i <= joker_find_shops(ante); i++) {
        joker_make_shop_card(m, s, &item);
        look_at(a, s, &item, JOKER_FIND_SHOP, i);
    }
    fresh(s, ante);
    for (int i = 1; i <= joker_find_shops(ante); i++) {
        joker_open_pack(m, s, joker_draw_pack(m, s));
        for (int k = 0; k < s->pack_shown; k++) {
            item = s->shown[k];
            look_at(a, s, &item, JOKER_FIND_PACK, i);
        }
        joker_clear_pack(s);
    }
}

/* Which joker it is where any with an edition was wanted; what The Soul makes has no name here. */
static void name_any(joker_find *find, joker_find_term *term, int at) {
    const joker_rules *m = &find->rules;
    joker_state *s = find->state;
    joker_item item = {0};
    fresh(s, term->ante);
    for (int i = 1; i <= at; i++) {
        if (term->place == JOKER_FIND_SHOP) {
            joker_make_shop_card(m, s, &item);
            continue;
        }
        joker_open_pack(m, s, joker_draw_pack(m, s));
        for (int k = 0; i == at && k < s->pack_shown; k++) {
            item = s->shown[k].joker.edition == term->edition ? s->shown[k] : item;
        }
        joker_clear_pack(s);
    }
    if (item.kind == JOKER_KIND_JOKER && item.joker.edition == term->edition) {
        term->id = item.joker.id;
    }
}

void joker_find_why(joker_find *find, const char *seed, lu_json *json) {
    joker_find_spot spots[JOKER_FIND_CLAUSES];
    lu_text words = LU_TEXT_INIT;
    also a = {find, json, &words, spots, 0};
    (void)joker_find_holds(find, seed, spots);
    lu_text_addf(&words, "%s: ", seed);
    lu_json_key_array(json, "why");
    for (int i = 0; i < find->clauses; i++) {
        joker_find_term term = find->term[spots[i].term];
        if (term.kind == JOKER_FIND_JOKER && term.id < 0) {
            name_any(find, &term, spots[i].at);
        }
        write_thing(&term, spots[i].at, json);
        lu_text_add(&words, i > 0 ? ", " : "");
        add_words(&term, spots[i].at, &words);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "also");
    for (int ante = 1; ante <= ALSO_ANTES; ante++) {
        look_at_ante(&a, find->state, ante);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "words");
    lu_json_string(json, words.text);
    lu_json_array_end(json);
    lu_text_free(&words);
}
