/* A replay as one HTML page that plays it: no network, no other file. Ownership: all arguments stay
 * the caller's. Threads: any. */
#pragma once

#include "ludus/replay_marks.h"

LU_C_BEGIN

/* Adds the page with the view of the site, which the site's build keeps for it, to a text; it opens
 * at frame `from`. `path` is the replay's file, which the page plays again by the game's module.
 * LU_NOT_FOUND where the site or the module is not built. */
lu_status lu_replay_page_drawn(const lu_replay *replay, const char *path, int64_t from,
                               lu_text *html, lu_error *error);

/* The same with the boards as text, for which nothing has to be built: it opens at frame `from`.
 * `name` is the replay as the header calls it. LU_LIMIT when the page would be too large for a
 * browser to like it; LU_INTERRUPTED when `watch` (NULL: nobody) said so. */
lu_status lu_replay_page(const lu_replay *replay, lu_env *env, const lu_replay_marks *marks,
                         const char *name, int64_t from, const lu_watch *watch, lu_text *html,
                         lu_error *error);

LU_C_END
