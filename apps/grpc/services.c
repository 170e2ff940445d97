/* What the services share: see services.h. */
#include "services.h"

#include <string.h>

const rpc_method *const all_methods[] = {env_methods, joker_methods, health_methods, NULL};

lu_status read_object(lu_settings *to, const char *name, const char *text, lu_error *error) {
    size_t length = strlen(text);
    return length ? lu_settings_text(to, "json", name, text, length, LU_FROM_FILE, error) : LU_OK;
}

void session_step(const services *all, session *s, const int32_t *actions) {
    if (!all->empty_step) {
        s->now.actions = actions;
        lu_vec_step(s->vec, &s->now);
        s->now.actions = NULL;
    }
}
