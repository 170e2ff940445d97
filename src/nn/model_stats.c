/* Normalisers in files: mean, variance, count and clip, as tensors or as obs_rms.json (the form of
 * other libraries' running statistics). The file holds the variance and a normaliser the sum of
 * squares; the sum is chosen so that it gives the same variance again, bit by bit: a net that is
 * loaded sees exactly what it saw in training. */
#include "model_internal.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stats_names[LU_STATS_KINDS] = {"normaliser", "critic_normaliser"};

enum { MEAN, VARIANCE, COUNT, CLIP, PARTS };

static const char *const tensor_names[LU_STATS_KINDS][PARTS] = {
    {"normaliser.mean", "normaliser.var", "normaliser.count", "normaliser.clip"},
    {"critic_normaliser.mean", "critic_normaliser.var", "critic_normaliser.count",
     "critic_normaliser.clip"},
};

void lu_stats_free(lu_stats *stats) {
    free(stats->mean);
    free(stats->variance);
    *stats = (lu_stats){0};
}

static void stats_init(lu_stats *stats, size_t length) {
    *stats = (lu_stats){.length = (int)length};
    stats->mean = lu_alloc_zero(length, sizeof *stats->mean);
    stats->variance = lu_alloc_zero(length, sizeof *stats->variance);
}

/* What no normaliser can be: its numbers must be sound as floats too. `clip` 0 means: not said. */
static lu_status stats_check(const lu_stats *stats, const char *name, int kind, lu_error *error) {
    bool good = isfinite(stats->count) && (stats->count == 0 || stats->count >= 1) &&
                (stats->clip == 0 || stats->clip >= (double)FLT_MIN) &&
                stats->clip <= (double)FLT_MAX;
    for (int i = 0; i < stats->length && good; i++) {
        good = fabs(stats->mean[i]) <= (double)FLT_MAX && stats->variance[i] >= 0 &&
               isfinite(stats->variance[i] * stats->count);
    }
    return good ? LU_OK
                : lu_fail(error, LU_BAD_DATA,
                          "'%s': the %s has a number that is not finite, a negative variance, or a "
                          "count or clip that cannot be",
                          name, stats_names[kind]);
}

lu_status lu_stats_of_normaliser(lu_stats *stats, const lu_normaliser *normaliser,
                                 lu_error *error) {
    *stats = (lu_stats){0};
    if (normaliser->length == 0) {
        return LU_OK;
    }
    stats_init(stats, (size_t)normaliser->length);
    stats->count = normaliser->count;
    assert(normaliser->clip > 0); /* 0 in a file would mean: not said */
    stats->clip = (double)normaliser->clip;
    for (int i = 0; i < stats->length; i++) {
        bool seen = normaliser->count > 0;
        stats->mean[i] = seen ? normaliser->mean[i] : 0;
        stats->variance[i] = seen ? normaliser->square[i] / normaliser->count : 1;
    }
    return stats_check(stats, "model", 0, error);
}

/* A sum of squares with square / count == variance; it exists near the product, within a few units
 * of the last place, for every variance that came from such a quotient. */
static double square_of(double variance, double count) {
    double product = variance * count, up = product, down = product;
    for (int i = 0; i < 4; i++) {
        if (up / count == variance) {
            return up;
        }
        if (down / count == variance) {
            return down;
        }
        up = nextafter(up, HUGE_VAL);
        down = nextafter(down, 0);
    }
    return product;
}

void lu_stats_to_normaliser(const lu_stats *stats, lu_normaliser *normaliser) {
    lu_normaliser_init(normaliser, stats->length);
    normaliser->count = stats->count;
    if (stats->clip > 0) {
        normaliser->clip = (float)stats->clip;
    }
    for (int i = 0; i < stats->length && stats->count > 0; i++) {
        normaliser->mean[i] = stats->mean[i];
        normaliser->square[i] = square_of(stats->variance[i], stats->count);
    }
    lu_normaliser_freeze(normaliser);
}

/* ---- tensors ---- */

size_t lu_stats_tensors(const lu_stats *stats, int kind, lu_tensor_entry *entry) {
    if (stats->length == 0) {
        return 0;
    }
    const void *const data[PARTS] = {stats->mean, stats->variance, &stats->count, &stats->clip};
    for (int p = 0; p < PARTS; p++) {
        entry[p] = (lu_tensor_entry){.name = tensor_names[kind][p],
                                     .type = LU_F64,
                                     .rank = p == MEAN || p == VARIANCE ? 1 : 0,
                                     .shape = {stats->length},
                                     .data = data[p]};
    }
    return PARTS;
}

bool lu_stats_is_tensor(const char *name) {
    for (int i = 0; i < LU_STATS_KINDS * PARTS; i++) {
        if (strcmp(name, tensor_names[i / PARTS][i % PARTS]) == 0) {
            return true;
        }
    }
    return false;
}

static lu_status read_tensors(lu_stats *stats, int kind, const char *name,
                              const lu_tensors *tensors, lu_error *error) {
    const lu_tensor_entry *part[PARTS];
    int found = 0;
    for (int p = 0; p < PARTS; p++) {
        part[p] = lu_tensors_find(tensors, tensor_names[kind][p]);
        found += part[p] != NULL;
    }
    if (!found) {
        return LU_OK;
    }
    bool fits = part[MEAN] && part[VARIANCE] && part[COUNT] && part[MEAN]->rank == 1 &&
                part[VARIANCE]->rank == 1 && part[MEAN]->count == part[VARIANCE]->count &&
                part[MEAN]->count > 0 && part[MEAN]->count <= INT32_MAX &&
                part[COUNT]->count == 1 && (!part[CLIP] || part[CLIP]->count == 1);
    if (!fits) {
        return lu_fail(error, LU_BAD_DATA,
                       "'%s': the %s needs .mean and .var of equal length and one .count", name,
                       stats_names[kind]);
    }
    stats_init(stats, part[MEAN]->count);
    double *const into[PARTS] = {stats->mean, stats->variance, &stats->count, &stats->clip};
    for (int p = 0; p < PARTS; p++) {
        lu_status status = part[p] ? lu_tensor_doubles(name, part[p], into[p], error) : LU_OK;
        if (status != LU_OK) {
            return status;
        }
    }
    return stats_check(stats, name, kind, error);
}

