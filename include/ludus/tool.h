/* Tools: solvers, optimisers, advisors and vector readers of a game, behind one door: settings and
 * JSON in, JSON out, progress, cancel. A file games/NAME/tools/TOOL.c that defines
 * `const lu_tool lu_tool_NAME_TOOL = {` is found by the build (other files there are parts of
 * tools); the command line, WASM and HTTP offer it from one registry. A tool gets texts and
 * opens no file, so that all of them run in a page. A tool may ask a trained agent for an estimate:
 * it names the variant, and who runs it lends an agent when one is there.
 * Ownership: inputs, settings and the agent belong to the caller and are only read.
 * Threads: a run touches nothing but its lu_tool_io. */
#pragma once

#include "ludus/game_ask.h"
#include "ludus/threads.h"

LU_C_BEGIN

typedef struct lu_tool_input {
    const char *name; /* file name, for messages */
    const char *text;
    size_t length;
} lu_tool_input;

struct lu_env;

/* A trained agent that a tool may ask. */
typedef struct lu_tool_agent {
    const char *name; /* of its model, as the caller named it */
    int64_t step;     /* environment steps it was trained for */
    void *user;
    /* What it thinks of a seat of this state, taken as the first decision it sees of an episode.
     * `rules` are those of the variant that the tool names, `state` has rules->state_bytes.
     * probabilities: of all options, heads one behind the other as in the mask, 0 where illegal.
     * value: the sum of rewards it expects from here on, discounted as in its training and in units
     * of the reward it was trained for; an estimate, no promise. Errors as in lu_agent_act. */
    lu_status (*think)(void *user, const lu_rules *rules, const void *state, int seat,
                       float *probabilities, double *value, lu_error *error);
    /* A talk about up to `most` environments of one rules block at once; it belongs to the caller
     * until `end`. Several threads may each have their own. */
    void *(*begin)(void *user, const lu_rules *rules, int most);
    /* Its best options for seat 0 of environments, each as the first decision of an episode;
     * actions: heads of each. */
    lu_status (*choose)(void *talk, struct lu_env *const *envs, int count, int32_t *actions,
                        lu_error *error);
    void (*end)(void *talk);
} lu_tool_agent;

typedef struct lu_tool_io {
    const lu_settings *settings; /* holds the tool's table */
    const lu_tool_input *inputs;
    int input_count;
    void *user;
    /* One JSON document (one line, without newline). An object may have a list `words`: the lines
     * that people read instead of the rest. */
    void (*emit)(void *user, const char *json, size_t length);
    /* Share done in [0, 1] and what is being done; may be NULL. */
    void (*progress)(void *user, double share, const char *what);
    /* True when the caller wants an early end; may be NULL. A tool asks at least ten times a second
     * and then returns LU_INTERRUPTED. */
    bool (*cancelled)(void *user);
    const lu_tool_agent *agent; /* NULL: none is there, or the tool names no variant */
    /* Threads for a tool that has a whole number `threads` among its settings: as many, 0 as many
     * as there are processors, and fewer where the host allows fewer. NULL (as in WASM): none, and
     * lu_pool_run works here. What is emitted must not depend on how many there are. */
    lu_pool *pool;
} lu_tool_io;

typedef struct lu_tool {
    const char *game; /* folder name */
    const char *name;
    const char *sentence;
    lu_table settings;
    lu_status (*run)(const lu_tool_io *io, lu_error *error);
    const char *argument; /* setting that the one argument of a command line gives; NULL: arguments
                           * name files */
    const char *agent;    /* id of the variant whose trained agent helps; NULL: it asks none */
    const char *address;  /* short path of a server, such as "/optimize"; NULL: none */
    /* Setting of type LU_FILE that the tool also writes: the text is its member of that name in the
     * answer, which whoever has the file puts in its place (the command line does); NULL: none. */
    const char *keeps;
    bool no_files; /* it reads no inputs: arguments of a command line are refused */
} lu_tool;

/* The registry, made by the build from games/NAME/tools. */
int lu_tool_count(void);
const lu_tool *lu_tool_at(int index);                            /* NULL: behind the last */
const lu_tool *lu_tool_find(const char *game, const char *name); /* NULL: none */

LU_C_END
