/* Going on from an older checkpoint than the newest: see lu_run_fall_back in run.h. What is in the
 * way is put aside, not removed: somebody may want to know what became of it. */
#include "run_files.h"

#include "ludus/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ASIDE "aside_"

/* Puts the checkpoint of a window aside, under a name that no reader takes for one. */
static lu_status put_aside(const char *run, int64_t window, const char *why, lu_text *said,
                           lu_error *error) {
    lu_text from = LU_TEXT_INIT, to = LU_TEXT_INIT;
    lu_run_window_path(run, window, &from);
    for (int attempt = 1; attempt == 1 || lu_file_exists(to.text); attempt++) {
        lu_text_clear(&to);
        lu_text_addf(&to, "%s/checkpoints/" ASIDE "%06" PRId64, run, window);
        if (attempt > 1) {
            lu_text_addf(&to, "-%d", attempt);
        }
    }
    lu_status status =
        rename(from.text, to.text) == 0
            ? LU_OK
            : lu_fail(error, LU_IO, "cannot set %s aside: %s", from.text, strerror(errno));
    if (status == LU_OK) {
        lu_text_addf(said, "%sthe checkpoint of window %" PRId64 " is kept as %s%s%s",
                     said->length ? "; " : "", window, strrchr(to.text, '/') + 1, *why ? ": " : "",
                     why);
    }
    lu_text_free(&from);
    lu_text_free(&to);
    return status;
}

/* The newest whole checkpoint that is below `most`, with what is wrong with the newest of those
 * that are not whole. What the disk does not give may be whole: it ends the search. */
static lu_status find_whole(const char *run, int64_t most, bool older, int64_t *whole, lu_text *why,
                            lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    lu_error found = {0};
    lu_status status = LU_NOT_FOUND;
    for (int64_t window = run_newest_below(run, most);
         window >= 0 && status != LU_OK && (older || window == most - 1);
         window = run_newest_below(run, window)) {
        lu_run_window_path(run, window, &folder);
        status = run_check(folder.text, &found);
        *whole = window;
        if (status == LU_IO) {
            lu_text_free(&folder);
            return lu_fail(error, status, "%s", found.text);
        }
        if (status != LU_OK && why->length == 0) {
            lu_text_add(why, found.text);
        }
    }
    lu_text_free(&folder);
    return status == LU_OK ? LU_OK
                           : lu_fail(error, why->length ? LU_DAMAGED_FILE : LU_NOT_FOUND,
                                     "run %s has no checkpoint to resume from%s%.500s", run,
                                     why->length ? ": " : "", why->text);
}

lu_status lu_run_fall_back(const char *run, int64_t window, lu_text *said, lu_error *error) {
    int lock;
    int64_t whole = -1, newest;
    lu_text why = LU_TEXT_INIT;
    bool named = window >= 0;
    lu_status status = folder_lock(run, "run", &lock, error);
    if (status == LU_OK) {
        run_put_back(run);
    }
    LU_THEN(status, find_whole(run, named ? window + 1 : INT64_MAX, !named, &whole, &why, error));
    while (status == LU_OK && (newest = lu_run_newest_window(run)) > whole) {
        status = put_aside(run, newest, why.text, said, error);
        lu_text_clear(&why); /* told of the newest alone */
    }
    if (status == LU_OK && said->length > 0) {
        lu_text_addf(said, "; the run resumes from window %" PRId64, whole);
    }
    lu_text_free(&why);
    if (lock >= 0) {
        close(lock);
    }
    return status;
}
