/* What the files of trainings share: a turn of exploiters (exploiters.c) trains by what training.c
 * does. */
#pragma once

#include "opponents.h"

#include "ludus/training.h"

/* Opens the model that a new training begins with; *model is NULL where `from` is "" or NULL. */
lu_status training_model(const lu_training_plan *plan, const char *from, lu_model_file **model,
                         lu_error *error);
/* The trainer takes it; `from` names it in errors. */
lu_status training_take(lu_trainer *trainer, const char *from, const lu_model_file *model,
                        lu_error *error);
/* Begins again with the weights of a model. */
lu_status training_restart(lu_training *training, const char *from, lu_error *error);
/* The newest checkpoint and the league of another run are looked for anew. */
lu_status training_renew(lu_training *training, lu_error *error);

/* What a turn needs of the training whose exploiters they are. */
typedef struct exploiters_call {
    const lu_training_plan *plan;
    const char *run; /* its folder */
    uint64_t seed;
    opponents *opponents;
    lu_trainer *trainer;
    void *context;
    bool (*stop)(void *context); /* whether the sitting is to end */
} exploiters_call;

/* The presets of exploiters, before the training begins. */
lu_status exploiters_check(const lu_training_plan *plan, lu_error *error);
/* One turn of all exploiters, one after the other: each trains for league.exploiter_updates in a
 * run of its own, RUN/exploiters/NAME, and its result joins the league. What a turn that was cut
 * off has done is kept there; one whose result is there already takes it. *stopped: the sitting is
 * to end, and the turn goes on in the next. */
lu_status exploiters_turn(const exploiters_call *call, bool *stopped, lu_error *error);
