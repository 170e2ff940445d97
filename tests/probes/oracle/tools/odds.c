/* Odds, a probe of tool.h: how likely the coin shows heads in a situation that a person describes.
 * Each input is a state as JSON; what the player cannot see is drawn anew for every sample. */
#include "odds.h"

#include "ludus/episode.h"
#include "ludus/tool.h"
#include "oracle/oracle.h"

#include <stdlib.h>

enum { PIECE = 100 }; /* samples between two looks at progress and cancel */

static const lu_setting rows[] = {
    {"samples", LU_INT, "1000", 1, 1e6, NULL, "Draws of what is hidden.", false},
};

/* One input; false when it is bad data or the caller has had enough. */
static lu_status answer(const lu_tool_io *io, int index, const lu_rules *rules, lu_error *error) {
    const lu_tool_input *input = &io->inputs[index];
    const lu_game *game = lu_game_find("oracle-v1", error);
    int samples = (int)lu_settings_int(io->settings, "samples"), heads = 0;
    lu_rng rng = lu_rng_from(1);
    oracle_state state = {0};
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_game_core(game)->reset(rules, &state, 0, NULL);
    lu_status status = game->from_json(rules, &state, lu_json_root(document), error);
    lu_json_close(document);
    for (int done = 0; done < samples && status == LU_OK;) {
        int piece = samples - done < PIECE ? samples - done : PIECE;
        heads += odds_heads(game, rules, &state, piece, &rng);
        done += piece;
        if (io->progress) {
            io->progress(io->user, (index + (double)done / samples) / io->input_count, "drawing");
        }
        if (io->cancelled && io->cancelled(io->user)) {
            status = lu_fail(error, LU_INTERRUPTED, "stopped after %d of %d draws", done, samples);
        }
    }
    if (status == LU_OK) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_string(&json, "file", input->name);
        lu_json_key_real(&json, "heads", (double)heads / samples);
        lu_json_object_end(&json);
        io->emit(io->user, json.text, json.length);
        lu_json_free(&json);
    }
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_episode e;
    lu_status status = lu_episode_open_text(&e, "oracle-v1", NULL, NULL, error);
    for (int i = 0; i < io->input_count && status == LU_OK; i++) {
        status = answer(io, i, e.rules, error);
    }
    lu_episode_close(&e);
    return status;
}

extern const lu_tool lu_tool_oracle_odds;
const lu_tool lu_tool_oracle_odds = {
    .game = "oracle",
    .name = "odds",
    .sentence = "Tells how likely the hidden coin shows heads.",
    .settings = {"oracle odds", rows, sizeof rows / sizeof *rows},
    .run = run,
};
