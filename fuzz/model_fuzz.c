/* Fuzzes the reader of models, as a file and as an archive: no input may crash it or ask for a net
 * out of proportion, and what it accepts can be saved and read again, equal. */
#include "ludus/model.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int condition) {
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    lu_model_file *file = lu_model_file_open("fuzz", data, size, &error);
    if (!file) {
        need(error.status != LU_OK && error.text[0]);
        return 0;
    }
    char *once, *twice;
    size_t once_length, twice_length;
    need(lu_model_file_write(file, &once, &once_length, &error) == LU_OK);
    lu_model_file *again = lu_model_file_read("again", once, once_length, &error);
    need(again != NULL);
    need(lu_model_file_write(again, &twice, &twice_length, &error) == LU_OK);
    need(once_length == twice_length && memcmp(once, twice, once_length) == 0);
    free(once);
    free(twice);
    lu_model_file_delete(again);
    lu_model_file_delete(file);
    return 0;
}
