/* The OpenAPI document: the table of routes with its parameters, and the schemas of schemas.json.
 */
#include "app.h"

#include <stdlib.h>
#include <string.h>

static void write_ref(lu_json *json, const char *name) {
    char ref[100];
    snprintf(ref, sizeof ref, "#/components/schemas/%s", name);
    lu_json_object(json);
    lu_json_key_string(json, "$ref", ref);
    lu_json_object_end(json);
}

/* ---- parameters ---- */

static void write_initial(const param *p, lu_json *json) {
    if (!p->initial) {
        return;
    }
    lu_json_key(json, "default");
    if (p->kind == PARAM_CHOICE) {
        lu_json_string(json, p->initial);
    } else {
        lu_json_raw(json, p->initial, strlen(p->initial)); /* a number, true or false */
    }
}

static void write_choices(const char *choices, lu_json *json) {
    lu_json_key_array(json, "enum");
    while (*choices) {
        size_t length = strcspn(choices, "|");
        lu_json_string_n(json, choices, length);
        choices += length + (choices[length] == '|');
    }
    lu_json_array_end(json);
}

static void write_type(const param *p, lu_json *json) {
    lu_json_object(json);
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL:
        lu_json_key_string(json, "type", p->kind == PARAM_INT ? "integer" : "number");
        lu_json_key_real(json, "minimum", p->low);
        lu_json_key_real(json, "maximum", p->high);
        break;
    case PARAM_BOOL:
        lu_json_key_string(json, "type", "boolean");
        break;
    case PARAM_CHOICE:
        lu_json_key_string(json, "type", "string");
        write_choices(p->choices, json);
        break;
    default:
        lu_json_key_string(json, "type", "string");
        lu_json_key_string(json, "pattern", param_pattern(p->kind));
    }
    write_initial(p, json);
    lu_json_object_end(json);
}

static void write_schema(const param *p, lu_json *json) {
    lu_json_key(json, "schema");
    if (!p->most) {
        write_type(p, json);
        return;
    }
    lu_json_object(json);
    lu_json_key_string(json, "type", "array");
    lu_json_key_int(json, "maxItems", p->most);
    lu_json_key(json, "items");
    write_type(p, json);
    lu_json_object_end(json);
}

static void write_param(const param *p, bool path, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "name", p->name);
    lu_json_key_string(json, "in", path ? "path" : "query");
    lu_json_key_string(json, "description", p->sentence);
    lu_json_key_bool(json, "required", path);
    if (p->example) {
        lu_json_key_string(json, "example", p->example);
    }
    write_schema(p, json);
    lu_json_object_end(json);
}

static void write_params(const route *r, lu_json *json) {
    lu_json_key_array(json, "parameters");
    for (const char *at = r->path; (at = strchr(at, '{')) != NULL; at++) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
        write_param(path_param(name), true, json);
    }
    for (const param *p = r->params; p && p->name; p++) {
        write_param(p, false, json);
    }
    lu_json_array_end(json);
}

/* ---- answers ---- */

static void write_media(const char *type, const char *schema, lu_json *json) {
    lu_json_key_object(json, type);
    if (schema) {
        lu_json_key(json, "schema");
        write_ref(json, schema);
    }
    lu_json_object_end(json);
}

static void write_content(const char *type, const char *schema, lu_json *json) {
    lu_json_key_object(json, "content");
    write_media(type, schema, json);
    lu_json_object_end(json);
}

static void write_problem(const char *status, lu_json *json) {
    lu_json_key_object(json, status);
    lu_json_key_string(json, "description", http_reason(atoi(status)));
    write_content("application/problem+json", "Problem", json);
    lu_json_object_end(json);
}

/* Statuses of a list "404 409", one after the other. */
static void write_problems(const char *list, lu_json *json) {
    for (const char *at = list; at && *at; at += at[3] ? 4 : 3) {
        char status[4];
        snprintf(status, sizeof status, "%.3s", at);
        write_problem(status, json);
    }
}

