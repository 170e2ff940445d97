/* A tool of craft, asked by this program: see ask_tool.h. */
#include "ask_tool.h"

#include "output.h"

static void emit(void *user, const char *json, size_t length) {
    lu_text_add_n(user, json, length);
}

static bool cancelled(void *user) {
    (void)user;
    return interrupted();
}

lu_status ask_tool(const char *tool, const tool_pair *pairs, const lu_tool_input *inputs, int count,
                   lu_text *answer, lu_error *error) {
    const lu_tool *asked = lu_tool_find("craft", tool);
    LU_ASSERT(asked);
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, asked->settings);
    lu_status status = LU_OK;
    for (; pairs->key && status == LU_OK; pairs++) {
        if (pairs->value) {
            status = lu_settings_set(settings, pairs->key, pairs->value, LU_FROM_FLAG, "the answer",
                                     error);
        }
    }
    lu_tool_io io = {.settings = settings,
                     .inputs = inputs,
                     .input_count = count,
                     .user = answer,
                     .emit = emit,
                     .cancelled = cancelled};
    LU_THEN(status, asked->run(&io, error));
    lu_settings_delete(settings);
    return status;
}
