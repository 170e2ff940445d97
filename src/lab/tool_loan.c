/* The agent and the threads of a tool: see tool_loan.h. Every question to the agent stands alone:
 * an environment is put into the state, and it answers as at the first decision of an episode. */
#include "ludus/tool_loan.h"

#include "ludus/agent.h"
#include "ludus/file.h"
#include "ludus/run.h"
#include "ludus/text.h"

#include <stdlib.h>
#include <string.h>

static lu_status think(void *user, const lu_rules *rules, const void *state, int seat,
                       float *probabilities, double *value, lu_error *error) {
    const lu_model_file *file = user;
    int32_t actions[LU_MAX_HEADS];
    lu_thought thought;
    lu_env *env = lu_env_new(file->game, rules);
    lu_agent *agent = lu_agent_new(&(lu_agent_settings){
        .file = file, .rules = rules, .episodes = 1, .greedy = true, .thinks = true});
    memcpy(env->state, state, rules->state_bytes);
    lu_env_refresh(env);
    lu_agent_begin(agent, 0, 0);
    lu_agent_ask ask = {.env = env,
                        .seat = seat,
                        .actions = actions,
                        .thought = &thought,
                        .probabilities = probabilities};
    lu_status status = lu_agent_act(agent, &ask, 1, error);
    *value = status == LU_OK ? (double)thought.value : 0.0;
    lu_agent_delete(agent);
    lu_env_delete(env);
    return status;
}

/* Opens the model behind a name; it must play the variant. */
static lu_status open_model(lu_tool_loan *loan, const char *runs, const char *name,
                            const lu_game *variant, lu_error *error) {
    lu_text path;
    lu_text_init(&path);
    lu_status status = lu_run_find_model(runs, name, variant, &path, error);
    if (status == LU_OK) {
        loan->file = lu_model_file_load(path.text, error);
        status = loan->file ? LU_OK : error->status;
    }
    if (loan->file && loan->file->game != variant) {
        status = lu_fail(error, LU_OTHER_SPEC, "model %s plays %s, not %s", path.text,
                         loan->file->game->id, variant->id);
    }
    lu_text_free(&path);
    return status;
}

/* The model that comes with the project; LU_OK and no file when there is none. */
static lu_status open_published(lu_tool_loan *loan, const char *runs, const lu_game *variant,
                                lu_error *error) {
    lu_text path;
    lu_text_init(&path);
    lu_text_addf(&path, "%s/models/%s.safetensors", lu_home() ? lu_home() : ".", variant->id);
    lu_status status =
        lu_file_exists(path.text) ? open_model(loan, runs, path.text, variant, error) : LU_OK;
    lu_text_free(&path);
    return status;
}

static lu_status lend_agent(lu_tool_loan *loan, const lu_tool *tool, const char *agent,
                            const char *runs, lu_error *error) {
    if (strcmp(agent, "none") == 0 || (!tool->agent && !*agent)) {
        return LU_OK;
    }
    if (!tool->agent) {
        return lu_fail(error, LU_USAGE, "%s %s asks no trained agent: leave out --agent",
                       tool->game, tool->name);
    }
    const lu_game *variant = lu_game_find(tool->agent, error);
    if (!variant) {
        return error->status;
    }
    lu_status status = *agent ? open_model(loan, runs, agent, variant, error)
                              : open_published(loan, runs, variant, error);
    if (status == LU_OK && loan->file) {
        loan->name = lu_strdup(*agent ? agent : variant->id);
        loan->agent = (lu_tool_agent){
            .name = loan->name, .step = loan->file->step, .user = loan->file, .think = think};
    }
    return status;
}

static void lend_threads(lu_tool_loan *loan, const lu_tool *tool, const lu_settings *settings,
                         int most) {
    for (int i = 0; i < tool->settings.count; i++) {
        const lu_setting *row = &tool->settings.rows[i];
        if (strcmp(row->key, "threads") == 0 && row->type == LU_INT) {
            int64_t wanted = lu_settings_int(settings, "threads");
            int all = lu_cpu_count(), count = wanted > 0 && wanted < 1024 ? (int)wanted : all;
            loan->pool = lu_pool_new(most > 0 && count > most ? most : count);
        }
    }
}

lu_status lu_tool_lend(lu_tool_loan *loan, const lu_tool *tool, const lu_settings *settings,
                       const char *agent, const char *runs, int most_threads, lu_error *error) {
    *loan = (lu_tool_loan){0};
    lu_status status = lend_agent(loan, tool, agent, runs, error);
    if (status == LU_OK) {
        lend_threads(loan, tool, settings, most_threads);
    } else {
        lu_tool_return(loan);
    }
    return status;
}

void lu_tool_equip(const lu_tool_loan *loan, lu_tool_io *io) {
    io->agent = loan->file ? &loan->agent : NULL;
    io->pool = loan->pool;
}

void lu_tool_return(lu_tool_loan *loan) {
    lu_model_file_delete(loan->file);
    lu_pool_delete(loan->pool);
    free(loan->name);
    *loan = (lu_tool_loan){0};
}
