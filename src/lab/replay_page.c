/* The page of a replay with its boards as text: the template (replay.html, built into the program)
 * with the frames as JSON in its data element. The JSON is made of columns, one array per kind of
 * thing and an entry per frame; every text stands once in `lines` and is named by its index, since
 * most lines of a board are those of the frame before. docs/replay-format.md has the members. */
#include "replay_page_internal.h"

#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made from replay.html by the build (cmake/page.cmake); terminated. */
extern const char replay_page[];

static const char data_mark[] = "@DATA@";
static const size_t page_most = (size_t)128 << 20; /* bytes of JSON */

/* ---- texts, each once ---- */

typedef struct entry {
    uint64_t hash;
    size_t offset, length;
} entry;

typedef struct lines {
    lu_text text; /* all of them, one behind the other */
    size_t count, room;
    entry *entries;
    size_t slots;   /* a power of two, at least twice the count */
    uint32_t *slot; /* number of the entry + 1, 0 = free */
} lines;

static void lines_init(lines *l) {
    *l = (lines){.slots = 1024};
    l->slot = lu_alloc_zero(l->slots, sizeof *l->slot);
    lu_text_init(&l->text);
}

static void lines_free(lines *l) {
    lu_text_free(&l->text);
    free(l->entries);
    free(l->slot);
}

static size_t free_slot(const lines *l, uint64_t hash) {
    size_t at = (size_t)hash & (l->slots - 1);
    while (l->slot[at]) {
        at = (at + 1) & (l->slots - 1);
    }
    return at;
}

static void lines_grow(lines *l) {
    if (l->count == l->room) {
        l->room = l->room ? l->room * 2 : 512;
        l->entries = lu_realloc(l->entries, l->room * sizeof *l->entries);
    }
    if (2 * (l->count + 1) > l->slots) {
        free(l->slot);
        l->slots *= 2;
        l->slot = lu_alloc_zero(l->slots, sizeof *l->slot);
        for (size_t i = 0; i < l->count; i++) {
            l->slot[free_slot(l, l->entries[i].hash)] = (uint32_t)i + 1;
        }
    }
}

/* Number of a text, which is added when it is new. */
static int64_t line_of(lines *l, const char *text, size_t length) {
    uint64_t hash = lu_hash(text, length, 0);
    size_t at = (size_t)hash & (l->slots - 1);
    for (; l->slot[at]; at = (at + 1) & (l->slots - 1)) {
        const entry *e = &l->entries[l->slot[at] - 1];
        if (e->hash == hash && e->length == length &&
            memcmp(l->text.text + e->offset, text, length) == 0) {
            return (int64_t)l->slot[at] - 1;
        }
    }
    lines_grow(l);
    l->entries[l->count] = (entry){hash, l->text.length, length};
    lu_text_add_n(&l->text, text, length);
    l->slot[free_slot(l, hash)] = (uint32_t)l->count + 1;
    return (int64_t)l->count++;
}

static void write_lines(const lines *l, lu_json *json) {
    lu_json_array(json);
    for (size_t i = 0; i < l->count; i++) {
        lu_json_string_n(json, l->text.text + l->entries[i].offset, l->entries[i].length);
    }
    lu_json_array_end(json);
}

/* ---- columns, an entry per frame ---- */

typedef enum column { BOARDS, ACTIONS, STORIES, TICKS, REWARDS, TERMS, COLUMNS } column;
static const char *const column_names[COLUMNS] = {"boards", "actions", "stories",
                                                  "ticks",  "rewards", "terms"};

typedef struct page {
    lines lines;
    lu_json column[COLUMNS];
    lu_text text; /* of the frame at hand */
} page;

static void add_board(page *p, const lu_env *env) {
    lu_json *json = &p->column[BOARDS];
    lu_text_clear(&p->text);
    env->game->show(env->rules, env->state, 0, &p->text);
    lu_json_array(json);
    for (const char *at = p->text.text; *at;) {
        size_t length = strcspn(at, "\n"), shown = length;
        while (shown > 0 && at[shown - 1] == ' ') {
            shown--;
        }
        lu_json_int(json, line_of(&p->lines, at, shown));
        at += length + (at[length] == '\n');
    }
    lu_json_array_end(json);
}

