/* Jobs: runs of tools that clients asked for. A thread of their own hands them to the worker
 * processes one after the other, hears what these say, and ends what takes too long. Jobs that have
 * ended are kept for a while; all of it is bounded: in number, per address, in bytes and in time.
 * Ownership: jobs belong to their table until tool_jobs_close; views are copies. Threads:
 * everything here may be called by any thread, but open, start and close. */
#pragma once

#include "tool_worker.h"

#include "ludus/settings.h"
#include "ludus/text.h"
#include "ludus/tool.h"

enum { TOOL_JOB_ID = 32 }; /* hex digits */

typedef enum tool_job_state {
    TOOL_JOB_QUEUED,
    TOOL_JOB_RUNNING,
    TOOL_JOB_DONE,
    TOOL_JOB_FAILED,
    TOOL_JOB_CANCELLED,
} tool_job_state;

typedef struct tool_job_view {
    char id[TOOL_JOB_ID + 1];
    tool_job_state state;
    double share;
    char what[TOOL_WHAT_ROOM];
    tool_end end;     /* of one that has failed */
    uint64_t changes; /* grows with everything that happens to it */
} tool_job_view;

typedef enum tool_job_refusal {
    TOOL_JOB_TAKEN,
    TOOL_JOB_NO_WORKERS, /* none were asked for, or they are gone */
    TOOL_JOB_TOO_MANY,
    TOOL_JOB_TOO_MANY_OWN, /* of this address */
} tool_job_refusal;

typedef struct tool_jobs tool_jobs;

/* Forks the processes by the settings of lu_serve_table; NULL with LU_OK in the error when none are
 * wanted. They read models below one folder. To be called before there are threads. */
tool_jobs *tool_jobs_open(const lu_settings *limits, const char *runs, const char *models,
                          lu_error *error);
/* `wake` is called with `waker` when a job has ended. */
lu_status tool_jobs_start(tool_jobs *jobs, void (*wake)(void *waker), void *waker, lu_error *error);
void tool_jobs_close(tool_jobs *jobs);

const char *tool_job_state_name(tool_job_state state);
/* Takes a job; the id is written into it. */
tool_job_refusal tool_jobs_add(tool_jobs *jobs, const lu_tool *tool, const char *address,
                               const char *body, size_t length, char id[TOOL_JOB_ID + 1]);
/* False: there is none of this id. `answer` (may be NULL) takes the documents of one that is done,
 * a line each. */
bool tool_jobs_look(tool_jobs *jobs, const char *id, tool_job_view *view, lu_text *answer);
/* Ends a job that has not ended; forgets one that has. False: there is none. */
bool tool_jobs_end(tool_jobs *jobs, const char *id);
/* Jobs that wait or run. */
int tool_jobs_count(tool_jobs *jobs);
