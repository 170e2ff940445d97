/* Tools of games over HTTP: the list of them, jobs that run them, their progress and their end. A
 * client that waits for its job and goes away ends it. */
#include "app.h"
#include "tool_jobs.h"

#include "ludus/tool.h"

#include <stdlib.h>
#include <string.h>

static const double LOOK_SECONDS = 0.1, ALIVE_SECONDS = 15.0;

/* ---- the list ---- */

static void write_text_or_null(lu_json *json, const char *key, const char *text) {
    if (text) {
        lu_json_key_string(json, key, text);
    } else {
        lu_json_key(json, key);
        lu_json_null(json);
    }
}

static void write_tool(const lu_tool *tool, lu_json *json) {
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, tool->settings);
    lu_settings_add(settings, tool_wish_table);
    char *schema = lu_settings_schema(settings, tool->name);
    lu_json_object(json);
    lu_json_key_string(json, "game", tool->game);
    lu_json_key_string(json, "name", tool->name);
    lu_json_key_string(json, "sentence", tool->sentence);
    write_text_or_null(json, "argument", tool->argument);
    lu_json_key_bool(json, "inputs", !tool->argument);
    write_text_or_null(json, "agent", tool->agent);
    write_text_or_null(json, "address", tool->address);
    write_text_or_null(json, "keeps", tool->keeps);
    lu_json_key_raw(json, "settings", schema);
    lu_json_object_end(json);
    free(schema);
    lu_settings_delete(settings);
}

