/* The server of an environment without its sockets, for the event loop and for the fuzzer.
 * Ownership: what is made belongs to its maker, who frees it by env_server_kind.free. Threads: one.
 */
#pragma once

#include "line_loop.h"

extern const line_server_kind env_server_kind;
/* The user of that service; NULL on an error. */
void *env_server_make(const lu_env_options *options, lu_error *error);
