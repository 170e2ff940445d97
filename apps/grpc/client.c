/* Unary calls over the C core: see client.h. A lane is one call whose whole course is one batch. */
#include "client.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct lane {
    grpc_call *call;
    grpc_byte_buffer *question, *answer;
    grpc_metadata_array before, after;
    grpc_status_code code;
    grpc_slice sentence;
} lane;

struct client {
    grpc_channel *channel;
    grpc_completion_queue *queue;
    int lanes;
    lane *lane;
};

client *client_open(int port, int lanes) {
    char target[64];
    client *c = lu_alloc_zero(1, sizeof *c);
    grpc_arg arg = {GRPC_ARG_INTEGER, (char *)GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, {.integer = -1}};
    grpc_channel_args args = {1, &arg};
    grpc_init();
    grpc_channel_credentials *open = grpc_insecure_credentials_create();
    snprintf(target, sizeof target, "127.0.0.1:%d", port);
    c->channel = grpc_channel_create(target, open, &args);
    grpc_channel_credentials_release(open);
    c->queue = grpc_completion_queue_create_for_next(NULL);
    c->lanes = lanes;
    c->lane = lu_alloc_zero((size_t)lanes, sizeof *c->lane);
    return c;
}

/* Ends what a lane holds. */
static void lane_clear(lane *l) {
    if (l->call) {
        grpc_call_unref(l->call);
        grpc_byte_buffer_destroy(l->question);
        grpc_byte_buffer_destroy(l->answer);
        grpc_metadata_array_destroy(&l->before);
        grpc_metadata_array_destroy(&l->after);
        grpc_slice_unref(l->sentence);
    }
    *l = (lane){.call = NULL};
}

void client_close(client *c) {
    for (int i = 0; i < c->lanes; i++) {
        if (c->lane[i].call) {
            grpc_call_cancel(c->lane[i].call, NULL);
        }
    }
    grpc_completion_queue_shutdown(c->queue);
    while (grpc_completion_queue_next(c->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL).type !=
           GRPC_QUEUE_SHUTDOWN) {
    }
    for (int i = 0; i < c->lanes; i++) {
        lane_clear(&c->lane[i]);
    }
    grpc_channel_destroy(c->channel);
    grpc_completion_queue_destroy(c->queue);
    free(c->lane);
    free(c);
    grpc_shutdown();
}

void client_send(client *c, int index, const char *path, const ProtobufCMessage *question) {
    lane *l = &c->lane[index];
    grpc_op ops[6] = {
        {.op = GRPC_OP_SEND_INITIAL_METADATA},  {.op = GRPC_OP_SEND_MESSAGE},
        {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT}, {.op = GRPC_OP_RECV_INITIAL_METADATA},
        {.op = GRPC_OP_RECV_MESSAGE},           {.op = GRPC_OP_RECV_STATUS_ON_CLIENT}};
    LU_ASSERT(!l->call);
    grpc_slice bytes = grpc_slice_malloc(protobuf_c_message_get_packed_size(question));
    protobuf_c_message_pack(question, GRPC_SLICE_START_PTR(bytes));
    l->question = grpc_raw_byte_buffer_create(&bytes, 1);
    grpc_slice_unref(bytes);
    grpc_metadata_array_init(&l->before);
    grpc_metadata_array_init(&l->after);
    l->sentence = grpc_empty_slice();
    l->call = grpc_channel_create_call(c->channel, NULL, GRPC_PROPAGATE_DEFAULTS, c->queue,
                                       grpc_slice_from_static_string(path), NULL,
                                       gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
    ops[1].data.send_message.send_message = l->question;
    ops[3].data.recv_initial_metadata.recv_initial_metadata = &l->before;
    ops[4].data.recv_message.recv_message = &l->answer;
    ops[5].data.recv_status_on_client.trailing_metadata = &l->after;
    ops[5].data.recv_status_on_client.status = &l->code;
    ops[5].data.recv_status_on_client.status_details = &l->sentence;
    LU_ASSERT(grpc_call_start_batch(l->call, ops, 6, l, NULL) == GRPC_CALL_OK);
}

/* The message of an answer; NULL when it is none. */
static ProtobufCMessage *unpack(lane *l, const ProtobufCMessageDescriptor *kind) {
    grpc_byte_buffer_reader reader;
    if (!l->answer || !grpc_byte_buffer_reader_init(&reader, l->answer)) {
        return NULL;
    }
    grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
    grpc_byte_buffer_reader_destroy(&reader);
    ProtobufCMessage *message = protobuf_c_message_unpack(kind, NULL, GRPC_SLICE_LENGTH(bytes),
                                                          GRPC_SLICE_START_PTR(bytes));
    grpc_slice_unref(bytes);
    return message;
}

int client_wait(client *c, const ProtobufCMessageDescriptor *kind, ProtobufCMessage **answer,
                lu_error *error) {
    grpc_event event =
        grpc_completion_queue_next(c->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
    lane *l = event.tag;
    int index = (int)(l - c->lane);
    *answer = l->code == GRPC_STATUS_OK ? unpack(l, kind) : NULL;
    if (!*answer) {
        lu_fail(error, LU_FAILED, "the server answers with code %d: %.*s", (int)l->code,
                (int)GRPC_SLICE_LENGTH(l->sentence),
                (const char *)GRPC_SLICE_START_PTR(l->sentence));
        index = -1;
    }
    lane_clear(l);
    return index;
}
