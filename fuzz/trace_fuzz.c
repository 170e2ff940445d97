/* Fuzz target of the reader of action files (`ludus trace --actions FILE`): any bytes, read as
 * lines for one and for six numbers each. Every line is either a full set of numbers or one error
 * that names its line. */
#include "../apps/actions.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const int counts[] = {1, 6};
    if (length == 0) {
        return 0;
    }
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        FILE *stream = fmemopen((void *)(uintptr_t)bytes, length, "rb");
        action_reader *reader = malloc(sizeof *reader);
        int32_t *values = malloc((size_t)counts[k] * sizeof *values);
        bool end = false;
        lu_error error;
        action_reader_init(reader, stream, "fuzz", counts[k]);
        while (!end) {
            lu_status status = action_reader_next(reader, values, &end, &error);
            if (status != LU_OK) {
                if (status != LU_BAD_DATA || !strstr(error.text, "fuzz:")) {
                    abort();
                }
                break;
            }
        }
        fclose(stream);
        free(values);
        free(reader);
    }
    return 0;
}
