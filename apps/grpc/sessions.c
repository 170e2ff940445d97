/* The table of sessions: see sessions.h. A number holds its place in the table in the low bits, so
 * that finding it is one look; the others are random. Locks: one for the table, and a turn per
 * session (held), for which callers wait on one condition. Who takes several takes them in one go,
 * under the table's lock, so that nobody waits for another in a ring. */
#include "sessions.h"

#include "ludus/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { PLACE_BITS = 16, SESSIONS_MOST = (1 << PLACE_BITS) - 1 };

static const lu_setting rows[] = {
    {"grpc.sessions", LU_INT, "1024", 1, SESSIONS_MOST, NULL, "Maximum number of open sessions.",
     false},
    {"grpc.environments", LU_INT, "4096", 1, 1 << 20, NULL,
     "Maximum number of environments in a session.", false},
    {"grpc.memory_mib", LU_INT, "2048", 1, 1 << 20, NULL,
     "Maximum memory of all sessions together, in MiB.", false},
    {"grpc.idle_seconds", LU_REAL, "1800", 0.1, 1e6, NULL,
     "Seconds after which an unused session is dropped.", false},
};
const lu_table sessions_table = {"grpc sessions", rows, LU_COUNT(rows)};

struct sessions {
    pthread_mutex_t lock;
    pthread_cond_t released;
    session **place; /* SESSIONS_MOST + 1 of them, NULL where none is; 0 stays empty */
    int most, count, next;
    int environments;
    size_t bytes, bytes_most;
    double idle_seconds;
};

sessions *sessions_new(const lu_settings *limits) {
    sessions *all = lu_alloc_zero(1, sizeof *all);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->released, NULL);
    all->place = lu_alloc_zero(SESSIONS_MOST + 1, sizeof *all->place);
    all->most = (int)lu_settings_int(limits, "grpc.sessions");
    all->environments = (int)lu_settings_int(limits, "grpc.environments");
    all->bytes_most = (size_t)lu_settings_int(limits, "grpc.memory_mib") << 20;
    all->idle_seconds = lu_settings_real(limits, "grpc.idle_seconds");
    return all;
}

static void session_free(session *s) {
    if (s->vec) {
        lu_vec_delete(s->vec);
    }
    lu_episode_close(&s->place);
    free(s->memory);
    free(s);
}

void sessions_delete(sessions *all) {
    for (int i = 0; i <= SESSIONS_MOST; i++) {
        if (all->place[i]) {
            session_free(all->place[i]);
        }
    }
    pthread_cond_destroy(&all->released);
    pthread_mutex_destroy(&all->lock);
    free(all->place);
    free(all);
}

/* ---- buffers ---- */

/* A part of the memory, or its size where there is no memory yet. */
static void *part(unsigned char *memory, size_t *used, size_t count, size_t bytes) {
    void *at = memory ? memory + *used : NULL;
    *used += (count * bytes + 63) & ~(size_t)63;
    return at;
}

/* Lays out the buffers of a session over its memory; returns their bytes. At most 2^20 environments
 * of a few kilobytes each: sizes do not overflow. */
static size_t lay_out(session *s, unsigned char *memory) {
    const lu_game *game = s->place.game;
    lu_buffers *b = &s->now;
    size_t used = 0, environments = (size_t)s->environments, all = (size_t)s->rows;
    size_t observation = (size_t)lu_game_observation_length(game);
    size_t infos = s->parts & WITH_INFO ? (size_t)game->infos : 0;
    *b = (lu_buffers){.observation_kept = true};
    b->observation = part(memory, &used, all * observation, sizeof(float));
    b->mask = part(memory, &used, all, (size_t)lu_game_mask_length(game));
    b->reward = part(memory, &used, all, sizeof(float));
    b->terminated = part(memory, &used, environments, 1);
    b->truncated = part(memory, &used, environments, 1);
    b->to_move = part(memory, &used, environments, 1);
    b->final_observation = part(memory, &used, all * observation, sizeof(float));
    b->final_seed = part(memory, &used, environments, sizeof(uint64_t));
    if (infos > 0) {
        b->info = part(memory, &used, all * infos, sizeof(double));
        b->final_info = part(memory, &used, all * infos, sizeof(double));
    }
    if (s->parts & WITH_TERMS) {
        b->terms = part(memory, &used, all * (size_t)game->terms, sizeof(float));
    }
    if (s->parts & WITH_CRITIC && game->critic_groups > 0) {
        b->critic = part(memory, &used, all * (size_t)lu_game_critic_length(game), sizeof(float));
    }
    if (s->parts & WITH_TICKS) {
        b->ticks = part(memory, &used, environments, sizeof(int32_t));
    }
    if (s->parts & WITH_ILLEGAL) {
        b->illegal = part(memory, &used, environments, 1);
    }
    s->which = part(memory, &used, environments, sizeof(int32_t));
    s->ended = part(memory, &used, environments, sizeof(int32_t));
    s->was_over = part(memory, &used, environments, 1);
    return used;
}

