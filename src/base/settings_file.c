/* Settings from .ini (inih) and .yml (libyaml) files, native builds only.
 * inih holds a line in 200 bytes, cuts names and sections at 49 and has no line numbers, so the
 * lines are handed to it one at a time: what it would cut is refused, and a value too long for its
 * buffer is taken from the line itself. Its continuation lines are switched off by taking away
 * indentation, because they would turn an indented "key = value" into text of the key above.
 * Of YAML only maps, sequences and scalars are read: no anchors, aliases, tags or further
 * documents, which a settings file does not need and which hide what a value is. */
#include "settings_internal.h"
#include "utf8.h"

#include "ludus/file.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

enum {
    MAX_NAME = 49,    /* of inih, for a name or a section */
    MAX_NESTING = 64, /* levels of a YAML file */
};

/* ---- INI ---- */

typedef struct ini_lines {
    lu_batch *batch;
    lu_error *error;
    lu_status status;     /* of the first error: later lines are not looked at */
    const char *at, *end; /* what inih has not seen yet */
    unsigned line;
    const char *value; /* value part of the line, when it does not fit inih's buffer */
    size_t value_length;
} ini_lines;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static char *ini_refuse(ini_lines *in, const char *what) {
    in->status = lu_batch_fail(in->batch, in->line, what, in->error);
    return NULL;
}

/* Length without an inline comment (';' after a space) and the spaces before it. */
static size_t without_comment(const char *text, size_t length) {
    for (size_t i = 1; i < length; i++) {
        if (text[i] == ';' && is_space(text[i - 1])) {
            length = i;
        }
    }
    while (length > 0 && is_space(text[length - 1])) {
        length--;
    }
    return length;
}

/* Checks what inih would cut or skip without a word. NULL: fine; else what to say. */
static const char *ini_trouble(const char *text, size_t length) {
    const char *close;
    size_t name;
    if (length == 0 || text[0] == ';' || text[0] == '#') {
        return NULL;
    }
    if (text[0] == '[') {
        close = memchr(text, ']', length);
        if (!close) {
            return "a section without its ']'";
        }
        if (close - text - 1 > MAX_NAME) {
            return "a section name longer than 49 bytes";
        }
        size_t after = (size_t)(close + 1 - text);
        while (after < length && is_space(text[after])) {
            after++;
        }
        bool comment = after == length || text[after] == ';' || text[after] == '#';
        return comment ? NULL : "text after the ']' of a section";
    }
    for (name = 0; name < length && text[name] != '=' && text[name] != ':'; name++) {
        if (text[name] == ';' && name > 0 && is_space(text[name - 1])) {
            name = length;
        }
    }
    if (name >= length) {
        return "expected key = value; a value may not continue on a second line";
    }
    while (name > 0 && is_space(text[name - 1])) {
        name--;
    }
    return name == 0         ? "a value without a key"
           : name > MAX_NAME ? "a key longer than 49 bytes; put its first part into a [section]"
                             : NULL;
}

/* The fgets of inih: one whole line per call, or NULL to stop. */
static char *ini_next(char *buffer, int room, void *user) {
    ini_lines *in = user;
    if (in->status != LU_OK || in->at == in->end) {
        return NULL;
    }
    const char *text = in->at, *stop = memchr(text, '\n', (size_t)(in->end - text));
    size_t length = (size_t)((stop ? stop : in->end) - text), most = (size_t)room - 2;
    in->at = stop ? stop + 1 : in->end;
    in->line++;
    while (length > 0 && is_space(text[0])) {
        text++;
        length--;
    }
    const char *trouble = ini_trouble(text, length);
    if (trouble) {
        return ini_refuse(in, trouble);
    }
    in->value = NULL;
    if (length > 0 && (text[0] == ';' || text[0] == '#')) {
        length = 0;
    } else if (length > 0 && text[0] == '[') {
        length = (size_t)((const char *)memchr(text, ']', length) + 1 - text);
    } else if (length > most) {
        size_t name = strcspn(text, "=:");
        in->value = text + name + 1;
        in->value_length = without_comment(in->value, length - name - 1);
        size_t keep = name;
        while (is_space(text[keep - 1])) {
            keep--;
        }
        memcpy(buffer, text, keep);
        memcpy(buffer + keep, "=\n", 3);
        return buffer;
    }
    memcpy(buffer, text, length);
    memcpy(buffer + length, "\n", 2);
    return buffer;
}

