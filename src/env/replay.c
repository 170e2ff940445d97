/* Opening replays: the header and the parts are checked before anything is believed, then the
 * episode is played once, its hashes are compared, and copies of the state are kept every few
 * decisions so that any frame shows at once. Recording is in replay_write.c. */
#include "replay_inside.h"

#include "ludus/arena.h"
#include "ludus/file.h"
#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* A fuzzer cannot guess hashes, and should not spend its time on packed deserts. */
#define CHECK_HASHES 0
#define UNPACK_LIMIT ((size_t)1 << 16)
#else
#define CHECK_HASHES 1
#define UNPACK_LIMIT LU_REPLAY_LIMIT
#endif

enum { KEYFRAME_LEAST = 16 };                  /* decisions between two keyframes, at least */
static const size_t keyframe_room = 32u << 20; /* bytes of all keyframes of a replay, about */

static const char *const part_names[LU_REPLAY_PARTS] = {"game id", "settings", "options",
                                                        "actions", "hashes",   "thoughts"};

/* What is kept of a frame besides its state. */
typedef struct keyframe {
    int64_t ticks, illegal;
    double returns[LU_MAX_SEATS];
} keyframe;

struct lu_replay_inside {
    int64_t distance; /* decisions between two keyframes */
    keyframe *frames;
    unsigned char *states; /* of the keyframes */
    size_t state_bytes;
};

typedef struct part {
    const unsigned char *bytes;
    size_t offset, stored, unpacked;
    uint32_t check;
} part;

/* The file while it is being read. */
typedef struct reader {
    const char *name;
    const unsigned char *bytes;
    size_t length;
    uint32_t flags, every;
    uint64_t spec, model, decisions;
    uint16_t seats, heads;
    part parts[LU_REPLAY_PARTS];
    lu_error *error;
} reader;

