/* `ludus joker score`: every step of the score of a hand. Cards and jokers come from the settings,
 * or cases come from files in the layout of vectors/scoring.json: an object with a list `cases`, or
 * one case alone; the answer has the same shape. */
#include "case.h"
#include "steps.h"
#include "typed.h"

#include "ludus/text.h"
#include "ludus/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"played", LU_TEXT, "", 0, 0, "json",
     "The played cards from left to right: \"KH KD:steel,redseal 10S\", or a JSON list.", false},
    {"held", LU_TEXT, "", 0, 0, "json", "The cards that stay in the hand, in the same form.",
     false},
    {"jokers", LU_TEXT, "", 0, 0, "json",
     "The jokers from left to right: keys or titles separated by commas, behind a colon their "
     "edition and what they have stored: \"Blueprint, Ride the Bus:7,holo\"; or a JSON list.",
     false},
    {"levels", LU_TEXT, "", 0, 0, "json", "Levels of hands: \"Pair 3, Flush 2\", or a JSON object.",
     false},
    {"plays", LU_TEXT, "", 0, 0, "json",
     "Plays before this hand as a JSON object: {\"Pair\": [in the run, this round]}.", false},
    {"ctx", LU_TEXT, "", 0, 0, "json",
     "Everything else that matters, as a JSON object as in a case file: {\"deck\": \"plasma\", "
     "\"blind\": \"The Flint\", \"money\": 12, \"hands_left\": 0}.",
     false},
    {"luck", LU_ENUM, "worst", 0, 0, "worst|best",
     "The luck of the steps shown: only certain chances succeed, or all.", false},
    {"outcomes", LU_INT, "65536", 1, 1e6, NULL,
     "Maximum outcomes of luck evaluated for the exact mean.", false},
};

typedef struct scorer {
    const lu_tool_io *io;
    const char *name; /* of the input, for messages; NULL = the settings */
    joker_case hand;
    joker_trace trace;
    joker_case_range range;
    lu_text words; /* lines for people */
    lu_json line;  /* one of them as JSON, see end_line */
    bool commas;   /* a line was written */
} scorer;

/* ---- words ---- */

static void add_gift(lu_text *text, const char *sign, double value, const char *what) {
    if (value != 0.0) {
        lu_text_add(text, sign);
        joker_step_number(text, value);
        lu_text_add(text, what);
    }
}

static void end_line(scorer *s, lu_text *line) {
    lu_json_clear(&s->line);
    lu_json_string(&s->line, line->text);
    lu_text_addf(&s->words, "%s%s", s->commas ? "," : "", s->line.text);
    s->commas = true;
    lu_text_clear(line);
}

static void say_step(scorer *s, const joker_trace_step *step, lu_text *line) {
    lu_text_add(line, "  ");
    joker_step_say(&s->hand.state, &s->hand.call, step, line);
    end_line(s, line);
}

static void say_sum(scorer *s, lu_text *line) {
    const joker_scoring *call = &s->hand.call;
    lu_text_addf(line, "%s: ", joker_hand_words[call->found.hand].title);
    joker_step_number(line, call->chips);
    lu_text_add(line, " x ");
    joker_step_number(line, call->mult);
    lu_text_add(line, " = ");
    joker_step_number(line, call->score);
    add_gift(line, ", $", call->dollars, "");
    if (s->range.best > s->range.worst) {
        lu_text_add(line, "; by luck ");
        joker_step_number(line, s->range.worst);
        lu_text_add(line, " to ");
        joker_step_number(line, s->range.best);
        lu_text_add(line, s->range.exact ? ", mean " : ", mean about ");
        joker_step_number(line, s->range.mean);
    }
    end_line(s, line);
}

/* ---- JSON ---- */

/* Set bits as a list of indices. */
static void write_bits(lu_json *json, const char *key, uint32_t bits) {
    lu_json_key_array(json, key);
    for (int k = 0; k < 32; k++) {
        if (bits >> k & 1u) {
            lu_json_int(json, k);
        }
    }
    lu_json_array_end(json);
}