/* ---- opening ---- */

/* Everything but memory that grows with the environments. */
static session *prepare(const session_wish *wish, lu_error *error) {
    session *s = lu_alloc_zero(1, sizeof *s);
    if (lu_episode_open(&s->place, wish->game, wish->settings, wish->options, error) != LU_OK) {
        free(s);
        return NULL;
    }
    s->environments = (int)wish->environments;
    s->rows = s->environments * wish->game->seats;
    s->parts = wish->parts;
    s->bytes = lay_out(s, NULL) + lu_vec_bytes(s->place.rules, s->environments) +
               (size_t)s->place.rules->bytes;
    return s;
}

/* Gives a session its number and its share of the memory; under the lock. */
static lu_status admit(sessions *all, session *s, lu_error *error) {
    uint64_t number = 0;
    if (all->count >= all->most) {
        return lu_fail(error, LU_LIMIT,
                       "%d sessions are open, the maximum here: close one or try again later",
                       all->count);
    }
    if (s->bytes > all->bytes_most - all->bytes) {
        return lu_fail(error, LU_LIMIT,
                       "a session of %d environments takes %zu MiB, and %zu MiB are left for "
                       "sessions: ask for fewer or try again later",
                       s->environments, (s->bytes >> 20) + 1, (all->bytes_most - all->bytes) >> 20);
    }
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
        return lu_fail(error, LU_FAILED, "no random numbers for a session");
    }
    do {
        all->next = all->next % SESSIONS_MOST + 1;
    } while (all->place[all->next]);
    s->id = number << PLACE_BITS | (uint64_t)all->next;
    s->held = true;
    s->users = 1;
    all->place[all->next] = s;
    all->bytes += s->bytes;
    all->count++;
    return LU_OK;
}

session *sessions_open(sessions *all, const session_wish *wish, lu_error *error) {
    if (wish->environments < 1 || wish->environments > all->environments) {
        lu_settings_delete(wish->settings);
        lu_settings_delete(wish->options);
        lu_fail(error, wish->environments < 1 ? LU_BAD_VALUE : LU_LIMIT,
                "environments = %lld must be between 1 and %d here", (long long)wish->environments,
                all->environments);
        return NULL;
    }
    session *s = prepare(wish, error);
    if (!s) {
        return NULL;
    }
    pthread_mutex_lock(&all->lock);
    lu_status status = admit(all, s, error);
    pthread_mutex_unlock(&all->lock);
    if (status != LU_OK) {
        session_free(s);
        return NULL;
    }
    s->vec = lu_vec_new(wish->game, s->place.rules, s->environments, wish->seed, 1,
                        s->place.options, error);
    if (!s->vec) {
        sessions_close(all, s);
        return NULL;
    }
    lu_vec_set_autoreset(s->vec, wish->autoreset);
    s->waits = wish->autoreset != LU_SAME_STEP;
    s->memory = lu_alloc_zero(1, lay_out(s, NULL) + 1);
    lay_out(s, s->memory);
    for (int i = 0; i < s->environments; i++) {
        s->which[i] = i;
    }
    return s;
}

/* ---- holding ---- */

