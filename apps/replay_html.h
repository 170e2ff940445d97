/* A replay as one HTML page that plays it: no network, no other file. Ownership: all arguments stay
 * the caller's. Threads: the main thread only. */
#pragma once

#include "replay_frames.h"

/* Writes the page to `file`; it opens at frame `from`. `name` is the replay as the header calls it.
 * `bytes` gets the size. LU_LIMIT when the page would be too large for a browser to like it. */
lu_status replay_html(lu_replay *replay, lu_env *env, const replay_marks *marks, const char *name,
                      int64_t from, const char *file, size_t *bytes, lu_error *error);
