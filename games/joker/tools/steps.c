/* Steps of a score: which card or joker gives what, and what chips and mult are then. */
#include "steps.h"

#include <math.h>
#include <stdio.h>

static const char *const names[JOKER_STEPS] = {
    "base", "blocked", "boss",          "before", "card",        "edition", "scored", "held_card",
    "held", "joker",   "joker_edition", "other",  "observatory", "plasma",  "break"};

void joker_step_number(lu_text *text, double value) {
    if (fabs(value) < 1e15 && fabs(value - floor(value)) <= 0.0) { /* 12,345 */
        char digits[24];
        int count = snprintf(digits, sizeof digits, "%.0f", value);
        for (int i = 0; i < count; i++) {
            bool comma = i > 0 && (count - i) % 3 == 0 && digits[i - 1] != '-';
            lu_text_addf(text, comma ? ",%c" : "%c", digits[i]);
        }
    } else {
        lu_text_addf(text, "%.*g", fabs(value) < 1e11 ? 6 : 12, value);
    }
}

static const joker_card *card_of(const joker_scoring *c, int card) {
    return card < JOKER_PLAY_MAX ? &c->card[card] : &c->held_card[card - JOKER_PLAY_MAX];
}

static const char *title_of(const joker_state *s, int place) {
    return joker_joker_words[s->joker[place].id].title;
}

/* Who gives: "KH", "Baron on KH (held)", "Blueprint as Baron". */
static void add_giver(const joker_state *s, const joker_scoring *c, const joker_trace_step *step,
                      lu_text *text) {
    if (step->joker >= 0) {
        lu_text_add(text, title_of(s, step->joker));
        if (step->step == JOKER_STEP_JOKER_EDITION) {
            lu_text_add(text, "'s edition");
        } else if (step->acting >= 0 && step->acting != step->joker) {
            lu_text_addf(text, " as %s", title_of(s, step->acting));
        }
    }
    if (step->card >= 0) {
        lu_text_add(text, step->joker >= 0 ? " on " : "");
        joker_put_card(card_of(c, step->card), text);
        lu_text_add(text, step->card >= JOKER_PLAY_MAX ? " (held)" : "");
        lu_text_add(text, step->step == JOKER_STEP_EDITION ? " (edition)" : "");
    }
}

static void add_gift(lu_text *text, const char *sign, double value, const char *what) {
    if (value != 0.0) {
        lu_text_add(text, sign);
        joker_step_number(text, value);
        lu_text_add(text, what);
    }
}

static const char *plain_words(int step) {
    switch (step) {
    case JOKER_STEP_BLOCKED:
        return "the boss stops this hand from scoring";
    case JOKER_STEP_BOSS:
        return "the boss acts";
    case JOKER_STEP_OBSERVATORY:
        return "Observatory";
    case JOKER_STEP_PLASMA:
        return "Plasma Deck evens out";
    default:
        return NULL;
    }
}

void joker_step_say(const joker_state *s, const joker_scoring *c, const joker_trace_step *step,
                    lu_text *line) {
    if (step->step == JOKER_STEP_BASE) {
        lu_text_addf(line, "%s at level ", joker_hand_words[c->found.hand].title);
        joker_step_number(line, c->level);
    } else if (plain_words(step->step)) {
        lu_text_add(line, plain_words(step->step));
    } else {
        add_giver(s, c, step, line);
        lu_text_add(line, step->step == JOKER_STEP_BREAK ? " is destroyed" : "");
    }
    if (step->step != JOKER_STEP_BASE) {
        bool gives = step->chips != 0.0 || step->mult != 0.0 || step->x > 0.0 || step->money != 0.0;
        lu_text_add(line, gives ? ":" : "");
        add_gift(line, " +", step->chips, " chips");
        add_gift(line, " +", step->mult, " mult");
        add_gift(line, " x", step->x, "");
        add_gift(line, " $", step->money, "");
    }
    if (step->step != JOKER_STEP_BEFORE && step->step != JOKER_STEP_BREAK) {
        lu_text_add(line, "  = ");
        joker_step_number(line, step->chips_now);
        lu_text_add(line, " x ");
        joker_step_number(line, step->mult_now);
    }
}

static void key_unless_zero(lu_json *json, const char *key, double value) {
    if (value != 0.0) {
        lu_json_key_real(json, key, value);
    }
}

void joker_step_write(const joker_state *s, const joker_scoring *c, const joker_trace_step *step,
                      lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "step", names[step->step]);
    if (step->card >= 0) {
        bool held = step->card >= JOKER_PLAY_MAX;
        lu_text card = LU_TEXT_INIT;
        joker_put_card(card_of(c, step->card), &card);
        lu_json_key_string(json, "card", card.text);
        lu_json_key_int(json, held ? "held" : "played",
                        held ? step->card - JOKER_PLAY_MAX : step->card);
        lu_text_free(&card);
    }
    if (step->joker >= 0) {
        lu_json_key_int(json, "joker", step->joker);
        lu_json_key_string(json, "key", joker_joker_words[s->joker[step->joker].id].key);
        if (step->acting >= 0 && step->acting != step->joker) {
            lu_json_key_int(json, "as", step->acting);
        }
    }
    key_unless_zero(json, "chips", step->chips);
    key_unless_zero(json, "mult", step->mult);
    key_unless_zero(json, "x", step->x);
    key_unless_zero(json, "money", step->money);
    lu_json_key_real(json, "chips_now", step->chips_now);
    lu_json_key_real(json, "mult_now", step->mult_now);
    lu_json_object_end(json);
}
