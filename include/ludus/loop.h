/* The core of a game and its inner loop of vector stepping as a template: a game's file of rules
 * defines what follows and includes this file once at its end (a variant more: once more), so that
 * its step is inlined into a loop of its own.
 *
 *   #define LU_LOOP_GAME   prospector            prefix of the functions below
 *   #define LU_LOOP_NAMES  PROSPECTOR            prefix of the constants of the table of facts:
 *                                                _TERMS, _INFOS, _OBSERVATION, and _ACTIONS, the
 *                                                bytes of a mask
 * and where a game differs from what is taken without them:
 *   #define LU_LOOP_STATE  prospector_state      the state struct: PREFIX_state
 *   #define LU_LOOP_SEATS  1
 *   #define LU_LOOP_HEADS  1
 *   #define LU_LOOP_TERMS, LU_LOOP_INFOS, LU_LOOP_OBSERVATION, LU_LOOP_MASK
 *   #define LU_LOOP_CRITIC 0                     a literal; 0 = there is no PREFIX_critic
 *   #define LU_LOOP_TURNS  0                     a literal; 1 = there is a PREFIX_to_move
 *   #define LU_LOOP_SUBMASK 0                    a literal; 1 = there is a PREFIX_submask
 *   #define LU_LOOP_HOT    512                   bytes at the start of a state that every step
 *                                                touches, fetched ahead of its turn; left out:
 *                                                all, at most LU_LOOP_MOST
 *   #include "ludus/loop.h"
 *
 * It needs static functions PREFIX_reset, _step, _observe, _mask, _info, _determinise (and _critic,
 * _submask, _to_move) with the signatures of lu_core, and makes static PREFIX_loop and the core of
 * this build level, which LU_CORES(PREFIX) lists.
 * Ownership: the loop owns nothing; states, places and buffers come with the lu_loop. Threads: any
 * number of loops over ranges that do not overlap. */
#include "ludus/vec.h"

#include <string.h>

#ifndef LU_LOOP_GAME
#error "ludus/loop.h is a template: define LU_LOOP_GAME and the other names first"
#endif

#ifndef LU_LOOP_STATE
#define LU_LOOP_STATE LU_LOOP_(state)
#endif
#ifndef LU_LOOP_SEATS
#define LU_LOOP_SEATS 1
#endif
#ifndef LU_LOOP_HEADS
#define LU_LOOP_HEADS 1
#endif
#ifndef LU_LOOP_TERMS
#define LU_LOOP_TERMS LU_PASTE(LU_LOOP_NAMES, _TERMS)
#endif
#ifndef LU_LOOP_INFOS
#define LU_LOOP_INFOS LU_PASTE(LU_LOOP_NAMES, _INFOS)
#endif
#ifndef LU_LOOP_OBSERVATION
#define LU_LOOP_OBSERVATION LU_PASTE(LU_LOOP_NAMES, _OBSERVATION)
#endif
#ifndef LU_LOOP_MASK
#define LU_LOOP_MASK LU_PASTE(LU_LOOP_NAMES, _ACTIONS)
#endif
#ifndef LU_LOOP_CRITIC
#define LU_LOOP_CRITIC 0
#endif
#ifndef LU_LOOP_TURNS
#define LU_LOOP_TURNS 0
#endif
#ifndef LU_LOOP_SUBMASK
#define LU_LOOP_SUBMASK 0
#endif
#ifndef LU_LOOP_HOT
#define LU_LOOP_HOT (sizeof(LU_LOOP_STATE) < LU_LOOP_MOST ? sizeof(LU_LOOP_STATE) : LU_LOOP_MOST)
#endif

#define LU_LOOP_(name) LU_PASTE(LU_PASTE(LU_LOOP_GAME, _), name)

/* The preprocessor takes an enum constant for 0 and would leave the function out in silence. */
#if LU_LOOP_CRITIC
LU_STATIC_ASSERT((LU_LOOP_CRITIC) > 0, "LU_LOOP_CRITIC is a number of floats");
#else
LU_STATIC_ASSERT((LU_LOOP_CRITIC) == 0, "LU_LOOP_CRITIC must be a literal, not an enum constant");
#endif
#if LU_LOOP_TURNS
LU_STATIC_ASSERT((LU_LOOP_TURNS) == 1, "LU_LOOP_TURNS is 0 or 1");
#else
LU_STATIC_ASSERT((LU_LOOP_TURNS) == 0, "LU_LOOP_TURNS must be a literal, not an enum constant");
#endif
#if LU_LOOP_SUBMASK
LU_STATIC_ASSERT((LU_LOOP_SUBMASK) == 1, "LU_LOOP_SUBMASK is 0 or 1");
#else
LU_STATIC_ASSERT((LU_LOOP_SUBMASK) == 0, "LU_LOOP_SUBMASK must be a literal, not an enum constant");
#endif