lu_status lu_stats_of_tensors(lu_stats stats[LU_STATS_KINDS], const char *name,
                              const lu_tensors *tensors, lu_error *error) {
    lu_status status = LU_OK;
    memset(stats, 0, LU_STATS_KINDS * sizeof *stats);
    for (int k = 0; k < LU_STATS_KINDS && status == LU_OK; k++) {
        status = read_tensors(&stats[k], k, name, tensors, error);
    }
    return status;
}

/* ---- JSON ---- */

static void write_row(lu_json *json, const char *key, const double *row, int length) {
    lu_json_key_array(json, key);
    for (int i = 0; i < length; i++) {
        lu_json_real(json, row[i]);
    }
    lu_json_array_end(json);
}

static void write_stats(lu_json *json, const lu_stats *stats) {
    write_row(json, "mean", stats->mean, stats->length);
    write_row(json, "var", stats->variance, stats->length);
    lu_json_key_real(json, "count", stats->count);
    lu_json_key_real(json, "clip", stats->clip);
}

void lu_stats_to_json(const lu_stats stats[LU_STATS_KINDS], lu_json *json) {
    lu_json_object(json);
    if (stats[LU_STATS_OBSERVATION].length) {
        write_stats(json, &stats[LU_STATS_OBSERVATION]);
    }
    if (stats[LU_STATS_CRITIC].length) {
        lu_json_key_object(json, "critic");
        write_stats(json, &stats[LU_STATS_CRITIC]);
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

static bool read_row(const lu_json_value *array, double *row, int length) {
    for (int i = 0; i < length; i++) {
        const lu_json_value *value = lu_json_at(array, (size_t)i);
        if (lu_json_kind_of(value) != LU_JSON_NUMBER) {
            return false;
        }
        row[i] = lu_json_real_or(value, 0);
    }
    return true;
}

/* Statistics of one object, whose further members are `others` many. */
static lu_status read_json(lu_stats *stats, int kind, const lu_json_value *object, size_t others,
                           const char *name, lu_error *error) {
    const lu_json_value *mean = lu_json_get(object, "mean"), *var = lu_json_get(object, "var"),
                        *count = lu_json_get(object, "count"), *clip = lu_json_get(object, "clip");
    size_t length = lu_json_count(mean);
    if (lu_json_kind_of(object) != LU_JSON_OBJECT || lu_json_kind_of(mean) != LU_JSON_ARRAY ||
        lu_json_kind_of(var) != LU_JSON_ARRAY || lu_json_count(var) != length || length == 0 ||
        length > INT32_MAX || lu_json_kind_of(count) != LU_JSON_NUMBER ||
        (clip && lu_json_kind_of(clip) != LU_JSON_NUMBER) ||
        lu_json_count(object) != others + 3 + (clip != NULL)) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: the %s needs 'mean' and 'var', lists of equal length, 'count', perhaps "
                       "'clip', and nothing else",
                       name, stats_names[kind]);
    }
    stats_init(stats, length);
    stats->count = lu_json_real_or(count, 0);
    stats->clip = lu_json_real_or(clip, 0);
    if (!read_row(mean, stats->mean, stats->length) ||
        !read_row(var, stats->variance, stats->length)) {
        return lu_fail(error, LU_BAD_DATA, "%s: the %s has something else than numbers", name,
                       stats_names[kind]);
    }
    return stats_check(stats, name, kind, error);
}

lu_status lu_stats_of_json(lu_stats stats[LU_STATS_KINDS], const char *name, const char *text,
                           size_t length, lu_error *error) {
    memset(stats, 0, LU_STATS_KINDS * sizeof *stats);
    lu_json_document *document = lu_json_read(name, text, length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = LU_OK;
    const lu_json_value *root = lu_json_root(document), *critic = lu_json_get(root, "critic");
    size_t others = critic != NULL;
    if (!critic || lu_json_count(root) > 1) {
        status = read_json(&stats[LU_STATS_OBSERVATION], LU_STATS_OBSERVATION, root, others, name,
                           error);
    }
    if (critic && status == LU_OK) {
        status = read_json(&stats[LU_STATS_CRITIC], LU_STATS_CRITIC, critic, 0, name, error);
    }
    lu_json_close(document);
    return status;
}

lu_status lu_stats_join(lu_stats *stats, lu_stats *other, const char *name, lu_error *error) {
    if (stats->length == 0) {
        *stats = *other;
        *other = (lu_stats){0};
        return LU_OK;
    }
    bool equal = stats->length == other->length && stats->count == other->count;
    for (int i = 0; i < stats->length && equal; i++) {
        equal = stats->mean[i] == other->mean[i] && stats->variance[i] == other->variance[i];
    }
    equal = equal && (stats->clip == other->clip || stats->clip == 0 || other->clip == 0);
    if (other->length && !equal) {
        return lu_fail(error, LU_BAD_DATA,
                       "'%s': obs_rms.json and policy.safetensors have different numbers: change "
                       "both or neither",
                       name);
    }
    stats->clip = stats->clip > 0 ? stats->clip : other->clip;
    lu_stats_free(other);
    return LU_OK;
}
