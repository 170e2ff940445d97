/* Between the files that read and write models: what a model says of itself as a row of texts, and
 * its normalisers as plain numbers. Both have two forms, one inside safetensors and one as JSON (in
 * archives), and are compared and joined here.
 * Ownership: notes and statistics own their parts until *_free. Threads: no shared state. */
#pragma once

#include "ludus/model.h"
#include "ludus/tensors.h"

/* X(name, key; "ludus." comes before it in safetensors, form in JSON, needed) */
#define LU_NOTE_LIST(X)                                                                            \
    X(LU_NOTE_VERSION, "version", LU_NOTE_NUMBER, true)                                            \
    X(LU_NOTE_GAME, "game", LU_NOTE_TEXT, true)                                                    \
    X(LU_NOTE_SPEC, "spec", LU_NOTE_TEXT, true)                                                    \
    X(LU_NOTE_KIND, "kind", LU_NOTE_TEXT, true)                                                    \
    X(LU_NOTE_SETTINGS, "settings", LU_NOTE_OBJECT, true)                                          \
    X(LU_NOTE_RETURN_SCALE, "return_scale", LU_NOTE_NUMBER, false)                                 \
    X(LU_NOTE_STEP, "step", LU_NOTE_NUMBER, false)                                                 \
    X(LU_NOTE_SEED, "seed", LU_NOTE_TEXT, false)                                                   \
    X(LU_NOTE_BUILD, "build", LU_NOTE_TEXT, false)                                                 \
    X(LU_NOTE_CARD, "card", LU_NOTE_OBJECT, false)

typedef enum lu_note_form { LU_NOTE_TEXT, LU_NOTE_NUMBER, LU_NOTE_OBJECT } lu_note_form;

typedef enum lu_note {
#define X(name, key, form, needed) name,
    LU_NOTE_LIST(X)
#undef X
        LU_NOTES
} lu_note;

typedef struct lu_note_row {
    const char *key;
    lu_note_form form;
    bool needed;
} lu_note_row;

extern const lu_note_row lu_note_rows[LU_NOTES];
#define LU_NOTE_PREFIX "ludus."

/* Numbers and objects in canonical JSON, so that equal values are equal texts. */
typedef struct lu_notes {
    char *text[LU_NOTES]; /* NULL: not said */
} lu_notes;

void lu_notes_free(lu_notes *notes);
/* From a model, from the texts of a safetensors file, from metadata.json. */
lu_status lu_notes_of_model(lu_notes *notes, const lu_model_file *file, lu_error *error);
lu_status lu_notes_of_tensors(lu_notes *notes, const char *name, const lu_tensors *tensors,
                              lu_error *error);
lu_status lu_notes_of_json(lu_notes *notes, const char *name, const char *text, size_t length,
                           lu_error *error);
void lu_notes_to_json(const lu_notes *notes, lu_json *json);
/* Takes from `other` what `notes` lacks; what both have must be equal. Empties `other`. */
lu_status lu_notes_join(lu_notes *notes, lu_notes *other, const char *name, lu_error *error);

/* A normaliser in a file: mean and variance, not sums, since that is what others use. */
typedef struct lu_stats {
    int length; /* 0: none */
    double *mean, *variance;
    double count, clip;
} lu_stats;

enum { LU_STATS_OBSERVATION, LU_STATS_CRITIC, LU_STATS_KINDS };

void lu_stats_free(lu_stats *stats);
lu_status lu_stats_of_normaliser(lu_stats *stats, const lu_normaliser *normaliser, lu_error *error);
/* A normaliser with exactly this mean and variance. */
void lu_stats_to_normaliser(const lu_stats *stats, lu_normaliser *normaliser);
/* Both normalisers, from the tensors normaliser.* and critic_normaliser.*, and from obs_rms.json.
 */
lu_status lu_stats_of_tensors(lu_stats stats[LU_STATS_KINDS], const char *name,
                              const lu_tensors *tensors, lu_error *error);
lu_status lu_stats_of_json(lu_stats stats[LU_STATS_KINDS], const char *name, const char *text,
                           size_t length, lu_error *error);
void lu_stats_to_json(const lu_stats stats[LU_STATS_KINDS], lu_json *json);
lu_status lu_stats_join(lu_stats *stats, lu_stats *other, const char *name, lu_error *error);
/* Appends the tensors of a normaliser (at most LU_STATS_TENSORS) and returns how many. */
enum { LU_STATS_TENSORS = 4 };
size_t lu_stats_tensors(const lu_stats *stats, int kind, lu_tensor_entry *entry);
/* True for the name of such a tensor. */
bool lu_stats_is_tensor(const char *name);

/* One JSON value as canonical text: no spaces, numbers as short as they go, members sorted. The
 * caller frees it; NULL when it nests deeper than the writer goes. */
char *lu_canonical(const lu_json_value *value);

/* A model from its parts, which are emptied. `tensors` must outlive the call only. `older`: also
 * one of an earlier specification that is carried over; its `spec` is what it says. */
lu_model_file *lu_model_build(const char *name, const lu_tensors *tensors, lu_notes *notes,
                              lu_stats stats[LU_STATS_KINDS], bool older, lu_error *error);
/* lu_model_file_read, with the same choice. */
lu_model_file *lu_model_read(const char *name, const void *bytes, size_t length, bool older,
                             lu_error *error);
