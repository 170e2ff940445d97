/* The event loop under the servers of lines: listens, reads, lets the service answer what has come,
 * writes. One thread does all of it, so that what waits while a batch is computed is the next
 * batch.
 * Ownership and threads: as line_serve.h. */
#pragma once

#include "lines.h"

#include "ludus/line_serve.h"

/* What a server of lines has beside its lines. */
typedef struct line_server_kind {
    line_service service;
    /* Reads anew what it serves; false: it failed and all is as it was, with the sentence. */
    bool (*reload)(void *user, lu_error *error);
    /* Folders that it reads while it serves, made for the caller; NULL: none. */
    char **(*reads)(const void *user);
    void (*free)(void *user);
} line_server_kind;

/* Takes `user`, also when it fails. */
lu_line_server *line_server_open(const lu_line_options *options, const line_server_kind *kind,
                                 void *user, lu_error *error);
void *line_server_user(const lu_line_server *server, const line_server_kind *kind);
