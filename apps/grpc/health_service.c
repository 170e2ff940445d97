/* grpc.health.v1.Health: this server answers, or it is not there. */
#include "services.h"

#include <grpc/health/v1/health.pb-c.h>

#include <string.h>

static const char *const names[] = {"", "ludus.v1.Env", "joker_guide.v1.JokerEnv",
                                    "grpc.health.v1.Health", NULL};

static bool is_served(const char *name) {
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static lu_status answer_health(const rpc_question *question, rpc_answer *answer, bool watch,
                               lu_error *error) {
    Grpc__Health__V1__HealthCheckResponse told = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    Grpc__Health__V1__HealthCheckRequest *ask =
        (void *)rpc_unpack(&grpc__health__v1__health_check_request__descriptor, question, error);
    if (!ask) {
        return error->status;
    }
    lu_status status = LU_OK;
    bool served = is_served(ask->service);
    told.status = served ? GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING
                         : GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN;
    if (served || watch) {
        rpc_reply(answer, &told.base);
    } else {
        status = lu_fail(error, LU_NOT_FOUND, "no such service: '%.100s'", ask->service);
    }
    protobuf_c_message_free_unpacked(&ask->base, NULL);
    return status;
}

static lu_status on_check(void *context, const rpc_question *question, rpc_answer *answer,
                          lu_error *error) {
    (void)context;
    return answer_health(question, answer, false, error);
}

static lu_status on_watch(void *context, const rpc_question *question, rpc_answer *answer,
                          lu_error *error) {
    (void)context;
    return answer_health(question, answer, true, error);
}

const rpc_method health_methods[] = {
    {"/grpc.health.v1.Health/Check", RPC_UNARY, on_check},
    {"/grpc.health.v1.Health/Watch", RPC_WATCH, on_watch},
    {NULL, RPC_UNARY, NULL},
};
