/* Model files as one block of bytes: see model.h. The reader builds the net from the settings in
 * the file, then takes exactly its tensors from it. Paths and archives are in model_zip.c, the
 * texts in model_notes.c, the normalisers in model_stats.c. */
#include "model_internal.h"

#include "ludus/printable.h"
#include "ludus/win_rate.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define CHECK_SPEC 0 /* a fuzzer's seeds outlive specifications */
#else
#define CHECK_SPEC 1
#endif

void lu_model_file_delete(lu_model_file *file) {
    if (!file) {
        return;
    }
    lu_net_delete(file->net);
    lu_settings_delete(file->settings);
    if (file->observation.length) {
        lu_normaliser_free(&file->observation);
    }
    if (file->critic.length) {
        lu_normaliser_free(&file->critic);
    }
    free(file->win_rate);
    free(file->settings_json);
    free(file->card);
    free(file);
}

/* ---- writing ---- */

static lu_status check_tensor(const lu_tensor *tensor, const float *block, lu_error *error) {
    for (size_t i = 0; i < tensor->count; i++) {
        if (!isfinite(block[tensor->offset + i])) {
            return lu_fail(error, LU_BAD_DATA,
                           "the net has NaN or infinity in '%s' and was not saved: lower the "
                           "learning rate, or use an earlier file",
                           tensor->name);
        }
    }
    return LU_OK;
}

static lu_status check_model(const lu_model_file *file, lu_error *error) {
    const float *block = lu_net_block(file->net);
    lu_tensor win_rate[LU_WIN_RATE_TENSORS];
    assert(lu_net_game(file->net) == file->game);
    for (int t = 0; t < lu_net_tensors(file->net); t++) {
        LU_TRY(check_tensor(lu_net_tensor(file->net, t), block, error));
    }
    lu_win_rate_tensors(lu_game_observation_length(file->game), win_rate);
    for (int t = 0; t < LU_WIN_RATE_TENSORS && file->win_rate; t++) {
        LU_TRY(check_tensor(&win_rate[t], file->win_rate, error));
    }
    if (!isfinite(file->return_scale) || file->return_scale <= 0 || file->step < 0 ||
        !memchr(file->build, 0, sizeof file->build)) {
        return lu_fail(error, LU_BAD_DATA,
                       "a model needs a return scale above 0, a step that is not negative and the "
                       "name of a build");
    }
    return LU_OK;
}

static lu_tensor_entry entry_of(const lu_tensor *tensor, const float *block) {
    lu_tensor_entry e = {
        .name = tensor->name, .type = LU_F32, .rank = tensor->rank, .data = block + tensor->offset};
    for (int i = 0; i < tensor->rank; i++) {
        e.shape[i] = tensor->shape[i];
    }
    return e;
}

/* All tensors: those of the net in its order, of the win-rate predictor, then the normalisers. The
 * caller frees them. */
static lu_tensor_entry *list_tensors(const lu_model_file *file, const lu_tensor *win_rate,
                                     const lu_stats stats[LU_STATS_KINDS], size_t *count) {
    int tensors = lu_net_tensors(file->net);
    const float *block = lu_net_block(file->net);
    lu_tensor_entry *entry = lu_alloc_zero(
        (size_t)tensors + LU_WIN_RATE_TENSORS + LU_STATS_KINDS * LU_STATS_TENSORS, sizeof *entry);
    size_t used = 0;
    for (int t = 0; t < tensors; t++) {
        entry[used++] = entry_of(lu_net_tensor(file->net, t), block);
    }
    for (int t = 0; t < LU_WIN_RATE_TENSORS && file->win_rate; t++) {
        entry[used++] = entry_of(&win_rate[t], file->win_rate);
    }
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        used += lu_stats_tensors(&stats[k], k, entry + used);
    }
    *count = used;
    return entry;
}

