/* Compares every kernel of every instruction set with its reference.
 *
 *     check_kernels [--isa NAME] [--kernel PART] [--seed N] [--repeat N] [--list]
 *
 * Without --isa, all sets that this CPU has. Exit 0: all agree, 1: a difference, 2: usage,
 * 77 (skipped, to Meson): the CPU lacks the set asked for. */
#include "tests/kernels/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SKIPPED = 77 };

static const struct {
    const char *name;
    check_function *function;
} checks[] = {
#define KERNEL(name, return_type, parameters) {#name, check_##name},
#include "kernels/kernel_list.h"
#undef KERNEL
};

enum { CHECK_COUNT = sizeof checks / sizeof checks[0] };

struct options {
    const char *isa;
    const char *kernel;
    uint64_t seed;
    uint64_t repeat;
    int lists;
};

static int parse_options(int argc, char **argv, struct options *options) {
    *options = (struct options){.kernel = "", .seed = 1, .repeat = 1};
    for (int i = 1; i < argc; i++) {
        const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            options->lists = 1;
            continue;
        }
        if (value == NULL)
            return 0;
        if (strcmp(argv[i], "--isa") == 0)
            options->isa = value;
        else if (strcmp(argv[i], "--kernel") == 0)
            options->kernel = value;
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--repeat") == 0)
            options->repeat = strtoull(value, NULL, 10);
        else
            return 0;
        i++;
    }
    return options->isa == NULL || oriel_isa_by_name(options->isa) != NULL;
}

static void print_list(void) {
    for (size_t i = 0; oriel_isa_at(i) != NULL; i++) {
        const struct oriel_isa *const isa = oriel_isa_at(i);
        printf("isa %s%s\n", isa->name,
               (isa->required & ~oriel_cpu_features()) != 0 ? " (not on this CPU)" : "");
    }
    for (size_t k = 0; k < CHECK_COUNT; k++)
        printf("kernel %s\n", checks[k].name);
}

/* Returns the number of kernels checked; adds those that differ to *failed. */
static size_t check_isa(const struct oriel_isa *isa, const struct options *options,
                        unsigned *failed) {
    size_t checked = 0;
    for (size_t k = 0; k < CHECK_COUNT; k++) {
        if (strstr(checks[k].name, options->kernel) == NULL)
            continue;
        struct check check = {
            .reference = oriel_isa_at(0)->kernels,
            .tested = isa->kernels,
            .kernel = checks[k].name,
            .isa = isa->name,
        };
        for (uint64_t r = 0; r < options->repeat && check.failures == 0; r++) {
            check.seed = check.state = options->seed + r;
            checks[k].function(&check);
        }
        checked++;
        *failed += check.failures != 0;
        printf("%s %s/%s\n", check.failures != 0 ? "FAIL" : "ok  ", checks[k].name, isa->name);
        fflush(stdout);
    }
    return checked;
}

int main(int argc, char **argv) {
    struct options options;
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: check_kernels [--isa NAME] [--kernel PART] [--seed N] "
                        "[--repeat N] [--list]\n");
        return 2;
    }
    if (options.lists) {
        print_list();
        return 0;
    }
    size_t checked = 0;
    unsigned failed = 0;
    for (size_t i = 0; oriel_isa_at(i) != NULL; i++) {
        const struct oriel_isa *const isa = oriel_isa_at(i);
        if (options.isa != NULL && strcmp(options.isa, isa->name) != 0)
            continue;
        if ((isa->required & ~oriel_cpu_features()) != 0) {
            printf("SKIP %s: not on this CPU\n", isa->name);
            if (options.isa != NULL)
                return EXIT_SKIPPED;
            continue;
        }
        checked += check_isa(isa, &options, &failed);
    }
    if (checked == 0) {
        fprintf(stderr, "check_kernels: no kernel's name contains '%s'\n", options.kernel);
        return 2;
    }
    return failed != 0;
}