static uint64_t get(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

/* ---- header and parts ---- */

/* The error of a file that is none of ours, with a guess at what it is. */
static lu_status foreign(const reader *r) {
    static const struct {
        const char *magic;
        size_t length;
        const char *what;
    } known[] = {
        {"\x1f\x8b", 2, "gzip data: unpack it first"},
        {"PK\x03\x04", 4, "a zip archive: unpack it first"},
        {"\x89PNG", 4, "a PNG picture"},
        {"\x28\xb5\x2f\xfd", 4, "bare zstd data: unpack it first"},
        {"\x7f"
         "ELF",
         4, "a program"},
        {"SQLite format 3", 15, "an SQLite database"},
        {"{", 1, "JSON"},
    };
    if (r->length == 0) {
        return lu_fail(r->error, LU_FOREIGN_FILE, "'%s' is empty, not a replay", r->name);
    }
    if (r->length < 8 && memcmp(r->bytes, LU_REPLAY_MAGIC, r->length) == 0) {
        return lu_fail(r->error, LU_DAMAGED_FILE,
                       "'%s' ends after %zu bytes, within the magic of a replay: fetch it again",
                       r->name, r->length);
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (r->length >= known[i].length &&
            memcmp(r->bytes, known[i].magic, known[i].length) == 0) {
            return lu_fail(r->error, LU_FOREIGN_FILE, "'%s' is not a replay but looks like %s",
                           r->name, known[i].what);
        }
    }
    return lu_fail(r->error, LU_FOREIGN_FILE,
                   "'%s' is not a replay: it does not begin with the magic of one", r->name);
}

static lu_status damaged(const reader *r, size_t offset, const char *what, const char *how) {
    return lu_fail(r->error, LU_DAMAGED_FILE,
                   "'%s' is damaged at byte %zu, in the %s: %s; fetch or record it again", r->name,
                   offset, what, how);
}

/* Header: numbers, sizes of the parts, and that they fill the file exactly. */
static lu_status read_header(reader *r) {
    const unsigned char *h = r->bytes;
    if (r->length < 8 || memcmp(h, LU_REPLAY_MAGIC, 8) != 0) {
        return foreign(r);
    }
    if (r->length < LU_REPLAY_AT_FLAGS) {
        return damaged(r, r->length, "header", "the file ends here");
    }
    uint64_t version = get(h + LU_REPLAY_AT_VERSION, 4);
    if (version != LU_REPLAY_VERSION) {
        return lu_fail(r->error, LU_OTHER_VERSION,
                       "'%s' is a replay of version %llu, and this build reads version %d: use the "
                       "build that wrote it",
                       r->name, (unsigned long long)version, LU_REPLAY_VERSION);
    }
    if (r->length < LU_REPLAY_HEADER + LU_REPLAY_FOOTER) {
        return damaged(r, r->length, "header", "the file ends here");
    }
    if (CHECK_HASHES &&
        get(h + LU_REPLAY_AT_CHECK, 4) != (uint32_t)lu_hash(h, LU_REPLAY_AT_CHECK, 0)) {
        return damaged(r, 0, "header", "its check does not agree");
    }
    r->flags = (uint32_t)get(h + LU_REPLAY_AT_FLAGS, 4);
    r->spec = get(h + LU_REPLAY_AT_SPEC, 8);
    r->model = get(h + LU_REPLAY_AT_MODEL, 8);
    r->decisions = get(h + LU_REPLAY_AT_DECISIONS, 8);
    r->seats = (uint16_t)get(h + LU_REPLAY_AT_SEATS, 2);
    r->heads = (uint16_t)get(h + LU_REPLAY_AT_HEADS, 2);
    r->every = (uint32_t)get(h + LU_REPLAY_AT_EVERY, 4);
    if (r->flags & ~(uint32_t)LU_REPLAY_FLAGS) {
        return damaged(r, LU_REPLAY_AT_FLAGS, "header", "unknown flags");
    }
    if (r->every == 0) {
        return damaged(r, LU_REPLAY_AT_EVERY, "header", "no distance of hashes");
    }
    uint64_t told = get(h + LU_REPLAY_AT_LENGTH, 4);
    if (CHECK_HASHES && told != r->length) {
        return lu_fail(r->error, LU_DAMAGED_FILE,
                       "'%s' has %zu bytes where its header tells %llu: fetch it again", r->name,
                       r->length, (unsigned long long)told);
    }
    size_t offset = LU_REPLAY_HEADER;
    for (int i = 0; i < LU_REPLAY_PARTS; i++) {
        const unsigned char *row = h + LU_REPLAY_AT_PARTS + i * LU_REPLAY_PART_ROW;
        part *p = &r->parts[i];
        p->stored = (size_t)get(row, 4);
        p->unpacked = (size_t)get(row + 4, 4);
        p->check = (uint32_t)get(row + 8, 4);
        p->offset = offset;
        p->bytes = h + offset;
        bool packed = i == LU_REPLAY_ACTIONS || i == LU_REPLAY_THINKING;
        if (p->stored > r->length - LU_REPLAY_FOOTER - offset || p->unpacked > UNPACK_LIMIT ||
            (!packed && p->unpacked != p->stored)) {
            return damaged(r, (size_t)(row - h), "header", "the size of a part is impossible");
        }
        offset += p->stored;
    }
    if (offset != r->length - LU_REPLAY_FOOTER) {
        return damaged(r, offset, "end of the file", "bytes that belong to no part");
    }
    return LU_OK;
}

/* The hash of the file; when it does not agree, the check of each part says where. */
static lu_status check_hashes(const reader *r) {
    size_t body = r->length - LU_REPLAY_FOOTER;
    if (!CHECK_HASHES || get(r->bytes + body, 8) == lu_hash(r->bytes, body, 0)) {
        return LU_OK;
    }
    for (int i = 0; i < LU_REPLAY_PARTS; i++) {
        const part *p = &r->parts[i];
        if (p->check != (uint32_t)lu_hash(p->bytes, p->stored, 0)) {
            return damaged(r, p->offset, part_names[i], "the check of this part does not agree");
        }
    }
    return damaged(r, body, "hash of the file", "it does not agree with the bytes before it");
}

/* ---- blocks ---- */

/* Unpacks a part; the caller frees the bytes (at least one, also of an empty part). */
static unsigned char *unpack(const reader *r, int index) {
    const part *p = &r->parts[index];
    unsigned long long told = ZSTD_getFrameContentSize(p->bytes, p->stored);
    if (told != p->unpacked) {
        damaged(r, p->offset, part_names[index], "not a block of the size that the header tells");
        return NULL;
    }
    unsigned char *bytes = lu_alloc(p->unpacked + 1);
    size_t got = ZSTD_decompress(bytes, p->unpacked, p->bytes, p->stored);
    if (ZSTD_isError(got) || got != p->unpacked) {
        damaged(r, p->offset, part_names[index],
                ZSTD_isError(got) ? ZSTD_getErrorName(got) : "the block unpacks to another size");
        free(bytes);
        return NULL;
    }
    return bytes;
}

static bool read_varint(const unsigned char **at, const unsigned char *end, int32_t *value) {
    uint64_t zigzag = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        if (*at == end) {
            return false;
        }
        unsigned char byte = *(*at)++;
        zigzag |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            uint32_t half = (uint32_t)(zigzag >> 1);
            *value = (int32_t)(zigzag & 1 ? ~half : half);
            return zigzag <= UINT32_MAX;
        }
    }
    return false;
}