static int ini_pair(void *user, const char *section, const char *name, const char *value) {
    ini_lines *in = user;
    char key[2 * MAX_NAME + 4], *copy = NULL;
    if (in->status != LU_OK) {
        return 0;
    }
    snprintf(key, sizeof key, "%s%s%s", section, *section ? "." : "", name);
    if (in->value) {
        while (in->value_length > 0 && is_space(*in->value)) {
            in->value++;
            in->value_length--;
        }
        copy = lu_alloc(in->value_length + 1);
        memcpy(copy, in->value, in->value_length);
        copy[in->value_length] = '\0';
        value = copy;
    }
    in->status = lu_batch_pair(in->batch, key, value, in->line, in->error);
    free(copy);
    return in->status == LU_OK;
}

lu_status lu_read_ini(lu_batch *batch, const char *text, size_t length, lu_error *error) {
    ini_lines in = {.batch = batch, .error = error, .at = text, .end = text};
    in.end = length ? text + length : text;
    int line = ini_parse_stream(ini_next, &in, ini_pair, &in);
    if (in.status == LU_OK && line != 0) {
        in.line = line > 0 ? (unsigned)line : in.line;
        ini_refuse(&in, "not a line of an INI file");
    }
    return in.status;
}

/* ---- YAML ---- */

typedef struct yaml_reader {
    const lu_batch *batch;
    yaml_parser_t parser;
    lu_error *error;
} yaml_reader;

static unsigned line_of(const yaml_event_t *event) {
    return (unsigned)event->start_mark.line + 1;
}

/* The next event; false and the error when the text is not YAML. */
static bool next_event(yaml_reader *in, yaml_event_t *event) {
    if (yaml_parser_parse(&in->parser, event)) {
        return true;
    }
    char what[240];
    const char *problem = in->parser.problem ? in->parser.problem : "unreadable";
    size_t line =
        in->parser.error == YAML_READER_ERROR ? in->parser.mark.line : in->parser.problem_mark.line;
    snprintf(what, sizeof what, "not YAML: %.200s", problem);
    lu_batch_fail(in->batch, (unsigned)line + 1, what, in->error);
    return false;
}

/* A plain scalar that JSON would write in the same way. */
static bool is_bare(const char *text) {
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return true;
    }
    lu_json_document *document = lu_json_read("", text, strlen(text), NULL);
    bool bare = document && lu_json_kind_of(lu_json_root(document)) == LU_JSON_NUMBER;
    lu_json_close(document);
    return bare;
}

static lu_node *scalar_node(const yaml_event_t *event) {
    const char *text = (const char *)event->data.scalar.value;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && (!*text || strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0)) {
        return lu_node_new(LU_NODE_NULL, line_of(event));
    }
    lu_node *node = lu_node_new(LU_NODE_TEXT, line_of(event));
    node->text = lu_strdup(text);
    node->bare = plain && is_bare(text);
    return node;
}

/* What settings files may not use, or NULL. */
static const char *yaml_trouble(const yaml_event_t *event, int depth) {
    const void *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return "an alias (*name), which settings files may not use";
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length) {
            return "a NUL character in a text";
        }
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        break;
    }
    return anchor                ? "an anchor (&name), which settings files may not use"
           : tag                 ? "a tag (!name), which settings files may not use"
           : depth > MAX_NESTING ? "nested deeper than 64 levels"
                                 : NULL;
}

static lu_node *read_node(yaml_reader *in, yaml_event_t *event, int depth);

/* The next child of a list or map. False at its end (with *failed unset) or on an error. */
static bool read_child(yaml_reader *in, lu_node *parent, int depth, bool *failed) {
    yaml_event_t event;
    char *key = NULL;
    lu_node *child = NULL;
    *failed = true;
    if (!next_event(in, &event)) {
        return false;
    }
    if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
        yaml_event_delete(&event);
        *failed = false;
        return false;
    }
    if (parent->kind == LU_NODE_MAP) {
        const char *trouble = yaml_trouble(&event, depth);
        if (!trouble && event.type != YAML_SCALAR_EVENT) {
            trouble = "a key that is not a plain word";
        }
        if (trouble) {
            lu_batch_fail(in->batch, line_of(&event), trouble, in->error);
            yaml_event_delete(&event);
            return false;
        }
        key = lu_strdup((const char *)event.data.scalar.value);
        yaml_event_delete(&event);
        if (!next_event(in, &event)) {
            free(key);
            return false;
        }
    }
    child = read_node(in, &event, depth);
    if (!child) {
        free(key);
        return false;
    }
    child->key = key;
    lu_node_add(parent, child);
    *failed = false;
    return true;
}

