/* What verbs that serve share: where they listen, the token that clients need, and what they say
 * first.
 * Ownership: the caller frees what is handed out. Threads: the main thread. */
#pragma once

#include "verb.h"

/* Options that all of them have alike. */
#define SERVE_BIND                                                                                 \
    {                                                                                              \
        "bind", LU_TEXT, "127.0.0.1", 0, 100, NULL,                                                \
            "Address to listen on; anything but loopback needs a token.", false                    \
    }
#define SERVE_TOKEN_FILE                                                                           \
    {                                                                                              \
        "token_file", LU_TEXT, "", 0, 4000, NULL,                                                  \
            "File with the token that clients must send; by default one is generated if needed.",  \
            false                                                                                  \
    }

#define SERVE_CONFINE                                                                              \
    {                                                                                              \
        "confine", LU_BOOL, "true", 0, 0, NULL,                                                    \
            "Gives up what serving does not need: other files, connections, programs "             \
            "(docs/server.md).",                                                                   \
            false                                                                                  \
    }

/* The first line of --token-file, or a token of its own where --bind needs one; *own tells which.
 * NULL: none is asked for. */
lu_status serve_token(const verb_call *call, char **token, bool *own, lu_error *error);
/* The values of a repeatable option, ending with NULL; the caller frees the list. */
const char **serve_list(const verb_call *call, const char *key);
/* Prints the address as the first line, with the token where it is an own one; root is told that
 * it need not be. `scheme`: "http://"
 * or "". `how`: how clients send the token. `more` (or NULL): further members of --json, an object.
 */
void serve_address(const verb_call *call, const char *scheme, int port, const char *own_token,
                   const char *how, const lu_json *more);
