/* The services of ludus-grpc over one table of sessions: ludus.v1.Env for every game,
 * joker_guide.v1.JokerEnv for joker-brief-v1, and grpc.health.v1.Health. Each is a table of methods
 * whose context is a `services`.
 * Ownership: the context belongs to whoever opened the server. Threads: any number. */
#pragma once

#include "rpc.h"
#include "sessions.h"

typedef struct services {
    sessions *sessions;
    bool empty_step; /* steps do nothing but send their messages: for measuring */
} services;

extern const rpc_method env_methods[], joker_methods[], health_methods[];
/* All of them, ending with NULL. */
extern const rpc_method *const all_methods[];

/* Settings or options from a JSON object; "" leaves the defaults. LU_BAD_VALUE and LU_UNKNOWN_KEY
 * name what is wrong. */
lu_status read_object(lu_settings *to, const char *name, const char *text, lu_error *error);
/* One step of every environment; `actions`: rows x heads. */
void session_step(const services *all, session *s, const int32_t *actions);
