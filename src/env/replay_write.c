/* Recording: actions, hashes and thoughts are gathered while an episode is played and packed into
 * the bytes of a file at its end. Nothing that varies (dates, machines, threads) enters, so that
 * the same episode always gives the same bytes. */
#include "replay_layout.h"

#include "ludus/arena.h"
#include "ludus/file.h"
#include "ludus/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A growing row of bytes. */
typedef struct buffer {
    unsigned char *bytes;
    size_t length, room;
} buffer;

struct lu_recorder {
    const lu_game *game;
    uint64_t spec, rules, seed, decisions;
    char *settings, *options;
    buffer actions; /* int32_t each */
    buffer hashes;
    buffer thoughts; /* as in the file, before packing */
    buffer wins;     /* what follows them, a float per decision and seat */
    bool wide;       /* some action does not fit in a byte */
    bool foresees;   /* some thought does */
};

static unsigned char *grow(buffer *b, size_t more) {
    size_t need;
    if (!lu_size_add(b->length, more, &need)) {
        lu_out_of_memory(SIZE_MAX);
    }
    if (need > b->room || !b->bytes) {
        size_t room = b->room < 256 ? 256 : b->room;
        while (room < need) {
            room *= 2;
        }
        b->bytes = lu_realloc(b->bytes, room);
        b->room = room;
    }
    unsigned char *at = b->bytes + b->length;
    b->length = need;
    return at;
}

