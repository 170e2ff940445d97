/* Models by path, and as zip archives of three files. Inside an archive policy.safetensors may be
 * complete (as ludus writes it) or bare weights from elsewhere; metadata.json and obs_rms.json then
 * fill the rest. Whatever is said twice must be equal, so that nobody edits a copy in vain. */
#include "model_internal.h"

#include "ludus/file.h"

#include "zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLICY, OBS_RMS, METADATA, FILES };
enum { JSON_LIMIT = 16 << 20 };

static const char *const file_names[FILES] = {"policy.safetensors", "obs_rms.json",
                                              "metadata.json"};

/* The three files of an archive while they are in memory; an absent one is NULL. */
typedef struct contents {
    char *bytes[FILES];
    size_t length[FILES];
} contents;

static void contents_free(contents *all) {
    for (int i = 0; i < FILES; i++) {
        free(all->bytes[i]);
    }
}

static lu_status unpack_all(const char *name, const void *bytes, size_t length, contents *all,
                            lu_error *error) {
    lu_zip zip;
    lu_status status = lu_zip_open(&zip, name, bytes, length, error);
    for (int i = 0; i < zip.entries && status == LU_OK; i++) {
        int file = 0;
        while (file < FILES && strcmp(zip.entry[i].name, file_names[file]) != 0) {
            file++;
        }
        if (file == FILES) {
            return lu_fail(error, LU_BAD_DATA,
                           "'%s' holds '%s'; a model's archive holds policy.safetensors, "
                           "obs_rms.json and metadata.json",
                           name, zip.entry[i].name);
        }
        size_t limit = file == POLICY ? (size_t)LU_TENSORS_LIMIT : (size_t)JSON_LIMIT;
        status = lu_zip_unpack(&zip, i, limit, &all->bytes[file], &all->length[file], error);
    }
    if (status == LU_OK && !all->bytes[POLICY]) {
        status = lu_fail(error, LU_BAD_DATA, "'%s' is an archive without policy.safetensors", name);
    }
    return status;
}

/* The file's parts, joined with what the two JSON files say. */
static lu_status join_json(const char *name, const contents *all, lu_notes *notes,
                           lu_stats stats[LU_STATS_KINDS], lu_error *error) {
    lu_notes other_notes = {0};
    lu_stats other_stats[LU_STATS_KINDS] = {0};
    lu_status status = LU_OK;
    char place[512];
    if (all->bytes[METADATA]) {
        snprintf(place, sizeof place, "%.400s/%s", name, file_names[METADATA]);
        status = lu_notes_of_json(&other_notes, place, all->bytes[METADATA], all->length[METADATA],
                                  error);
        LU_THEN(status, lu_notes_join(notes, &other_notes, name, error));
    }
    if (status == LU_OK && all->bytes[OBS_RMS]) {
        snprintf(place, sizeof place, "%.400s/%s", name, file_names[OBS_RMS]);
        status =
            lu_stats_of_json(other_stats, place, all->bytes[OBS_RMS], all->length[OBS_RMS], error);
        for (int k = 0; k < LU_STATS_KINDS && status == LU_OK; k++) {
            status = lu_stats_join(&stats[k], &other_stats[k], name, error);
        }
    }
    lu_notes_free(&other_notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&other_stats[k]);
    }
    return status;
}

static lu_model_file *read_zip(const char *name, const void *bytes, size_t length, bool older,
                               lu_error *error) {
    contents all = {0};
    lu_notes notes = {0};
    lu_stats stats[LU_STATS_KINDS] = {0};
    lu_tensors *tensors = NULL;
    lu_model_file *file = NULL;
    if (unpack_all(name, bytes, length, &all, error) != LU_OK) {
        goto done;
    }
    tensors = lu_tensors_read(name, all.bytes[POLICY], all.length[POLICY], error);
    if (tensors && lu_notes_of_tensors(&notes, name, tensors, error) == LU_OK &&
        lu_stats_of_tensors(stats, name, tensors, error) == LU_OK &&
        join_json(name, &all, &notes, stats, error) == LU_OK) {
        file = lu_model_build(name, tensors, &notes, stats, older, error);
    }
done:
    lu_notes_free(&notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&stats[k]);
    }
    lu_tensors_close(tensors);
    contents_free(&all);
    return file;
}

static lu_model_file *open_any(const char *name, const void *bytes, size_t length, bool older,
                               lu_error *error) {
    if (!lu_zip_is(bytes, length)) {
        return lu_model_read(name, bytes, length, older, error);
    }
    lu_model_file *file = read_zip(name, bytes, length, older, error);
    if (!file && lu_zip_has_pickle(bytes, length)) {
        lu_fail_pickle(name, error);
    }
    return file;
}

