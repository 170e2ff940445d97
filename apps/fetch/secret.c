/* Tokens and keys: see secret.h. */
#include "secret.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 8192 };

/* Cuts the blanks around it; false: it is empty or has other than printable ASCII in it. */
static bool trim(char *text) {
    size_t from = strspn(text, " \t\r\n"), length = strlen(text);
    while (length > from && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    memmove(text, text + from, length - from);
    text[length - from] = '\0';
    for (const char *c = text; *c; c++) {
        if (*c <= 0x20 || *c >= 0x7f) {
            return false;
        }
    }
    return *text != '\0';
}

lu_status secret_read(const char *path, const char *variable, char **secret, lu_error *error) {
    const char *value = variable ? getenv(variable) : NULL;
    size_t length = 0;
    *secret = NULL;
    if (*path) {
        LU_TRY(lu_file_read(path, LONGEST, secret, &length, error));
    } else if (value && *value) {
        *secret = lu_strdup(value);
        length = strlen(value);
    } else {
        return LU_OK;
    }
    if (strlen(*secret) != length || !trim(*secret)) {
        free(*secret);
        *secret = NULL;
        return lu_fail(error, LU_BAD_DATA,
                       "%s holds no token: it must be one word of ASCII letters",
                       *path ? path : variable);
    }
    return LU_OK;
}