static int32_t *read_actions(const reader *r) {
    const part *p = &r->parts[LU_REPLAY_ACTIONS];
    size_t row = (size_t)r->seats * r->heads, count, bytes;
    if (r->decisions > UNPACK_LIMIT || !lu_size_mul((size_t)r->decisions, row, &count) ||
        !lu_size_mul(count, sizeof(int32_t), &bytes) || bytes > LU_REPLAY_LIMIT) {
        damaged(r, LU_REPLAY_AT_DECISIONS, "header", "impossibly many decisions");
        return NULL;
    }
    bool wide = r->flags & LU_REPLAY_WIDE;
    if (wide ? p->unpacked < count : p->unpacked != count) {
        damaged(r, p->offset, "actions", "there are not as many as the header tells");
        return NULL;
    }
    unsigned char *plain = unpack(r, LU_REPLAY_ACTIONS);
    if (!plain) {
        return NULL;
    }
    int32_t *actions = lu_alloc(bytes + 1);
    const unsigned char *at = plain, *end = plain + p->unpacked;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        if (wide) {
            good = read_varint(&at, end, &actions[i]);
        } else {
            actions[i] = *at++;
        }
    }
    if (!good || at != end) {
        damaged(r, p->offset, "actions", "a number is cut off or too large");
        free(actions);
        actions = NULL;
    }
    free(plain);
    return actions;
}

