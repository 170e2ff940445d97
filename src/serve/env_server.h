/* The server of an environment without its sockets, for the event loop and for the fuzzer.
 * Ownership: what is made belongs to its maker, who frees it by env_server_kind.free. Threads: one.
 */
#pragma once

#include "line_loop.h"

#include "ludus/env.h"

extern const line_server_kind env_server_kind;
/* The user of that service; NULL on an error. */
void *env_server_make(const lu_env_options *options, lu_error *error);
/* What a seat observes, and `actionMasks`, as members of an open object. */
void env_write_observation(const lu_env *env, int seat, const char *key, lu_json *json);
void env_write_masks(const lu_env *env, int seat, lu_json *json);
