/* The agent of a tool: see tool_agent.h. Every question stands alone: an environment is put into
 * the state, and the agent answers as at the first decision of an episode. */
#include "tool_agent.h"

#include "session.h"

#include "ludus/agent.h"
#include "ludus/file.h"

#include <string.h>

static lu_status think(void *user, const lu_rules *rules, const void *state, int seat,
                       float *probabilities, double *value, lu_error *error) {
    const tool_agent *own = user;
    int32_t actions[LU_MAX_HEADS];
    lu_thought thought;
    lu_env *env = lu_env_new(own->file->game, rules);
    lu_agent *agent = lu_agent_new(&(lu_agent_settings){
        .file = own->file, .rules = rules, .episodes = 1, .greedy = true, .thinks = true});
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

/* The model that comes with the project; LU_OK and no file when there is none. */
static lu_status open_published(tool_agent *own, const verb_call *call, const lu_game *variant,
                                lu_error *error) {
    lu_status status = LU_OK;
    lu_text path;
    lu_text_init(&path);
    lu_text_addf(&path, "%s/models/%s.safetensors", lu_home() ? lu_home() : ".", variant->id);
    if (lu_file_exists(path.text)) {
        own->file = model_open(call, path.text, variant, error);
        own->door.name = variant->id;
        status = own->file ? LU_OK : error->status;
    }
    lu_text_free(&path);
    return status;
}

lu_status tool_agent_open(tool_agent *own, const verb_call *call, lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "agent");
    const lu_tool *tool = call->tool;
    *own = (tool_agent){0};
    lu_status status = call_not_empty(call, "agent", error);
    if (status != LU_OK || strcmp(name, "none") == 0) {
        return status;
    }
    if (!tool->agent) {
        return *name ? lu_fail(error, LU_USAGE, "%s %s asks no trained agent: leave out --agent",
                               tool->game, tool->name)
                     : LU_OK;
    }
    const lu_game *variant = lu_game_find(tool->agent, error);
    if (!variant) {
        return error->status;
    }
    if (*name) {
        own->file = model_open(call, name, variant, error);
        own->door.name = name;
        status = own->file ? LU_OK : error->status;
    } else {
        status = open_published(own, call, variant, error);
    }
    own->door.step = own->file ? own->file->step : 0;
    own->door.user = own;
    own->door.think = think;
    return status;
}

void tool_agent_close(tool_agent *own) {
    lu_model_file_delete(own->file);
    *own = (tool_agent){0};
}
