/* The processes that were started together: a starter is known by what it leaves in the
 * environment. MPI itself is in a module beside the program (mpi.c), opened only then; for
 * others, as Ray, the parent of each process carries the bytes (world_line.c). */
#include "world.h"

#include "world_line.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Open MPI, MPICH and Slurm's PMI, Slurm's PMIx. */
static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", NULL};

static const char *starter(void) {
    for (const char *const *sign = signs; *sign; sign++) {
        if (getenv(*sign)) {
            return *sign;
        }
    }
    return NULL;
}

/* Where the module is, from the program's folder: in the tree, and installed (cmake/Install.cmake).
 */
static const char *const places[] = {"ludus-mpi.so", "../lib/ludus/ludus-mpi.so"};
enum { PLACES = sizeof places / sizeof places[0] };

/* NAME from the folder of the program. */
static void beside(const char *name, char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t at = slash ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + at, PATH_MAX - at, "%s", name);
}

/* ---- a rank that is lost ---- */

static struct sigaction own_end; /* what the program does when it is asked to end */

static void give_up(int signal_number) {
    static const char text[] =
        "ludus: another rank is lost or not responding, so the job ends here. The last checkpoint "
        "is complete: `ludus train GAME --resume latest` continues from it; to continue a sweep, "
        "repeat the command\n";
    (void)signal_number;
    ssize_t told = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(told > 0 ? 1 : 2);
}

/* mpirun asks all to end when one is lost, and kills them a second later. A training that can still
 * end its update writes a checkpoint; one that waits for a lost rank says so. */
static void asked_to_end(int signal_number) {
    struct itimerval soon = {.it_value = {.tv_usec = 700000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    if (own_end.sa_handler != SIG_DFL && own_end.sa_handler != SIG_IGN) {
        own_end.sa_handler(signal_number);
    }
}

static void watch_ranks(const lu_comm *comm) {
    struct sigaction give = {.sa_handler = give_up}, end = {.sa_handler = asked_to_end};
    if (comm->rank > 0) {
        signal(SIGTERM, SIG_IGN); /* rank 0 ends the training, or mpirun does */
        signal(SIGINT, SIG_IGN);
        return;
    }
    sigaction(SIGALRM, &give, NULL);
    sigaction(SIGTERM, &end, &own_end);
}

/* ---- open and close ---- */

static void line_lost(int rank) {
    if (rank > 0) {
        _exit(1);
    }
    give_up(0);
}

static lu_status open_line(world *w, lu_error *error) {
    LU_TRY(world_line_open(&w->comm, line_lost, error));
    if (w->comm.rank > 0) { /* its parent ends it */
        signal(SIGINT, SIG_IGN);
    }
    return LU_OK;
}

lu_status world_open(world *w, lu_error *error) {
    const char *sign = starter();
    *w = (world){0};
    if (getenv(WORLD_LINE)) {
        return open_line(w, error);
    }
    if (!sign) {
        return LU_OK;
    }
    char path[PATH_MAX];
    for (int i = 0; i == 0 || (i < PLACES && access(path, R_OK) != 0); i++) {
        beside(places[i], path);
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const char *why = module ? NULL : dlerror();
    union {
        void *symbol;
        lu_comm (*open)(void);
    } call = {module ? dlsym(module, "lu_mpi_open") : NULL};
    if (!call.symbol) {
        const char *ranks = getenv(sign);
        return strcmp(sign, signs[0]) == 0 && ranks && strcmp(ranks, "1") == 0
                   ? LU_OK
                   : lu_fail(error, LU_NOT_FOUND,
                             "started as one of several ranks (%s is set), but the MPI module "
                             "cannot be opened (%s): install the package ludus-mpi, or "
                             "libopenmpi-dev and rebuild, or start without mpirun",
                             sign, why ? why : path);
    }
    w->module = module;
    w->comm = call.open();
    if (w->comm.ranks > 1) {
        watch_ranks(&w->comm);
    }
    return LU_OK;
}

const lu_comm *world_comm(const world *w) {
    return w->comm.ranks > 1 ? &w->comm : NULL;
}

bool world_first(const world *w) {
    return w->comm.rank == 0;
}

void world_hush(const world *w) {
    if (!world_first(w) &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))) {
        fclose(stdout); /* nothing can be said of it */
    }
}

lu_status world_close(world *w, lu_status status) {
    union {
        void *symbol;
        void (*close)(void);
    } call = {w->module ? dlsym(w->module, "lu_mpi_close") : NULL};
    struct itimerval none = {0};
    setitimer(ITIMER_REAL, &none, NULL);
    if (call.symbol) {
        call.close();
    }
    w->module = NULL;
    return world_first(w) ? status : LU_OK;
}
