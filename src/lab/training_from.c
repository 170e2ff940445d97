/* Trainings that begin with a model: see training_internal.h. */
#include "training_internal.h"

static const char *players_of(const lu_training_plan *plan) {
    return plan->players ? plan->players : plan->runs;
}

lu_status training_model(const lu_training_plan *plan, const char *from, lu_model_file **model,
                         lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_error why = {0};
    *model = NULL;
    if (!from || !*from) {
        return LU_OK;
    }
    const char *runs = players_of(plan) ? players_of(plan) : "";
    lu_status status = lu_run_find_model(runs, from, plan->game, &path, &why);
    if (status == LU_OK) {
        *model = lu_model_file_load(path.text, &why);
        status = *model ? LU_OK : why.status;
    }
    if (*model && (*model)->game != plan->game) {
        status = lu_fail(&why, LU_OTHER_SPEC, "it is of %s, not of %s", (*model)->game->id,
                         plan->game->id);
        lu_model_file_delete(*model);
        *model = NULL;
    }
    lu_text_free(&path);
    return status == LU_OK
               ? LU_OK
               : lu_fail(error, status, "a training cannot begin with %.300s: %s", from, why.text);
}

lu_status training_take(lu_trainer *trainer, const char *from, const lu_model_file *model,
                        lu_error *error) {
    lu_error why = {0};
    lu_learned learned = {model->net, model->observation.length ? &model->observation : NULL,
                          model->critic.length ? &model->critic : NULL, model->win_rate};
    lu_status status = lu_trainer_take(trainer, &learned, &why);
    return status == LU_OK
               ? LU_OK
               : lu_fail(error, status, "a training cannot begin with %.300s: %s", from, why.text);
}