static void write_answers(const route *r, lu_json *json) {
    lu_json_key_object(json, "responses");
    const reply *end = r->replies + 4;
    for (const reply *a = r->replies; a < end && a->status; a++) {
        char status[8];
        snprintf(status, sizeof status, "%d", a->status);
        lu_json_key_object(json, status);
        lu_json_key_string(json, "description", a->sentence);
        if (a->type) {
            lu_json_key_object(json, "content");
            write_media(a->type, a->schema, json);
            for (; a + 1 < end && a[1].status == a->status; a++) {
                write_media(a[1].type, a[1].schema, json);
            }
            lu_json_object_end(json);
        }
        lu_json_object_end(json);
    }
    write_problems(r->problems, json);
    write_problems("400 401 403 414 429 431", json);
    /* a name that no route takes is one of the site, which only gives */
    if (r->method != HTTP_GET) {
        write_problems("405", json);
    }
    if (r->body) {
        write_problems("413 415", json);
    }
    if (!r->problems || !strstr(r->problems, "503")) {
        write_problems("503", json);
    }
    lu_json_object_end(json);
}

static void write_route(const route *r, lu_json *json) {
    static const char *const methods[] = {
        [HTTP_GET] = "get", [HTTP_POST] = "post", [HTTP_DELETE] = "delete"};
    lu_json_key_object(json, methods[r->method]);
    lu_json_key_string(json, "operationId", r->name);
    lu_json_key_string(json, "summary", r->sentence);
    if (r->open) {
        lu_json_key_array(json, "security");
        lu_json_array_end(json);
    }
    write_params(r, json);
    if (r->body) {
        lu_json_key_object(json, "requestBody");
        lu_json_key_bool(json, "required", !r->bodiless);
        write_content("application/json", r->body, json);
        lu_json_object_end(json);
    }
    write_answers(r, json);
    lu_json_object_end(json);
}

/* ---- the document ---- */

static void write_paths(lu_json *json) {
    lu_json_key_object(json, "paths");
    for (int i = 0; i < route_count(); i++) {
        bool first = true; /* of its path */
        for (int k = 0; k < i; k++) {
            first = first && strcmp(route_at(k)->path, route_at(i)->path) != 0;
        }
        if (!first || route_at(i)->socket) {
            continue;
        }
        lu_json_key_object(json, route_at(i)->path);
        for (int k = i; k < route_count(); k++) {
            if (strcmp(route_at(k)->path, route_at(i)->path) == 0 && !route_at(k)->socket) {
                write_route(route_at(k), json);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
}

void openapi_write(lu_json *json, const char *version) {
    lu_json_object(json);
    lu_json_key_string(json, "openapi", "3.1.0");
    lu_json_key_object(json, "info");
    lu_json_key_string(json, "title", "ludus serve");
    lu_json_key_string(json, "version", version);
    lu_json_key_string(json, "description",
                       "Runs, replays, models and games, read-only; play sessions; tools.");
    lu_json_object_end(json);
    lu_json_key(json, "security");
    lu_json_raw(json, "[{},{\"token\":[]}]", 17);
    write_paths(json);
    lu_json_key_object(json, "components");
    lu_json_key(json, "securitySchemes");
    static const char scheme[] = "{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\","
                                 "\"description\":\"Asked for when the server listens beyond "
                                 "loopback, or was given a token.\"}}";
    lu_json_raw(json, scheme, sizeof scheme - 1);
    lu_json_key(json, "schemas");
    lu_json_document *schemas =
        lu_json_read("schemas.json", serve_schemas, strlen(serve_schemas), NULL);
    LU_ASSERT(schemas); /* a file of the source: checked by the tests */
    lu_json_value_write(json, lu_json_root(schemas));
    lu_json_close(schemas);
    lu_json_object_end(json);
    lu_json_object_end(json);
}

void lu_serve_openapi(lu_json *json, const char *version) {
    openapi_write(json, version);
}
