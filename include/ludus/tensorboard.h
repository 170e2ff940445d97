/* Event files that TensorBoard opens, written without it: records of a length, the event and masked
 * CRC-32C sums, only ever appended to. What is added waits in memory until a flush, one write, so
 * that a reader sees whole windows; a torn end is skipped by every reader. Axis of all curves:
 * env_steps. TensorBoard reads the files of a folder one after the other and does not go back, so
 * that every process needs a folder of its own: tensorboard/train and tensorboard/eval of a run.
 * Ownership: a writer owns its file until it is closed. Threads: one at a time per writer. */
#pragma once

#include "ludus/json.h"
#include "ludus/settings.h"

LU_C_BEGIN

typedef struct lu_tensorboard lu_tensorboard;

/* Begins a new file in a folder, which is made when it is missing:
 * events.out.tfevents.SECONDS.HOST.PID.ludus, with SECONDS above those of every file there, because
 * readers go by the order of names. What earlier files of the folder say of steps above `kept` no
 * longer counts: when a run goes on, the steps before its open window; -1 for a new run. NULL on an
 * error. */
lu_tensorboard *lu_tensorboard_open(const char *folder, int64_t kept, lu_error *error);
/* Flushes and closes; NULL is fine. */
lu_status lu_tensorboard_close(lu_tensorboard *writer, lu_error *error);
/* Writes what was added. After a failure (LU_IO) the file ends with its last whole flush, and what
 * was added waits for the next one. */
lu_status lu_tensorboard_flush(lu_tensorboard *writer, lu_error *error);

/* Adds one point of a curve, one text (shown as Markdown), or the values of all settings as the
 * text "settings"; `wall` is seconds since 1970. Values are kept as 32-bit floats. */
void lu_tensorboard_scalar(lu_tensorboard *writer, const char *tag, int64_t step, double wall,
                           double value);
void lu_tensorboard_text(lu_tensorboard *writer, const char *tag, int64_t step, double wall,
                         const char *text);
void lu_tensorboard_settings(lu_tensorboard *writer, const lu_settings *settings, int64_t step,
                             double wall);

/* Adds a row of metrics/windows.jsonl and flushes: episode_reward, episode_length, every figure of
 * the algorithm under its name, terms/NAME, infos/NAME and seconds/NAME. */
lu_status lu_tensorboard_window(lu_tensorboard *writer, const lu_json_value *row, lu_error *error);
/* The same for a row of metrics/evals.jsonl: eval/METRIC, eval/low, eval/high, eval/return. */
lu_status lu_tensorboard_eval(lu_tensorboard *writer, const lu_json_value *row, lu_error *error);

LU_C_END
