/* Fuzzes the reader of tensors: no input may crash it, and what it accepts is written again and
 * read back equal: names, types, shapes, bytes and texts. */
#include "ludus/tensors.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int condition) {
    if (!condition) {
        abort();
    }
}

/* Touches every number, so that a sanitizer sees any that lie outside. */
static void ask(const lu_tensors *tensors) {
    lu_error error;
    for (size_t i = 0; i < tensors->entries; i++) {
        const lu_tensor_entry *entry = &tensors->entry[i];
        float *floats = lu_alloc_zero(entry->count, sizeof *floats);
        double *doubles = lu_alloc_zero(entry->count, sizeof *doubles);
        lu_tensor_floats("fuzz", entry, floats, &error);
        lu_tensor_doubles("fuzz", entry, doubles, &error);
        free(floats);
        free(doubles);
        need(i > 64 || lu_tensors_find(tensors, entry->name) == entry);
    }
}

static void compare(const lu_tensors *a, const lu_tensors *b) {
    need(a->entries == b->entries);
    for (size_t i = 0; i < a->entries; i++) {
        const lu_tensor_entry *x = &a->entry[i], *y = lu_tensors_find(b, x->name);
        need(y && x->type == y->type && x->rank == y->rank && x->count == y->count &&
             x->bytes == y->bytes && memcmp(x->shape, y->shape, sizeof x->shape) == 0);
        need(x->bytes == 0 || memcmp(x->data, y->data, x->bytes) == 0);
    }
    for (size_t i = 0; i < a->notes; i++) {
        const char *value = lu_tensors_note(b, a->note[i].key);
        need(value &&
             (strcmp(a->note[i].key, "ludus.hash") == 0 || strcmp(value, a->note[i].value) == 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lu_error error = {0};
    lu_tensors *first = lu_tensors_read("fuzz", data, size, &error);
    if (!first) {
        need(error.status != LU_OK && error.text[0]);
        return 0;
    }
    ask(first);
    char *bytes;
    size_t length, notes = 0;
    lu_tensor_note *note = lu_alloc_zero(first->notes, sizeof *note);
    for (size_t i = 0; i < first->notes; i++) {
        if (strcmp(first->note[i].key, "ludus.hash") != 0) {
            note[notes++] = first->note[i];
        }
    }
    if (first->entries < 64) { /* looking each other up is quadratic */
        need(lu_tensors_write(first->entry, first->entries, note, notes, &bytes, &length, &error) ==
             LU_OK);
        lu_tensors *second = lu_tensors_read("again", bytes, length, &error);
        need(second && second->hashed);
        compare(first, second);
        lu_tensors_close(second);
        free(bytes);
    }
    free(note);
    lu_tensors_close(first);
    return 0;
}
