/* The thread behind the progress line of long calls: see ticker.h. It lives until the program ends,
 * asleep while it is held. */
#include "ticker.h"

#include "output.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char label[64];
static bool tried;

static void *tick(void *unused) {
    const struct timespec tenth = {0, 100000000};
    (void)unused;
    for (;;) {
        nanosleep(&tenth, NULL);
        pthread_mutex_lock(&lock); /* the main thread has it while the ticker is held */
        if (interrupted()) {
            note("interrupted");
            _exit(130);
        }
        progress(-1, label);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void ticker_go(const char *what) {
    pthread_t thread;
    if (!tried) {
        tried = true;
        pthread_mutex_lock(&lock);
        progress_start();
        /* without a thread there is no progress, which stops nothing */
        if (pthread_create(&thread, NULL, tick, NULL) == 0) {
            pthread_detach(thread);
        }
    }
    snprintf(label, sizeof label, "%s", what);
    pthread_mutex_unlock(&lock);
}

void ticker_hold(void) {
    pthread_mutex_lock(&lock);
    progress_end();
}
