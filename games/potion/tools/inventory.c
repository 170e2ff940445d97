/* `ludus potion inventory`: reads inventories and says what is in them, for pages and to see
 * whether a file is understood before it is used. */
#include "potion_inventory.h"

#include "ludus/tool.h"

#include <stdio.h>

/* Pieces by action, or by name. */
static void write_pieces(const char *key, const uint8_t *stock, bool named, lu_json *json) {
    lu_json_key_object(json, key);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        if (stock[i] > 0) {
            lu_json_key_int(json, named ? potion_ingredients[i].name : number, stock[i]);
        }
    }
    lu_json_object_end(json);
}

/* For people: the sum, then a line per ingredient. */
static void write_words(const uint8_t *stock, int64_t kinds, int64_t pieces, lu_json *json) {
    lu_text line = LU_TEXT_INIT;
    lu_json_key_array(json, "words");
    lu_text_addf(&line, pieces ? "%lld %s of %lld %s:" : "the inventory is empty",
                 (long long)pieces, pieces == 1 ? "piece" : "pieces", (long long)kinds,
                 kinds == 1 ? "ingredient" : "ingredients");
    lu_json_string(json, line.text);
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        if (stock[i] > 0) {
            lu_text_clear(&line);
            lu_text_addf(&line, "%4d %s", stock[i], potion_ingredients[i].name);
            lu_json_string(json, line.text);
        }
    }
    lu_json_array_end(json);
    lu_text_free(&line);
}

static lu_status answer(const lu_tool_input *input, lu_json *json, lu_error *error) {
    uint8_t stock[POTION_ACTIONS] = {0};
    lu_status status = potion_inventory_read(input->name, input->text, input->length, stock, error);
    int64_t kinds = 0, pieces = 0;
    for (int i = 1; i <= POTION_INGREDIENTS; i++) {
        kinds += stock[i] > 0 ? 1 : 0;
        pieces += stock[i];
    }
    lu_json_object(json);
    lu_json_key_string(json, "file", input->name);
    lu_json_key_int(json, "ingredients", kinds);
    lu_json_key_int(json, "pieces", pieces);
    write_pieces("stock", stock, false, json);
    write_pieces("names", stock, true, json);
    write_words(stock, kinds, pieces, json);
    lu_json_object_end(json);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_status status = LU_OK;
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE, "potion inventory needs an inventory file");
    }
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        lu_json_clear(&json);
        status = answer(&io->inputs[k], &json, error);
        if (status == LU_OK) {
            io->emit(io->user, json.text, json.length);
        }
    }
    lu_json_free(&json);
    return status;
}

extern const lu_tool lu_tool_potion_inventory;
const lu_tool lu_tool_potion_inventory = {
    .game = "potion",
    .name = "inventory",
    .sentence = "Reads inventories and shows how many pieces of each ingredient they hold.",
    .settings = {"potion inventory", NULL, 0},
    .run = run,
};
