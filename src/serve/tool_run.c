/* What a worker process does: takes a job from its socket, reads the body of the request, runs the
 * tool and sends back what it says. Everything that comes from outside is read here and not in the
 * server: a body that is wrong costs this process alone. */
#include "http.h"
#include "tool_worker.h"

#include "ludus/clock.h"
#include "ludus/confine.h"
#include "ludus/settings.h"
#include "ludus/tool_loan.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif
#define KEPT_BYTES ((size_t)64 << 20) /* a worker that keeps more than this leaves */
enum { INPUTS_MOST = 1024 };
static const double ASK_SECONDS = 0.02, TELL_SECONDS = 0.05;

/* A setting beside those of the tool, as --agent is on the command line. */
static const lu_setting wish_rows[] = {
    {"agent", LU_ENUM, "", 0, 0, "none",
     "none: no trained agent; default: the published one, if the tool uses one.", false},
};
const lu_table tool_wish_table = {"tool", wish_rows, 1};

typedef struct run {
    int socket;
    const tool_limits *limits;
    double deadline, asked, told; /* when it ends; when server was asked and told last */
    bool cancelled, late, large;
    size_t bytes; /* of the documents so far */
} run;

/* ---- frames ---- */

/* All bytes or none: without the server there is nothing to do. */
static void put_all(int socket, const void *bytes, size_t length, int flags) {
    for (const char *at = bytes; length > 0;) {
        ssize_t sent = send(socket, at, length, MSG_NOSIGNAL | flags);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            _exit(0);
        }
        at += sent;
        length -= (size_t)sent;
    }
}

static void put_frame(int socket, tool_frame_kind kind, const void *bytes, size_t length) {
    tool_frame head = {kind, (uint32_t)length};
    put_all(socket, &head, sizeof head, MSG_MORE);
    put_all(socket, bytes, length, 0);
}

static void get_all(int socket, void *bytes, size_t length) {
    for (char *at = bytes; length > 0;) {
        ssize_t got = recv(socket, at, length, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            _exit(0);
        }
        at += got;
        length -= (size_t)got;
    }
}

/* ---- what the tool is told and tells ---- */