lu_model_file *lu_model_file_open(const char *name, const void *bytes, size_t length,
                                  lu_error *error) {
    return open_any(name, bytes, length, false, error);
}

/* A name that only pickles have: the oldest kinds have no magic to know them by. */
static bool named_pickle(const char *path) {
    static const char *const ends[] = {".pkl", ".pickle", ".pt", ".pth"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(dot, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

lu_model_file *lu_model_file_load(const char *path, lu_error *error) {
    char *bytes;
    size_t length;
    lu_error inner;
    if (lu_file_read(path, (size_t)LU_TENSORS_LIMIT, &bytes, &length, error) != LU_OK) {
        return NULL;
    }
    lu_model_file *file = lu_model_file_open(path, bytes, length, &inner);
    if (!file && inner.status == LU_FOREIGN_FILE && named_pickle(path)) {
        lu_fail_pickle(path, error);
    } else if (!file && error) {
        *error = inner;
    }
    free(bytes);
    return file;
}

/* ---- writing ---- */

lu_status lu_model_file_save(const char *path, const lu_model_file *file, lu_error *error) {
    char *bytes;
    size_t length;
    lu_status status = lu_model_file_write(file, &bytes, &length, error);
    LU_THEN(status, lu_file_write(path, bytes, length, error));
    free(bytes);
    return status;
}

/* The archive's bytes, which the caller frees. */
static lu_status pack_zip(const lu_model_file *file, char **bytes, size_t *length,
                          lu_error *error) {
    lu_notes notes = {0};
    lu_stats stats[LU_STATS_KINDS] = {0};
    lu_json metadata = LU_JSON_INIT, obs_rms = LU_JSON_INIT;
    char *policy = NULL;
    size_t policy_length;
    *bytes = NULL;
    lu_status status = lu_model_file_write(file, &policy, &policy_length, error);
    if (status != LU_OK || (status = lu_notes_of_model(&notes, file, error)) != LU_OK ||
        (status = lu_stats_of_normaliser(&stats[LU_STATS_OBSERVATION], &file->observation,
                                         error)) != LU_OK ||
        (status = lu_stats_of_normaliser(&stats[LU_STATS_CRITIC], &file->critic, error)) != LU_OK) {
        goto done;
    }
    lu_notes_to_json(&notes, &metadata);
    lu_json_newline(&metadata);
    lu_zip_part part[FILES] = {{file_names[POLICY], policy, policy_length},
                               {file_names[METADATA], metadata.text, metadata.length}};
    int parts = 2;
    if (stats[LU_STATS_OBSERVATION].length || stats[LU_STATS_CRITIC].length) {
        lu_stats_to_json(stats, &obs_rms);
        lu_json_newline(&obs_rms);
        part[parts++] = (lu_zip_part){file_names[OBS_RMS], obs_rms.text, obs_rms.length};
    }
    status = lu_zip_write(part, parts, bytes, length, error);
done:
    free(policy);
    lu_json_free(&metadata);
    lu_json_free(&obs_rms);
    lu_notes_free(&notes);
    for (int k = 0; k < LU_STATS_KINDS; k++) {
        lu_stats_free(&stats[k]);
    }
    return status;
}

lu_status lu_model_file_export_zip(const char *path, const lu_model_file *file, lu_error *error) {
    char *bytes;
    size_t length;
    lu_status status = pack_zip(file, &bytes, &length, error);
    LU_THEN(status, lu_file_write(path, bytes, length, error));
    free(bytes);
    return status;
}

/* ---- carrying over ---- */

lu_status lu_model_file_upgrade(const char *name, const void *bytes, size_t length, char **upgraded,
                                size_t *upgraded_length, lu_error *error) {
    lu_error own;
    lu_status status = LU_OK;
    *upgraded = NULL;
    error = error ? error : &own;
    lu_model_file *file = open_any(name, bytes, length, true, error);
    if (!file) {
        return error->status;
    }
    if (file->spec == lu_spec_hash(file->game)) {
        *upgraded = lu_alloc(length);
        *upgraded_length = length;
        memcpy(*upgraded, bytes, length);
    } else if (lu_zip_is(bytes, length)) {
        status = pack_zip(file, upgraded, upgraded_length, error);
    } else {
        status = lu_model_file_write(file, upgraded, upgraded_length, error);
    }
    lu_model_file_delete(file);
    return status;
}
