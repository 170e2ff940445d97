/* Fuzzes the reader of archives: no input may crash it or make it take much memory, and what it
 * unpacks is written again and read back equal. */
#include "src/nn/zip.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int condition) {
    if (!condition) {
        abort();
    }
}

static void rewrite(const lu_zip_part *part, int parts) {
    char *bytes, *got;
    size_t length, got_length;
    lu_zip zip;
    need(lu_zip_write(part, parts, &bytes, &length, NULL) == LU_OK);
    need(lu_zip_open(&zip, "again", bytes, length, NULL) == LU_OK && zip.entries == parts);
    for (int i = 0; i < parts; i++) {
        need(lu_zip_unpack(&zip, i, LIMIT, &got, &got_length, NULL) == LU_OK);
        need(got_length == part[i].length && memcmp(got, part[i].bytes, got_length) == 0);
        need(strcmp(zip.entry[i].name, part[i].name) == 0);
        free(got);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    lu_zip zip;
    (void)lu_zip_has_pickle(data, size);
    lu_status status = lu_zip_open(&zip, "fuzz", data, size, &error);
    lu_zip_part part[LU_ZIP_ENTRIES] = {0};
    char *bytes[LU_ZIP_ENTRIES] = {0};
    int parts = 0;
    for (; parts < zip.entries && status == LU_OK; parts++) {
        size_t length;
        status = lu_zip_unpack(&zip, parts, LIMIT, &bytes[parts], &length, &error);
        part[parts] = (lu_zip_part){zip.entry[parts].name, bytes[parts], length};
    }
    if (status == LU_OK) {
        rewrite(part, parts);
    } else {
        need(error.status == status && error.text[0]);
    }
    for (int i = 0; i < LU_ZIP_ENTRIES; i++) {
        free(bytes[i]);
    }
    return 0;
}