static void write_result(const scorer *s, lu_json *json) {
    const joker_scoring *call = &s->hand.call;
    lu_json_key_string(json, "hand", joker_hand_words[call->found.hand].title);
    lu_json_key_real(json, "level", call->level);
    write_bits(json, "scoring", call->found.scoring);
    lu_json_key_array(json, "contains");
    for (int hand = 0; hand < JOKER_HANDS; hand++) {
        if (call->found.contains >> hand & 1u) {
            lu_json_string(json, joker_hand_words[hand].title);
        }
    }
    lu_json_array_end(json);
    lu_json_key_real(json, "chips", call->chips);
    lu_json_key_real(json, "mult", call->mult);
    lu_json_key_real(json, "score", call->score);
    lu_json_key_real(json, "dollars", call->dollars);
    lu_json_key_bool(json, "blocked", call->blocked != 0);
    lu_json_key_object(json, "luck");
    lu_json_key_real(json, "worst", s->range.worst);
    lu_json_key_real(json, "mean", s->range.mean);
    lu_json_key_real(json, "best", s->range.best);
    lu_json_key_real(json, "dollars", s->range.dollars);
    lu_json_key_int(json, "outcomes", s->range.outcomes);
    lu_json_key_bool(json, "exact", s->range.exact != 0);
    lu_json_object_end(json);
    write_bits(json, "broken", call->broken);
    write_bits(json, "jokers_used_up", call->ended);
}

/* Jokers with their stores and played cards, as they are afterwards. */
static void write_after(const scorer *s, lu_json *json) {
    const joker_scoring *call = &s->hand.call;
    lu_json_key_array(json, "jokers_after");
    for (int i = 0; i < call->jokers; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "key", joker_joker_words[call->joker[i].id].key);
        lu_json_key(json, "state");
        joker_store_write(&s->hand.state, &call->joker[i], json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "played_after");
    for (int i = 0; i < call->played_count; i++) {
        lu_text text = LU_TEXT_INIT;
        joker_card card = call->card[i];
        card.flags &= JOKER_CARD_DEBUFFED;
        joker_put_card(&card, &text);
        lu_json_string(json, text.text);
        lu_text_free(&text);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "made");
    for (int i = 0; i < call->made_count; i++) {
        lu_json_string(json, joker_set_names[call->made[i].set]);
    }
    lu_json_array_end(json);
}

/* One case as an object; its lines for people are added to s->words. */
static lu_status answer(scorer *s, const lu_json_value *entry, lu_json *json, lu_error *error) {
    lu_error inner;
    lu_text line = LU_TEXT_INIT;
    if (lu_json_kind_of(entry) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "%s:%u: a case must be an object", s->name,
                       lu_json_line(entry));
    }
    lu_status status = joker_case_check(entry, &inner);
    LU_THEN(status, joker_case_read(entry, &s->hand, &inner));
    if (status != LU_OK) {
        return s->name
                   ? lu_fail(error, status, "%s:%u: %s", s->name, lu_json_line(entry), inner.text)
                   : lu_fail(error, status, "%s", inner.text);
    }
    s->range = joker_case_outlook(&s->hand, (int32_t)lu_settings_int(s->io->settings, "outcomes"));
    s->hand.call.trace = &s->trace;
    s->hand.call.luck.mode =
        lu_settings_enum(s->io->settings, "luck") ? JOKER_LUCK_BEST : JOKER_LUCK_WORST;
    joker_case_score(&s->hand, true);
    lu_json_object(json);
    if (lu_json_get(entry, "id")) {
        lu_json_key_value(json, "id", lu_json_get(entry, "id"));
    }
    write_result(s, json);
    write_after(s, json);
    lu_json_key_array(json, "steps");
    say_sum(s, &line);
    for (int k = 0; k < s->trace.count; k++) {
        joker_step_write(&s->hand.state, &s->hand.call, &s->trace.step[k], json);
        say_step(s, &s->trace.step[k], &line);
    }
    lu_json_array_end(json);
    lu_text_free(&line);
    return LU_OK;
}

/* The lines for people as the last member, and the end of the object. */
static void end_answer(scorer *s, lu_json *json) {
    lu_json_key(json, "words");
    lu_text_add_char(&s->words, ']');
    lu_json_raw(json, s->words.text, s->words.length);
    lu_json_object_end(json);
}

static void begin_words(scorer *s) {
    lu_text_clear(&s->words);
    lu_text_add_char(&s->words, '[');
    s->commas = false;
}

/* ---- what is asked ---- */

/* A setting that holds JSON as a member. */
static lu_status write_json(const lu_settings *settings, const char *key, lu_json *json,
                            lu_error *error) {
    const char *text = lu_settings_text_of(settings, key);
    lu_error inner;
    if (!*text) {
        return LU_OK;
    }
    lu_json_document *document = lu_json_read(key, text, strlen(text), &inner);
    if (!document) {
        return lu_fail(error, LU_BAD_VALUE, "%s; `ludus help joker score` shows how it is written",
                       inner.text);
    }
    lu_json_key_value(json, key, lu_json_root(document));
    lu_json_close(document);
    return LU_OK;
}

