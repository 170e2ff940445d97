/* `ludus duel build FILE`: checks a build and shows what follows from it. */
#include "duel_build.h"

#include "ludus/text.h"
#include "ludus/tool.h"

static void write_sets(const duel_build *b, lu_json *json) {
    uint8_t tank[DUEL_SLOTS];
    duel_tank_set(b->item[DUEL_SET_MAGE], b->item[DUEL_SET_RANGED], tank);
    lu_json_key_object(json, "sets");
    for (int set = 0; set <= DUEL_SET_TANK; set++) {
        const uint8_t *item = set == DUEL_SET_TANK ? tank : b->item[set];
        int16_t bonus[DUEL_BONUSES];
        duel_gear_bonus(item, bonus);
        lu_json_key_object(json, duel_set_names[set]);
        lu_json_key_array(json, "items");
        for (int slot = 0; slot < DUEL_SLOTS; slot++) {
            if (item[slot]) {
                lu_json_string(json, duel_item_keys[item[slot]]);
            }
        }
        lu_json_array_end(json);
        lu_json_key_array(json, "bonuses");
        for (int k = 0; k < DUEL_BONUSES; k++) {
            lu_json_int(json, bonus[k]);
        }
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

static void write_words(const duel_build *b, lu_json *json) {
    static const char *const fights[] = {"normal", "LMS", "PvP arena"};
    static const char *const foods[] = {"sharks", "anglerfish"};
    lu_text line = LU_TEXT_INIT;
    lu_json_key_array(json, "words");
    lu_text_addf(&line, "%s: a build for %s fights with %s prayers", b->name, fights[b->fight],
                 b->high_prayers ? "high" : "low");
    lu_json_string(json, line.text);
    lu_text_clear(&line);
    for (int k = 0; k < DUEL_LEVELS; k++) {
        lu_text_addf(&line, "%s%s %d", k ? ", " : "  ", duel_level_names[k], b->level[k]);
    }
    lu_json_string(json, line.text);
    lu_text_clear(&line);
    lu_text_addf(&line,
                 "  %d %s and %d karambwans; vials: %d brew, %d restore, %d combat, %d "
                 "ranging",
                 duel_build_food(b), foods[b->food], b->karambwan, b->brew, b->restore, b->combat,
                 b->ranging);
    lu_json_string(json, line.text);
    for (int set = 0; set < DUEL_DRAWN_SETS; set++) {
        lu_text_clear(&line);
        lu_text_addf(&line, "  %-6s", duel_set_names[set]);
        const char *before = " ";
        for (int slot = 0; slot < DUEL_SLOTS; slot++) {
            if (b->item[set][slot]) {
                lu_text_addf(&line, "%s%s", before, duel_item_names[b->item[set][slot]]);
                before = ", ";
            }
        }
        lu_json_string(json, line.text);
    }
    lu_json_array_end(json);
    lu_text_free(&line);
}

static void write_build(const duel_build *b, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "name", b->name);
    lu_json_key_object(json, "levels");
    for (int k = 0; k < DUEL_LEVELS; k++) {
        lu_json_key_int(json, duel_level_names[k], b->level[k]);
    }
    lu_json_object_end(json);
    lu_json_key_int(json, "food", duel_build_food(b));
    write_sets(b, json);
    write_words(b, json);
    lu_json_object_end(json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_status status = LU_OK;
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE, "duel build needs a build's file");
    }
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        duel_build build;
        lu_json_clear(&json);
        status = duel_build_read(io->inputs[k].name, io->inputs[k].text, io->inputs[k].length,
                                 &build, error);
        if (status == LU_OK) {
            write_build(&build, &json);
            io->emit(io->user, json.text, json.length);
        }
    }
    lu_json_free(&json);
    return status;
}

extern const lu_tool lu_tool_duel_build;
const lu_tool lu_tool_duel_build = {
    .game = "duel",
    .name = "build",
    .sentence = "Checks a build's file and shows its gear, bonuses and supplies.",
    .settings = {"duel build", NULL, 0},
    .run = run,
};