lu_status lu_model_file_write(const lu_model_file *file, char **bytes, size_t *length,
                              lu_error *error) {
    lu_notes notes = {0};
    lu_stats stats[LU_STATS_KINDS] = {0};
    lu_tensor_entry *entry = NULL;
    lu_tensor_note note[LU_NOTES + 1] = {{"format", "pt"}}; /* what Python tools look for */
    char keys[LU_NOTES][32];
    lu_tensor win_rate[LU_WIN_RATE_TENSORS];
    size_t entries, used = 1;
    *bytes = NULL;
    *length = 0;
    lu_status status = check_model(file, error);
    if (status != LU_OK || (status = lu_notes_of_model(&notes, file, error)) != LU_OK ||
        (status = lu_stats_of_normaliser(&stats[LU_STATS_OBSERVATION], &file->observation,
                                         error)) != LU_OK ||
        (status = lu_stats_of_normaliser(&stats[LU_STATS_CRITIC], &file->critic, error)) != LU_OK) {
        goto done;
    }
    for (int i = 0; i < LU_NOTES; i++) {
        if (notes.text[i]) {
            snprintf(keys[i], sizeof keys[i], "%s%s", LU_NOTE_PREFIX, lu_note_rows[i].key);
            note[used++] = (lu_tensor_note){keys[i], notes.text[i]};
        }
    }
    lu_win_rate_tensors(lu_game_observation_length(file->game), win_rate);
    entry = list_tensors(file, win_rate, stats, &entries);
    status = lu_tensors_write(entry, entries, note, used, bytes, length, error);
done:
    free(entry);
    lu_notes_free(&notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&stats[k]);
    }
    return status;
}

/* ---- reading ---- */

typedef struct reader {
    const char *name;
    const lu_tensors *tensors;
    const lu_notes *notes;
    lu_model_file *file;
    bool older; /* a specification that this build carries over is read too */
    lu_error *error;
} reader;

/* Everything needed is said, in a version that is read. */
static lu_status check_notes(const reader *r) {
    int said = 0, missing = -1;
    for (int i = 0; i < LU_NOTES; i++) {
        said += r->notes->text[i] != NULL;
        if (missing < 0 && lu_note_rows[i].needed && !r->notes->text[i]) {
            missing = i;
        }
    }
    if (said == 0) {
        return lu_fail(r->error, LU_FOREIGN_FILE,
                       "'%s' holds tensors, but does not say for which game and net: "
                       "python/ludus_convert.py turns it into a model",
                       r->name);
    }
    const char *version = r->notes->text[LU_NOTE_VERSION];
    char own[16], shown[LU_PRINTABLE];
    snprintf(own, sizeof own, "%d", LU_MODEL_VERSION);
    if (version && strcmp(version, own) != 0) {
        return lu_fail(r->error, LU_OTHER_VERSION,
                       "'%s' is a model file of version %s, but this build reads version %s: use "
                       "the build that wrote it",
                       r->name, lu_printable(shown, version), own);
    }
    if (missing >= 0) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s' lacks its '%s'", r->name,
                       lu_note_rows[missing].key);
    }
    return LU_OK;
}

/* Exactly 16 hex digits. */
static bool read_hex(const char *text, uint64_t *value) {
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        return false;
    }
    *value = strtoull(text, NULL, 16);
    return true;
}

static lu_status find_game(const reader *r) {
    const char *id = r->notes->text[LU_NOTE_GAME];
    char shown[LU_PRINTABLE];
    const lu_game *game = lu_game_find(id, NULL);
    if (!game || strcmp(game->id, id) != 0) {
        return lu_fail(
            r->error, LU_NOT_FOUND,
            "'%s' is a model of '%s', which this build does not have; `ludus games` lists "
            "what it has",
            r->name, lu_printable(shown, id));
    }
    r->file->game = game;
    if (!read_hex(r->notes->text[LU_NOTE_SPEC], &r->file->spec)) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s': its 'spec' is not 16 hex digits", r->name);
    }
    bool carried = r->older && lu_spec_older(game, r->file->spec);
    if (CHECK_SPEC && r->file->spec != lu_spec_hash(game) && !carried) {
        return lu_fail(
            r->error, LU_OTHER_SPEC,
            "'%s' was trained on another specification of %s (%016llx; this build has %016llx): %s",
            r->name, game->id, (unsigned long long)r->file->spec,
            (unsigned long long)lu_spec_hash(game),
            lu_spec_older(game, r->file->spec) ? "`ludus model upgrade FILE` upgrades it"
                                               : "use the build that wrote it, or train again");
    }
    return LU_OK;
}