static void put(unsigned char *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

static void add_number(buffer *b, uint64_t value, int bytes) {
    put(grow(b, (size_t)bytes), value, bytes);
}

static void add_float(buffer *b, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_number(b, bits, 4);
}

static size_t row_of(const lu_game *game) {
    return (size_t)(game->seats * game->heads);
}

lu_recorder *lu_recorder_new(const lu_env *env, const char *settings_json,
                             const char *options_json) {
    LU_ASSERT(env->decisions == 0 && !env->over);
    lu_recorder *r = lu_alloc_zero(1, sizeof *r);
    r->game = env->game;
    r->spec = env->rules->spec;
    r->rules = env->rules->hash;
    r->seed = env->seed;
    r->settings = lu_strdup(settings_json && *settings_json ? settings_json : "{}");
    r->options = lu_strdup(options_json && env->game->options.bytes ? options_json : "");
    add_number(&r->hashes, lu_env_hash(env), 8);
    return r;
}

void lu_recorder_delete(lu_recorder *r) {
    if (!r) {
        return;
    }
    free(r->settings);
    free(r->options);
    free(r->actions.bytes);
    free(r->hashes.bytes);
    free(r->thoughts.bytes);
    free(r->wins.bytes);
    free(r);
}

static void add_thought(lu_recorder *r, const lu_thought *thought) {
    LU_ASSERT(thought->top_count >= 0 && thought->top_count <= LU_THOUGHT_MOST);
    buffer *b = &r->thoughts;
    add_float(b, thought->value);
    add_float(b, thought->entropy);
    add_number(b, (uint64_t)thought->top_count, 1);
    for (int i = 0; i < thought->top_count; i++) {
        LU_ASSERT(thought->top_action[i] >= 0 &&
                  thought->top_action[i] < lu_game_mask_length(r->game));
        add_number(b, (uint32_t)thought->top_action[i], 4);
        add_float(b, thought->top_probability[i]);
    }
}

/* A bit per seat that thought, then their thoughts. */
static void add_thoughts(lu_recorder *r, const lu_thought *thoughts) {
    unsigned seats = 0;
    for (int seat = 0; seat < r->game->seats; seat++) {
        seats |= (unsigned)thoughts[seat].known << seat;
    }
    add_number(&r->thoughts, seats, 1);
    for (int seat = 0; seat < r->game->seats; seat++) {
        bool foresees = thoughts[seat].known && thoughts[seat].foresees;
        if (thoughts[seat].known) {
            add_thought(r, &thoughts[seat]);
        }
        add_float(&r->wins, foresees ? thoughts[seat].win : NAN);
        r->foresees = r->foresees || foresees;
    }
}

void lu_recorder_step(lu_recorder *r, const lu_env *env, const lu_thought *thoughts) {
    size_t row = row_of(r->game);
    LU_ASSERT(env->decisions == (int64_t)r->decisions + 1);
    LU_ASSERT(r->decisions == 0 || (thoughts != NULL) == (r->thoughts.length > 0));
    memcpy(grow(&r->actions, row * sizeof(int32_t)), env->actions, row * sizeof(int32_t));
    for (size_t i = 0; i < row; i++) {
        r->wide = r->wide || env->actions[i] < 0 || env->actions[i] > 255;
    }
    if (thoughts) {
        add_thoughts(r, thoughts);
    }
    r->decisions++;
    if (r->decisions % LU_REPLAY_HASH_EVERY == 0) {
        add_number(&r->hashes, lu_env_hash(env), 8);
    }
}

/* Actions as bytes, or as zigzag varints where some value needs more. */
static void write_actions(const lu_recorder *r, buffer *out) {
    size_t count = r->actions.length / sizeof(int32_t);
    for (size_t i = 0; i < count; i++) {
        int32_t value;
        memcpy(&value, r->actions.bytes + i * sizeof value, sizeof value);
        if (!r->wide) {
            add_number(out, (uint32_t)value, 1);
            continue;
        }
        uint32_t zigzag = ((uint32_t)value << 1) ^ (value < 0 ? UINT32_MAX : 0);
        for (; zigzag >= 128; zigzag >>= 7) {
            add_number(out, (zigzag & 127) | 128, 1);
        }
        add_number(out, zigzag, 1);
    }
}

/* Thoughts, and behind them what they foresee where one does. */
static void write_thoughts(const lu_recorder *r, buffer *out) {
    if (r->thoughts.length) {
        memcpy(grow(out, r->thoughts.length), r->thoughts.bytes, r->thoughts.length);
    }
    if (r->foresees) {
        memcpy(grow(out, r->wins.length), r->wins.bytes, r->wins.length);
    }
}

static lu_status pack(const buffer *in, buffer *out, lu_error *error) {
    size_t room = ZSTD_compressBound(in->length);
    unsigned char *at = grow(out, room);
    size_t packed = ZSTD_compress(at, room, in->length ? in->bytes : at, in->length, 3);
    if (ZSTD_isError(packed)) {
        return lu_fail(error, LU_FAILED, "packing the replay failed: %s",
                       ZSTD_getErrorName(packed));
    }
    out->length -= room - packed;
    return LU_OK;
}

/* Appends one part and fills its row of the header. */
static void add_part(buffer *file, int part, const void *bytes, size_t length, size_t unpacked) {
    length = bytes ? length : 0; /* an empty part has no bytes */
    if (length) {
        memcpy(grow(file, length), bytes, length);
    }
    unsigned char *row = file->bytes + LU_REPLAY_AT_PARTS + part * LU_REPLAY_PART_ROW;
    put(row, length, 4);
    put(row + 4, unpacked, 4);
    put(row + 8, lu_hash(bytes, length, 0), 4);
}

static void fill_header(const lu_recorder *r, const lu_env *env, buffer *file) {
    unsigned char *h = file->bytes;
    unsigned flags = (env->over ? LU_REPLAY_ENDED : 0u) |
                     (r->thoughts.length ? LU_REPLAY_THOUGHTS : 0u) |
                     (r->foresees ? LU_REPLAY_WINS : 0u) | (r->wide ? LU_REPLAY_WIDE : 0u);
    memcpy(h, LU_REPLAY_MAGIC, 8);
    put(h + LU_REPLAY_AT_VERSION, LU_REPLAY_VERSION, 4);
    put(h + LU_REPLAY_AT_FLAGS, flags, 4);
    put(h + LU_REPLAY_AT_SPEC, r->spec, 8);
    put(h + LU_REPLAY_AT_MODEL, r->rules, 8);
    put(h + LU_REPLAY_AT_SEED, r->seed, 8);
    put(h + LU_REPLAY_AT_DECISIONS, r->decisions, 8);
    put(h + LU_REPLAY_AT_SEATS, (uint64_t)r->game->seats, 2);
    put(h + LU_REPLAY_AT_HEADS, (uint64_t)r->game->heads, 2);
    put(h + LU_REPLAY_AT_EVERY, LU_REPLAY_HASH_EVERY, 4);
    put(h + LU_REPLAY_AT_LENGTH, file->length + LU_REPLAY_FOOTER, 4);
    put(h + LU_REPLAY_AT_CHECK, lu_hash(h, LU_REPLAY_AT_CHECK, 0), 4);
}

lu_status lu_recorder_finish(lu_recorder *r, const lu_env *env, char **bytes, size_t *length,
                             lu_error *error) {
    buffer plain = {0}, actions = {0}, minds = {0}, thoughts = {0}, file = {0};
    lu_status status = LU_OK;
    LU_ASSERT(env->decisions == (int64_t)r->decisions);
    *bytes = NULL;
    *length = 0;
    if (r->decisions > LU_REPLAY_DECISIONS || r->actions.length > LU_REPLAY_LIMIT) {
        return lu_fail(
            error, LU_LIMIT,
            "an episode of %llu decisions is too long for a replay: record a shorter one",
            (unsigned long long)r->decisions);
    }
    /* the hash of the last frame, unless it is one of the regular ones; a second call finds it */
    size_t hashes = (size_t)lu_replay_hashes(r->decisions, LU_REPLAY_HASH_EVERY);
    if (r->hashes.length < hashes * 8) {
        add_number(&r->hashes, lu_env_hash(env), 8);
    }

    write_actions(r, &plain);
    write_thoughts(r, &minds);
    if ((status = pack(&plain, &actions, error)) != LU_OK ||
        (minds.length && (status = pack(&minds, &thoughts, error)) != LU_OK)) {
        goto done;
    }
    memset(grow(&file, LU_REPLAY_HEADER), 0, LU_REPLAY_HEADER);
    const char *id = r->game->id;
    add_part(&file, LU_REPLAY_GAME, id, strlen(id), strlen(id));
    add_part(&file, LU_REPLAY_SETTINGS, r->settings, strlen(r->settings), strlen(r->settings));
    add_part(&file, LU_REPLAY_OPTIONS, r->options, strlen(r->options), strlen(r->options));
    add_part(&file, LU_REPLAY_ACTIONS, actions.bytes, actions.length, plain.length);
    add_part(&file, LU_REPLAY_HASHES, r->hashes.bytes, r->hashes.length, r->hashes.length);
    add_part(&file, LU_REPLAY_THINKING, thoughts.bytes, thoughts.length, minds.length);
    if (file.length + LU_REPLAY_FOOTER > LU_REPLAY_LIMIT) {
        status = lu_fail(error, LU_LIMIT,
                         "a replay of %zu bytes is above the limit: record a "
                         "shorter episode or leave out the thoughts",
                         file.length);
        goto done;
    }
    fill_header(r, env, &file);
    add_number(&file, lu_hash(file.bytes, file.length, 0), 8);
    *bytes = (char *)file.bytes;
    *length = file.length;
    file.bytes = NULL;
done:
    free(plain.bytes);
    free(minds.bytes);
    free(actions.bytes);
    free(thoughts.bytes);
    free(file.bytes);
    return status;
}

lu_status lu_recorder_write(lu_recorder *r, const lu_env *env, const char *path, lu_error *error) {
    char *bytes = NULL;
    size_t length = 0;
    lu_status status = lu_recorder_finish(r, env, &bytes, &length, error);
    LU_THEN(status, lu_file_write(path, bytes, length, error));
    free(bytes);
    return status;
}
