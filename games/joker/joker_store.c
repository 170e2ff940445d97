/* What jokers store, in words: {"mult": 12}, {"suit": "H"}. */
#include "joker_json_parts.h"
#include "rules/joker_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char ranks[] = "23456789TJQKA";
static const char suits[] = "SHCD";

/* The words of a joker's store: which number of joker_joker each is. */
typedef enum stored {
    STORED_NONE,
    STORED_A,
    STORED_B,
    STORED_X,
    STORED_READY,
    STORED_HAND,
    STORED_RANK,
    STORED_SUIT
} stored;

static const char *const keys[] = {"mult",   "chips",     "x",     "hands", "dollars", "size",
                                   "rounds", "countdown", "ready", "hand",  "rank",    "suit"};

static stored store_of(const joker_row *row, const char *key) {
    static const struct {
        const char *key;
        uint8_t effect, id;
        stored what;
    } words[] = {
        {"mult", JOKER_E_STORED_MULT, JOKER_NONE, STORED_A},
        {"chips", JOKER_E_STORED_CHIPS, JOKER_NONE, STORED_A},
        {"x", JOKER_E_STORED_X, JOKER_NONE, STORED_X},
        {"hands", JOKER_E_NONE, JOKER_J_SELZER, STORED_A},
        {"dollars", JOKER_E_NONE, JOKER_J_ROCKET, STORED_A},
        {"size", JOKER_E_NONE, JOKER_J_TURTLE_BEAN, STORED_A},
        {"rounds", JOKER_E_NONE, JOKER_J_INVISIBLE, STORED_A},
        {"countdown", JOKER_E_NONE, JOKER_J_YORICK, STORED_B},
        {"ready", JOKER_E_NONE, JOKER_J_LOYALTY_CARD, STORED_READY},
        {"hand", JOKER_E_NONE, JOKER_J_TODO_LIST, STORED_HAND},
        {"rank", JOKER_E_NONE, JOKER_J_IDOL, STORED_RANK},
        {"suit", JOKER_E_NONE, JOKER_J_IDOL, STORED_SUIT},
        {"suit", JOKER_E_NONE, JOKER_J_ANCIENT, STORED_SUIT},
        {"suit", JOKER_E_NONE, JOKER_J_CASTLE, STORED_SUIT},
        {"rank", JOKER_E_NONE, JOKER_J_MAIL, STORED_RANK},
    };
    for (int k = 0; k < LU_COUNT(words); k++) {
        bool fits =
            words[k].id == JOKER_NONE ? words[k].effect == row->effect : words[k].id == row->id;
        if (fits && strcmp(words[k].key, key) == 0) {
            return words[k].what;
        }
    }
    return STORED_NONE;
}

/* Index of a one-letter text in `letters`, or -1. */
static int letter_of(const lu_json_value *value, const char *letters) {
    const char *text = lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
    const char *at = text[0] && !text[1] ? strchr(letters, text[0]) : NULL;
    return at ? (int)(at - letters) : -1;
}

static void set_rank(joker_state *s, int id, int rank) {
    if (id == JOKER_J_IDOL) {
        s->idol_rank = (uint8_t)rank;
    } else {
        s->mail_rank = (uint8_t)rank;
    }
}

static void set_suit(joker_state *s, int id, int suit) {
    if (id == JOKER_J_IDOL) {
        s->idol_suit = (uint8_t)suit;
    } else if (id == JOKER_J_ANCIENT) {
        s->ancient_suit = (uint8_t)suit;
    } else {
        s->castle_suit = (uint8_t)suit;
    }
}

static lu_status read_number(const lu_json_value *state, const char *key, stored what,
                             joker_joker *joker, lu_error *error) {
    double real = 0.0;
    int64_t whole = 0;
    lu_status status =
        what == STORED_X
            ? lu_json_get_real(state, key, 0.0, 1e300, &real, error)
            : lu_json_get_int(state, key, 0, what == STORED_A ? 1000000000 : 1000, &whole, error);
    if (status != LU_OK) {
        return status;
    }
    if (what == STORED_X) {
        joker->x = real;
    } else if (what == STORED_A) {
        joker->a = (int32_t)whole;
    } else {
        joker->b = (int16_t)whole;
    }
    return LU_OK;
}

/* Loyalty Card: fires when 5 of 6 hands have passed since it was bought. */
static void set_ready(const joker_state *s, joker_joker *joker, bool ready) {
    joker->a = ready ? s->run_hands - (joker_row_of(joker)->of - 1) : s->run_hands;
}

lu_status joker_store_read(const lu_json_value *state, joker_state *s, joker_joker *joker,
                           lu_error *error) {
    if (lu_json_kind_of(state) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "'state' of %s must be an object: {\"mult\": 7}",
                       joker_joker_words[joker->id].key);
    }
    for (size_t k = 0; k < lu_json_count(state); k++) {
        const char *key;
        const lu_json_value *value = lu_json_member(state, k, &key);
        bool text = lu_json_kind_of(value) == LU_JSON_STRING, ready;
        lu_status status = LU_OK;
        int rank = letter_of(value, ranks), suit = letter_of(value, suits);
        int hand = text ? joker_find_hand(lu_json_text(value, NULL)) : -1;
        stored what = store_of(joker_row_of(joker), key);
        if (what == STORED_A || what == STORED_B || what == STORED_X) {
            status = read_number(state, key, what, joker, error);
        } else if (what == STORED_READY) {
            status = lu_json_get_bool(state, key, &ready, error);
            if (status == LU_OK) {
                set_ready(s, joker, ready);
            }
        } else if (what == STORED_HAND && hand >= 0) {
            joker->a = hand;
        } else if (what == STORED_RANK && rank >= 0) {
            set_rank(s, joker->id, rank + 2);
        } else if (what == STORED_SUIT && suit >= 0) {
            set_suit(s, joker->id, suit);
        } else {
            status = lu_fail(error, LU_BAD_DATA, "'%.40s' of %s isn't a state of this joker", key,
                             joker_joker_words[joker->id].key);
        }
        if (status != LU_OK) {
            return status;
        }
    }
    return LU_OK;
}