/* Writes what the next decision of one environment sees. */
static inline void LU_LOOP_(loop_show)(const lu_loop *loop, const LU_LOOP_STATE *state, int index,
                                       uint64_t changed) {
    const lu_buffers *b = loop->buffers;
    if (b->to_move) {
#if LU_LOOP_TURNS
        b->to_move[index] = LU_LOOP_(to_move)(loop->rules, state);
#else
        b->to_move[index] = (uint8_t)((1u << LU_LOOP_SEATS) - 1u);
#endif
    }
    for (int seat = 0; seat < LU_LOOP_SEATS; seat++) {
        size_t row = (size_t)index * LU_LOOP_SEATS + (size_t)seat;
        if (b->observation) {
            LU_LOOP_(observe)
            (loop->rules, state, seat, changed, b->observation + row * LU_LOOP_OBSERVATION);
        }
#if LU_LOOP_CRITIC
        if (b->critic) {
            LU_LOOP_(critic)(loop->rules, state, seat, b->critic + row * LU_LOOP_CRITIC);
        }
#endif
        if (b->mask) {
            LU_LOOP_(mask)(loop->rules, state, seat, b->mask + row * LU_LOOP_MASK);
        }
        if (b->info) {
            LU_LOOP_(info)(loop->rules, state, seat, b->info + row * LU_LOOP_INFOS);
        }
    }
}

/* Starts the episode that `place` names, with its own seed unless another is given. */
static void LU_LOOP_(loop_begin)(const lu_loop *loop, LU_LOOP_STATE *state, lu_place *place,
                                 int index, const uint64_t *seed) {
    place->seed = seed ? *seed : lu_mix(loop->seed, (uint64_t)index, place->episode);
    place->decisions = 0;
    place->phase = LU_RUNNING;
    LU_LOOP_(reset)(loop->rules, state, place->seed, loop->options);
}

/* Notes the last observation of an episode, then starts the next one or leaves it to wait. */
static void LU_LOOP_(loop_end)(const lu_loop *loop, LU_LOOP_STATE *state, lu_place *place,
                               int index, bool terminated) {
    const lu_buffers *b = loop->buffers;
    for (int seat = 0; seat < LU_LOOP_SEATS; seat++) {
        size_t row = (size_t)index * LU_LOOP_SEATS + (size_t)seat;
        if (b->final_observation) {
            LU_LOOP_(observe)
            (loop->rules, state, seat, LU_ALL_CHANGED,
             b->final_observation + row * LU_LOOP_OBSERVATION);
        }
#if LU_LOOP_CRITIC
        if (b->final_critic) {
            LU_LOOP_(critic)(loop->rules, state, seat, b->final_critic + row * LU_LOOP_CRITIC);
        }
#endif
        if (b->final_mask) {
            LU_LOOP_(mask)(loop->rules, state, seat, b->final_mask + row * LU_LOOP_MASK);
        }
        if (b->final_info) {
            LU_LOOP_(info)(loop->rules, state, seat, b->final_info + row * LU_LOOP_INFOS);
        }
    }
    if (b->final_seed) {
        b->final_seed[index] = place->seed;
    }
    if (loop->autoreset == LU_SAME_STEP) {
        place->episode++;
        LU_LOOP_(loop_begin)(loop, state, place, index, NULL);
    } else {
        place->phase = terminated ? LU_TERMINATED : LU_TRUNCATED;
    }
}

/* The step of an environment that has ended: nothing is given; it starts anew, or goes on waiting
 * and tells its end. */
static void LU_LOOP_(loop_wait)(const lu_loop *loop, LU_LOOP_STATE *state, lu_place *place,
                                int index) {
    const lu_buffers *b = loop->buffers;
    size_t row = (size_t)index * LU_LOOP_SEATS;
    if (loop->autoreset == LU_NEXT_STEP) {
        place->episode++;
        LU_LOOP_(loop_begin)(loop, state, place, index, NULL);
    }
    if (b->reward) {
        memset(b->reward + row, 0, LU_LOOP_SEATS * sizeof *b->reward);
    }
    if (b->terms) {
        memset(b->terms + row * LU_LOOP_TERMS, 0, LU_LOOP_SEATS * LU_LOOP_TERMS * sizeof *b->terms);
    }
    if (b->terminated) {
        b->terminated[index] = place->phase == LU_TERMINATED;
    }
    if (b->truncated) {
        b->truncated[index] = place->phase == LU_TRUNCATED;
    }
    if (b->illegal) {
        b->illegal[index] = 0;
    }
    if (b->ticks) {
        b->ticks[index] = 0;
    }
    LU_LOOP_(loop_show)(loop, state, index, LU_ALL_CHANGED);
}

