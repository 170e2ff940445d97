/* The buffer of DQN: targets over n steps against a definition that walks every step, over all ways
 * in which episodes may end; what can be drawn; and the maths of targets and losses against plain
 * loops in fp64. */
#include "dqn_internal.h"

#include "ludus/algorithm.h"
#include "ludus/math.h"

#include "test.h"

#include <stdlib.h>

enum { TIMES = 7, MOST_STEPS = 5 };

/* What happened to one row, in the order of time. */
typedef struct history {
    float reward[TIMES], discount[TIMES];
    int ends[TIMES];
} history;

typedef struct rings {
    dqn_buffer buffer;
    lu_arena arena;
} rings;

static void open_rings(rings *r, int rows, int slots, int steps) {
    r->buffer = (dqn_buffer){
        .rows = rows, .slots = slots, .steps = steps, .observed = 2, .mask = 3, .heads = 1};
    train_taker size = {0};
    dqn_buffer_lay(&r->buffer, &size);
    lu_arena_init(&r->arena, size.bytes + 64);
    train_taker real = {&r->arena, 0};
    dqn_buffer_lay(&r->buffer, &real);
}

/* An observation is the time it belongs to, and whether it is the last of a cut-off episode. */
static void see(dqn_buffer *r, int row, int time, bool last) {
    float seen[2] = {(float)time, last ? 1.0f : 0.0f};
    uint8_t legal[3] = {1, (uint8_t)(time % 2), (uint8_t)last};
    dqn_buffer_see(r, row, seen, legal);
}

static void play(dqn_buffer *r, int row, const history *h, int time) {
    int32_t action = time % 3;
    see(r, row, time, false);
    dqn_buffer_act(r, row, &action, h->reward[time], h->discount[time], h->ends[time]);
    if (h->ends[time] == LU_END_TRUNCATED) {
        see(r, row, time + 1, true);
        dqn_buffer_cut(r, row);
    }
}

/* The target of one step by its definition; false while it is not known yet. */
typedef struct target {
    double gain, discount;
    int next; /* time of the next observation */
    bool last;
} target;

static bool define(const history *h, int now, int time, int steps, target *t) {
    *t = (target){.discount = 1.0};
    for (int i = 0; i < steps; i++) {
        double before = 1.0;
        for (int j = 0; j < i; j++) {
            before *= (double)h->discount[time + j];
        }
        if (time + i > now) {
            return false;
        }
        t->gain += before * (double)h->reward[time + i];
        t->discount = before * (double)h->discount[time + i];
        t->next = time + i + 1;
        if (h->ends[time + i]) {
            t->discount = h->ends[time + i] == LU_END_TERMINATED ? 0.0 : t->discount;
            t->last = true;
            return true;
        }
    }
    return t->next <= now; /* the next observation must have been seen */
}

static void compare(const dqn_buffer *r, const history *h, int now, int steps) {
    int found = 0;
    for (int slot = 0, time = 0; time <= now; slot++) {
        if (r->kind[slot] == SLOT_LAST) {
            CHECK(sum_tree_at(&r->tree, (size_t)slot) == 0.0);
            continue;
        }
        target t;
        bool known = define(h, now, time, steps, &t);
        CHECK(r->kind[slot] == SLOT_STEP);
        CHECK(sum_tree_at(&r->tree, (size_t)slot) == (known ? 2.0 : 0.0));
        if (known) {
            CHECK_NEAR((double)r->gain[slot], t.gain, 1e-6);
            CHECK_NEAR((double)r->discount[slot], t.discount, 1e-6);
            found++;
        }
        if (known && t.discount > 0.0) {
            const float *seen = r->observation + (size_t)(slot + r->ahead[slot]) * 2;
            CHECK(seen[0] == (float)t.next);
            CHECK((seen[1] != 0.0f) == t.last);
        }
        time++;
    }
    CHECK_INT(r->tree.used, found);
}

/* Every way in which seven steps may go on, end or be cut off: 3^7 for each n. */
TEST(targets_over_n_steps_are_those_of_the_definition) {
    static const int kinds[] = {0, LU_END_TERMINATED, LU_END_TRUNCATED};
    int patterns = 1;
    for (int i = 0; i < TIMES; i++) {
        patterns *= 3;
    }
    for (int steps = 1; steps <= MOST_STEPS; steps++) {
        for (int pattern = 0; pattern < patterns; pattern++) {
            lu_rng rng = lu_rng_from((uint64_t)pattern);
            history h;
            for (int i = 0, rest = pattern; i < TIMES; i++, rest /= 3) {
                h.ends[i] = kinds[rest % 3];
                h.reward[i] = (float)(lu_rng_unit(&rng) * 4.0 - 2.0);
                h.discount[i] = (float)(0.5 + lu_rng_unit(&rng) * 0.5);
            }
            rings r;
            open_rings(&r, 1, 2 * TIMES, steps);
            for (int time = 0; time < TIMES; time++) {
                play(&r.buffer, 0, &h, time);
                dqn_buffer_note(&r.buffer, 2.0);
                compare(&r.buffer, &h, time, steps);
            }
            lu_arena_free(&r.arena);
        }
    }
}

/* A ring that was filled many times over: what can be drawn is whole and in order. */
TEST(old_steps_make_room) {
    enum { ROWS = 3, SLOTS = 16, STEPS = 3 };
    rings r;
    open_rings(&r, ROWS, SLOTS, STEPS);
    lu_rng rng = lu_rng_from(3);
    for (int time = 0; time < 1000; time++) {
        for (int row = 0; row < ROWS; row++) {
            uint32_t draw = lu_rng_below(&rng, 8);
            int32_t action = time % 3;
            see(&r.buffer, row, time, false);
            dqn_buffer_act(&r.buffer, row, &action, 1.0f, 1.0f,
                           draw == 0   ? LU_END_TERMINATED
                           : draw == 1 ? LU_END_TRUNCATED
                                       : 0);
            if (draw == 1) {
                see(&r.buffer, row, time + 1, true);
                dqn_buffer_cut(&r.buffer, row);
            }
        }
        if (time % 2) {
            dqn_buffer_note(&r.buffer, 1.0);
        }
        for (size_t leaf = 0; leaf < (size_t)ROWS * SLOTS && time % 2; leaf++) {
            if (sum_tree_at(&r.buffer.tree, leaf) == 0.0) {
                continue;
            }
            size_t row = leaf / SLOTS, next = (leaf + r.buffer.ahead[leaf]) % SLOTS + row * SLOTS;
            const float *here = r.buffer.observation + leaf * 2;
            const float *there = r.buffer.observation + next * 2;
            CHECK(r.buffer.kind[leaf] == SLOT_STEP && here[1] == 0.0f);
            CHECK(here[0] > (float)(time - SLOTS));
            /* with rewards of 1, the gain counts the steps */
            if (r.buffer.discount[leaf] > 0.0f) {
                CHECK(there[0] == here[0] + r.buffer.gain[leaf]);
                CHECK_INT(r.buffer.ahead[leaf], (int)r.buffer.gain[leaf]);
            }
        }
    }
    CHECK(r.buffer.tree.used > ROWS * (SLOTS / 2));
    lu_arena_free(&r.arena);
}