/* step, seed, scale, build and card: absent ones take plain values. */
static lu_status read_origin(const reader *r) {
    char *const *text = r->notes->text;
    lu_model_file *file = r->file;
    lu_error inner;
    file->return_scale = 1;
    if ((text[LU_NOTE_STEP] &&
         lu_parse_i64("step", text[LU_NOTE_STEP], 0, INT64_MAX, &file->step, &inner) != LU_OK) ||
        (text[LU_NOTE_SEED] &&
         lu_parse_u64("seed", text[LU_NOTE_SEED], &file->seed, &inner) != LU_OK) ||
        (text[LU_NOTE_RETURN_SCALE] &&
         lu_parse_real("return_scale", text[LU_NOTE_RETURN_SCALE], 0x1p-1000, 0x1p1000,
                       &file->return_scale, &inner) != LU_OK)) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s': %.300s", r->name, inner.text);
    }
    const char *build = text[LU_NOTE_BUILD] ? text[LU_NOTE_BUILD] : "";
    const char *card = text[LU_NOTE_CARD];
    if (strlen(build) >= sizeof file->build || (card && strlen(card) > LU_MODEL_CARD)) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s': its 'build' or 'card' is too long", r->name);
    }
    memcpy(file->build, build, strlen(build) + 1);
    file->card = card ? lu_strdup(card) : NULL;
    return LU_OK;
}

/* One section of the settings into the object. What this build refuses is another build's. */
static lu_status read_section(const reader *r, const lu_json_value *value) {
    char *text = lu_canonical(value);
    lu_error inner = {0};
    lu_status status = text ? lu_settings_text(r->file->settings, "json", "settings", text,
                                               strlen(text), LU_FROM_FILE, &inner)
                            : LU_BAD_DATA;
    free(text);
    if (status == LU_UNKNOWN_KEY || status == LU_BAD_VALUE) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' has settings that this build does not accept: %.600s", r->name,
                       inner.text);
    }
    return status == LU_OK
               ? LU_OK
               : lu_fail(r->error, LU_BAD_DATA, "'%s': its settings: %.600s", r->name, inner.text);
}

