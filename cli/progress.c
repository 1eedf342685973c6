/*
 * Draws rows, bytes of the total, speed and the time that is left, ten times a second.
 */
#include "cli/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BAR_CELLS = 24, DRAW_INTERVAL_NS = 100000000 };

static const double first_draw_seconds = 0.5;

/* The one bar of the program. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    int is_started;
    int wants_stop;
    int is_running; /* a statement runs */
    int is_hidden;
    int is_drawn;
    double begin;
    const struct oriel_engine *engine;
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER};

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_count(double value) {
    static const char *const units[] = {"", "K", "M", "G", "T"};
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    fprintf(stderr, unit ? "%.1f%s" : "%.0f%s", value, units[unit]);
}

static void draw(void) {
    struct oriel_engine_progress now;
    oriel_engine_progress(bar.engine, &now);
    const double seconds = progress_clock() - bar.begin;
    flockfile(stderr);
    fputs("\r", stderr);
    if (now.byte_total) {
        double share = (double)now.byte_count / (double)now.byte_total;
        share = share > 1 ? 1 : share;
        const int filled = (int)(share * BAR_CELLS);
        fputc('[', stderr);
        for (int i = 0; i < BAR_CELLS; i++)
            fputc(i < filled ? '#' : '.', stderr);
        fprintf(stderr, "] %3d%% ", (int)(share * 100));
    }
    print_count((double)now.row_count);
    fputs(" rows, ", stderr);
    print_count((double)now.row_count / seconds);
    fputs(" rows/s, ", stderr);
    print_count((double)now.byte_count);
    if (now.byte_total) {
        fputs("B of ", stderr);
        print_count((double)now.byte_total);
    }
    fputs("B", stderr);
    if (now.byte_total && now.byte_count) {
        const double left = seconds * ((double)now.byte_total / (double)now.byte_count - 1);
        fprintf(stderr, ", %.0f s left", left > 0 ? left : 0);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
    funlockfile(stderr);
    bar.is_drawn = 1;
}

static void erase(void) {
    if (bar.is_drawn)
        fputs("\r\033[K", stderr);
    bar.is_drawn = 0;
}

static void *run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&bar.lock);
    while (!bar.wants_stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += DRAW_INTERVAL_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (bar.is_running)
            pthread_cond_timedwait(&bar.wake, &bar.lock, &until);
        else
            pthread_cond_wait(&bar.wake, &bar.lock);
        if (bar.is_running && !bar.is_hidden && !bar.wants_stop &&
            progress_clock() - bar.begin > first_draw_seconds)
            draw();
    }
    pthread_mutex_unlock(&bar.lock);
    return NULL;
}

void progress_start(const struct oriel_engine *engine) {
    sigset_t all, before;
    bar.engine = engine;
    pthread_cond_init(&bar.wake, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bar.is_started = pthread_create(&bar.thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_stop(void) {
    if (!bar.is_started)
        return;
    pthread_mutex_lock(&bar.lock);
    bar.wants_stop = 1;
    erase();
    pthread_cond_signal(&bar.wake);
    pthread_mutex_unlock(&bar.lock);
    pthread_join(bar.thread, NULL);
    bar.is_started = 0;
}

static void set_running(int is_running) {
    if (!bar.is_started)
        return;
    pthread_mutex_lock(&bar.lock);
    bar.is_running = is_running;
    bar.is_hidden = 0;
    bar.begin = progress_clock();
    erase();
    pthread_cond_signal(&bar.wake);
    pthread_mutex_unlock(&bar.lock);
}

void progress_begin_statement(void) {
    set_running(1);
}

void progress_end_statement(void) {
    set_running(0);
}

void progress_pause(void) {
    pthread_mutex_lock(&bar.lock);
    erase();
}

void progress_resume(void) {
    fflush(stderr);
    pthread_mutex_unlock(&bar.lock);
}

void progress_hide(void) {
    if (!bar.is_started)
        return;
    pthread_mutex_lock(&bar.lock);
    bar.is_hidden = 1;
    erase();
    fflush(stderr);
    pthread_mutex_unlock(&bar.lock);
}
