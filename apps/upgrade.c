/* Files carried over in place: see upgrade.h. */
#include "upgrade.h"

#include "output.h"

#include "ludus/file.h"
#include "ludus/json.h"

#include <stdlib.h>
#include <string.h>

static void tell(const verb_call *call, const char *path, bool changed) {
    if (!call->json) {
        out_format("%s: %s\n", path, changed ? "upgraded" : "is up to date");
        return;
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "file", path);
    lu_json_key_bool(&json, "changed", changed);
    out_json_end(&json);
}

lu_status upgrade_file(const verb_call *call, const char *path, size_t limit,
                       upgrade_bytes *upgrade, lu_error *error) {
    char *bytes, *upgraded = NULL;
    size_t length, upgraded_length = 0;
    LU_TRY(lu_file_read(path, limit, &bytes, &length, error));
    lu_status status = upgrade(path, bytes, length, &upgraded, &upgraded_length, error);
    bool changed =
        status == LU_OK && (upgraded_length != length || memcmp(upgraded, bytes, length) != 0);
    if (changed) {
        status = lu_file_write(path, upgraded, upgraded_length, error);
    }
    if (status == LU_OK) {
        tell(call, path, changed);
    }
    free(upgraded);
    free(bytes);
    return status;
}