static lu_status read_settings(const reader *r) {
    lu_status status = LU_OK;
    const char *text = r->notes->text[LU_NOTE_SETTINGS];
    lu_model_file *file = r->file;
    file->settings_json = lu_strdup(text);
    file->settings = lu_settings_new();
    lu_settings_read_files(file->settings);
    lu_settings_add(file->settings, lu_net_table);
    lu_game_add_settings(file->game, file->settings);
    lu_json_document *document = lu_json_read("settings", text, strlen(text), r->error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(document);
    for (size_t i = 0; i < lu_json_count(root) && status == LU_OK; i++) {
        const char *key;
        char shown[LU_PRINTABLE];
        const lu_json_value *value = lu_json_member(root, i, &key);
        bool read = strcmp(key, "net") == 0 || strcmp(key, "game") == 0;
        if (lu_json_kind_of(value) != LU_JSON_OBJECT || (!read && strcmp(key, "train") != 0)) {
            status = lu_fail(r->error, LU_BAD_DATA,
                             "'%s': its settings have '%s', but only the objects 'net', 'game' and "
                             "'train' are allowed",
                             r->name, lu_printable(shown, key));
        } else if (read) {
            status = read_section(r, value);
        }
    }
    if (status == LU_OK && !lu_json_get(root, "net")) {
        status = lu_fail(r->error, LU_BAD_DATA, "'%s': its settings have no 'net'", r->name);
    }
    lu_json_close(document);
    return status;
}

/* A small file must not ask for a huge net, since memory is taken before the tensors are looked at.
 * A file that lacks some tensors of a small net passes, and is told which. */
static lu_status check_size(const reader *r, lu_net_kind kind, lu_error *inner) {
    size_t parameters, held = 1 << 16;
    lu_status status = lu_net_count(r->file->game, kind, r->file->settings, &parameters, inner);
    for (size_t i = 0; i < r->tensors->entries; i++) {
        held += r->tensors->entry[i].count;
    }
    return status != LU_OK || parameters <= held
               ? status
               : lu_fail(inner, LU_BAD_DATA,
                         "it holds %zu numbers, fewer than the %zu that its settings need",
                         held - (1 << 16), parameters);
}

static lu_status make_net(const reader *r) {
    const char *text = r->notes->text[LU_NOTE_KIND];
    char shown[LU_PRINTABLE];
    if (strcmp(text, "policy") != 0 && strcmp(text, "q") != 0) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s': its 'kind' is '%s', not 'policy' or 'q'",
                       r->name, lu_printable(shown, text));
    }
    lu_error inner;
    lu_net_kind kind = strcmp(text, "q") == 0 ? LU_NET_Q : LU_NET_POLICY;
    if (check_size(r, kind, &inner) == LU_OK) {
        r->file->net = lu_net_new_blank(r->file->game, kind, r->file->settings, &inner);
    }
    return r->file->net ? LU_OK
                        : lu_fail(r->error, LU_BAD_DATA, "'%s': its net cannot be built: %.600s",
                                  r->name, inner.text);
}

static void print_shape(char *out, size_t room, int rank, const int64_t *shape) {
    size_t used = (size_t)snprintf(out, room, "[");
    for (int i = 0; i < rank && used < room; i++) {
        used +=
            (size_t)snprintf(out + used, room - used, "%s%lld", i ? "," : "", (long long)shape[i]);
    }
    if (used < room) {
        snprintf(out + used, room - used, "]");
    }
}

static lu_status read_tensor(const reader *r, const lu_tensor *want, float *block) {
    const lu_tensor_entry *entry = lu_tensors_find(r->tensors, want->name);
    if (!entry) {
        return lu_fail(r->error, LU_BAD_DATA, "'%s' lacks the tensor '%s', which its net has",
                       r->name, want->name);
    }
    bool equal = entry->rank == want->rank;
    for (int i = 0; i < want->rank && equal; i++) {
        equal = entry->shape[i] == want->shape[i];
    }
    if (!equal) {
        char got[200], wanted[80];
        print_shape(got, sizeof got, entry->rank, entry->shape);
        print_shape(wanted, sizeof wanted, want->rank, want->shape);
        return lu_fail(r->error, LU_BAD_DATA, "'%s': tensor '%s' is %s, but its net needs %s",
                       r->name, want->name, got, wanted);
    }
    return lu_tensor_floats(r->name, entry, block + want->offset, r->error);
}

#define WIN_RATE "win_rate." /* begins the names of its tensors */

/* All tensors of the win-rate predictor, or none. */
static lu_status read_win_rate(const reader *r) {
    int numbers = lu_game_observation_length(r->file->game), held = 0;
    lu_tensor tensor[LU_WIN_RATE_TENSORS];
    lu_win_rate_tensors(numbers, tensor);
    for (size_t i = 0; i < r->tensors->entries; i++) {
        held += strncmp(r->tensors->entry[i].name, WIN_RATE, strlen(WIN_RATE)) == 0;
    }
    if (held == 0) {
        return LU_OK;
    }
    r->file->win_rate = lu_alloc_zero(lu_win_rate_count(numbers), sizeof(float));
    for (int t = 0; t < LU_WIN_RATE_TENSORS; t++) {
        LU_TRY(read_tensor(r, &tensor[t], r->file->win_rate));
    }
    return held == LU_WIN_RATE_TENSORS
               ? LU_OK
               : lu_fail(r->error, LU_BAD_DATA,
                         "'%s' holds more tensors " WIN_RATE "* than a predictor has", r->name);
}

