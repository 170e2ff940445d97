/* Titles of keys, for words that people read. */
#include "names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *key, *title;
} own[] = {
    {"white_base", "white base"},       {"again", "reveal again"},
    {"keep1", "keep the first option"}, {"keep2", "keep the second option"},
    {"keep3", "keep the third option"},
};

const char *craft_title(const craft_pack *pack, const char *key) {
    int row;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (strcmp(key, own[k].key) == 0) {
            return own[k].title;
        }
    }
    return (row = craft_currency_find(pack, key)) >= 0   ? pack->currencies[row].name
           : (row = craft_essence_find(pack, key)) >= 0  ? pack->essences[row].name
           : (row = craft_bone_find(pack, key)) >= 0     ? pack->bones[row].name
           : (row = craft_omen_find(pack, key)) >= 0     ? pack->omens[row].name
           : (row = craft_catalyst_find(pack, key)) >= 0 ? pack->catalysts[row].name
                                                         : key;
}

void craft_say_use(lu_text *line, const craft_pack *pack, const char *use) {
    for (int part = 0; *use; part++) {
        char key[80];
        size_t length = strcspn(use, " +");
        snprintf(key, sizeof key, "%.*s", (int)length, use);
        lu_text_add(line, part == 0 ? "" : part == 1 ? " with " : " and ");
        lu_text_add(line, craft_title(pack, key));
        use += length + strspn(use + length, " +");
    }
}

craft_figure craft_say_figure(double value) {
    craft_figure out;
    char digits[24];
    if (!(fabs(value) >= 999.95 && fabs(value) < 1e15)) {
        snprintf(out.text, sizeof out.text, "%.4g", value);
        return out;
    }
    int length = snprintf(digits, sizeof digits, "%.0f", value), to = 0;
    for (int k = 0; k < length; k++) {
        if (k > 0 && (length - k) % 3 == 0 && digits[k - 1] != '-') {
            out.text[to++] = ',';
        }
        out.text[to++] = digits[k];
    }
    out.text[to] = '\0';
    return out;
}