/* A setting that holds a list: as JSON, or as a person types it. */
static lu_status write_list(const lu_settings *settings, const char *key,
                            void (*typed)(lu_json *json, const char *text), lu_json *json,
                            lu_error *error) {
    const char *text = lu_settings_text_of(settings, key);
    if (text[strspn(text, " ")] == '[') {
        return write_json(settings, key, json, error);
    }
    lu_json_key(json, key);
    typed(json, text);
    return LU_OK;
}

/* The case of the settings. */
static lu_status ask_settings(scorer *s, lu_json *json, lu_error *error) {
    static const char *const objects[] = {"levels", "plays", "ctx"};
    const lu_settings *settings = s->io->settings;
    const char *levels = lu_settings_text_of(settings, "levels");
    bool typed = levels[strspn(levels, " ")] != '{';
    lu_status status = LU_OK;
    lu_json entry = LU_JSON_INIT;
    if (!lu_settings_is_set(settings, "played")) {
        return lu_fail(error, LU_USAGE, "joker score needs a file of cases, or played cards");
    }
    lu_json_object(&entry);
    LU_THEN(status, write_list(settings, "played", joker_typed_cards, &entry, error));
    LU_THEN(status, write_list(settings, "held", joker_typed_cards, &entry, error));
    LU_THEN(status, write_list(settings, "jokers", joker_typed_jokers, &entry, error));
    if (typed && status == LU_OK) {
        lu_json_key(&entry, "levels");
        status = joker_typed_levels(&entry, levels, error);
    }
    for (int k = typed; k < 3 && status == LU_OK; k++) {
        status = write_json(settings, objects[k], &entry, error);
    }
    if (status == LU_OK) {
        lu_json_object_end(&entry);
        lu_json_document *document = lu_json_read("settings", entry.text, entry.length, error);
        s->name = NULL;
        status = document ? answer(s, lu_json_root(document), json, error) : LU_BAD_VALUE;
        status = status == LU_BAD_DATA ? LU_BAD_VALUE : status;
        lu_json_close(document);
    }
    if (status == LU_OK) {
        end_answer(s, json);
    }
    lu_json_free(&entry);
    return status;
}

static lu_status ask_file(scorer *s, const lu_tool_input *input, lu_json *json, lu_error *error) {
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document), *list = lu_json_get(root, "cases");
    size_t count = list ? lu_json_count(list) : 1;
    lu_status status = LU_OK;
    s->name = input->name;
    if (list && lu_json_kind_of(list) != LU_JSON_ARRAY) {
        status = lu_fail(error, LU_BAD_DATA, "%s: 'cases' must be a list", input->name);
    }
    if (list) {
        lu_json_object(json);
        lu_json_key_array(json, "cases");
    }
    for (size_t k = 0; k < count && status == LU_OK; k++) {
        if (s->io->cancelled && s->io->cancelled(s->io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "stopped before the end");
            break;
        }
        if (s->io->progress && count > 1) {
            s->io->progress(s->io->user, (double)k / (double)count, "scoring");
        }
        status = answer(s, list ? lu_json_at(list, k) : root, json, error);
        if (list && status == LU_OK) {
            lu_json_object_end(json);
        }
    }
    if (list && status == LU_OK) {
        lu_json_array_end(json);
    }
    if (status == LU_OK) {
        end_answer(s, json);
    }
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    static const char *const inputs[] = {"played", "held", "jokers", "levels", "plays", "ctx"};
    scorer *s = lu_alloc_zero(1, sizeof *s);
    lu_status status = LU_OK;
    lu_json json = LU_JSON_INIT;
    s->io = io;
    lu_json_init(&s->line);
    lu_text_init(&s->words);
    for (int k = 0; k < 6 && io->input_count > 0 && status == LU_OK; k++) {
        if (lu_settings_is_set(io->settings, inputs[k])) {
            status = lu_fail(error, LU_USAGE,
                             "joker score takes '%s' from the file or from the settings, not from "
                             "both",
                             inputs[k]);
        }
    }
    for (int k = 0; k < (io->input_count > 0 ? io->input_count : 1) && status == LU_OK; k++) {
        lu_json_clear(&json);
        begin_words(s);
        status = io->input_count > 0 ? ask_file(s, &io->inputs[k], &json, error)
                                     : ask_settings(s, &json, error);
        if (status == LU_OK) {
            io->emit(io->user, json.text, json.length);
        }
    }
    lu_text_free(&s->words);
    lu_json_free(&s->line);
    lu_json_free(&json);
    free(s);
    return status;
}

const lu_tool lu_tool_joker_score = {
    .game = "joker",
    .name = "score",
    .sentence = "Scores a played hand and shows every step.",
    .settings = {"joker score", rows, (int)(sizeof rows / sizeof *rows)},
    .run = run,
};