/* Exactly the tensors of the net, apart from the normalisers' and the predictor's. */
static lu_status read_net(const reader *r) {
    lu_net *net = r->file->net;
    float *block = lu_net_block(net);
    size_t tensors = (size_t)lu_net_tensors(net);
    for (size_t i = 0; i < r->tensors->entries; i++) {
        const char *name = r->tensors->entry[i].name;
        bool known = lu_stats_is_tensor(name) || strncmp(name, WIN_RATE, strlen(WIN_RATE)) == 0;
        for (size_t t = 0; t < tensors && !known; t++) {
            known = strcmp(lu_net_tensor(net, (int)t)->name, name) == 0;
        }
        if (!known) {
            char shown[LU_PRINTABLE];
            return lu_fail(r->error, LU_BAD_DATA, "'%s' holds the tensor '%s', which its net lacks",
                           r->name, lu_printable(shown, name));
        }
    }
    for (size_t t = 0; t < tensors; t++) {
        LU_TRY(read_tensor(r, lu_net_tensor(net, (int)t), block));
    }
    lu_net_pack(net);
    return LU_OK;
}

static lu_status read_normaliser(const reader *r, const lu_stats *stats, int length,
                                 lu_normaliser *normaliser) {
    if (stats->length == 0) {
        return LU_OK;
    }
    if (stats->length != length) {
        return lu_fail(r->error, LU_BAD_DATA,
                       "'%s' has a normaliser of %d numbers, where its net for %s reads %d",
                       r->name, stats->length, r->file->game->id, length);
    }
    lu_stats_to_normaliser(stats, normaliser);
    return LU_OK;
}

lu_model_file *lu_model_build(const char *name, const lu_tensors *tensors, lu_notes *notes,
                              lu_stats stats[LU_STATS_KINDS], bool older, lu_error *error) {
    lu_model_file *file = lu_alloc_zero(1, sizeof *file);
    reader r = {name, tensors, notes, file, older, error};
    bool good = check_notes(&r) == LU_OK && find_game(&r) == LU_OK && read_origin(&r) == LU_OK &&
                read_settings(&r) == LU_OK && make_net(&r) == LU_OK && read_net(&r) == LU_OK &&
                read_win_rate(&r) == LU_OK;
    good = good &&
           read_normaliser(&r, &stats[LU_STATS_OBSERVATION], lu_net_inputs(file->net),
                           &file->observation) == LU_OK &&
           read_normaliser(&r, &stats[LU_STATS_CRITIC], lu_game_critic_length(file->game),
                           &file->critic) == LU_OK;
    lu_notes_free(notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&stats[k]);
    }
    if (!good) {
        lu_model_file_delete(file);
        return NULL;
    }
    return file;
}

lu_model_file *lu_model_read(const char *name, const void *bytes, size_t length, bool older,
                             lu_error *error) {
    lu_notes notes = {0};
    lu_stats stats[LU_STATS_KINDS] = {0};
    lu_model_file *file = NULL;
    lu_tensors *tensors = lu_tensors_read(name, bytes, length, error);
    if (!tensors) {
        return NULL;
    }
    if (lu_notes_of_tensors(&notes, name, tensors, error) == LU_OK &&
        lu_stats_of_tensors(stats, name, tensors, error) == LU_OK) {
        file = lu_model_build(name, tensors, &notes, stats, older, error);
    }
    lu_notes_free(&notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&stats[k]);
    }
    lu_tensors_close(tensors);
    return file;
}

lu_model_file *lu_model_file_read(const char *name, const void *bytes, size_t length,
                                  lu_error *error) {
    return lu_model_read(name, bytes, length, false, error);
}
