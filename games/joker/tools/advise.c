/* `ludus joker advise STATE.json`: what to do now, from what the player sees. */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    {"samples", LU_INT, "200", 10, 100000, NULL,
     "Draws sampled for a discard, and rounds simulated for a choice.", false},
    {"draw_order", LU_ENUM, "hidden", 0, 0, "hidden|given",
     "hidden: the order of draw_pile is unknown; given: its last card is drawn first, as with a "
     "known seed.",
     false},
};

/* Lines as a list of texts. */
static void write_lines(const char *key, const lu_text *lines, lu_json *json) {
    lu_json_key_array(json, key);
    for (const char *at = lines->text; at && *at;) {
        size_t length = strcspn(at, "\n");
        lu_json_string_n(json, at, length);
        at += length + (at[length] ? 1 : 0);
    }
    lu_json_array_end(json);
}

/* One line: what was taken as what, then what nobody can know. */
static void say_unknown(joker_ask *ask) {
    static const char given[] = " is not given: taken as ";
    lu_text line = LU_TEXT_INIT;
    for (const char *at = ask->unknown.text; at && *at;) {
        size_t length = strcspn(at, "\n");
        const char *taken = strstr(at, given);
        lu_text_add(&line, line.length > 0 ? "; " : "Assumptions: ");
        if (taken && taken < at + length) {
            for (; at < taken; at++) {
                lu_text_add_char(&line, *at == '_' ? ' ' : *at);
            }
            lu_text_add(&line, ": ");
            at += sizeof given - 1;
            length = strcspn(at, "\n");
        }
        lu_text_add_n(&line, at, length);
        at += length + (at[length] ? 1 : 0);
    }
    if (line.length > 0) {
        lu_text_add(&ask->words, line.text); /* as long as it is */
        lu_text_add_char(&ask->words, '\n');
    }
    lu_text_free(&line);
}

static void answer(joker_ask *ask, lu_json *json) {
    const joker_state *s = &ask->state;
    lu_json_object(json);
    if (s->phase == JOKER_END) {
        lu_json_key_string(json, "phase", "end");
        lu_json_key_string(json, "advice", "none");
        joker_ask_line(&ask->words, "The run is over.");
    } else if (s->phase == JOKER_PLAY && !s->pack_open) {
        joker_advise_round(ask, json);
    } else {
        joker_advise_shop(ask, json);
    }
    say_unknown(ask);
    write_lines("unknown", &ask->unknown, json);
    write_lines("words", &ask->words, json);
    lu_json_object_end(json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_status status = LU_OK;
    if (io->input_count < 1) {
        return lu_fail(error, LU_USAGE,
                       "joker advise needs a state: a JSON file as described in "
                       "games/joker/README.md, section State");
    }
    joker_ask *ask = lu_alloc_zero(1, sizeof *ask);
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        lu_json json;
        memset(ask, 0, sizeof *ask);
        lu_text_init(&ask->unknown);
        lu_text_init(&ask->words);
        ask->samples = (int)lu_settings_int(io->settings, "samples");
        ask->known = lu_settings_enum(io->settings, "draw_order") == 1;
        ask->agent = io->agent;
        status = joker_ask_read(ask, &io->inputs[k], error);
        LU_THEN(status, joker_ask_agent(ask, error));
        if (status == LU_OK && io->cancelled && io->cancelled(io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "stopped before the end");
        }
        if (status == LU_OK) {
            lu_json_init(&json);
            answer(ask, &json);
            io->emit(io->user, json.text, json.length);
            lu_json_free(&json);
        }
        joker_ask_free(ask);
    }
    free(ask);
    return status;
}

extern const lu_tool lu_tool_joker_advise;
const lu_tool lu_tool_joker_advise = {
    .game = "joker",
    .name = "advise",
    .sentence = "Tells you what to do in a run: the best play and discard, what offers are worth, "
                "and what a trained agent (--agent) would choose.",
    .settings = {"joker advise", rows, sizeof rows / sizeof *rows},
    .run = run,
    .agent = JOKER_AGENT_VARIANT,
};
