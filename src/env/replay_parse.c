/* The bytes of a replay: the header and the parts are checked before anything is believed, and the
 * packed blocks are read into arrays. What they mean is the business of replay.c. */
#include "replay_layout.h"

#include "ludus/arena.h"
#include "ludus/hash.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

const char *const lu_replay_part_names[LU_REPLAY_PARTS] = {"game id", "settings", "options",
                                                           "actions", "hashes",   "thoughts"};

uint64_t lu_replay_number(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

/* ---- header and parts ---- */

/* The error of a file that is none of ours, with a guess at what it is. */
static lu_status foreign(const lu_replay_reader *r) {
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
        return lu_fail(
            r->error, LU_DAMAGED_FILE,
            "'%s' ends after %zu bytes, within the first bytes of a replay: fetch it again",
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
                   "'%s' is not a replay: its first bytes are not those of one", r->name);
}

lu_status lu_replay_damaged(const lu_replay_reader *r, size_t offset, const char *what,
                            const char *how) {
    return lu_fail(r->error, LU_DAMAGED_FILE,
                   "'%s' is damaged at byte %zu, in the %s: %s; fetch or record it again", r->name,
                   offset, what, how);
}

#if !LU_REPLAY_CHECKED
/* A fuzzer does not pack either: a block without the magic of zstd is taken as it is. */
static bool unpacked_already(const lu_replay_part *p) {
    return p->stored < 4 || memcmp(p->bytes, "\x28\xb5\x2f\xfd", 4) != 0;
}
#endif

/* Header: numbers, sizes of the parts, and that they fill the file exactly. */
lu_status lu_replay_header(lu_replay_reader *r) {
    const unsigned char *h = r->bytes;
    if (r->length < 8 || memcmp(h, LU_REPLAY_MAGIC, 8) != 0) {
        return foreign(r);
    }
    if (r->length < LU_REPLAY_AT_FLAGS) {
        return lu_replay_damaged(r, r->length, "header", "the file ends here");
    }
    r->version = (uint32_t)lu_replay_number(h + LU_REPLAY_AT_VERSION, 4);
    if (r->version < 1 || r->version > LU_REPLAY_VERSION) {
        return lu_fail(r->error, LU_OTHER_VERSION,
                       "'%s' is a replay of version %u, and this build reads versions 1 to %d: use "
                       "the build that wrote it",
                       r->name, r->version, LU_REPLAY_VERSION);
    }
    if (r->length < LU_REPLAY_HEADER + LU_REPLAY_FOOTER) {
        return lu_replay_damaged(r, r->length, "header", "the file ends here");
    }
    if (LU_REPLAY_CHECKED && lu_replay_number(h + LU_REPLAY_AT_CHECK, 4) !=
                                 (uint32_t)lu_hash(h, LU_REPLAY_AT_CHECK, 0)) {
        return lu_replay_damaged(r, 0, "header", "its check does not match");
    }
    r->flags = (uint32_t)lu_replay_number(h + LU_REPLAY_AT_FLAGS, 4);
    r->spec = lu_replay_number(h + LU_REPLAY_AT_SPEC, 8);
    r->rules = lu_replay_number(h + LU_REPLAY_AT_MODEL, 8);
    r->decisions = lu_replay_number(h + LU_REPLAY_AT_DECISIONS, 8);
    r->seats = (uint16_t)lu_replay_number(h + LU_REPLAY_AT_SEATS, 2);
    r->heads = (uint16_t)lu_replay_number(h + LU_REPLAY_AT_HEADS, 2);
    r->every = (uint32_t)lu_replay_number(h + LU_REPLAY_AT_EVERY, 4);
    bool alone = (r->flags & LU_REPLAY_WINS) && !(r->flags & LU_REPLAY_THOUGHTS);
    if ((r->flags & ~(uint32_t)LU_REPLAY_FLAGS) || alone) {
        return lu_replay_damaged(r, LU_REPLAY_AT_FLAGS, "header", "unknown flags");
    }
    if (r->every == 0) {
        return lu_replay_damaged(r, LU_REPLAY_AT_EVERY, "header", "no distance of hashes");
    }
    if (r->decisions > LU_REPLAY_DECISIONS) {
        return lu_fail(r->error, LU_LIMIT,
                       "'%s' claims %llu decisions, and a replay has at most %d: it is not one "
                       "that ludus wrote",
                       r->name, (unsigned long long)r->decisions, LU_REPLAY_DECISIONS);
    }
    uint64_t told = lu_replay_number(h + LU_REPLAY_AT_LENGTH, 4);
    if (LU_REPLAY_CHECKED && told != r->length) {
        return lu_fail(r->error, LU_DAMAGED_FILE,
                       "'%s' has %zu bytes where its header says %llu: fetch it again", r->name,
                       r->length, (unsigned long long)told);
    }
    size_t offset = LU_REPLAY_HEADER;
    for (int i = 0; i < LU_REPLAY_PARTS; i++) {
        const unsigned char *row = h + LU_REPLAY_AT_PARTS + i * LU_REPLAY_PART_ROW;
        lu_replay_part *p = &r->parts[i];
        p->stored = (size_t)lu_replay_number(row, 4);
        p->unpacked = (size_t)lu_replay_number(row + 4, 4);
        p->check = (uint32_t)lu_replay_number(row + 8, 4);
        p->offset = offset;
        p->bytes = h + offset;
        bool packed = i == LU_REPLAY_ACTIONS || i == LU_REPLAY_THINKING;
        if (p->stored > r->length - LU_REPLAY_FOOTER - offset || p->unpacked > LU_REPLAY_UNPACK ||
            (!packed && p->unpacked != p->stored)) {
            return lu_replay_damaged(r, (size_t)(row - h), "header",
                                     "the size of a part is impossible");
        }
#if !LU_REPLAY_CHECKED
        p->unpacked = packed && unpacked_already(p) ? p->stored : p->unpacked;
#endif
        offset += p->stored;
    }
    if (offset != r->length - LU_REPLAY_FOOTER) {
        return lu_replay_damaged(r, offset, "end of the file", "bytes that belong to no part");
    }
    return LU_OK;
}

/* The hash of the file; when it does not agree, the check of each part says where. */
lu_status lu_replay_check(const lu_replay_reader *r) {
    size_t body = r->length - LU_REPLAY_FOOTER;
    if (!LU_REPLAY_CHECKED || lu_replay_number(r->bytes + body, 8) == lu_hash(r->bytes, body, 0)) {
        return LU_OK;
    }
    for (int i = 0; i < LU_REPLAY_PARTS; i++) {
        const lu_replay_part *p = &r->parts[i];
        if (p->check != (uint32_t)lu_hash(p->bytes, p->stored, 0)) {
            return lu_replay_damaged(r, p->offset, lu_replay_part_names[i],
                                     "the check of this part does not match");
        }
    }
    return lu_replay_damaged(r, body, "hash of the file", "it does not match the bytes before it");
}

/* ---- blocks ---- */

/* Unpacks a part; the caller frees the bytes (at least one, also of an empty part). */
static unsigned char *unpack(const lu_replay_reader *r, int index) {
    const lu_replay_part *p = &r->parts[index];
#if !LU_REPLAY_CHECKED
    if (unpacked_already(p)) {
        return memcpy(lu_alloc(p->unpacked + 1), p->bytes, p->stored);
    }
#endif
    unsigned long long told = ZSTD_getFrameContentSize(p->bytes, p->stored);
    if (told != p->unpacked) {
        lu_replay_damaged(r, p->offset, lu_replay_part_names[index],
                          "the block does not have the size given in the header");
        return NULL;
    }
    unsigned char *bytes = lu_alloc(p->unpacked + 1);
    size_t got = ZSTD_decompress(bytes, p->unpacked, p->bytes, p->stored);
    if (ZSTD_isError(got) || got != p->unpacked) {
        lu_replay_damaged(r, p->offset, lu_replay_part_names[index],
                          ZSTD_isError(got) ? ZSTD_getErrorName(got)
                                            : "the block unpacks to another size");
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

int32_t *lu_replay_actions(const lu_replay_reader *r) {
    const lu_replay_part *p = &r->parts[LU_REPLAY_ACTIONS];
    size_t row = (size_t)r->seats * r->heads, count, bytes;
    if (!lu_size_mul((size_t)r->decisions, row, &count) ||
        !lu_size_mul(count, sizeof(int32_t), &bytes) || bytes > LU_REPLAY_LIMIT) {
        lu_replay_damaged(r, LU_REPLAY_AT_DECISIONS, "header", "impossibly many decisions");
        return NULL;
    }
    bool wide = r->flags & LU_REPLAY_WIDE;
    if (wide ? p->unpacked < count : p->unpacked != count) {
        lu_replay_damaged(r, p->offset, "actions", "there are fewer than the header says");
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
        lu_replay_damaged(r, p->offset, "actions", "a number is cut off or too large");
        free(actions);
        actions = NULL;
    }
    free(plain);
    return actions;
}

static float get_float(const unsigned char *at) {
    uint32_t bits = (uint32_t)lu_replay_number(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const unsigned char *lu_thought_read(const unsigned char *at, const unsigned char *end, int options,
                                     lu_thought *thought) {
    if (end - at < LU_REPLAY_THOUGHT_LEAST) {
        return NULL;
    }
    thought->known = true;
    thought->value = get_float(at);
    thought->entropy = get_float(at + 4);
    thought->top_count = at[8];
    at += LU_REPLAY_THOUGHT_LEAST;
    if (thought->top_count > LU_THOUGHT_MOST ||
        end - at < thought->top_count * LU_REPLAY_TOP_BYTES) {
        return NULL;
    }
    for (int i = 0; i < thought->top_count; i++, at += LU_REPLAY_TOP_BYTES) {
        uint64_t action = lu_replay_number(at, 4);
        if (action >= (uint64_t)options) {
            return NULL;
        }
        thought->top_action[i] = (int32_t)action;
        thought->top_probability[i] = get_float(at + 4);
    }
    return at;
}

void lu_thought_read_win(const unsigned char *at, lu_thought *thought) {
    float win = get_float(at);
    thought->foresees = win >= 0.0f && win <= 1.0f;
    thought->win = thought->foresees ? win : 0.0f;
}

/* The thoughts of one decision; NULL when they are damaged. */
static const unsigned char *pass_decision(const lu_replay_reader *r, const unsigned char *at,
                                          const unsigned char *end, int options) {
    lu_thought thought;
    unsigned seats = 1;
    if (r->version > 1) {
        if (at == end || *at >> r->seats) {
            return NULL;
        }
        seats = *at++;
    }
    for (; seats && at; seats &= seats - 1) {
        at = lu_thought_read(at, end, options, &thought);
    }
    return at;
}

unsigned char *lu_replay_thoughts(const lu_replay_reader *r, const lu_game *game,
                                  uint32_t **begins) {
    const lu_replay_part *p = &r->parts[LU_REPLAY_THINKING];
    size_t least = r->version > 1 ? 1 : LU_REPLAY_THOUGHT_LEAST;
    if (p->unpacked / least < r->decisions) {
        lu_replay_damaged(r, p->offset, "thoughts", "there are fewer than the header says");
        return NULL;
    }
    unsigned char *plain = unpack(r, LU_REPLAY_THINKING);
    if (!plain) {
        return NULL;
    }
    *begins = lu_alloc((size_t)(r->decisions + 1) * sizeof **begins);
    const unsigned char *at = plain, *end = plain + p->unpacked;
    for (size_t i = 0; i < r->decisions && at; i++) {
        (*begins)[i] = (uint32_t)(at - plain);
        at = pass_decision(r, at, end, lu_game_mask_length(game));
    }
    bool wins = r->flags & LU_REPLAY_WINS;
    size_t behind = wins ? (size_t)r->decisions * r->seats * LU_REPLAY_WIN_BYTES : 0;
    (*begins)[r->decisions] = at ? (uint32_t)(at - plain) : 0;
    if (!at || (size_t)(end - at) != behind) {
        lu_replay_damaged(r, p->offset, "thoughts",
                          "one is cut off or names a seat or an option that does not exist");
        free(plain);
        free(*begins);
        *begins = NULL;
        plain = NULL;
    }
    return plain;
}
