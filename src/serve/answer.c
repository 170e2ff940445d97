/* Answers: see http.h. */
#include "http.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    int status;
    const char *reason;
} reasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

const char *http_reason(int status) {
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Unknown";
}

void blob_drop(blob *b) {
    if (b && --b->users == 0) {
        free(b->bytes);
        free(b);
    }
}

void answer_init(http_answer *a) {
    *a = (http_answer){.status = 200, .file = -1};
    lu_text_init(&a->fields);
    lu_text_init(&a->body);
}

void answer_free(http_answer *a) {
    lu_text_free(&a->fields);
    lu_text_free(&a->body);
    blob_drop(a->shared);
    if (a->file >= 0) {
        close(a->file);
    }
    if (a->stream) {
        a->stream->free(a->stream);
    }
    if (a->later) {
        a->later->free(a->later);
    }
    *a = (http_answer){.file = -1};
}

void answer_field(http_answer *a, const char *name, const char *format, ...) {
    va_list list;
    va_start(list, format);
    lu_text_addf(&a->fields, "%s: ", name);
    lu_text_addv(&a->fields, format, list);
    lu_text_add(&a->fields, "\r\n");
    va_end(list);
}

void answer_json(http_answer *a, int status, lu_json *json) {
    a->status = status;
    a->type = "application/json";
    lu_text_clear(&a->body);
    lu_text_add_n(&a->body, json->text, json->length);
    lu_json_free(json);
}

int answer_problem(http_answer *a, const http_request *r, int status, const char *name,
                   const char *pointer, const char *format, ...) {
    lu_json json = LU_JSON_INIT;
    lu_text detail = LU_TEXT_INIT;
    va_list list;
    va_start(list, format);
    lu_text_addv(&detail, format, list);
    va_end(list);
    lu_json_object(&json);
    lu_json_key(&json, "type");
    char type[80];
    snprintf(type, sizeof type, "urn:ludus:problem:%s", name);
    lu_json_string(&json, type);
    lu_json_key_string(&json, "title", http_reason(status));
    lu_json_key_int(&json, "status", status);
    lu_json_key_string(&json, "detail", detail.text);
    if (pointer) {
        lu_json_key_string(&json, "pointer", pointer);
    }
    lu_json_key_string(&json, "request_id", r->id);
    lu_json_object_end(&json);
    answer_json(a, status, &json);
    snprintf(a->problem, sizeof a->problem, "%s", name);
    a->type = "application/problem+json";
    lu_text_free(&detail);
    return status;
}

static bool has_body(int status) {
    return status != 204 && status != 304;
}

static size_t length_of(const http_answer *a) {
    return a->shared ? a->shared->length : a->file >= 0 ? a->length : a->body.length;
}

void answer_head(const http_answer *a, const http_request *r, const char *more, lu_text *out) {
    lu_text_addf(out, "HTTP/1.1 %d %s\r\n", a->status, http_reason(a->status));
    if (a->type && has_body(a->status)) {
        lu_text_addf(out, "Content-Type: %s\r\n", a->type);
    }
    if (a->stream) {
        lu_text_add(out, "Transfer-Encoding: chunked\r\n");
    } else if (has_body(a->status)) {
        lu_text_addf(out, "Content-Length: %zu\r\n", length_of(a));
    }
    if (!a->cached) {
        lu_text_add(out, "Cache-Control: no-store\r\n");
    }
    lu_text_add_n(out, a->fields.text ? a->fields.text : "", a->fields.length);
    lu_text_add(out, more);
    lu_text_addf(out, "X-Request-Id: %s\r\n", r->id);
    if (a->close || !r->keep) {
        lu_text_add(out, "Connection: close\r\n");
    }
    lu_text_add(out, "\r\n");
}

/* ---- parts of a file ---- */

bool tag_matches(const char *field, const char *tag) {
    size_t length = strlen(tag);
    for (const char *at = field; at && *at;) {
        at += strspn(at, " \t,");
        if (*at == '*') {
            return true;
        }
        at += strncmp(at, "W/", 2) == 0 ? 2 : 0; /* weak comparison, as RFC 9110 wants it here */
        size_t own = strcspn(at, ",");
        const char *next = at + own;
        while (own > 0 && (at[own - 1] == ' ' || at[own - 1] == '\t')) {
            own--;
        }
        if (own == length && strncmp(at, tag, length) == 0) {
            return true;
        }
        at = next;
    }
    return false;
}

typedef enum range_kind { RANGE_NONE, RANGE_PART, RANGE_OUTSIDE } range_kind;

/* Reads digits; false when there are none or too many. */
static bool read_digits(const char **at, uint64_t *value) {
    size_t digits = strspn(*at, "0123456789");
    *value = digits > 0 && digits <= 18 ? strtoull(*at, NULL, 10) : 0;
    *at += digits;
    return digits > 0 && digits <= 18;
}

/* One part of `size` bytes. Several parts, other units and nonsense mean the whole file. */
static range_kind range_of(const char *field, uint64_t size, uint64_t *from, uint64_t *length) {
    uint64_t first, last;
    if (!field || strncmp(field, "bytes=", 6) != 0) {
        return RANGE_NONE;
    }
    const char *at = field + 6;
    if (*at == '-') {
        at++;
        if (!read_digits(&at, &last) || *at) {
            return RANGE_NONE;
        }
        *length = last < size ? last : size;
        *from = size - *length;
        return *length > 0 ? RANGE_PART : RANGE_OUTSIDE;
    }
    if (!read_digits(&at, &first) || *at++ != '-') {
        return RANGE_NONE;
    }
    last = UINT64_MAX;
    if (*at && (!read_digits(&at, &last) || *at || last < first)) {
        return RANGE_NONE;
    }
    if (first >= size) {
        return RANGE_OUTSIDE;
    }
    *from = first;
    *length = (last < size - 1 ? last : size - 1) - first + 1;
    return RANGE_PART;
}

void answer_file(http_answer *a, const http_request *r, int file, size_t size, const char *tag,
                 const char *type) {
    uint64_t from = 0, length = size;
    a->status = 200;
    a->type = type;
    a->cached = true;
    answer_field(a, "ETag", "%s", tag);
    answer_field(a, "Accept-Ranges", "bytes");
    if (tag_matches(r->field[FIELD_IF_NONE_MATCH], tag)) {
        close(file);
        a->status = 304;
        return;
    }
    const char *only_if = r->field[FIELD_IF_RANGE];
    bool part = r->method == HTTP_GET && (!only_if || strcmp(only_if, tag) == 0);
    switch (part ? range_of(r->field[FIELD_RANGE], size, &from, &length) : RANGE_NONE) {
    case RANGE_NONE:
        break;
    case RANGE_PART:
        a->status = 206;
        answer_field(a, "Content-Range", "bytes %llu-%llu/%zu", (unsigned long long)from,
                     (unsigned long long)(from + length - 1), size);
        break;
    case RANGE_OUTSIDE:
        close(file);
        answer_field(a, "Content-Range", "bytes */%zu", size);
        answer_problem(a, r, 416, "range", "Range", "the file has only %zu bytes", size);
        return;
    }
    a->file = file;
    a->from = (off_t)from;
    a->length = (size_t)length;
}
