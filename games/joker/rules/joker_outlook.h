/* Joker, part: what a hand may score under all luck there is. Every outcome of the rolls that the
 * score depends on is run once and weighed with its probability; hands without such rolls are one
 * run. Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_score.h"

LU_C_BEGIN

typedef struct joker_outlook {
    double worst, mean, best; /* score */
    double reach;             /* probability of a score of at least `need`; JOKER_REACH_UNKNOWN */
    double dollars;           /* mean */
    int32_t outcomes;         /* runs it took */
    int32_t exact;            /* 0: more than `limit` outcomes; mean is then that of
                                 JOKER_LUCK_MEAN, reach unknown between worst and best */
} joker_outlook;

#define JOKER_REACH_UNKNOWN (-1.0)

/* The next script: the last roll that has another outcome takes it; false when all are done. */
LU_INLINE bool joker_luck_next(joker_luck *luck) {
    int at = luck->rolls - 1;
    while (at >= 0 && luck->choice[at] + 1 >= luck->ways[at]) {
        at--;
    }
    if (at < 0) {
        return false;
    }
    luck->choice[at]++;
    luck->given = at + 1;
    return true;
}

/* Score, mean and range of the hand of a call (facts and cards filled in) over at most `limit`
 * outcomes. The mode of the call's luck is kept; its results are those of the last run. */
LU_INLINE void joker_look(const joker_rules *m, joker_state *s, joker_scoring *c, int limit,
                          double need, joker_outlook *out) {
    int mode = c->luck.mode;
    bool more = true;
    c->luck.mode = JOKER_LUCK_SCRIPT;
    c->luck.given = 0;
    out->worst = LU_INFINITY;
    out->best = out->mean = out->reach = out->dollars = 0.0;
    out->outcomes = 0;
    out->exact = 1;
    while (more && out->exact) {
        if (out->outcomes == limit) {
            out->exact = 0;
            break;
        }
        joker_score_run(m, s, c);
        out->outcomes++;
        out->worst = c->score < out->worst ? c->score : out->worst;
        out->best = c->score > out->best ? c->score : out->best;
        out->mean += c->luck.chance * c->score;
        out->dollars += c->luck.chance * c->dollars;
        out->reach += c->score >= need ? c->luck.chance : 0.0;
        out->exact = c->luck.lost == 0;
        more = joker_luck_next(&c->luck);
    }
    if (!out->exact) {
        c->luck.mode = JOKER_LUCK_WORST;
        joker_score_run(m, s, c);
        out->worst = c->score;
        c->luck.mode = JOKER_LUCK_BEST;
        joker_score_run(m, s, c);
        out->best = c->score;
        c->luck.mode = JOKER_LUCK_MEAN;
        joker_score_run(m, s, c);
        out->mean = c->score;
        out->dollars = c->dollars;
        out->reach = JOKER_REACH_UNKNOWN;
    }
    /* what is certain is so to the last bit */
    out->reach = out->worst >= need ? 1.0 : out->best < need ? 0.0 : out->reach;
    c->luck.mode = mode;
}

LU_C_END
