/* A layer for LD_PRELOAD that tries on SIGUSR1 what a confined process cannot do, and says on
 * standard error what it could: "it could: read write". */
#include "../break_out.h"

static void on_signal(int number) {
    char text[96] = "it could:";
    (void)number;
    break_out(text + strlen(text));
    strcat(text, "\n");
    (void)!write(STDERR_FILENO, text, strlen(text));
}

__attribute__((constructor)) static void begin(void) {
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
}