void on_tools_list(worker *w, const http_request *r, http_answer *answer) {
    const lu_game *game = lu_game_find(r->given[0], NULL);
    (void)w;
    if (!game) {
        answer_failed(answer, r, LU_NOT_FOUND);
        return;
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_array(&json, "tools");
    for (int i = 0; i < lu_tool_count(); i++) {
        if (strcmp(lu_tool_at(i)->game, game->name) == 0) {
            write_tool(lu_tool_at(i), &json);
        }
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    answer_json(answer, 200, &json);
}

/* ---- a job as JSON ---- */

static void answer_end(http_answer *answer, const http_request *r, const tool_end *end) {
    answer_problem(answer, r, end->status, end->name, *end->pointer ? end->pointer : NULL, "%s",
                   end->detail);
}

/* Members that every form of a job has, of an open object. */
static void write_view(const tool_job_view *view, lu_json *json) {
    lu_json_key_string(json, "id", view->id);
    lu_json_key_string(json, "state", tool_job_state_name(view->state));
    lu_json_key_real(json, "share", view->share);
    lu_json_key_string(json, "what", view->what);
}

/* Documents, a line each, as a list. */
static void write_documents(const lu_text *answer, lu_json *json) {
    lu_json_key_array(json, "answer");
    const char *at = answer->text;
    for (const char *stop; at && (stop = strchr(at, '\n')) != NULL; at = stop + 1) {
        lu_json_raw(json, at, (size_t)(stop - at));
    }
    lu_json_array_end(json);
}

static void write_problem(const tool_end *end, const http_request *r, lu_json *json) {
    http_answer problem;
    answer_init(&problem);
    answer_end(&problem, r, end);
    lu_json_key(json, "problem");
    lu_json_raw(json, problem.body.text, problem.body.length);
    answer_free(&problem);
}

static void answer_job(http_answer *answer, const http_request *r, int status,
                       const tool_job_view *view, const lu_text *documents) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    write_view(view, &json);
    if (documents && view->state == TOOL_JOB_DONE) {
        write_documents(documents, &json);
    } else if (documents && view->state == TOOL_JOB_FAILED) {
        write_problem(&view->end, r, &json);
    }
    lu_json_object_end(&json);
    answer_json(answer, status, &json);
}

/* ---- a client that waits ---- */

typedef struct waiting {
    later base;
    tool_jobs *jobs;
    char id[TOOL_JOB_ID + 1];
    double until;
} waiting;

/* The bytes that the command line prints: a line for each document. */
static void answer_lines(http_answer *answer, lu_text *lines) {
    const char *first = lines->text ? strchr(lines->text, '\n') : NULL;
    answer->status = 200;
    answer->type = first && !first[1] ? "application/json" : "application/x-ndjson";
    lu_text_free(&answer->body);
    answer->body = *lines;
    lu_text_init(lines);
}

static bool waiting_ready(later *base, const http_request *r, double now, http_answer *answer,
                          double *wake) {
    waiting *w = (waiting *)base;
    tool_job_view view;
    lu_text lines = LU_TEXT_INIT;
    bool there = tool_jobs_look(w->jobs, w->id, &view, &lines);
    bool over = there && view.state >= TOOL_JOB_DONE;
    *wake = w->until;
    if (there && !over && now < w->until) {
        lu_text_free(&lines);
        return false;
    }
    if (!there || view.state == TOOL_JOB_CANCELLED) {
        answer_problem(answer, r, 409, "cancelled", NULL, "the job was cancelled elsewhere");
    } else if (!over) {
        answer_field(answer, "Location", "/api/v1/jobs/%s", w->id);
        answer_job(answer, r, 202, &view, NULL);
    } else if (view.state == TOOL_JOB_DONE) {
        answer_lines(answer, &lines);
    } else {
        answer_end(answer, r, &view.end);
    }
    if (over) {
        (void)tool_jobs_end(w->jobs, w->id); /* it is told, and forgotten */
    }
    w->jobs = NULL;
    lu_text_free(&lines);
    return true;
}

static void waiting_free(later *base) {
    waiting *w = (waiting *)base;
    if (w->jobs) { /* nobody waits any more */
        (void)tool_jobs_end(w->jobs, w->id);
    }
    free(w);
}

static void answer_refusal(http_answer *answer, const http_request *r, tool_job_refusal why) {
    switch (why) {
    case TOOL_JOB_NO_WORKERS:
        answer_problem(answer, r, 503, "no-workers", NULL,
                       "this server runs no tools: serve.job_workers is 0, or their processes were "
                       "killed and it needs a restart");
        break;
    case TOOL_JOB_TOO_MANY_OWN:
        answer_field(answer, "Retry-After", "5");
        answer_problem(answer, r, 429, "jobs", NULL,
                       "too many jobs from this address: wait for one, or cancel one");
        break;
    default:
        answer_field(answer, "Retry-After", "5");
        answer_problem(answer, r, 503, "busy", NULL, "too many jobs: try again in a moment");
    }
}

void on_tool_post(worker *w, const http_request *r, http_answer *answer) {
    const lu_tool *tool = r->route->tool;
    if (!tool) {
        const lu_game *game = lu_game_find(r->given[0], NULL);
        tool = game ? lu_tool_find(game->name, r->given[1]) : NULL;
    }
    if (!tool) {
        answer_failed(answer, r, LU_NOT_FOUND);
        return;
    }
    waiting *own = lu_alloc_zero(1, sizeof *own);
    tool_job_refusal why =
        tool_jobs_add(w->app->jobs, tool, r->address, r->body, r->length, own->id);
    if (why != TOOL_JOB_TAKEN) {
        free(own);
        answer_refusal(answer, r, why);
        return;
    }
    own->base = (later){.ready = waiting_ready, .free = waiting_free};
    own->jobs = w->app->jobs;
    own->until =
        w->app->now + param_real(r, "wait", r->route->tool ? 10.0 : 2.0); /* by its table */
    answer->later = &own->base;
}

/* ---- one job ---- */

void on_job_get(worker *w, const http_request *r, http_answer *answer) {
    tool_job_view view;
    lu_text documents = LU_TEXT_INIT;
    if (tool_jobs_look(w->app->jobs, r->given[0], &view, &documents)) {
        answer_job(answer, r, 200, &view, &documents);
    } else {
        answer_failed(answer, r, LU_NOT_FOUND);
    }
    lu_text_free(&documents);
}

void on_job_delete(worker *w, const http_request *r, http_answer *answer) {
    if (tool_jobs_end(w->app->jobs, r->given[0])) {
        answer->status = 204;
    } else {
        answer_failed(answer, r, LU_NOT_FOUND);
    }
}

/* ---- progress ---- */

typedef struct progress {
    stream base;
    tool_jobs *jobs;
    char id[TOOL_JOB_ID + 1];
    uint64_t changes; /* sent last */
    bool begun, over;
    double spoke;
} progress;

static void progress_free(stream *base) {
    free(base);
}

static stream_step progress_next(stream *base, double now, lu_text *out, double *wake) {
    progress *p = (progress *)base;
    tool_job_view view;
    if (p->over || !tool_jobs_look(p->jobs, p->id, &view, NULL)) {
        return STREAM_END;
    }
    if (p->begun && view.changes == p->changes) {
        if (now - p->spoke < ALIVE_SECONDS) {
            *wake = now + LOOK_SECONDS;
            return STREAM_WAIT;
        }
        lu_text_add(out, ": alive\n\n");
    } else if (p->begun && view.state == TOOL_JOB_RUNNING && now - p->spoke < LOOK_SECONDS) {
        *wake = p->spoke + LOOK_SECONDS;
        return STREAM_WAIT;
    } else {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        write_view(&view, &json);
        lu_json_object_end(&json);
        p->over = view.state >= TOOL_JOB_DONE;
        lu_text_addf(out, "event: %s\ndata: ", p->over ? "end" : "progress");
        lu_text_add_n(out, json.text, json.length);
        lu_text_add(out, "\n\n");
        lu_json_free(&json);
    }
    p->begun = true;
    p->changes = view.changes;
    p->spoke = now;
    return STREAM_MORE;
}

void on_job_events(worker *w, const http_request *r, http_answer *answer) {
    tool_job_view view;
    if (!tool_jobs_look(w->app->jobs, r->given[0], &view, NULL)) {
        answer_failed(answer, r, LU_NOT_FOUND);
        return;
    }
    progress *p = lu_alloc_zero(1, sizeof *p);
    p->base = (stream){progress_next, NULL, NULL, progress_free, "jobs"};
    p->jobs = w->app->jobs;
    memcpy(p->id, view.id, sizeof p->id);
    answer->type = "text/event-stream";
    answer->stream = &p->base;
}
