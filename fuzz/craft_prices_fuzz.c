/* Fuzzes the reader of price files: any bytes. A refused file gives a sentence; what was read has
 * only numbers that are prices, and names that are ids. */
#include "craft/craft_price_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    craft_price_list list = {0};
    lu_error error = {0};
    const craft_pack *pack = craft_pack_at(0);
    char *bytes = malloc(size + 1); /* an own block, so that reading beyond it is found */
    memcpy(bytes, data, size);
    if (craft_price_list_read(&list, pack, "fuzz", bytes, size, "", &error) != LU_OK) {
        if (!strstr(error.text, "fuzz")) {
            abort();
        }
    }
    for (int k = 0; k < list.rows; k++) {
        const craft_price_row *row = &list.row[k];
        if (!isfinite(row->exalted) || !isfinite(row->volume) || !*row->item ||
            craft_price_row_of(&list, row->item) != row) {
            abort();
        }
    }
    craft_price_list_free(&list);
    free(bytes);
    return 0;
}
