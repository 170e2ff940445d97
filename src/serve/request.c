/* The reader of requests: see http.h. It works in place on one copy of the head. */
#include "http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    bool once; /* a second one makes the request ambiguous */
} fields[FIELD_COUNT] = {
    [FIELD_HOST] = {"host", true},
    [FIELD_ORIGIN] = {"origin", true},
    [FIELD_AUTHORIZATION] = {"authorization", true},
    [FIELD_CONTENT_TYPE] = {"content-type", true},
    [FIELD_CONTENT_LENGTH] = {"content-length", true},
    [FIELD_TRANSFER_ENCODING] = {"transfer-encoding", true},
    [FIELD_CONNECTION] = {"connection", false},
    [FIELD_UPGRADE] = {"upgrade", true},
    [FIELD_EXPECT] = {"expect", true},
    [FIELD_IF_NONE_MATCH] = {"if-none-match", false},
    [FIELD_IF_RANGE] = {"if-range", true},
    [FIELD_RANGE] = {"range", true},
    [FIELD_ACCEPT_ENCODING] = {"accept-encoding", false},
    [FIELD_LAST_EVENT_ID] = {"last-event-id", true},
    [FIELD_FETCH_SITE] = {"sec-fetch-site", true},
    [FIELD_SOCKET_KEY] = {"sec-websocket-key", true},
    [FIELD_SOCKET_VERSION] = {"sec-websocket-version", true},
    [FIELD_PREFLIGHT_METHOD] = {"access-control-request-method", true},
};

/* What a request is refused for. */
typedef struct refusal {
    int status;
    const char *reason;
} refusal;

static bool refuse(refusal *r, int status, const char *reason) {
    *r = (refusal){status, reason};
    return false;
}

void request_free(http_request *r) {
    free(r->head);
    free(r->path);
    free(r->body);
    *r = (http_request){0};
}

const char *request_parameter(const http_request *r, const char *key) {
    for (int i = 0; i < r->parameters; i++) {
        if (strcmp(r->parameter[i].key, key) == 0) {
            return r->parameter[i].value;
        }
    }
    return NULL;
}

bool json_is_flat(const char *text, size_t length) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (quoted) {
            if (text[i] == '\\') {
                i++; /* the letter behind it is no end */
            } else if (text[i] == '"') {
                quoted = false;
            }
            continue;
        }
        quoted = text[i] == '"';
        depth += text[i] == '{' || text[i] == '[';
        depth -= text[i] == '}' || text[i] == ']';
        if (depth > HTTP_JSON_DEPTH) {
            return false;
        }
    }
    return true;
}

/* ---- the target ---- */

static int hex_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes percent signs once, in place. False for what is no code, and for control characters. */
static bool decode(char *text, bool plus) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        int letter = (unsigned char)*from;
        if (letter == '%') {
            int high = hex_of(from[1]), low = high < 0 ? -1 : hex_of(from[2]);
            if (low < 0) {
                return false;
            }
            letter = high * 16 + low;
            from += 2;
        } else if (letter == '+' && plus) {
            letter = ' ';
        }
        if (letter < ' ' || letter == 0x7f) {
            return false;
        }
        *to++ = (char)letter;
    }
    *to = 0;
    return true;
}

/* Splits at slashes before decoding, so that an encoded slash is part of a segment and fits
 * nothing. */
static bool read_path(http_request *r, char *path, refusal *why) {
    bool known = true; /* may be the path of something */
    size_t length = strlen(path);
    for (char *at = path + 1, *end; at; at = end) {
        end = strchr(at, '/');
        if (end) {
            *end++ = 0;
        }
        if (!decode(at, false)) {
            return refuse(why, 400, "the path holds a bad percent escape or a control character");
        }
        if (r->segments == HTTP_SEGMENTS_MOST || strpbrk(at, "/\\")) {
            known = false;
        } else {
            r->segment[r->segments++] = at;
        }
    }
    /* the whole path again, for files of the site; never longer than it came */
    r->path = lu_alloc(length + 1);
    char *to = r->path;
    *to = 0;
    for (int i = 0; known && i < r->segments; i++) {
        *to++ = '/';
        to = stpcpy(to, r->segment[i]);
    }
    return true;
}