static float get_float(const unsigned char *at) {
    uint32_t bits = (uint32_t)get(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One thought; NULL when it is cut off or names an action that does not exist. */
static const unsigned char *read_thought(const unsigned char *at, const unsigned char *end,
                                         int options, lu_thought *thought) {
    if (end - at < LU_REPLAY_THOUGHT_LEAST) {
        return NULL;
    }
    thought->value = get_float(at);
    thought->entropy = get_float(at + 4);
    thought->top_count = at[8];
    at += LU_REPLAY_THOUGHT_LEAST;
    if (thought->top_count > LU_REPLAY_TOP || end - at < thought->top_count * LU_REPLAY_TOP_BYTES) {
        return NULL;
    }
    for (int i = 0; i < thought->top_count; i++, at += LU_REPLAY_TOP_BYTES) {
        uint64_t action = get(at, 4);
        if (action >= (uint64_t)options) {
            return NULL;
        }
        thought->top_action[i] = (int32_t)action;
        thought->top_probability[i] = get_float(at + 4);
    }
    return at;
}

static lu_thought *read_thoughts(const reader *r, int options) {
    const part *p = &r->parts[LU_REPLAY_THINKING];
    size_t bytes;
    if (!lu_size_mul((size_t)r->decisions, sizeof(lu_thought), &bytes) || bytes > LU_REPLAY_LIMIT ||
        p->unpacked / LU_REPLAY_THOUGHT_LEAST < r->decisions) {
        damaged(r, p->offset, "thoughts", "there are not as many as the header tells");
        return NULL;
    }
    unsigned char *plain = unpack(r, LU_REPLAY_THINKING);
    if (!plain) {
        return NULL;
    }
    lu_thought *thoughts = lu_alloc_zero(1, bytes + 1);
    const unsigned char *at = plain, *end = plain + p->unpacked;
    for (size_t i = 0; i < r->decisions && at; i++) {
        at = read_thought(at, end, options, &thoughts[i]);
    }
    if (at != end) {
        damaged(r, p->offset, "thoughts", "one is cut off or names an action that does not exist");
        free(thoughts);
        thoughts = NULL;
    }
    free(plain);
    return thoughts;
}

static char *copy_text(const part *p) {
    char *text = lu_alloc(p->stored + 1);
    memcpy(text, p->bytes, p->stored);
    text[p->stored] = 0;
    return text;
}

/* ---- game, settings, options ---- */

static lu_status find_game(const reader *r, lu_replay *replay) {
    const part *p = &r->parts[LU_REPLAY_GAME];
    if (!replay->game) {
        char id[128];
        if (p->stored >= sizeof id || memchr(p->bytes, 0, p->stored)) {
            return damaged(r, p->offset, "game id", "not a name");
        }
        memcpy(id, p->bytes, p->stored);
        id[p->stored] = 0;
        lu_error inner;
        replay->game = lu_game_find(id, &inner);
        if (!replay->game || strcmp(replay->game->id, id) != 0) {
            return lu_fail(r->error, LU_NOT_FOUND,
                           "'%s' is a replay of '%s', which this build "
                           "does not have; `ludus games` lists what it has",
                           r->name, id);
        }
    } else if (strlen(replay->game->id) != p->stored ||
               memcmp(replay->game->id, p->bytes, p->stored) != 0) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s' is not a replay of %s", r->name,
                       replay->game->id);
    }
    const lu_game *game = replay->game;
    if (CHECK_HASHES && r->spec != lu_spec_hash(game)) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' was made with another specification of %s (%016llx, this build has "
                       "%016llx): use the build that wrote it",
                       r->name, game->id, (unsigned long long)r->spec,
                       (unsigned long long)lu_spec_hash(game));
    }
    if (r->seats != game->seats || r->heads != game->heads) {
        return damaged(r, LU_REPLAY_AT_SEATS, "header", "other seats or heads than the game has");
    }
    return LU_OK;
}

/* Values from a part into settings. What this build refuses is another build's. */
static lu_status read_values(const reader *r, int index, lu_settings *settings) {
    const part *p = &r->parts[index];
    lu_error inner;
    lu_status status = lu_settings_text(settings, "json", r->name, (const char *)p->bytes,
                                        p->stored, LU_FROM_FILE, &inner);
    if (status == LU_UNKNOWN_KEY || status == LU_BAD_VALUE) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s' has %s that this build does not take: %.600s",
                       r->name, part_names[index], inner.text);
    }
    return status == LU_OK ? LU_OK : damaged(r, p->offset, part_names[index], inner.text);
}

static lu_status read_options(const reader *r, lu_replay *replay) {
    const lu_game *game = replay->game;
    const part *p = &r->parts[LU_REPLAY_OPTIONS];
    lu_status status = LU_OK;
    if (p->stored == 0) {
        return LU_OK;
    }
    if (game->option_bytes == 0 || !game->options_init) {
        return damaged(r, p->offset, "options", "this game has none");
    }
    lu_settings *options = lu_settings_new();
    lu_settings_add(options, game->options);
    lu_error inner;
    if ((status = read_values(r, LU_REPLAY_OPTIONS, options)) == LU_OK) {
        replay->options = lu_alloc_zero(1, game->option_bytes);
        if (game->options_init(replay->model, options, replay->options, &inner) != LU_OK) {
            status = lu_fail(r->error, LU_OTHER_SPEC, "'%s': its options are refused: %.600s",
                             r->name, inner.text);
        }
    }
    lu_settings_delete(options);
    return status;
}

