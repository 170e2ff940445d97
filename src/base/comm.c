/* What processes agree on: see comm.h. */
#include "ludus/comm.h"

#include <stdlib.h>

lu_status lu_comm_agree(const lu_comm *comm, lu_status status, lu_error *error) {
    if (!comm || comm->ranks < 2) {
        return status;
    }
    size_t ranks = (size_t)comm->ranks, mine = (size_t)comm->rank;
    lu_error *all = lu_alloc_zero(ranks, sizeof *all);
    size_t *at = lu_alloc_zero(ranks, sizeof *at), *bytes = lu_alloc_zero(ranks, sizeof *bytes);
    if (status != LU_OK) {
        all[mine] = *error;
        all[mine].status = status;
    }
    for (size_t r = 0; r < ranks; r++) {
        at[r] = r * sizeof *all;
        bytes[r] = sizeof *all;
    }
    comm->share(comm->context, all, at, bytes);
    lu_status agreed = LU_OK;
    for (size_t r = 0; r < ranks && agreed == LU_OK; r++) {
        if (all[r].status != LU_OK && r == 0) {
            agreed = lu_fail(error, all[r].status, "%s", all[r].text);
        } else if (all[r].status != LU_OK) {
            agreed = lu_fail(error, all[r].status, "rank %zu: %.400s", r, all[r].text);
        }
    }
    free(all);
    free(at);
    free(bytes);
    return agreed;
}
