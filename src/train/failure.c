/* The batch that made numbers go wrong, as a safetensors file for whoever looks for the reason:
 * what kinds of trainers put into it is theirs. This is the only place of a running trainer that
 * allocates. */
#include "trainer.h"

#include "ludus/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *failed_add(failed_file *f, const char *name, lu_dtype type, size_t rows, size_t columns) {
    void *data = lu_alloc_zero(rows * columns + 1, lu_dtype_bytes(type));
    f->owned[f->count] = data;
    f->entry[f->count++] = (lu_tensor_entry){.name = name,
                                             .type = type,
                                             .rank = 2,
                                             .shape = {(int64_t)rows, (int64_t)columns},
                                             .data = data};
    return data;
}

void failed_add_copy(failed_file *f, const char *name, const float *from, size_t count) {
    memcpy(failed_add(f, name, LU_F32, 1, count), from, count * sizeof(float));
}

void failed_write(failed_file *f, const lu_trainer *t, lu_error *error) {
    const char *path = t->save_failed;
    char number[32], *bytes = NULL;
    size_t length = 0;
    snprintf(number, sizeof number, "%lld", (long long)t->updates + 1);
    lu_tensor_note notes[] = {{"game", t->game->id}, {"update", number}, {"reason", error->text}};
    lu_error problem;
    lu_status status = lu_tensors_write(f->entry, f->count, notes, sizeof notes / sizeof notes[0],
                                        &bytes, &length, &problem);
    LU_THEN(status, lu_file_write(path, bytes, length, &problem));
    size_t end = strlen(error->text);
    snprintf(error->text + end, sizeof error->text - end, "; the batch %s %s",
             status == LU_OK ? "is saved in" : "could not be saved:",
             status == LU_OK ? path : problem.text);
    free(bytes);
    for (size_t i = 0; i < f->count; i++) {
        free(f->owned[i]);
    }
}