static bool read_query(http_request *r, char *query, refusal *why) {
    for (char *at = query, *end; at; at = end) {
        end = strchr(at, '&');
        if (end) {
            *end++ = 0;
        }
        if (!*at) {
            continue;
        }
        char *value = strchr(at, '=');
        if (value) {
            *value++ = 0;
        }
        if (r->parameters == HTTP_PARAMETERS_MOST) {
            return refuse(why, 400, "the query has too many parameters");
        }
        if (!decode(at, true) || (value && !decode(value, true))) {
            return refuse(why, 400, "the query holds a bad percent escape or a control character");
        }
        r->parameter[r->parameters++] = (http_pair){at, value ? value : ""};
    }
    return true;
}

static http_method method_of(const char *word) {
    static const char *const names[] = {
        [HTTP_GET] = "GET",         [HTTP_HEAD] = "HEAD", [HTTP_POST] = "POST",
        [HTTP_DELETE] = "DELETE",   [HTTP_PUT] = "PUT",   [HTTP_PATCH] = "PATCH",
        [HTTP_OPTIONS] = "OPTIONS",
    };
    for (int i = 0; i < HTTP_OTHER; i++) {
        if (strcmp(names[i], word) == 0) {
            return (http_method)i;
        }
    }
    return HTTP_OTHER;
}

static bool read_first_line(http_request *r, char *line, refusal *why) {
    char *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version || strchr(version + 1, ' ') ||
        strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != (size_t)(target - line) || target == line) {
        return refuse(why, 400, "the first line isn't a request");
    }
    *target++ = 0;
    *version++ = 0;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0) {
        bool other = strncmp(version, "HTTP/", 5) == 0;
        return refuse(why, other ? 505 : 400, "only HTTP/1.1 is supported");
    }
    r->keep = version[7] == '1';
    r->method = method_of(line);
    if (strlen(target) > HTTP_TARGET_MOST) {
        return refuse(why, 414, "the target is too long");
    }
    if (*target != '/' || strchr(target, '#')) {
        return refuse(why, 400, "the target must be a path");
    }
    char *query = strchr(target, '?');
    if (query) {
        *query++ = 0;
    }
    return read_path(r, target, why) && (!query || read_query(r, query, why));
}

/* ---- headers ---- */

/* Letters of a header's name. */
static bool is_token(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && !strchr("!#$%&'*+-.^_`|~", c)) {
            return false;
        }
    }
    return length > 0;
}

static bool read_field(http_request *r, char *line, refusal *why) {
    char *colon = strchr(line, ':');
    if (!colon || !is_token(line, (size_t)(colon - line))) {
        return refuse(why, 400, "a header line is malformed");
    }
    *colon = 0;
    char *value = colon + 1 + strspn(colon + 1, " \t");
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t')) {
        value[--length] = 0;
    }
    for (int f = 0; f < FIELD_COUNT; f++) {
        if (strcasecmp(fields[f].name, line) != 0) {
            continue;
        }
        if (r->field[f] && fields[f].once) {
            return refuse(why, 400, "a header that must be unique appears twice");
        }
        if (!r->field[f]) {
            r->field[f] = value;
        }
        break;
    }
    return true;
}

/* True when a comma separated list holds the word. */
static bool lists(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && *at;) {
        at += strspn(at, " \t,");
        size_t own = strcspn(at, ",");
        const char *next = at + own;
        while (own > 0 && (at[own - 1] == ' ' || at[own - 1] == '\t')) {
            own--;
        }
        if (own == length && strncasecmp(at, word, length) == 0) {
            return true;
        }
        at = next;
    }
    return false;
}