/* Episode 0 of a range of environments, or the next one of those that a list names. */
static void LU_LOOP_(loop_reset)(const lu_loop *loop) {
    for (int i = loop->first; i < loop->first + loop->count; i++) {
        int index = loop->which ? loop->which[i] : i;
        LU_LOOP_STATE *state =
            (LU_LOOP_STATE *)(void *)(loop->states + (size_t)index * loop->stride);
        lu_place *place = &loop->places[index];
        place->episode = loop->which && place->phase != LU_UNRESET ? place->episode + 1 : 0;
        LU_LOOP_(loop_begin)
        (loop, state, place, index, loop->seeds ? &loop->seeds[i] : NULL);
        LU_LOOP_(loop_show)(loop, state, index, LU_ALL_CHANGED);
    }
}

static void LU_LOOP_(loop)(const lu_loop *loop) {
    const lu_buffers *b = loop->buffers;
    int end = loop->first + loop->count;
    if (loop->fetched) {
        *loop->fetched = (uint32_t)(LU_LOOP_HOT);
        return;
    }
    if (loop->reset) {
        LU_LOOP_(loop_reset)(loop);
        return;
    }
    /* terms without weight add nothing to a sum; the others are added in table order */
    int term[LU_LOOP_TERMS] = {0}, weighed = 0;
    double weight[LU_LOOP_TERMS] = {0.0};
    for (int t = 0; t < LU_LOOP_TERMS; t++) {
        if (loop->rules->weight[t] != 0.0) {
            weight[weighed] = loop->rules->weight[t];
            term[weighed++] = t;
        }
    }
    for (int index = loop->first; index < end; index++) {
        /* the next state's hot lines arrive while this one is stepped */
        if (index + 1 < end) {
            const unsigned char *next = loop->states + (size_t)(index + 1) * loop->stride;
            for (size_t line = 0; line < LU_LOOP_HOT; line += 64) {
                __builtin_prefetch(next + line, 1);
            }
        }
        LU_LOOP_STATE *state =
            (LU_LOOP_STATE *)(void *)(loop->states + (size_t)index * loop->stride);
        lu_place *place = &loop->places[index];
        if (place->phase > LU_RUNNING) {
            LU_LOOP_(loop_wait)(loop, state, place, index);
            continue;
        }

        double terms[LU_LOOP_SEATS * LU_LOOP_TERMS];
        lu_step step;
        memset(terms, 0, sizeof terms);
        LU_LOOP_(step)
        (loop->rules, state, b->actions + (size_t)index * LU_LOOP_SEATS * LU_LOOP_HEADS, terms,
         &step);
        place->decisions++;

        size_t row = (size_t)index * LU_LOOP_SEATS;
        if (b->reward) {
            double sum[LU_LOOP_SEATS] = {0.0};
            for (int k = 0; k < weighed; k++) {
                for (int seat = 0; seat < LU_LOOP_SEATS; seat++) {
                    sum[seat] += weight[k] * terms[seat * LU_LOOP_TERMS + term[k]];
                }
            }
            for (int seat = 0; seat < LU_LOOP_SEATS; seat++) {
                b->reward[row + (size_t)seat] = (float)sum[seat];
            }
        }
        if (b->terms) {
            for (int t = 0; t < LU_LOOP_SEATS * LU_LOOP_TERMS; t++) {
                b->terms[row * LU_LOOP_TERMS + (size_t)t] = (float)terms[t];
            }
        }
        if (b->terminated) {
            b->terminated[index] = step.terminated;
        }
        if (b->truncated) {
            b->truncated[index] = step.truncated;
        }
        if (b->illegal) {
            b->illegal[index] = step.illegal;
        }
        if (b->ticks) {
            b->ticks[index] = step.ticks;
        }
        uint64_t changed = b->observation_kept ? step.changed : LU_ALL_CHANGED;
        if (step.terminated | step.truncated) {
            LU_LOOP_(loop_end)(loop, state, place, index, step.terminated != 0);
            changed = LU_ALL_CHANGED;
        }
        LU_LOOP_(loop_show)(loop, state, index, changed);
    }
}

#define LU_LOOP_CORE LU_PASTE(LU_PASTE(lu_core_, LU_LOOP_GAME), LU_ISA)
LU_C_BEGIN
extern const lu_core LU_LOOP_CORE;
const lu_core LU_LOOP_CORE = {
    .reset = LU_LOOP_(reset),
    .step = LU_LOOP_(step),
    .observe = LU_LOOP_(observe),
#if LU_LOOP_CRITIC
    .critic = LU_LOOP_(critic),
#endif
    .mask = LU_LOOP_(mask),
#if LU_LOOP_SUBMASK
    .submask = LU_LOOP_(submask),
#endif
#if LU_LOOP_TURNS
    .to_move = LU_LOOP_(to_move),
#endif
    .info = LU_LOOP_(info),
    .determinise = LU_LOOP_(determinise),
    .loop = LU_LOOP_(loop),
};
LU_C_END

#undef LU_LOOP_CORE
#undef LU_LOOP_
