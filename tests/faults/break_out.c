/* A layer for LD_PRELOAD that tries on SIGUSR1 what a confined process cannot do, and says on
 * standard error what it could: "it could: read write". */
#include "../break_out.h"

static void on_signal(int number) {
    char could[64], text[96];
    (void)number;
    break_out(could);
    int length = snprintf(text, sizeof text, "it could:%s\n", could);
    (void)!write(STDERR_FILENO, text, (size_t)length);
}

__attribute__((constructor)) static void begin(void) {
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
}