static bool is_cancelled(void *user) {
    run *r = user;
    double now = lu_clock_seconds();
    r->late = r->late || now >= r->deadline;
    if (!r->cancelled && now - r->asked >= ASK_SECONDS) {
        char byte;
        r->asked = now;
        ssize_t got = recv(r->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (got == 0) {
            _exit(0);
        }
        r->cancelled = got == 1; /* nothing else comes during a run */
    }
    return r->cancelled || r->late || r->large;
}

static void on_progress(void *user, double share, const char *what) {
    run *r = user;
    double now = lu_clock_seconds();
    char bytes[sizeof share + TOOL_WHAT_ROOM];
    if (now - r->told < TELL_SECONDS) {
        return;
    }
    r->told = now;
    memcpy(bytes, &share, sizeof share);
    snprintf(bytes + sizeof share, TOOL_WHAT_ROOM, "%s", what ? what : "");
    put_frame(r->socket, FRAME_PROGRESS, bytes, sizeof share + strlen(bytes + sizeof share));
}

static void on_emit(void *user, const char *json, size_t length) {
    run *r = user;
    r->bytes += length + 1;
    r->large = r->large || r->bytes > r->limits->bytes;
    if (!r->large) {
        put_frame(r->socket, FRAME_DOCUMENT, json, length);
    }
}

/* ---- the body ---- */

__attribute__((format(printf, 5, 6))) static bool
refuse(tool_end *end, int status, const char *name, const char *pointer, const char *format, ...) {
    va_list list;
    va_start(list, format);
    end->status = status;
    snprintf(end->name, sizeof end->name, "%s", name);
    snprintf(end->pointer, sizeof end->pointer, "%s", pointer);
    vsnprintf(end->detail, sizeof end->detail, format, list);
    va_end(list);
    return false;
}

/* The settings of a body: its member of that name; a body with neither settings nor inputs is the
 * settings itself. */
static bool find_settings(const lu_json_value *root, const lu_json_value **settings,
                          tool_end *end) {
    bool parts = lu_json_get(root, "settings") || lu_json_get(root, "inputs");
    if (lu_json_kind_of(root) != LU_JSON_OBJECT) {
        return refuse(end, 422, "bad-value", "", "the body must be a JSON object");
    }
    for (size_t i = 0; parts && i < lu_json_count(root); i++) {
        const char *key;
        lu_json_member(root, i, &key);
        if (strcmp(key, "settings") != 0 && strcmp(key, "inputs") != 0) {
            return refuse(end, 422, "bad-value", "",
                          "the body has '%.60s' next to settings and inputs: put settings into "
                          "{\"settings\":{...},\"inputs\":[...]}, or alone in the body",
                          key);
        }
    }
    *settings = parts ? lu_json_get(root, "settings") : root;
    return true;
}

static bool read_settings(const lu_json_value *root, lu_settings *settings, tool_end *end) {
    const lu_json_value *object = NULL;
    lu_error error = {0};
    if (!find_settings(root, &object, end)) {
        return false;
    }
    const char *pointer = object == root ? "" : "/settings";
    if (object && lu_json_kind_of(object) != LU_JSON_OBJECT) {
        return refuse(end, 422, "bad-value", pointer, "'settings' must be an object");
    }
    if (lu_settings_object(settings, "settings", object, LU_FROM_FLAG, &error) != LU_OK) {
        return refuse(end, 422, "bad-value", pointer, "%s", error.text);
    }
    return true;
}

/* Texts of [{"name","text"}, ...]; they live in the document. */
static bool read_inputs(const lu_tool *tool, const lu_json_value *root, lu_tool_input *inputs,
                        int *count, tool_end *end) {
    const lu_json_value *array = lu_json_get(root, "inputs");
    size_t entries = lu_json_count(array);
    if (array && lu_json_kind_of(array) != LU_JSON_ARRAY) {
        return refuse(end, 422, "bad-value", "/inputs", "'inputs' must be a list");
    }
    if (entries > INPUTS_MOST || (tool->argument && entries > 0)) {
        return refuse(end, 422, "bad-value", "/inputs", "%s %s takes at most %d inputs", tool->game,
                      tool->name, tool->argument ? 0 : INPUTS_MOST);
    }
    for (size_t i = 0; i < entries; i++) {
        const lu_json_value *entry = lu_json_at(array, i), *name = lu_json_get(entry, "name"),
                            *text = lu_json_get(entry, "text");
        size_t letters;
        if (lu_json_kind_of(entry) != LU_JSON_OBJECT || lu_json_count(entry) != 2 || !name ||
            !text || lu_json_kind_of(name) != LU_JSON_STRING ||
            lu_json_kind_of(text) != LU_JSON_STRING) {
            return refuse(end, 422, "bad-value", "/inputs",
                          "an input is {\"name\",\"text\"}, both of them texts");
        }
        inputs[i].name = lu_json_text(name, &letters);
        inputs[i].text = lu_json_text(text, &inputs[i].length);
        if (strlen(inputs[i].name) < letters) {
            return refuse(end, 422, "bad-value", "/inputs", "the name of an input has a NUL");
        }
    }
    *count = (int)entries;
    return true;
}

/* ---- the run ---- */

static void judge(const run *r, lu_status status, const lu_error *error, tool_end *end) {
    switch (status) {
    case LU_OK:
    case LU_CHECK_FAILED: /* the documents say which */
        end->status = 200;
        break;
    case LU_INTERRUPTED:
        end->status = 0;
        break;
    case LU_FAILED:
    case LU_IO:
    case LU_BUSY:
    case LU_DIVERGED:
        refuse(end, 500, "failed", "", "%s", error->text);
        break;
    default:
        refuse(end, 422, "refused", "", "%s", error->text);
    }
    if (r->large) {
        refuse(end, 422, "too-large", "", "the answer has more than %zu bytes (serve.job_bytes)",
               r->limits->bytes);
    } else if (r->late && status == LU_INTERRUPTED) {
        refuse(end, 422, "too-long", "", "the job took longer than %g seconds (serve.job_seconds)",
               r->limits->seconds);
    }
}

static void run_tool(run *r, const lu_tool *tool, const lu_json_value *root, const char *runs,
                     lu_tool_input *inputs, tool_end *end) {
    lu_error error = {0};
    lu_tool_loan loan = {0};
    lu_settings *settings = lu_settings_new();
    lu_tool_io io = {.settings = settings,
                     .inputs = inputs,
                     .user = r,
                     .emit = on_emit,
                     .progress = on_progress,
                     .cancelled = is_cancelled};
    lu_settings_add(settings, tool_wish_table);
    lu_settings_add(settings, tool->settings);
    if (read_settings(root, settings, end) &&
        read_inputs(tool, root, inputs, &io.input_count, end)) {
        lu_status status =
            lu_tool_lend(&loan, tool, settings, lu_settings_text_of(settings, "agent"), runs,
                         r->limits->threads, &error);
        if (status == LU_OK) {
            lu_tool_equip(&loan, &io);
            status = tool->run(&io, &error);
        }
        judge(r, status, &error, end);
    }
    lu_tool_return(&loan);
    lu_settings_delete(settings);
}

static void run_body(run *r, const lu_tool *tool, const char *body, size_t length, const char *runs,
                     tool_end *end) {
    lu_error error = {0};
    if (length == 0) {
        body = "{}";
        length = 2;
    }
    if (!json_is_flat(body, length)) {
        refuse(end, 400, "bad-json", "", "the body is nested deeper than %d", HTTP_JSON_DEPTH);
        return;
    }
    lu_json_document *document = lu_json_read("body", body, length, &error);
    if (!document) {
        refuse(end, 400, "bad-json", "", "%s", error.text);
        return;
    }
    lu_tool_input *inputs = lu_alloc_zero(INPUTS_MOST, sizeof *inputs);
    run_tool(r, tool, lu_json_root(document), runs, inputs, end);
    free(inputs);
    lu_json_close(document);
}

/* ---- limits ---- */

/* Bytes of the process that are its own and may be written, by the kernel's file about it. */
static size_t own_bytes(int statm) {
    char text[128] = "";
    unsigned long data = 0;
    if (pread(statm, text, sizeof text - 1, 0) <= 0 ||
        sscanf(text, "%*u %*u %*u %*u %*u %lu", &data) != 1) {
        data = 0;
    }
    return (size_t)data * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(__rlimit_resource_t what, rlim_t most) {
    setrlimit(what, &(struct rlimit){.rlim_cur = most, .rlim_max = most});
}

/* What a process may ever have. Memory is counted by what is written to, so that threads and tables
 * that are only read count little; a build with a sanitizer reserves more than any limit. */
static void limit_process(const tool_limits *limits, size_t base) {
    if (!SANITIZED) {
        limit(RLIMIT_DATA, base + limits->memory);
    }
    signal(SIGXFSZ, SIG_IGN); /* a message to a file is lost, and nothing else */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 64);
    const char *const read[] = {limits->models, NULL};
    if (limits->models && lu_confine(&(lu_confinement){.read = read}, NULL) != LU_OK) {
        _exit(0); /* the server cannot do so either, and says it */
    }
}

/* Processor time that is left to a job, of all its threads, in case nobody ends it. */
static void limit_job(const tool_limits *limits) {
    struct rusage used;
    double spent = 0.0;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        spent = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    }
    setrlimit(RLIMIT_CPU,
              &(struct rlimit){.rlim_cur = (rlim_t)(spent + limits->seconds * limits->threads + 10),
                               .rlim_max = RLIM_INFINITY});
}

_Noreturn void tool_worker_main(int socket, const tool_limits *limits, const char *runs) {
    int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    size_t base = own_bytes(statm);
    limit_process(limits, base);
    for (;;) {
        tool_frame head;
        tool_end end;
        get_all(socket, &head, sizeof head);
        char *call = lu_alloc((size_t)head.length + 1);
        get_all(socket, call, head.length);
        call[head.length] = 0;
        if (head.kind == FRAME_RUN) {
            const char *tool = call + strlen(call) + 1, *body = tool + strlen(tool) + 1;
            run r = {.socket = socket,
                     .limits = limits,
                     .deadline = lu_clock_seconds() + limits->seconds};
            memset(&end, 0, sizeof end);
            limit_job(limits);
            run_body(&r, lu_tool_find(call, tool), body, head.length - (size_t)(body - call), runs,
                     &end);
            free(call);
            call = NULL;
            malloc_trim(0);
            end.retires = own_bytes(statm) > base + KEPT_BYTES;
            put_frame(socket, FRAME_END, &end, sizeof end);
            if (end.retires) {
                _exit(0);
            }
        }
        free(call);
    }
}