/* Whether a joker stores something in its number a, b or x. */
static bool stores(const joker_joker *joker, char number) {
    bool found = false;
    for (int k = 0; k < LU_COUNT(keys); k++) {
        stored what = store_of(joker_row_of(joker), keys[k]);
        found |= number == 'x'   ? what == STORED_X
                 : number == 'b' ? what == STORED_B
                                 : what == STORED_A || what == STORED_READY || what == STORED_HAND;
    }
    return found;
}

lu_status joker_store_check(const lu_json_value *value, const joker_joker *fresh, lu_error *error) {
    const struct {
        const char *key;
        double fresh;
    } numbers[] = {{"a", fresh->a}, {"b", fresh->b}, {"x", fresh->x}};
    for (int k = 0; k < LU_COUNT(numbers); k++) {
        const char *key = numbers[k].key;
        const lu_json_value *number = lu_json_get(value, key);
        double given = lu_json_real_or(number, numbers[k].fresh);
        if (number && lu_json_get(value, "state")) {
            return lu_fail(error, LU_BAD_DATA, "a joker has both 'state' and '%s': keep one", key);
        }
        if ((given < numbers[k].fresh || given > numbers[k].fresh) && !stores(fresh, key[0])) {
            return lu_fail(error, LU_BAD_DATA, "%s stores no '%s'",
                           joker_joker_words[fresh->id].title, key);
        }
    }
    return LU_OK;
}

/* Which number a joker stores as itself; STORED_NONE: none, or a mark. */
static stored number_of(const joker_joker *joker) {
    stored found = STORED_NONE;
    for (int k = 0; k < LU_COUNT(keys) && !found; k++) {
        stored what = store_of(joker_row_of(joker), keys[k]);
        found = what == STORED_A || what == STORED_X ? what : STORED_NONE;
    }
    return found;
}

/* "7", "x1.5", "+30" as that number. */
static bool read_stored(const char *word, joker_joker *joker) {
    char *end;
    stored what = number_of(joker);
    word += strspn(word, "+xX");
    double value = strtod(word, &end);
    if (end == word || *end || !(value >= 0.0 && value <= 1e6) || !what) {
        return false;
    }
    joker->x = what == STORED_X ? value : joker->x;
    joker->a = what == STORED_A ? (int32_t)value : joker->a;
    return what == STORED_X || value <= floor(value);
}

lu_status joker_extras_read(const char *text, joker_joker *joker, lu_error *error) {
    static const struct {
        const char *name;
        int flag;
    } flags[] = {{"eternal", JOKER_ETERNAL},
                 {"perishable", JOKER_PERISHABLE},
                 {"rental", JOKER_RENTAL},
                 {"debuffed", JOKER_DEBUFFED}};
    bool told = false;
    while (*text) {
        char word[24];
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int edition = joker_words_find(joker_edition_words, JOKER_EDITIONS, word), flag = 0;
        while (flag < LU_COUNT(flags) && strcasecmp(flags[flag].name, word) != 0) {
            flag++;
        }
        if (edition > 0 && !joker->edition) {
            joker->edition = (uint8_t)edition;
        } else if (flag < LU_COUNT(flags)) {
            joker->flags = (uint8_t)(joker->flags | flags[flag].flag);
        } else if (!told && read_stored(word, joker)) {
            told = true;
        } else {
            return lu_fail(error, LU_BAD_DATA,
                           "'%s' of joker %s is unknown or one too many: an edition (foil holo "
                           "polychrome negative), eternal, perishable, rental, debuffed%s",
                           word, joker_joker_words[joker->id].title,
                           number_of(joker) ? ", or the number it has stored"
                                            : "; it stores no number");
        }
        text += length + (text[length] == ',');
    }
    return LU_OK;
}

void joker_store_write(const joker_state *s, const joker_joker *joker, lu_json *json) {
    const joker_row *row = joker_row_of(joker);
    char letter[2] = "";
    int rank = joker->id == JOKER_J_IDOL ? s->idol_rank : s->mail_rank;
    int suit = joker->id == JOKER_J_IDOL      ? s->idol_suit
               : joker->id == JOKER_J_ANCIENT ? s->ancient_suit
                                              : s->castle_suit;
    lu_json_object(json);
    for (int k = 0; k < LU_COUNT(keys); k++) {
        switch (store_of(row, keys[k])) {
        case STORED_A:
            lu_json_key_int(json, keys[k], joker->a);
            break;
        case STORED_B:
            lu_json_key_int(json, keys[k], joker->b);
            break;
        case STORED_X:
            lu_json_key_real(json, keys[k], joker->x);
            break;
        case STORED_READY:
            lu_json_key_bool(json, keys[k], (s->run_hands - joker->a) % row->of == row->of - 1);
            break;
        case STORED_HAND:
            lu_json_key_string(
                json, keys[k],
                joker->a >= 0 && joker->a < JOKER_HANDS ? joker_hand_words[joker->a].title : "");
            break;
        case STORED_RANK:
            letter[0] = rank >= 2 && rank <= 14 ? ranks[rank - 2] : '?';
            lu_json_key_string(json, keys[k], letter);
            break;
        case STORED_SUIT:
            letter[0] = suits[suit & 3];
            lu_json_key_string(json, keys[k], letter);
            break;
        default:
            break;
        }
    }
    lu_json_object_end(json);
}
