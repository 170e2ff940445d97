/* Fuzzes the reader of potion's inventories: any bytes. A refused text gives a sentence that names
 * its line and leaves the stock as it was; what was read, written out as lines and as JSON, reads
 * back the same. */
#include "potion/potion_inventory.h"

#include "ludus/json.h"
#include "ludus/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const char *text, size_t length, const uint8_t *stock) {
    uint8_t again[POTION_ACTIONS];
    lu_error error;
    if (potion_inventory_read("again", text, length, again, &error) != LU_OK ||
        memcmp(again, stock, sizeof again) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t stock[POTION_ACTIONS], before[POTION_ACTIONS];
    lu_error error = {0};
    char *bytes = malloc(size + 1); /* an own block, so that reading beyond it is found */
    memcpy(bytes, data, size);
    memset(stock, 9, sizeof stock);
    memcpy(before, stock, sizeof before);
    lu_status status = potion_inventory_read("fuzz", bytes, size, stock, &error);
    if (status != LU_OK) {
        if (status != LU_BAD_DATA || strncmp(error.text, "fuzz:", 5) != 0 ||
            memcmp(stock, before, sizeof before) != 0) {
            abort();
        }
    } else {
        lu_text text = LU_TEXT_INIT;
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        for (int i = 1; i <= POTION_INGREDIENTS; i++) {
            lu_text_line(&text, "%s,%d", potion_ingredients[i].name, stock[i]);
            lu_json_key_int(&json, potion_ingredients[i].name, stock[i]);
        }
        lu_json_object_end(&json);
        read_back(text.text, text.length, stock);
        read_back(json.text, json.length, stock);
        lu_text_free(&text);
        lu_json_free(&json);
    }
    free(bytes);
    return 0;
}
