/* What the parts of ludus bench share.
 * Ownership: plain values. Threads: the main thread only. */
#pragma once

#include "call_episode.h"

#include "ludus/bench.h"

/* ---- ludus bench nn (bench_nn.c) ---- */

/* The kernels of networks against the peak of the processor. */
lu_status bench_nn(const verb_call *call, lu_error *error);

/* ---- ludus bench train (bench_train.c) ---- */

/* PPO on prospector against the peak of the processor, and against peers. */
lu_status bench_train(const verb_call *call, lu_error *error);

/* ---- ludus bench policy (bench_policy.c) ---- */

/* A policy server under one client, and under many. */
lu_status bench_policy(const verb_call *call, lu_error *error);

/* ---- what they share (bench_keep.c) ---- */

/* Members that a figure must carry: date, commit, compiler, processor. */
void bench_machine(lu_json *json);
/* Writes bench/results/NAME-PROCESSOR.json. */
lu_status bench_keep(const char *name, const lu_json *json, lu_error *error);
