/* Jobs without HTTP: the processes, their end and their successors, and the bounds of the table. */
#include "tool_jobs.h"

#include "ludus/serve.h"
#include "test.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int wakes;

static void wake(void *waker) {
    (void)waker;
    atomic_fetch_add(&wakes, 1);
}

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static tool_jobs *open_jobs(const char *const *settings) {
    lu_error error = {0};
    lu_settings *limits = lu_settings_new();
    lu_settings_add(limits, lu_serve_table);
    for (; settings && *settings; settings++) {
        CHECK_INT(lu_settings_set_pair(limits, *settings, LU_FROM_FLAG, "test", NULL), LU_OK);
    }
    tool_jobs *jobs = tool_jobs_open(limits, lu_test_folder(), lu_test_folder(), &error);
    if (jobs) {
        CHECK_INT(tool_jobs_start(jobs, wake, NULL, &error), LU_OK);
    }
    lu_settings_delete(limits);
    return jobs;
}

static tool_job_refusal add(tool_jobs *jobs, const char *address, const char *body, char *id) {
    return tool_jobs_add(jobs, lu_tool_find("potion", "solve"), address, body, strlen(body), id);
}

/* The job when it has ended; it has half a minute. */
static tool_job_view ended(tool_jobs *jobs, const char *id, lu_text *answer) {
    tool_job_view view = {.state = TOOL_JOB_QUEUED};
    for (int i = 0; i < 6000 && view.state < TOOL_JOB_DONE; i++) {
        CHECK(tool_jobs_look(jobs, id, &view, NULL));
        nap();
    }
    if (answer) {
        CHECK(tool_jobs_look(jobs, id, &view, answer));
    }
    return view;
}

/* The next news of a forker, within some seconds. */
static bool next_news(forker *f, forker_news *news) {
    for (int i = 0; i < 2000; i++) {
        if (forker_hear(f, news)) {
            return true;
        }
        nap();
    }
    return false;
}

#define QUICK "{\"settings\":{\"recipe\":\"10\",\"cauldron\":\"19\",\"stock\":\"shop:3\"}}"

TEST(forker_replaces_its_workers) {
    tool_limits limits = {
        .workers = 2, .threads = 1, .seconds = 1.0, .memory = 256 << 20, .bytes = 1 << 20};
    lu_error error = {0};
    forker *f = forker_open(&limits, "", &error);
    forker_news first, second, next = {0};
    CHECK(f && next_news(f, &first) && next_news(f, &second));
    CHECK_INT(first.generation, 1);
    CHECK_INT(first.place + second.place, 1);
    forker_kill(f, first.place, 7); /* of no generation: nothing happens */
    forker_kill(f, first.place, 1);
    CHECK(next_news(f, &next));
    CHECK_INT(next.place, first.place);
    CHECK_INT(next.generation, 2);
    CHECK(WIFSIGNALED(next.ended) && WTERMSIG(next.ended) == SIGKILL);
    char byte;
    CHECK_INT(read(first.socket, &byte, 1), 0); /* nobody else holds the other end */
    close(second.socket);                       /* it leaves when nobody speaks to it */
    CHECK(next_news(f, &next));
    CHECK_INT(next.place, second.place);
    CHECK(WIFEXITED(next.ended) && WEXITSTATUS(next.ended) == 0);
    forker_close(f);
}

TEST(job_runs_and_is_forgotten) {
    tool_jobs *jobs = open_jobs(NULL);
    char id[TOOL_JOB_ID + 1];
    lu_text answer = LU_TEXT_INIT;
    atomic_store(&wakes, 0);
    CHECK_INT(add(jobs, "a", QUICK, id), TOOL_JOB_TAKEN);
    tool_job_view view = ended(jobs, id, &answer);
    CHECK_TEXT(tool_job_state_name(view.state), "done");
    CHECK(answer.length > 2 && answer.text[0] == '{' && answer.text[answer.length - 1] == '\n');
    CHECK_INT(atomic_load(&wakes), 1);
    CHECK(tool_jobs_end(jobs, id) && !tool_jobs_look(jobs, id, &view, NULL));
    CHECK(!tool_jobs_end(jobs, id));
    lu_text_free(&answer);
    tool_jobs_close(jobs);
}

TEST(refusals_of_tools_are_kept) {
    static const struct {
        const char *body;
        int status;
        const char *says;
    } cases[] = {
        {"{\"settings\":{\"nosuch\":1}}", 422, "unknown setting 'nosuch'"},
        {"{\"settings\":{\"recipe\":\"10\"}}", 422, "needs a file of cases"},
        {"{\"inputs\":[1]}", 422, "an input is"},
        {"nonsense", 400, "expected a JSON value"},
    };
    tool_jobs *jobs = open_jobs(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char id[TOOL_JOB_ID + 1];
        CHECK_INT(add(jobs, "a", cases[i].body, id), TOOL_JOB_TAKEN);
        tool_job_view view = ended(jobs, id, NULL);
        CHECK_INT(view.state, TOOL_JOB_FAILED);
        CHECK_INT(view.end.status, cases[i].status);
        CHECK_HAS(view.end.detail, cases[i].says);
    }
    tool_jobs_close(jobs);
}

TEST(jobs_have_bounds) {
    static const char *const few[] = {"serve.jobs=3", "serve.jobs_per_address=2",
                                      "serve.job_workers=1", NULL};
    static const char *const none[] = {"serve.job_workers=0", NULL};
    tool_jobs *jobs = open_jobs(few);
    char id[4][TOOL_JOB_ID + 1];
    CHECK_INT(add(jobs, "a", QUICK, id[0]), TOOL_JOB_TAKEN);
    CHECK_INT(add(jobs, "a", QUICK, id[1]), TOOL_JOB_TAKEN);
    CHECK_INT(add(jobs, "b", QUICK, id[2]), TOOL_JOB_TAKEN);
    CHECK(strcmp(id[0], id[1]) != 0);
    tool_job_view view;
    for (int i = 0; i < 3; i++) {
        ended(jobs, id[i], NULL);
    }
    CHECK_INT(tool_jobs_count(jobs), 0);
    CHECK_INT(add(jobs, "c", QUICK, id[3]), TOOL_JOB_TAKEN); /* in place of the first that ended */
    CHECK(!tool_jobs_look(jobs, id[0], &view, NULL) && tool_jobs_look(jobs, id[1], &view, NULL));
    tool_jobs_close(jobs);
    CHECK(open_jobs(none) == NULL);
    CHECK_INT(add(NULL, "a", QUICK, id[0]), TOOL_JOB_NO_WORKERS);
    CHECK(!tool_jobs_look(NULL, id[0], &view, NULL) && !tool_jobs_end(NULL, id[0]));
}

TEST(closing_ends_what_runs) {
    tool_jobs *jobs = open_jobs(NULL);
    char id[TOOL_JOB_ID + 1];
    for (int i = 0; i < 8; i++) {
        CHECK_INT(add(jobs, "a", QUICK, id), TOOL_JOB_TAKEN);
    }
    tool_jobs_close(jobs);
}
