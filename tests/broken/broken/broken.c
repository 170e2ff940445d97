/* The rules of broken, sound and with every fault of broken.h. */
#include "broken.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What no game may have: data outside the state. One per thread, so that the faults stay faults of
 * the game and not races of the test. */
static _Thread_local uint32_t outside_counter, outside_luck;

/* 0, 1, 2: the level this file is built for. */
enum { LEVEL_base, LEVEL_v3, LEVEL_v4 };
#define LEVEL LU_PASTE(LEVEL, LU_ISA)

static int fault_of(const lu_rules *rules) {
    return ((const broken_rules *)(const void *)rules)->fault;
}

static void shuffle(broken_state *s) {
    lu_rng rng = lu_rng_from(s->rng);
    s->open = (uint8_t)(1 + lu_rng_below(&rng, (1u << BROKEN_DOORS) - 1));
    for (int i = 0; i < BROKEN_SLOTS; i++) {
        s->kind[i] = (uint8_t)lu_rng_below(&rng, BROKEN_KINDS);
    }
    if (lu_rng_below(&rng, 2)) {
        s->shade = (uint8_t)lu_rng_below(&rng, 101);
    }
    s->rng = rng.state;
}

static void broken_reset(const lu_rules *rules, void *bytes, uint64_t seed, const void *options) {
    const broken_options *wish = options;
    broken_state *s = bytes;
    broken_state old = *s;
    int fault = fault_of(rules);
    if (fault == BROKEN_seed_ignored) {
        seed = 7;
    } else if (fault == BROKEN_seed_halved) {
        seed = (uint32_t)seed;
    }
    memset(s, 0, sizeof *s);
    s->rng = seed;
    lu_rng rng = lu_rng_from(seed ^ 1);
    s->treasure = (int32_t)lu_rng_below(&rng, 10);
    s->steps = wish ? wish->start : 0;
    shuffle(s);
    outside_luck = 0;
    if (fault == BROKEN_counter) {
        s->shade = (uint8_t)(outside_counter++ % 100);
    } else if (fault == BROKEN_leftover) {
        s->spare = old.spare;
    } else if (fault == BROKEN_inherits) {
        s->shade = (uint8_t)((s->shade + old.score) % 100);
    } else if (fault == BROKEN_address) {
        s->spot = (uint32_t)((uintptr_t)s >> 4);
    }
}

static bool legal(const broken_state *s, int32_t action) {
    return action >= 0 && action < BROKEN_DOORS && (s->open >> action & 1);
}

/* Faults in what a step does to the state. */
static void soil(const lu_rules *rules, broken_state *s, const int32_t *actions) {
    int32_t other = actions[1 - s->seat];
    switch (fault_of(rules)) {
    case BROKEN_leftover:
        s->spare = 1;
        break;
    case BROKEN_address:
        s->spot = (uint32_t)((uintptr_t)s >> 4);
        break;
    case BROKEN_thread:
        s->spot += getpid() != gettid();
        break;
    case BROKEN_level:
        s->spot += LEVEL;
        break;
    case BROKEN_outside:
        s->shade = (uint8_t)((s->shade + ++outside_luck) % 100);
        break;
    case BROKEN_idle:
        s->spot += other == 3;
        break;
    case BROKEN_allocates: {
        char *volatile block = malloc(16);
        free(block);
        break;
    }
    default:
        break;
    }
}

/* Faults in what a step tells. */
static void lie(const lu_rules *rules, broken_state *s, int32_t action, double *terms,
                lu_step *step) {
    switch (fault_of(rules)) {
    case BROKEN_changed:
        step->changed = 1;
        break;
    case BROKEN_silent:
        step->illegal = 0;
        break;
    case BROKEN_range:
        step->illegal = action < 0 ? 0 : step->illegal;
        break;
    case BROKEN_endless:
        step->terminated = step->truncated = s->over = 0;
        s->steps = s->steps < 900 ? s->steps : 900;
        break;
    case BROKEN_both_flags:
        step->truncated = step->terminated;
        break;
    case BROKEN_flag_of_two:
        step->terminated = (uint8_t)(2 * step->terminated);
        break;
    case BROKEN_third_seat:
        step->illegal |= 4;
        break;
    case BROKEN_no_ticks:
        step->ticks = 0;
        break;
    case BROKEN_term_nan:
        terms[0] = s->steps == 9 ? __builtin_nan("") : terms[0];
        break;
    default:
        break;
    }
}