/* Under the lock. */
static void drop(sessions *all, session *s) {
    all->place[s->id & SESSIONS_MOST] = NULL;
    all->bytes -= s->bytes;
    all->count--;
}

/* Lets a session go that is closed and that nobody waits for; under the lock. */
static void leave(session *s) {
    if (--s->users == 0 && s->closed) {
        session_free(s);
    }
}

static session *find(const sessions *all, uint64_t id) {
    session *s = all->place[id & SESSIONS_MOST];
    return s && s->id == id ? s : NULL;
}

/* Finds them all and counts the caller among their users; under the lock. */
static lu_status find_all(sessions *all, const uint64_t *ids, size_t count, session **taken,
                          lu_error *error) {
    for (size_t i = 0; i < count; i++) {
        uint64_t id = ids[i];
        if (!(taken[i] = find(all, id))) {
            while (i-- > 0) {
                leave(taken[i]);
            }
            return lu_fail(error, LU_NOT_FOUND,
                           "there is no session %llu: it was closed, or unused for %.0f seconds; "
                           "open one with Reset",
                           (unsigned long long)id, all->idle_seconds);
        }
        taken[i]->users++;
    }
    return LU_OK;
}

/* 1: all were free and are held now; 0: one is in use; -1: one was closed meanwhile. */
static int hold_all(session **taken, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (taken[i]->closed || taken[i]->held) {
            int found = taken[i]->closed ? -1 : 0;
            while (i-- > 0) {
                taken[i]->held = false;
            }
            return found;
        }
        taken[i]->held = true;
    }
    return 1;
}

static int by_number(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

/* The first number that stands there twice, or 0. */
static uint64_t doubled(const uint64_t *ids, size_t count) {
    uint64_t found = 0;
    if (count > 1) {
        uint64_t *sorted = lu_alloc(count * sizeof *sorted);
        memcpy(sorted, ids, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_number);
        for (size_t i = 1; i < count && !found; i++) {
            found = sorted[i] == sorted[i - 1] ? sorted[i] : 0;
        }
        free(sorted);
    }
    return found;
}

lu_status sessions_take(sessions *all, const uint64_t *ids, size_t count, session **taken,
                        lu_error *error) {
    uint64_t twice = doubled(ids, count);
    if (twice) {
        return lu_fail(error, LU_BAD_VALUE, "session %llu is listed twice in one batch",
                       (unsigned long long)twice);
    }
    pthread_mutex_lock(&all->lock);
    lu_status status = find_all(all, ids, count, taken, error);
    if (status == LU_OK) {
        int got;
        while ((got = hold_all(taken, count)) == 0) {
            pthread_cond_wait(&all->released, &all->lock);
        }
        if (got < 0) {
            for (size_t i = 0; i < count; i++) {
                leave(taken[i]);
            }
            status =
                lu_fail(error, LU_NOT_FOUND, "a session was closed while this call waited for it");
        }
    }
    pthread_mutex_unlock(&all->lock);
    return status;
}

void sessions_release(sessions *all, session *const *held, size_t count) {
    double now = lu_clock_seconds();
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < count; i++) {
        held[i]->used_at = now;
        held[i]->held = false;
        leave(held[i]);
    }
    pthread_cond_broadcast(&all->released);
    pthread_mutex_unlock(&all->lock);
}

void sessions_close(sessions *all, session *held) {
    pthread_mutex_lock(&all->lock);
    drop(all, held);
    held->closed = true;
    held->held = false;
    leave(held);
    pthread_cond_broadcast(&all->released);
    pthread_mutex_unlock(&all->lock);
}

int sessions_expire(sessions *all) {
    int dropped = 0;
    double now = lu_clock_seconds();
    pthread_mutex_lock(&all->lock);
    for (int i = 1; i <= SESSIONS_MOST && all->count > 0; i++) {
        session *s = all->place[i];
        if (s && s->users == 0 && now - s->used_at >= all->idle_seconds) {
            drop(all, s);
            session_free(s);
            dropped++;
        }
    }
    pthread_mutex_unlock(&all->lock);
    return dropped;
}

int sessions_count(sessions *all) {
    pthread_mutex_lock(&all->lock);
    int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}
