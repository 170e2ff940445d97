/* The agent of a tool: see tool_agent.h. */
#include "tool_agent.h"

#include "session.h"

#include "ludus/agent.h"
#include "ludus/file.h"

#include <string.h>

/* The model that comes with the project; LU_OK and no file when there is none. */
static lu_status open_published(tool_agent *own, const verb_call *call, const lu_game *variant,
                                lu_error *error) {
    lu_status status = LU_OK;
    lu_text path;
    lu_text_init(&path);
    lu_text_addf(&path, "%s/models/%s.safetensors", lu_home() ? lu_home() : ".", variant->id);
    if (lu_file_exists(path.text)) {
        own->file = model_open(call, path.text, variant, error);
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
        status = own->file ? LU_OK : error->status;
    } else {
        status = open_published(own, call, variant, error);
    }
    if (own->file) {
        own->door = lu_agent_for_tool(own->file, *name ? name : variant->id);
    }
    return status;
}

void tool_agent_close(tool_agent *own) {
    lu_model_file_delete(own->file);
    *own = (tool_agent){0};
}