static void broken_step(const lu_rules *rules, void *bytes, const int32_t *actions, double *terms,
                        lu_step *step) {
    broken_state *s = bytes;
    int fault = fault_of(rules), seat = s->seat;
    int32_t action = actions[seat];
    bool good = legal(s, action);
    soil(rules, s, actions);
    if (good && s->kind[action % BROKEN_SLOTS]) {
        s->score += s->kind[action % BROKEN_SLOTS];
        terms[seat * BROKEN_TERMS] = (double)s->kind[action % BROKEN_SLOTS];
    }
    s->steps++;
    s->seat = (uint8_t)(1 - seat);
    shuffle(s);
    if (fault == BROKEN_wild && action > BROKEN_DOORS) {
        s->shade = 200;
    }
    lu_rng rng = lu_rng_from(s->rng);
    bool done = lu_rng_below(&rng, 16) == 0;
    s->over = done || s->steps >= BROKEN_LONGEST;
    step->ticks = 1;
    step->terminated = done;
    step->truncated = !done && s->steps >= BROKEN_LONGEST;
    step->illegal = (uint8_t)((good ? 0u : 1u) << seat);
    if (fault != BROKEN_step_unset) {
        step->unused = 0;
    }
    step->changed = LU_ALL_CHANGED;
    lie(rules, s, action, terms, step);
}

static void broken_observe(const lu_rules *rules, const void *bytes, int seat, uint64_t changed,
                           float *observation) {
    const broken_state *s = bytes;
    int fault = fault_of(rules);
    if (changed & 1u) {
        observation[0] = (float)s->steps / 1000.0f;
        observation[1] = (float)s->shade / 100.0f;
        if (fault != BROKEN_observe_short || s->steps != 5) {
            observation[2] = s->seat == seat ? 1.0f : 0.0f;
        }
    }
    if (changed & 2u) {
        for (int i = 0; i < BROKEN_SLOTS; i++) {
            float *slot = observation + BROKEN_SCALARS + i * BROKEN_SLOT_FIELDS;
            slot[0] = s->kind[i] ? 1.0f : 0.0f;
            slot[1] = (float)s->kind[i];
        }
    }
    switch (fault) {
    case BROKEN_no_clock:
        observation[0] = 0.0f;
        break;
    case BROKEN_nan:
        observation[1] = s->steps == 3 ? __builtin_nanf("") : observation[1];
        break;
    case BROKEN_high:
        observation[1] = s->shade > 95 ? 1.01f : observation[1];
        break;
    case BROKEN_last_sight:
        observation[1] = s->over ? 7.0f : observation[1];
        break;
    case BROKEN_ghost:
        observation[4] = s->kind[0] ? observation[4] : 1.0f;
        break;
    case BROKEN_half_there:
        observation[3] = s->kind[0] ? 0.5f : 0.0f;
        break;
    case BROKEN_half_id:
        observation[4] = s->kind[0] ? 1.5f : 0.0f;
        break;
    case BROKEN_observe_past:
        observation[BROKEN_OBSERVATION] = 0.0f;
        break;
    default:
        break;
    }
}

static void broken_critic(const lu_rules *rules, const void *bytes, int seat, float *critic) {
    const broken_state *s = bytes;
    (void)seat;
    critic[0] = (float)s->treasure / 9.0f;
    if (fault_of(rules) == BROKEN_critic_low && s->treasure == 0) {
        critic[0] = -0.1f;
    }
}

static void broken_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const broken_state *s = bytes;
    int fault = fault_of(rules);
    for (int32_t door = 0; door < BROKEN_DOORS; door++) {
        mask[door] = s->seat == seat && legal(s, door);
        if (fault == BROKEN_mask_of_two) {
            mask[door] = (uint8_t)(2 * mask[door]);
        } else if (fault == BROKEN_no_option && s->steps == 11) {
            mask[door] = 0;
        }
    }
    if (fault == BROKEN_mask_too_open && s->seat == seat) {
        mask[0] = 1;
    } else if (fault == BROKEN_mask_too_closed && (s->open & 6) == 6) {
        mask[1] = 0; /* another door is open */
    }
}

