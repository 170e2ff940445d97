/* The agent and the threads of a tool: see tool_loan.h. */
#include "ludus/tool_loan.h"

#include "ludus/agent.h"
#include "ludus/file.h"
#include "ludus/player.h"
#include "ludus/run.h"
#include "ludus/text.h"

#include <stdlib.h>
#include <string.h>

/* Opens the model behind a name; it must play the variant. */
static lu_status open_model(lu_tool_loan *loan, const char *runs, const char *name,
                            const lu_game *variant, lu_error *error) {
    lu_player player;
    lu_status status = lu_player_model(&player, name, variant, lu_run_find_player, runs, error);
    if (status == LU_OK) {
        free(player.path);
        loan->file = player.file;
    }
    return status;
}

/* The published model of the variant; LU_OK and no file when there is none. */
static lu_status open_published(lu_tool_loan *loan, const char *runs, const lu_game *variant,
                                lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = lu_published_model(variant->id, &path)
                           ? open_model(loan, runs, path.text, variant, error)
                           : LU_OK;
    lu_text_free(&path);
    return status;
}

static lu_status lend_agent(lu_tool_loan *loan, const lu_tool *tool, const char *agent,
                            const char *runs, lu_error *error) {
    if (strcmp(agent, "none") == 0 || (!tool->agent && !*agent)) {
        return LU_OK;
    }
    if (!tool->agent) {
        return lu_fail(error, LU_USAGE, "%s %s does not use a trained agent: leave out --agent",
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
        loan->agent = lu_agent_for_tool(loan->file, loan->name);
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
