/* Verbs that serve: see serve_call.h. */
#include "serve_call.h"
#include "output.h"

#include "ludus/file.h"
#include "ludus/serve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_MOST = 4096, TOKEN_LEAST = 16 };

lu_status serve_token(const verb_call *call, char **token, bool *own, lu_error *error) {
    const char *path = lu_settings_text_of(call->settings, "token_file");
    *token = NULL;
    *own = !*path && !lu_serve_is_loopback(lu_settings_text_of(call->settings, "bind"));
    if (*own) {
        *token = lu_serve_token();
    }
    if (!*path) {
        return LU_OK;
    }
    size_t length;
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & S_IROTH)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s, the file with the token, is readable by everyone: `chmod 600` it and "
                       "use a new token",
                       path);
    }
    lu_status status = lu_file_read(path, TOKEN_MOST, token, &length, error);
    if (status != LU_OK) {
        return status;
    }
    (*token)[strcspn(*token, " \t\r\n")] = 0;
    if (strlen(*token) < TOKEN_LEAST) {
        return lu_fail(error, LU_BAD_VALUE,
                       "the token in %s is shorter than %d characters: use a longer one", path,
                       TOKEN_LEAST);
    }
    return LU_OK;
}

const char **serve_list(const verb_call *call, const char *key) {
    size_t count = lu_settings_count(call->settings, key);
    const char **list = lu_alloc_zero(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        list[i] = lu_settings_nth(call->settings, key, i);
    }
    return list;
}

void serve_address(const verb_call *call, const char *scheme, int port, const char *own_token,
                   const char *how, const lu_json *more) {
    const char *bind = lu_settings_text_of(call->settings, "bind");
    lu_text url = LU_TEXT_INIT;
    lu_text_addf(&url, strchr(bind, ':') ? "%s[%s]:%d" : "%s%s:%d", scheme, bind, port);
    if (call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_string(&json, "address", url.text);
        lu_json_key_int(&json, "port", port);
        if (own_token) {
            lu_json_key_string(&json, "token", own_token);
        }
        if (more) {
            lu_json_key_raw(&json, "serves", more->text);
        }
        out_json_end(&json);
    } else {
        out_format("%s\n", url.text);
        if (own_token) {
            out_format("token: %s (shown only here; %s)\n", own_token, how);
        }
    }
    out_flush();
    if (geteuid() == 0) {
        note("the server is running as root; an ordinary user is enough, and safer");
    }
    lu_text_free(&url);
}