static void add_words(page *p, const lu_env *env) {
    lu_text_clear(&p->text);
    if (env->decisions > 0 && env->game->seats == 1) { /* else the story says who did what */
        lu_action_name(env->game, env->actions, &p->text);
    }
    lu_json_int(&p->column[ACTIONS], line_of(&p->lines, p->text.text, p->text.length));
    lu_text_clear(&p->text);
    lu_frame_story(env, &p->text);
    lu_json_int(&p->column[STORIES], line_of(&p->lines, p->text.text, p->text.length));
}

/* Rewards of the seats, and terms that are not 0 as pairs: index seat x terms + term, value. */
static void add_rewards(page *p, const lu_env *env) {
    const lu_game *game = env->game;
    lu_json_array(&p->column[REWARDS]);
    for (int seat = 0; seat < game->seats; seat++) {
        lu_json_real(&p->column[REWARDS], env->reward[seat]);
    }
    lu_json_array_end(&p->column[REWARDS]);
    lu_json_array(&p->column[TERMS]);
    for (int t = 0; t < game->seats * game->terms; t++) {
        if (env->terms[t] < 0 || env->terms[t] > 0) {
            lu_json_int(&p->column[TERMS], t);
            lu_json_real(&p->column[TERMS], env->terms[t]);
        }
    }
    lu_json_array_end(&p->column[TERMS]);
}

static size_t page_bytes(const page *p) {
    size_t sum = p->lines.text.length;
    for (int c = 0; c < COLUMNS; c++) {
        sum += p->column[c].length;
    }
    return sum;
}

static lu_status add_frames(page *p, const lu_replay *r, lu_env *env, const lu_watch *watch,
                            lu_error *error) {
    size_t row = (size_t)(r->episode.game->seats * r->episode.game->heads);
    lu_env_reset(env, r->seed, r->episode.options);
    while (!lu_watch_stops(watch) && page_bytes(p) <= page_most) {
        add_board(p, env);
        add_words(p, env);
        add_rewards(p, env);
        lu_json_int(&p->column[TICKS], env->ticks);
        if (env->decisions == r->decisions) {
            return LU_OK;
        }
        if (env->decisions % 256 == 0) {
            lu_watch_tell(watch, (double)env->decisions / (double)r->decisions, "writing the page");
        }
        lu_env_step(env, r->actions + (size_t)env->decisions * row);
    }
    return lu_watch_stops(watch)
               ? lu_fail(error, LU_INTERRUPTED, "interrupted")
               : lu_fail(
                     error, LU_LIMIT,
                     "a page of %lld frames would exceed %zu MB: use --json, which has no limit",
                     (long long)r->decisions + 1, page_most >> 20);
}

/* ---- what is told once ---- */

static void write_facts(const lu_game *game, lu_json *json) {
    lu_json_key_string(json, "title", game->title);
    lu_json_key_string(json, "sentence", game->sentence);
    lu_json_key_int(json, "seats", game->seats);
    lu_json_key_array(json, "option_names");
    for (int h = 0; h < game->heads; h++) {
        for (int o = 0; o < game->head[h].options; o++) {
            lu_json_string(json, game->head[h].option[o]);
        }
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "term_names");
    for (int t = 0; t < game->terms; t++) {
        lu_json_string(json, game->term[t].name);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "event_names");
    for (int e = 0; e < game->events; e++) {
        lu_json_string(json, game->event[e].name);
    }
    lu_json_array_end(json);
}

/* Frames with events: the frame, then the numbers of its events. */
static void write_marks(const lu_game *game, const lu_replay_marks *marks, lu_json *json) {
    lu_json_array(json);
    for (size_t i = 0; i < marks->count; i++) {
        lu_json_array(json);
        lu_json_int(json, marks->list[i].frame);
        for (int e = 0; e < game->events; e++) {
            if ((marks->list[i].bits >> e) & 1) {
                lu_json_int(json, e);
            }
        }
        lu_json_array_end(json);
    }
    lu_json_array_end(json);
}

/* One column of a seat's thoughts, with an entry per decision: that of frame k has index k - 1. */
static void write_minds(const lu_replay *r, int seat, const char *key,
                        void (*write)(const lu_thought *, lu_json *), lu_json *json) {
    lu_thought thought;
    lu_json_key_array(json, key);
    for (int64_t i = 0; i < r->decisions; i++) {
        lu_replay_thought(r, i, seat, &thought);
        write(&thought, json);
    }
    lu_json_array_end(json);
}

