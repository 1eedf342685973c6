/*
 * Signal handlers. Calls that wait are interrupted (no SA_RESTART), so reading and writing end
 * soon.
 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(struct oriel_engine *) current_engine;
static volatile sig_atomic_t received;

static void handle(int number) {
    received = number;
    struct oriel_engine *engine = current_engine;
    if (engine)
        oriel_engine_cancel(engine);
    alarm(1);
}

static void handle_alarm(int number) {
    (void)number;
    if (received)
        alarm(1);
}

void interrupt_install(struct oriel_engine *engine) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    current_engine = engine;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        struct sigaction action = {.sa_handler = handle};
        sigemptyset(&action.sa_mask);
        /* A background job of a script ignores SIGINT; it shall go on doing so. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
    struct sigaction again = {.sa_handler = handle_alarm};
    sigemptyset(&again.sa_mask);
    sigaction(SIGALRM, &again, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error of writing */
}

int interrupt_signal(void) {
    return received;
}

void interrupt_clear(void) {
    alarm(0);
    received = 0;
}
