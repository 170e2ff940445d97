/* The same nets in fp64 by plain loops, one row and one number at a time: what the fast path is
 * tested against, and itself tested against differences of the loss. It shares with the fast path
 * only the list of tensors.
 * Ownership: the reference owns its buffers; net and chunk must outlive it. Threads: one. */
#pragma once

#include "ludus/policy.h"

#include "net_internal.h"

typedef struct net_ref net_ref;

net_ref *net_ref_new(const lu_net *net, const lu_net_chunk *chunk);
void net_ref_delete(net_ref *ref);
/* From parameters in fp64 (layout of the block) to logits (rows x logits) and values (rows). */
void net_ref_forward(net_ref *ref, const double *parameters, double *logits, double *value);
/* Adds to `gradient`; after net_ref_forward with the same parameters. */
void net_ref_back(net_ref *ref, const double *parameters, const double *dlogits,
                  const double *dvalue, double *gradient);
/* The loss of PPO on these logits and values (those of the call are not read); its gradients too
 * when dlogits is not NULL. */
double net_ref_ppo(const lu_policy *policy, const lu_ppo *call, const double *logits,
                   const double *value, double *dlogits, double *dvalue);
