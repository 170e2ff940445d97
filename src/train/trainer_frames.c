/* Frames of the past for nets that read several (net.frames). The environments write what they show
 * into a ring of as many steps as the oldest frame needs, and a net's row is laid from it, newest
 * frame first. An episode that is younger than a frame shows its first observation there. Where one
 * frame is read there is no ring. */
#include "trainer.h"

#include <string.h>

void frames_lay(lu_trainer *t, train_taker *k) {
    train_frames *f = &t->frames;
    f->depth = lu_net_frames(t->net)->depth;
    f->slot = f->depth > 1 ? ((size_t)t->full * (size_t)t->observation + 15) / 16 * 16 : 0;
    TRAIN_TAKE(k, f->ring, (size_t)f->depth * f->slot);
    TRAIN_TAKE(k, f->age, f->depth > 1 ? (size_t)t->environments : 0);
}

float *frames_at(const lu_trainer *t, uint64_t time) {
    return t->frames.ring + (size_t)(time % (uint64_t)t->frames.depth) * t->frames.slot;
}

void frames_stack(const lu_trainer *t, const lu_frames *frames, const float *rows, int full,
                  int age, const float *newest, float *to) {
    const train_frames *f = &t->frames;
    size_t n = (size_t)t->observation;
    int now = f->depth > 1 ? (int)((size_t)(rows - f->ring) / f->slot) : 0;
    for (int i = 0; i < frames->count; i++) {
        int back = at_most(frames->age[i], age);
        int at = (now - back + f->depth) % f->depth;
        const float *from = back == 0 ? newest : f->ring + (size_t)at * f->slot + (size_t)full * n;
        memcpy(to + (size_t)i * n, from, n * sizeof *to);
    }
}

void frames_note(lu_trainer *t, const train_shard *shard) {
    train_frames *f = &t->frames;
    for (int e = shard->first; f->depth > 1 && e < shard->first + shard->count; e++) {
        bool over = t->scratch.terminated[e] | t->scratch.truncated[e];
        f->age[e] = over ? 0 : at_most(f->age[e] + 1, f->depth);
    }
}

void frames_walk(walk *w, lu_trainer *t) {
    const train_frames *f = &t->frames;
    if (f->depth > 1) {
        walk_piece(w, f->ring, (size_t)f->depth * f->slot * sizeof *f->ring);
        walk_piece(w, f->age, (size_t)t->environments * sizeof *f->age);
    }
}
