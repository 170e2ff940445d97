/* Frames of a replay: as lines of one answer, or as messages at a chosen rate. A worker opens the
 * replay, which plays the whole episode; frames are then made one by one by the service thread.
 * Viewers of one replay share it. */
#include "app.h"

#include "ludus/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_MOST = 4 };
#define FILE_MOST ((size_t)64 << 20)

/* ---- replays that are open ---- */

typedef struct opened {
    struct opened *next;
    char *key; /* run, id and tag of the file */
    lu_replay *replay;
    int users;
} opened;

struct replay_cache {
    pthread_mutex_t lock;
    opened *first; /* used last first */
};

replay_cache *replay_cache_new(void) {
    replay_cache *cache = lu_alloc_zero(1, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void opened_free(opened *o) {
    lu_replay_close(o->replay);
    free(o->key);
    free(o);
}

void replay_cache_delete(replay_cache *cache) {
    while (cache && cache->first) {
        opened *o = cache->first;
        cache->first = o->next;
        opened_free(o);
    }
    if (cache) {
        pthread_mutex_destroy(&cache->lock);
        free(cache);
    }
}

/* The replay of a key, with one user more; NULL when it is not open. */
static opened *cache_take(replay_cache *cache, const char *key) {
    opened *found = NULL;
    pthread_mutex_lock(&cache->lock);
    for (opened **at = &cache->first; *at && !found; at = found ? at : &(*at)->next) {
        if (strcmp((*at)->key, key) == 0) {
            found = *at;
            *at = found->next;
            found->next = cache->first;
            cache->first = found;
            found->users++;
            break;
        }
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

static opened *cache_put(replay_cache *cache, const char *key, lu_replay *replay) {
    opened *o = lu_alloc_zero(1, sizeof *o);
    o->key = lu_strdup(key);
    o->replay = replay;
    o->users = 1;
    pthread_mutex_lock(&cache->lock);
    o->next = cache->first;
    cache->first = o;
    pthread_mutex_unlock(&cache->lock);
    return o;
}

/* One user less; of those without users only the last few stay. */
static void cache_drop(replay_cache *cache, opened *o) {
    int idle = 0;
    opened *gone = NULL;
    pthread_mutex_lock(&cache->lock);
    o->users--;
    for (opened **at = &cache->first; *at;) {
        opened *own = *at;
        if (own->users == 0 && ++idle > IDLE_MOST) {
            *at = own->next;
            own->next = gone;
            gone = own;
        } else {
            at = &own->next;
        }
    }
    pthread_mutex_unlock(&cache->lock);
    while (gone) {
        opened *next = gone->next;
        opened_free(gone);
        gone = next;
    }
}

static opened *open_replay(worker *w, const http_request *r, http_answer *answer) {
    lu_run_entry run;
    lu_replay_entry entry;
    lu_error error = {0};
    size_t size;
    char tag[64];
    opened *found = NULL;
    if (!worker_run(w, r, answer, &run)) {
        return NULL;
    }
    if (worker_replay(w, r, answer, &run, &entry)) {
        lu_text key = LU_TEXT_INIT;
        int file = replay_open_file(w->app, &entry, &size, tag);
        lu_text_addf(&key, "%s/%s/%s", entry.run_id, entry.replay_id, file >= 0 ? tag : "");
        found = file >= 0 ? cache_take(w->app->replays, key.text) : NULL;
        char *bytes = file >= 0 ? read_whole(file, size, FILE_MOST) : NULL;
        if (!found && bytes) {
            lu_replay *replay = lu_replay_read(entry.replay_id, bytes, size, &error);
            found = replay ? cache_put(w->app->replays, key.text, replay) : NULL;
        }
        if (!found) {
            answer_failed(answer, r,
                          file < 0 ? open_status(file)
                          : bytes  ? error.status
                                   : LU_LIMIT);
        }
        free(bytes);
        lu_text_free(&key);
        lu_replay_entry_free(&entry);
    }
    lu_run_entry_free(&run);
    return found;
}

/* ---- streams ---- */

typedef struct frames {
    stream base;
    app *app;
    opened *opened;
    lu_env *env;
    lu_json json;
    char name[40];
    int64_t next, end; /* frames still to come: [next, end) */
    bool begun;        /* the header was written */
    bool placed;       /* the environment stands at a frame */
    bool paused;
    double rate, due; /* frames per second; when the next one is */
    char problem[200];
} frames;

static void frames_free(stream *base) {
    frames *f = (frames *)base;
    lu_env_delete(f->env);
    lu_json_free(&f->json);
    cache_drop(f->app->replays, f->opened);
    free(f);
}

/* Puts the environment at frame `next` and writes it. */
static void write_frame(frames *f) {
    lu_replay *replay = f->opened->replay;
    size_t row = (size_t)replay->episode.game->seats * (size_t)replay->episode.game->heads;
    if (f->next > 0 && f->placed && f->env->decisions == f->next - 1) {
        lu_env_step(f->env, replay->actions + (size_t)(f->next - 1) * row);
    } else {
        lu_replay_seek(replay, f->env, f->next);
    }
    f->placed = true;
    f->next++;
    lu_replay_write_frame(replay, f->env, LU_FRAME_STATE | LU_FRAME_LEGAL, &f->json);
}

static stream_step lines_next(stream *base, double now, lu_text *out, double *wake) {
    frames *f = (frames *)base;
    (void)now;
    (void)wake;
    if (!f->begun) {
        f->begun = true;
        lu_replay_write_header(f->opened->replay, f->name, &f->json);
        lu_json_newline(&f->json);
    }
    while (f->next < f->end && f->json.length < HTTP_PIECE / 2) {
        write_frame(f);
        lu_json_newline(&f->json);
    }
    lu_text_add_n(out, f->json.text, f->json.length);
    lu_json_clear(&f->json);
    return f->next < f->end ? STREAM_MORE : STREAM_END;
}

static frames *frames_new(worker *w, const http_request *r, http_answer *answer) {
    opened *o = open_replay(w, r, answer);
    if (!o) {
        return NULL;
    }
    frames *f = lu_alloc_zero(1, sizeof *f);
    f->app = w->app;
    f->opened = o;
    f->env = lu_env_new(o->replay->episode.game, o->replay->episode.rules);
    lu_json_init(&f->json);
    snprintf(f->name, sizeof f->name, "%.39s", strchr(o->key, '/') + 1);
    f->name[strcspn(f->name, "/")] = 0;
    f->next = param_int(r, "from", 0);
    f->end = o->replay->decisions + 1;
    f->next = f->next < f->end ? f->next : f->end;
    f->base.free = frames_free;
    f->base.topic = "frames";
    return f;
}

void on_frames_get(worker *w, const http_request *r, http_answer *answer) {
    frames *f = frames_new(w, r, answer);
    if (f) {
        int64_t limit = param_int(r, "limit", f->end);
        f->end = f->end - f->next < limit ? f->end : f->next + limit;
        f->base.next = lines_next;
        answer->type = "application/x-ndjson";
        answer->stream = &f->base;
    }
}

/* ---- messages ---- */

static void put_message(frames *f, lu_text *out) {
    lu_text_add_n(out, f->json.text, f->json.length);
    lu_json_clear(&f->json);
}

/* One member around what is written by `write`, e.g. {"frame":...}. */
static void message(frames *f, const char *key, lu_text *out) {
    lu_text_addf(out, "{\"%s\":", key);
    put_message(f, out);
}

static stream_step messages_next(stream *base, double now, lu_text *out, double *wake) {
    frames *f = (frames *)base;
    if (f->problem[0]) {
        lu_json_string(&f->json, f->problem);
        f->problem[0] = 0;
        message(f, "problem", out);
    } else if (!f->begun) {
        f->begun = true;
        f->due = now;
        lu_replay_write_header(f->opened->replay, f->name, &f->json);
        message(f, "header", out);
    } else if (f->next > f->end || f->paused) {
        *wake = INFINITY;
        return STREAM_WAIT;
    } else if (now < f->due) {
        *wake = f->due;
        return STREAM_WAIT;
    } else if (f->next == f->end) {
        f->next++; /* told once; a seek goes back */
        lu_json_object(&f->json);
        lu_json_key_int(&f->json, "frames", f->end);
        lu_json_object_end(&f->json);
        message(f, "end", out);
    } else {
        int64_t index = f->next;
        f->due = fmax(f->due, now - 0.25) + 1.0 / f->rate; /* who was late does not race */
        write_frame(f);
        lu_text_addf(out, "{\"index\":%lld,\"frame\":", (long long)index);
        put_message(f, out);
    }
    lu_text_add_char(out, '}');
    return STREAM_MORE;
}

static bool hear_member(frames *f, const char *key, const lu_json_value *root, lu_error *error) {
    if (strcmp(key, "rate") == 0) {
        double rate;
        if (lu_json_get_real(root, key, 0.25, 1000, &rate, error) == LU_OK) {
            f->rate = rate;
            f->due = 0.0;
        }
    } else if (strcmp(key, "pause") == 0) {
        bool pause;
        if (lu_json_get_bool(root, key, &pause, error) == LU_OK) {
            f->paused = pause;
            f->due = 0.0;
        }
    } else if (strcmp(key, "seek") == 0) {
        int64_t frame;
        if (lu_json_get_int(root, key, 0, f->end - 1, &frame, error) == LU_OK) {
            f->next = frame;
            f->due = 0.0;
            f->paused = false;
        }
    } else {
        lu_fail(error, LU_BAD_DATA, "messages hold rate, pause or seek");
    }
    return error->status == LU_OK;
}

static bool messages_hear(stream *base, const char *text, size_t length) {
    frames *f = (frames *)base;
    lu_error error = {0};
    lu_json_document *document =
        json_is_flat(text, length) ? lu_json_read("message", text, length, &error) : NULL;
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    if (document && lu_json_kind_of(root) != LU_JSON_OBJECT) {
        lu_fail(&error, LU_BAD_DATA, "a message is a JSON object");
    }
    for (size_t i = 0; error.status == LU_OK && i < lu_json_count(root); i++) {
        const char *key;
        lu_json_member(root, i, &key);
        hear_member(f, key, root, &error);
    }
    if (!document || error.status != LU_OK) {
        snprintf(f->problem, sizeof f->problem, "%.199s",
                 error.status != LU_OK ? error.text : "the message is nested too deeply");
    }
    lu_json_close(document);
    return true;
}

void on_frames_socket(worker *w, const http_request *r, http_answer *answer) {
    frames *f = frames_new(w, r, answer);
    if (f) {
        f->rate = param_real(r, "rate", 8.0);
        f->base.next = messages_next;
        f->base.hear = messages_hear;
        answer->stream = &f->base;
        answer->socket = true;
    }
}
