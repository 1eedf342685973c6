/*
 * oriel-datagen: the command line of the generators.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datagen/datagen.h"

enum { EXIT_USAGE = 2, KEYS_MAX = 1000000000, ROWS_MAX_SHUFFLED = 1000000000 };

static const char usage[] =
    "usage: oriel-datagen orders [OPTIONS]   order_id, shop, amount, ts as CSV without a header\n"
    "       oriel-datagen lab [-o FILE]      the 119 orders of the lab\n"
    "       oriel-datagen nexmark [--events N] [--rate R] [--seed S] [-o FOLDER]\n"
    "                                        person.csv, auction.csv and bid.csv of Nexmark\n"
    "  --events N       events of all three kinds, 1 : 3 : 46 (default 1000000)\n"
    "  --rate R         events a second of event time (default 10000)\n"
    "  --rows N         rows (default 1000000)\n"
    "  --keys K         shops (default 1000)\n"
    "  --numbers        keys are numbers of ten digits in place of the names of shops\n"
    "  --seed S         the same seed gives the same bytes (default 1)\n"
    "  --disorder SECONDS  rows leave their place by up to this much event time\n"
    "  --shuffle        rows in any order\n"
    "  --skew S         exponent of Zipf's law over the shops (default 0: all equally likely)\n"
    "  --null-share P   share of empty shops, and apart from it of empty amounts, 0 to 1\n"
    "  --null-times P   share of empty times\n"
    "  -o FILE          write there instead of standard output; nexmark: in this folder\n";

static int fail(const char *option, const char *value) {
    fprintf(stderr, "oriel-datagen: invalid value '%s' for %s\n", value, option);
    return -1;
}

static int parse_count(const char *text, const char *option, uint64_t low, uint64_t high,
                       uint64_t *out) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno || end == text || *end || text[0] == '-' || value < low || value > high)
        return fail(option, text);
    *out = value;
    return 0;
}

static int parse_share(const char *text, const char *option, double high, double *out) {
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (errno || end == text || *end || !(value >= 0 && value <= high))
        return fail(option, text);
    *out = value;
    return 0;
}

enum option_code {
    OPTION_EVENTS = 256,
    OPTION_RATE,
    OPTION_ROWS,
    OPTION_KEYS,
    OPTION_NUMBERS,
    OPTION_SEED,
    OPTION_DISORDER,
    OPTION_SHUFFLE,
    OPTION_SKEW,
    OPTION_NULL_SHARE,
    OPTION_NULL_TIMES,
};

static const struct option long_options[] = {
    {"events", required_argument, NULL, OPTION_EVENTS},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"rows", required_argument, NULL, OPTION_ROWS},
    {"keys", required_argument, NULL, OPTION_KEYS},
    {"numbers", no_argument, NULL, OPTION_NUMBERS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"disorder", required_argument, NULL, OPTION_DISORDER},
    {"shuffle", no_argument, NULL, OPTION_SHUFFLE},
    {"skew", required_argument, NULL, OPTION_SKEW},
    {"null-share", required_argument, NULL, OPTION_NULL_SHARE},
    {"null-times", required_argument, NULL, OPTION_NULL_TIMES},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int parse_option(int option, struct datagen_orders *orders, struct datagen_nexmark *nexmark,
                        const char **path) {
    switch (option) {
    case OPTION_EVENTS:
        return parse_count(optarg, "--events", 0, UINT64_C(1) << 40, &nexmark->event_count);
    case OPTION_RATE: return parse_count(optarg, "--rate", 1, 1000000000, &nexmark->rate);
    case OPTION_ROWS:
        return parse_count(optarg, "--rows", 0, UINT64_C(1) << 40, &orders->row_count);
    case OPTION_KEYS: return parse_count(optarg, "--keys", 1, KEYS_MAX, &orders->key_count);
    case OPTION_NUMBERS: orders->numbers = 1; return 0;
    case OPTION_SEED: return parse_count(optarg, "--seed", 0, UINT64_MAX, &orders->seed);
    case OPTION_DISORDER:
        return parse_count(optarg, "--disorder", 0, 1000000000, &orders->disorder_s);
    case OPTION_SHUFFLE: orders->shuffle = 1; return 0;
    case OPTION_SKEW: return parse_share(optarg, "--skew", 10, &orders->skew);
    case OPTION_NULL_SHARE: return parse_share(optarg, "--null-share", 1, &orders->null_share);
    case OPTION_NULL_TIMES: return parse_share(optarg, "--null-times", 1, &orders->null_times);
    case 'o': *path = optarg; return 0;
    default: return -1;
    }
}

static int generate(const char *command, const struct datagen_orders *orders, const char *path) {
    FILE *out = path ? fopen(path, "wb") : stdout;
    if (!out) {
        fprintf(stderr, "oriel-datagen: %s: %s\n", path, strerror(errno));
        return EXIT_FAILURE;
    }
    int failed = strcmp(command, "lab") == 0 ? datagen_lab(out) : datagen_orders(orders, out);
    const int cause = errno;
    if (fflush(out) != 0 || (path && fclose(out) != 0))
        failed = 1;
    if (failed) {
        fprintf(stderr, "oriel-datagen: %s: %s\n", path ? path : "standard output",
                strerror(cause ? cause : EIO));
        if (path)
            remove(path);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

static int generate_nexmark(struct datagen_nexmark *nexmark, uint64_t seed, const char *folder) {
    nexmark->seed = seed;
    folder = folder ? folder : ".";
    if (datagen_nexmark(nexmark, folder) == 0)
        return EXIT_SUCCESS;
    fprintf(stderr, "oriel-datagen: nexmark in %s: %s\n", folder, strerror(errno));
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    struct datagen_orders orders = {.row_count = 1000000, .key_count = 1000, .seed = 1};
    struct datagen_nexmark nexmark = {.event_count = 1000000, .rate = 10000};
    const char *path = NULL;
    int option;
    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        }
        if (parse_option(option, &orders, &nexmark, &path) != 0) {
            fputs("oriel-datagen --help shows the options\n", stderr);
            return EXIT_USAGE;
        }
    }
    const char *command = optind + 1 == argc ? argv[optind] : "";
    if (strcmp(command, "nexmark") == 0)
        return generate_nexmark(&nexmark, orders.seed, path);
    if (strcmp(command, "orders") != 0 && strcmp(command, "lab") != 0) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (orders.shuffle && orders.row_count > ROWS_MAX_SHUFFLED) {
        fputs("oriel-datagen: --shuffle holds all rows in memory: at most 1000000000\n", stderr);
        return EXIT_USAGE;
    }
    return generate(command, &orders, path);
}