static lu_status make_model(const reader *r, lu_replay *replay) {
    replay->settings = lu_game_settings(replay->game);
    lu_status status = read_values(r, LU_REPLAY_SETTINGS, replay->settings);
    if (status != LU_OK) {
        return status;
    }
    lu_error inner;
    replay->model = lu_model_new(replay->game, replay->settings, &inner);
    if (!replay->model) {
        return lu_fail(r->error, LU_OTHER_SPEC, "'%s': its settings are refused: %.600s", r->name,
                       inner.text);
    }
    if (CHECK_HASHES && replay->model->hash != r->model) {
        return lu_fail(r->error, LU_OTHER_SPEC,
                       "'%s' was made with other data of %s behind the same settings: use the "
                       "build that wrote it",
                       r->name, replay->game->id);
    }
    return read_options(r, replay);
}

/* ---- playing it once ---- */

static void keep(lu_replay *replay, const lu_env *env, int64_t index) {
    struct lu_replay_inside *in = replay->inside;
    keyframe *frame = &in->frames[index];
    frame->ticks = env->ticks;
    frame->illegal = env->illegal;
    memcpy(frame->returns, env->returns, (size_t)env->game->seats * sizeof(double));
    memcpy(in->states + (size_t)index * in->state_bytes, env->state, in->state_bytes);
}

/* A distance that keeps all copies within their room, however long the episode is. */
static void plan_keyframes(lu_replay *replay) {
    struct lu_replay_inside *in = lu_alloc_zero(1, sizeof *in);
    size_t each = replay->game->state_bytes + sizeof(keyframe);
    in->state_bytes = replay->game->state_bytes;
    in->distance = KEYFRAME_LEAST;
    while ((size_t)(replay->decisions / in->distance) > keyframe_room / each) {
        in->distance *= 2;
    }
    size_t count = (size_t)(replay->decisions / in->distance) + 1;
    in->frames = lu_alloc_zero(count, sizeof *in->frames);
    in->states = lu_alloc_zero(count, in->state_bytes);
    replay->inside = in;
}

static lu_status differs(const reader *r, const lu_replay *replay, int64_t frame) {
    return lu_fail(r->error, LU_CHECK_FAILED,
                   "'%s': played again, the state at decision %lld is another than the recorded "
                   "one: the rules of %s have changed, or a build computes differently",
                   r->name, (long long)frame, replay->game->id);
}

static lu_status play(const reader *r, lu_replay *replay) {
    const part *p = &r->parts[LU_REPLAY_HASHES];
    size_t row = (size_t)r->seats * r->heads;
    uint64_t hashes = lu_replay_hashes(r->decisions, r->every);
    lu_status status = LU_OK;
    if (p->stored % 8 || p->stored / 8 != hashes) {
        return damaged(r, p->offset, "hashes", "there are not as many as the decisions need");
    }
    plan_keyframes(replay);
    lu_env *env = lu_env_new(replay->game, replay->model);
    lu_env_reset(env, replay->seed, replay->options);
    const unsigned char *at = p->bytes;
    for (int64_t frame = 0;; frame++) {
        if (frame % replay->inside->distance == 0) {
            keep(replay, env, frame / replay->inside->distance);
        }
        if (frame % r->every == 0 || frame == replay->decisions) {
            if (CHECK_HASHES && get(at, 8) != lu_env_hash(env)) {
                status = differs(r, replay, frame);
                break;
            }
            at += 8;
        }
        if (frame == replay->decisions) {
            if (env->over != replay->ended) {
                status = differs(r, replay, frame);
            }
            break;
        }
        if (env->over) {
            status = differs(r, replay, frame);
            break;
        }
        lu_env_step(env, replay->actions + (size_t)frame * row);
    }
    lu_env_delete(env);
    return status;
}

/* ---- the door ---- */