static void write_number(bool known, float number, lu_json *json) {
    if (known) {
        lu_json_float(json, number);
    } else {
        lu_json_null(json);
    }
}

static void write_value(const lu_thought *thought, lu_json *json) {
    write_number(thought->known, thought->value, json);
}

static void write_entropy(const lu_thought *thought, lu_json *json) {
    write_number(thought->known, thought->entropy, json);
}

static void write_win(const lu_thought *thought, lu_json *json) {
    write_number(thought->known && thought->foresees, thought->win, json);
}

static void write_top(const lu_thought *thought, lu_json *json) {
    lu_json_array(json);
    for (int k = 0; k < thought->top_count; k++) {
        lu_json_int(json, thought->top_action[k]);
        lu_json_float(json, thought->top_probability[k]);
    }
    lu_json_array_end(json);
}

/* Four columns per seat. */
static void write_thoughts(const lu_replay *r, lu_json *json) {
    if (!r->thoughts) {
        lu_json_null(json);
        return;
    }
    lu_json_array(json);
    for (int seat = 0; seat < r->episode.game->seats; seat++) {
        lu_json_object(json);
        write_minds(r, seat, "value", write_value, json);
        write_minds(r, seat, "entropy", write_entropy, json);
        write_minds(r, seat, "win", write_win, json);
        write_minds(r, seat, "top", write_top, json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_data(const page *p, const lu_replay *r, const lu_env *env,
                       const lu_replay_marks *marks, const char *name, int64_t from,
                       lu_json *json) {
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
    lu_json_object(json);
    lu_json_key(json, "header");
    lu_replay_write_header(r, name, json);
    /* browsers read numbers as doubles, which a seed may exceed */
    lu_json_key_string(json, "seed", seed);
    lu_json_key_int(json, "from", from);
    write_facts(r->episode.game, json);
    lu_json_key(json, "info");
    lu_env_info_write(env, json);
    lu_json_key(json, "marks");
    write_marks(r->episode.game, marks, json);
    lu_json_key(json, "thoughts");
    write_thoughts(r, json);
    for (int c = 0; c < COLUMNS; c++) {
        lu_json_key(json, column_names[c]);
        lu_json_raw(json, p->column[c].text, p->column[c].length);
    }
    lu_json_key(json, "lines");
    write_lines(&p->lines, json);
    lu_json_object_end(json);
}

void replay_json_add(const lu_json *json, lu_text *html) {
    for (const char *at = json->text; *at;) {
        size_t length = strcspn(at, "<");
        lu_text_add_n(html, at, length);
        at += length;
        if (*at == '<') {
            lu_text_add(html, "\\u003c");
            at++;
        }
    }
}

/* The template with the data in its place. */
static void fill_page(const lu_json *data, lu_text *html) {
    const char *mark = strstr(replay_page, data_mark);
    LU_ASSERT(mark);
    lu_text_add_n(html, replay_page, (size_t)(mark - replay_page));
    replay_json_add(data, html);
    lu_text_add(html, mark + sizeof data_mark - 1);
}

lu_status lu_replay_page(const lu_replay *replay, lu_env *env, const lu_replay_marks *marks,
                         const char *name, int64_t from, const lu_watch *watch, lu_text *html,
                         lu_error *error) {
    page p;
    lu_json data = LU_JSON_INIT;
    lines_init(&p.lines);
    lu_text_init(&p.text);
    for (int c = 0; c < COLUMNS; c++) {
        lu_json_init(&p.column[c]);
        lu_json_array(&p.column[c]);
    }
    lu_status status = add_frames(&p, replay, env, watch, error);
    for (int c = 0; c < COLUMNS; c++) {
        lu_json_array_end(&p.column[c]);
    }
    if (status == LU_OK) {
        write_data(&p, replay, env, marks, name, from, &data);
        fill_page(&data, html);
    }
    for (int c = 0; c < COLUMNS; c++) {
        lu_json_free(&p.column[c]);
    }
    lines_free(&p.lines);
    lu_text_free(&p.text);
    lu_json_free(&data);
    return status;
}
