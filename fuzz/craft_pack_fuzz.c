/* Fuzzes packs of the user: any bytes as a pack file, whose bases are made into pools, and as files
 * of other forms, separated by a zero byte. What the tool answers is a pack. */
#include "craft/craft_pack_file.h"
#include "craft/craft_pool.h"

#include "ludus/tool.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A pool of each base is made, or refused with a reason. */
static void use(const craft_pack_file *file) {
    const craft_pack *pack = craft_pack_file_pack(file);
    craft_switches switches = craft_switches_of(pack->about.version);
    craft_pool *pool = malloc(sizeof *pool);
    for (int k = 0; k < pack->base_count && k < 8; k++) {
        lu_error error = {0};
        if (craft_pool_init(pool, pack, k, 82, &switches, &error) != LU_OK && !*error.text) {
            abort();
        }
    }
    free(pool);
}

static void emit(void *user, const char *json, size_t length) {
    lu_error error = {0};
    bool checked = strncmp(json, "{\"name\"", 7) == 0; /* counts of a ready pack */
    craft_pack_file *file = checked ? NULL : craft_pack_file_read("it", json, length, &error);
    (void)user;
    if (!checked && !file) {
        abort();
    }
    craft_pack_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const lu_tool *tool = lu_tool_find("craft", "pack");
    lu_settings *settings = lu_settings_new();
    lu_tool_input inputs[3];
    char *bytes = malloc(size + 1); /* an own block, so that reading beyond it is found */
    lu_error error = {0};
    int count = 0;
    memcpy(bytes, data, size);
    bytes[size] = '\0'; /* inputs of tools are terminated */
    craft_pack_file *file = craft_pack_file_read("fuzz", bytes, size, &error);
    if (file) {
        use(file);
    } else if (!strstr(error.text, "fuzz")) {
        abort();
    }
    craft_pack_file_free(file);
    lu_settings_add(settings, tool->settings);
    for (size_t at = 0; at < size && count < 3; count++) {
        size_t length = strnlen(bytes + at, size - at);
        inputs[count] = (lu_tool_input){"fuzz", bytes + at, length};
        at += length + 1;
    }
    lu_tool_io io = {.settings = settings, .inputs = inputs, .input_count = count, .emit = emit};
    if (tool->run(&io, &error) != LU_OK && !*error.text) {
        abort();
    }
    lu_settings_delete(settings);
    free(bytes);
    return 0;
}
