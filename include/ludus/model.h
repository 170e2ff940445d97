/* Model files: a trained net with everything that is needed to use it as it was trained (settings,
 * normalisers, game, specification) and to know where it comes from (step, seed, build, card).
 * The file is safetensors with torch names and layout (docs/model-format.md); a zip archive with
 * policy.safetensors, obs_rms.json and metadata.json is the same model in parts. A reader believes
 * nothing, and runs nothing: pickle is never read.
 * Ownership: what load and read hand out owns all its parts until lu_model_file_delete; a struct
 * that a caller fills in order to save it owns nothing. Threads: no shared state. */
#pragma once

#include "ludus/net.h"

LU_C_BEGIN

enum { LU_MODEL_VERSION = 1 };
#define LU_MODEL_CARD ((size_t)1 << 20) /* longest card, bytes */

typedef struct lu_model_file {
    const lu_game *game;
    lu_net *net;
    lu_settings *settings; /* at least lu_net_table and the game's tables */
    /* {"net":{...},"game":{...},"train":{...}} with every value, as lu_model_settings writes it.
     * When saving, NULL means: from `settings`. After loading it is the text of the file. */
    char *settings_json;
    lu_normaliser observation, critic; /* length 0: none */
    float *win_rate;     /* parameters of the win-rate predictor (win_rate.h); NULL: none */
    double return_scale; /* what values are multiplied by; 1 when returns are not scaled */
    uint64_t spec;       /* after loading: hash of the game's specification */
    int64_t step;        /* environment steps it was trained for */
    uint64_t seed;
    char build[64]; /* which program made it */
    char *card;     /* a JSON object for people: title, scores, licence, ...; NULL: none */
} lu_model_file;

/* Every value of settings that hold the net's, the game's and perhaps a trainer's tables, defaults
 * too, so that a later default changes no old model. The caller frees the text. */
char *lu_model_settings(const lu_game *game, const lu_settings *settings);

/* ---- one file ---- */

/* The file's bytes, which the caller frees; equal models give equal bytes. `card` must be a JSON
 * object and numbers must be finite: LU_BAD_DATA otherwise, so that no unreadable file is made. */
lu_status lu_model_file_write(const lu_model_file *file, char **bytes, size_t *length,
                              lu_error *error);
/* Reads a safetensors file. NULL on an error, besides those of lu_tensors_read: LU_FOREIGN_FILE
 * (tensors, but no model of ours), LU_OTHER_VERSION, LU_NOT_FOUND (unknown game), LU_OTHER_SPEC
 * (other rules or other settings), LU_BAD_DATA (a tensor missing, left over, of another shape, not
 * finite). */
lu_model_file *lu_model_file_read(const char *name, const void *bytes, size_t length,
                                  lu_error *error);
void lu_model_file_delete(lu_model_file *file);
/* ---- paths and archives: native builds only ---- */

/* Replaces the file at once, or leaves the old one. */
lu_status lu_model_file_save(const char *path, const lu_model_file *file, lu_error *error);
/* Opens a safetensors file or a zip archive, told apart by their first bytes. Of an archive
 * policy.safetensors is needed; what the other two say must not contradict it, and fills what it
 * lacks. */
lu_model_file *lu_model_file_load(const char *path, lu_error *error);
/* The same from memory. */
lu_model_file *lu_model_file_open(const char *name, const void *bytes, size_t length,
                                  lu_error *error);
/* Writes the archive; equal models give equal bytes. */
lu_status lu_model_file_export_zip(const char *path, const lu_model_file *file, lu_error *error);
/* The bytes of a model or an archive of an earlier specification that still fits, as this build
 * writes it (the caller frees them); of a current one, its own. Errors: those of
 * lu_model_file_open. */
lu_status lu_model_file_upgrade(const char *name, const void *bytes, size_t length, char **upgraded,
                                size_t *upgraded_length, lu_error *error);

LU_C_END
