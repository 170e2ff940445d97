/* What the files of a game's WASM module share: the open environment, the buffer through which
 * texts and bytes come in, and the JSON through which answers go out. The page is not trusted:
 * every length, seat and index it gives is checked, and nothing is read but what it was lent.
 * Ownership: the module owns everything. Threads: none; one call at a time. */
#pragma once

#include "ludus/episode.h"
#include "ludus/tool.h"

#include <stdint.h>

/* Declares and defines a function that the page calls by this name. */
#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct wasm_module {
    lu_episode episode; /* its env is NULL: nothing is open */
    lu_json answer;
    char *lent;         /* what the page writes texts into */
    size_t lent_length; /* bytes of it */
} wasm_module;

extern wasm_module module;

/* The answer is {"status":NAME,"error":SENTENCE}; returns the status. */
int32_t wasm_refuse(const lu_error *error);
int32_t wasm_refuse_because(lu_status status, const char *sentence);
/* True when the page has lent at least `length` bytes. */
bool wasm_lent(int32_t length);
/* The lent text as JSON, which the caller closes; NULL with the answer filled and *status set. */
lu_json_document *wasm_read(const char *what, int32_t length, int32_t *status);
/* Sets the members of a JSON object; a file is {"name","text"}. */
lu_status wasm_settings(lu_settings *settings, const lu_json_value *object, lu_error *error);
/* Refusals that many calls share. */
int32_t wasm_nothing_open(void);
int32_t wasm_no_seat(int32_t seat);
/* True for the seats of the open game; `least` is -1 where everything may be asked for. */
bool wasm_seat(int32_t seat, int32_t least);
/* Leave a call with the refusal where nothing is open, or where there is no such seat. */
#define NEED_OPEN()                                                                                \
    do {                                                                                           \
        if (!module.episode.env) {                                                                 \
            return wasm_nothing_open();                                                            \
        }                                                                                          \
    } while (0)
#define NEED_SEAT(seat, least)                                                                     \
    do {                                                                                           \
        if (!wasm_seat(seat, least)) {                                                             \
            return wasm_no_seat(seat);                                                             \
        }                                                                                          \
    } while (0)
/* Bots of the open game: freed when it closes, begun anew with every episode. */
void wasm_episode_close(void);
void wasm_episode_begin(void);
/* Forgets the model of the agent: its game is gone, or another episode has begun. */
void wasm_agent_close(void);
void wasm_agent_begin(void);
/* The open model as the agent that a tool asks; NULL when none is open, or none that it wants. */
const lu_tool_agent *wasm_agent_for(const lu_tool *tool);
/* What the model remembers of the episode, all seats; *bytes 0 when there is nothing. */
void *wasm_agent_memory(size_t *bytes);