static lu_status read_all(reader *r, lu_replay *replay) {
    lu_status status;
    if ((status = read_header(r)) != LU_OK || (status = check_hashes(r)) != LU_OK ||
        (status = find_game(r, replay)) != LU_OK || (status = make_model(r, replay)) != LU_OK) {
        return status;
    }
    replay->seed = get(r->bytes + LU_REPLAY_AT_SEED, 8);
    replay->ended = r->flags & LU_REPLAY_ENDED;
    replay->settings_json = copy_text(&r->parts[LU_REPLAY_SETTINGS]);
    replay->options_json = copy_text(&r->parts[LU_REPLAY_OPTIONS]);
    replay->actions = read_actions(r);
    if (!replay->actions) {
        return LU_DAMAGED_FILE;
    }
    replay->decisions = (int64_t)r->decisions;
    if (r->flags & LU_REPLAY_THOUGHTS) {
        replay->thoughts = read_thoughts(r, lu_game_mask_length(replay->game));
        if (!replay->thoughts) {
            return LU_DAMAGED_FILE;
        }
    } else if (r->parts[LU_REPLAY_THINKING].stored || r->parts[LU_REPLAY_THINKING].unpacked) {
        return damaged(r, LU_REPLAY_AT_FLAGS, "header", "thoughts that the flags deny");
    }
    return play(r, replay);
}

lu_replay *lu_replay_read_for(const lu_game *game, const char *name, const void *bytes,
                              size_t length, lu_error *error) {
    reader r = {.name = name, .bytes = bytes, .length = length, .error = error};
    if (length > LU_REPLAY_LIMIT) {
        lu_fail(error, LU_LIMIT, "'%s' has %zu bytes; replays have at most %zu", name, length,
                LU_REPLAY_LIMIT);
        return NULL;
    }
    lu_replay *replay = lu_alloc_zero(1, sizeof *replay);
    replay->game = game;
    if (read_all(&r, replay) != LU_OK) {
        lu_replay_close(replay);
        return NULL;
    }
    return replay;
}

lu_replay *lu_replay_read(const char *name, const void *bytes, size_t length, lu_error *error) {
    return lu_replay_read_for(NULL, name, bytes, length, error);
}

lu_replay *lu_replay_open(const char *path, lu_error *error) {
    char *bytes;
    size_t length;
    if (lu_file_read(path, LU_REPLAY_LIMIT, &bytes, &length, error) != LU_OK) {
        return NULL;
    }
    lu_replay *replay = lu_replay_read(path, bytes, length, error);
    free(bytes);
    return replay;
}

void lu_replay_close(lu_replay *replay) {
    if (!replay) {
        return;
    }
    if (replay->inside) {
        free(replay->inside->frames);
        free(replay->inside->states);
        free(replay->inside);
    }
    lu_model_delete(replay->model);
    lu_settings_delete(replay->settings);
    free(replay->options);
    free(replay->settings_json);
    free(replay->options_json);
    free((void *)(uintptr_t)replay->actions);
    free((void *)(uintptr_t)replay->thoughts);
    free(replay);
}

void lu_replay_seek(lu_replay *replay, lu_env *env, int64_t frame) {
    const struct lu_replay_inside *in = replay->inside;
    const lu_game *game = replay->game;
    size_t row = (size_t)(game->seats * game->heads);
    frame = frame < 0 ? 0 : frame > replay->decisions ? replay->decisions : frame;
    lu_env_reset(env, replay->seed, replay->options);
    if (frame == 0) {
        return;
    }
    /* the keyframe before the frame, never at it: the last step itself is part of what is shown */
    int64_t index = (frame - 1) / in->distance;
    const keyframe *from = &in->frames[index];
    memcpy(env->state, in->states + (size_t)index * in->state_bytes, in->state_bytes);
    memcpy(env->returns, from->returns, (size_t)game->seats * sizeof(double));
    env->ticks = from->ticks;
    env->illegal = from->illegal;
    env->decisions = index * in->distance;
    while (env->decisions < frame) {
        lu_env_step(env, replay->actions + (size_t)env->decisions * row);
    }
}