static uint8_t broken_to_move(const lu_rules *rules, const void *bytes) {
    const broken_state *s = bytes;
    unsigned seats = fault_of(rules) == BROKEN_nobody && s->steps == 11 ? 0u : 1u << s->seat;
    return (uint8_t)seats;
}

static void broken_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    const broken_state *s = bytes;
    info[0] = (double)s->score;
    info[1] = s->over ? 1.0 : 0.0;
    if (fault_of(rules) == BROKEN_info_half) {
        info[1] = seat == 1 ? 0.5 : info[1];
    }
}

static void broken_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    broken_state *s = bytes;
    (void)seat;
    if (fault_of(rules) == BROKEN_determinise_nothing) {
        return;
    }
    s->rng = lu_rng_u64(rng);
    s->treasure = (int32_t)lu_rng_below(rng, 10);
    if (fault_of(rules) == BROKEN_determinise_seen) {
        s->shade = (uint8_t)lu_rng_below(rng, 101);
    } else if (fault_of(rules) == BROKEN_determinise_counter) {
        s->treasure = (int32_t)(outside_counter++ % 10);
    }
}

/* The core of the template, whose loop the core below bends. */
#define LU_LOOP_GAME      sound
#define sound_reset       broken_reset
#define sound_step        broken_step
#define sound_observe     broken_observe
#define sound_critic      broken_critic
#define sound_mask        broken_mask
#define sound_to_move     broken_to_move
#define sound_info        broken_info
#define sound_determinise broken_determinise
#define LU_LOOP_NAMES     BROKEN
#define LU_LOOP_STATE     broken_state
#define LU_LOOP_SEATS     BROKEN_SEATS
#define LU_LOOP_CRITIC    BROKEN_CRITIC
#define LU_LOOP_MASK      BROKEN_DOORS
#define LU_LOOP_TURNS     1
#include "ludus/loop.h"

/* The loop of the template, and what a loop of one's own might do wrong. */
static void faulty_loop(const lu_loop *loop) {
    const lu_buffers *b = loop->buffers;
    sound_loop(loop);
    if (loop->which && fault_of(loop->rules) == BROKEN_reset_some) {
        b->mask[loop->which[loop->first] * BROKEN_SEATS * BROKEN_DOORS] = 2;
    }
    for (int i = loop->first; !loop->which && i < loop->first + loop->count; i++) {
        bool waits = !loop->reset && loop->autoreset != LU_SAME_STEP && b->ticks[i] == 0;
        bool ended = !loop->reset && b->terminated && (b->terminated[i] || b->truncated[i]);
        switch (fault_of(loop->rules)) {
        case BROKEN_loop_ticks:
            b->ticks[i] = 2;
            break;
        case BROKEN_loop_mask:
            memset(b->mask + i * BROKEN_SEATS * BROKEN_DOORS, 1, BROKEN_DOORS);
            break;
        case BROKEN_final_observation:
            b->final_observation[i * BROKEN_SEATS * BROKEN_OBSERVATION] = ended ? 0.5f : 0.0f;
            break;
        case BROKEN_final_info:
            b->final_info[(i * BROKEN_SEATS + 1) * BROKEN_INFOS] = -1.0;
            break;
        case BROKEN_step_info:
            b->info[(i * BROKEN_SEATS + 1) * BROKEN_INFOS] = -1.0;
            break;
        case BROKEN_restless:
            b->reward[i * BROKEN_SEATS] = waits ? 1.0f : b->reward[i * BROKEN_SEATS];
            break;
        case BROKEN_final_mask:
            b->final_mask[i * BROKEN_SEATS * BROKEN_DOORS] = 2;
            break;
        case BROKEN_final_seed:
            b->final_seed[i] = loop->places[i].seed; /* of the next episode */
            break;
        case BROKEN_allocates_in_loop: {
            char *volatile block = malloc(16);
            free(block);
            break;
        }
        default:
            break;
        }
    }
}

#define BROKEN_CORE LU_PASTE(lu_core_broken, LU_ISA)
extern const lu_core BROKEN_CORE;
const lu_core BROKEN_CORE = {
    .reset = broken_reset,
    .step = broken_step,
    .observe = broken_observe,
    .critic = broken_critic,
    .mask = broken_mask,
    .to_move = broken_to_move,
    .info = broken_info,
    .determinise = broken_determinise,
    .loop = faulty_loop,
};