static bool read_length(http_request *r, refusal *why) {
    const char *text = r->field[FIELD_CONTENT_LENGTH];
    if (r->field[FIELD_TRANSFER_ENCODING]) {
        return text ? refuse(why, 400, "Content-Length and Transfer-Encoding exclude each other")
                    : refuse(why, 411, "bodies need a Content-Length here");
    }
    if (!text) {
        return true;
    }
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || text[digits]) {
        return refuse(why, 400, "Content-Length isn't a number");
    }
    r->length = digits <= 15 ? (size_t)strtoull(text, NULL, 10) : SIZE_MAX;
    return r->length <= HTTP_BODY_EVER || refuse(why, 413, "the body is larger than ever allowed");
}

static bool judge(http_request *r, refusal *why) {
    if (!r->field[FIELD_HOST]) {
        return refuse(why, 400, "the Host header is missing");
    }
    const char *expect = r->field[FIELD_EXPECT], *wish = r->field[FIELD_CONNECTION];
    if (expect && strcasecmp(expect, "100-continue") != 0) {
        return refuse(why, 417, "only 100-continue is supported in Expect");
    }
    r->expects = expect != NULL;
    r->keep = r->keep && !lists(wish, "close");
    r->upgrade = r->field[FIELD_UPGRADE] && lists(r->field[FIELD_UPGRADE], "websocket") &&
                 lists(wish, "upgrade");
    return read_length(r, why);
}

/* ---- the head ---- */

/* Length of the head with its empty line; 0 when it is not there yet. */
static size_t head_length(const char *bytes, size_t length) {
    const char *end = memmem(bytes, length, "\r\n\r\n", 4);
    return end ? (size_t)(end - bytes) + 4 : 0;
}

/* A line feed without a carriage return, or a character that no head holds. */
static bool is_foul(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool end = c == '\r' ? i + 1 == length || bytes[i + 1] == '\n'
                             : c == '\n' && i > 0 && bytes[i - 1] == '\r';
        if ((c < ' ' && c != '\t' && !end) || c == 0x7f) {
            return true;
        }
    }
    return false;
}

static bool read_lines(http_request *r, refusal *why) {
    char *line = r->head;
    for (int count = 0;; count++) {
        char *end = strstr(line, "\r\n");
        *end = 0;
        if (!*line) {
            return judge(r, why);
        }
        if (count > HTTP_HEADERS_MOST) {
            return refuse(why, 431, "there are too many headers");
        }
        if (count == 0 ? !read_first_line(r, line, why) : !read_field(r, line, why)) {
            return false;
        }
        line = end + 2;
    }
}

http_reading request_read(http_request *r, const char *bytes, size_t length, size_t *used,
                          int *status, const char **reason) {
    refusal why = {0};
    *r = (http_request){0};
    size_t head = head_length(bytes, length < HTTP_HEAD_MOST ? length : HTTP_HEAD_MOST);
    size_t seen = head ? head : length < HTTP_HEAD_MOST ? length : HTTP_HEAD_MOST;
    *used = 0;
    if (is_foul(bytes, seen)) {
        refuse(&why, 400, "the head holds a bare line end or a control character");
    } else if (!head && length < HTTP_HEAD_MOST) {
        return HTTP_MORE;
    } else if (!head) {
        refuse(&why, 431, "the head is larger than allowed (8 KiB)");
    } else {
        r->head = lu_alloc(head + 1);
        memcpy(r->head, bytes, head);
        r->head[head] = 0;
        if (read_lines(r, &why)) {
            *used = head;
            return HTTP_READY;
        }
    }
    *status = why.status;
    *reason = why.reason;
    return HTTP_BAD;
}

void text_drop(lu_text *text, size_t length) {
    memmove(text->text, text->text + length, text->length - length);
    text->length -= length;
    text->text[text->length] = 0;
}
