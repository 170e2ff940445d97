/* Fuzzes the services of ludus-grpc without their gRPC: an input is a row of calls, each a byte
 * that picks the method, two bytes of length, the lower first, and a message. Sessions 1 to 8 are
 * the first that were opened, whose numbers cannot be guessed. Every call has one answer or is
 * refused with a sentence, and nothing stays when the sessions are closed. */
#include "apps/grpc/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KNOWN = 8, METHODS = 32 };

struct rpc_answer {
    int count;
};

static uint64_t known[KNOWN];
static int opened;

static void need(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* ---- the numbers of sessions ---- */

static void name_session(uint64_t *number, bool of_answer) {
    if (!of_answer && *number >= 1 && *number <= (uint64_t)opened) {
        *number = known[*number - 1];
    } else if (of_answer && *number != 0 && opened < KNOWN) {
        bool there = false;
        for (int i = 0; i < opened; i++) {
            there = there || known[i] == *number;
        }
        known[opened] = *number;
        opened += !there;
    }
}

/* In a message and in those that it holds. */
static void name_sessions(ProtobufCMessage *message, bool of_answer) {
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    for (unsigned i = 0; i < kind->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &kind->fields[i];
        char *at = (char *)message + field->offset;
        const char *count = (char *)message + field->quantifier_offset;
        bool other = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) &&
                     *(const uint32_t *)(const void *)count != field->id;
        if (strncmp(field->name, "session", 7) == 0) {
            name_session((uint64_t *)(void *)at, of_answer);
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE && !other) {
            bool list = field->label == PROTOBUF_C_LABEL_REPEATED;
            size_t entries = list ? *(const size_t *)(const void *)count : 1;
            ProtobufCMessage **entry = list ? *(ProtobufCMessage ***)(void *)at : (void *)at;
            for (size_t e = 0; e < entries; e++) {
                if (entry[e]) {
                    name_sessions(entry[e], of_answer);
                }
            }
        }
    }
}

/* ---- what the services ask of gRPC ---- */

ProtobufCMessage *rpc_unpack(const ProtobufCMessageDescriptor *kind, const rpc_question *question,
                             lu_error *error) {
    ProtobufCMessage *message =
        protobuf_c_message_unpack(kind, NULL, question->length, question->bytes);
    if (message) {
        name_sessions(message, false);
    } else {
        lu_fail(error, LU_BAD_DATA, "the message isn't a %s", kind->name);
    }
    return message;
}

void rpc_reply(rpc_answer *answer, const ProtobufCMessage *message) {
    size_t length = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(length + 1);
    need(protobuf_c_message_pack(message, bytes) == length, "an answer of another size");
    ProtobufCMessage *back = protobuf_c_message_unpack(message->descriptor, NULL, length, bytes);
    need(back != NULL, "an answer that cannot be read");
    name_sessions(back, true);
    protobuf_c_message_free_unpacked(back, NULL);
    free(bytes);
    answer->count++;
}

lu_status rpc_in_time(const rpc_question *question, lu_error *error) {
    (void)question;
    (void)error;
    return LU_OK;
}

/* ---- calls ---- */

static const rpc_method *method_at(int index) {
    for (int t = 0; all_methods[t]; t++) {
        for (int m = 0; all_methods[t][m].path; m++) {
            if (index-- == 0) {
                return &all_methods[t][m];
            }
        }
    }
    return NULL;
}

static void call(services *all, const rpc_method *method, const uint8_t *bytes, size_t length) {
    uint8_t *own = malloc(length + 1); /* a block of its own: reading beyond is found */
    rpc_question question = {.bytes = own, .length = length};
    rpc_answer answer = {0};
    lu_error error = {0};
    memcpy(own, bytes, length);
    lu_status status = method->handle(all, &question, &answer, &error);
    need(answer.count == (status == LU_OK), method->path);
    need(status == LU_OK || *error.text, method->path);
    free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lu_settings *limits;
    if (!limits) {
        limits = lu_settings_new();
        lu_settings_add(limits, sessions_table);
        lu_settings_set(limits, "grpc.environments", "4", LU_FROM_FLAG, "fuzz", NULL);
        lu_settings_set(limits, "grpc.memory_mib", "64", LU_FROM_FLAG, "fuzz", NULL);
    }
    services all = {.sessions = sessions_new(limits)};
    opened = 0;
    while (size >= 3) {
        const rpc_method *method = method_at(data[0] % METHODS);
        size_t length = data[1] | (size_t)data[2] << 8;
        length = length < size - 3 ? length : size - 3;
        if (method) {
            call(&all, method, data + 3, length);
        }
        data += 3 + length;
        size -= 3 + length;
    }
    sessions_delete(all.sessions);
    return 0;
}