/* The node that begins with this event, which is consumed. NULL and the error when it may not be.
 */
static lu_node *read_node(yaml_reader *in, yaml_event_t *event, int depth) {
    lu_node *node = NULL;
    const char *trouble = yaml_trouble(event, depth);
    if (trouble) {
        lu_batch_fail(in->batch, line_of(event), trouble, in->error);
    } else if (event->type == YAML_SCALAR_EVENT) {
        node = scalar_node(event);
    } else {
        bool map = event->type == YAML_MAPPING_START_EVENT, failed = false;
        node = lu_node_new(map ? LU_NODE_MAP : LU_NODE_LIST, line_of(event));
        while (read_child(in, node, depth + 1, &failed)) {
        }
        if (failed) {
            lu_node_delete(node);
            node = NULL;
        }
    }
    yaml_event_delete(event);
    return node;
}

/* Skips an event that must be of this type. */
static bool pass(yaml_reader *in, yaml_event_type_t type) {
    yaml_event_t event;
    if (!next_event(in, &event)) {
        return false;
    }
    bool good = event.type == type;
    if (!good) {
        lu_batch_fail(in->batch, line_of(&event), "a second document; a settings file has one",
                      in->error);
    }
    yaml_event_delete(&event);
    return good;
}

/* The tree of the only document; an empty stream is a null. */
static lu_node *read_document(yaml_reader *in) {
    yaml_event_t event;
    if (!pass(in, YAML_STREAM_START_EVENT) || !next_event(in, &event)) {
        return NULL;
    }
    if (event.type == YAML_STREAM_END_EVENT) {
        yaml_event_delete(&event);
        return lu_node_new(LU_NODE_NULL, 1);
    }
    bool tags = event.data.document_start.tag_directives.start !=
                event.data.document_start.tag_directives.end;
    unsigned line = line_of(&event);
    yaml_event_delete(&event);
    if (tags) {
        lu_batch_fail(in->batch, line, "a %TAG directive, which settings files may not use",
                      in->error);
        return NULL;
    }
    if (!next_event(in, &event)) {
        return NULL;
    }
    lu_node *root = read_node(in, &event, 0);
    if (root && (!pass(in, YAML_DOCUMENT_END_EVENT) || !pass(in, YAML_STREAM_END_EVENT))) {
        lu_node_delete(root);
        root = NULL;
    }
    return root;
}

lu_status lu_read_yaml(lu_batch *batch, const char *text, size_t length, lu_error *error) {
    yaml_reader in = {.batch = batch, .error = error};
    if (!yaml_parser_initialize(&in.parser)) {
        lu_out_of_memory(sizeof in.parser);
    }
    yaml_parser_set_encoding(&in.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&in.parser, (const unsigned char *)text, length);
    lu_node *root = read_document(&in);
    lu_status status = root ? lu_batch_tree(batch, root, error) : LU_BAD_DATA;
    lu_node_delete(root);
    yaml_parser_delete(&in.parser);
    return status;
}

/* ---- files ---- */

lu_status lu_settings_file(lu_settings *settings, const char *path, lu_origin origin,
                           lu_error *error) {
    static const char *const kinds[] = {"ini", "yml", "yaml", "json"};
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/'), *kind = NULL;
    for (size_t i = 0; dot && (!slash || dot > slash) && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcasecmp(dot + 1, kinds[i]) == 0) {
            kind = kinds[i];
        }
    }
    char shown[LU_SHOW];
    if (!kind) {
        return lu_fail(error, LU_USAGE,
                       "%s is not named like a settings file; use .ini, .yml, .yaml or .json",
                       lu_show(shown, path));
    }
    char *text = NULL;
    size_t length = 0;
    lu_status status = lu_file_read(path, LU_SETTINGS_BYTES, &text, &length, error);
    if (status == LU_OK) {
        status = lu_settings_text(settings, kind, path, text, length, origin, error);
        free(text);
    }
    return status;
}
