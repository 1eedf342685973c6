/*
 * Zipf's law by a table of limits and binary search.
 */
#include "datagen/zipf.h"

#include <stdlib.h>

static const double ln2 = 0.693147180559945309417232121458176568;

/* The natural logarithm of a number from 1, by the series of atanh. */
static double logarithm(double value) {
    int halvings = 0;
    while (value > 1.5) {
        value /= 2;
        halvings++;
    }
    const double z = (value - 1) / (value + 1);
    double power = z, sum = 0;
    for (int n = 1; n < 60; n += 2) {
        sum += power / n;
        power *= z * z;
    }
    return 2 * sum + halvings * ln2;
}

/* e^-x for x >= 0. */
static double decay(double x) {
    int halvings = 0;
    while (x > ln2) {
        x -= ln2;
        halvings++;
    }
    double term = 1, sum = 1;
    for (int n = 1; n < 30; n++) {
        term *= -x / n;
        sum += term;
    }
    while (halvings-- > 0)
        sum /= 2;
    return sum;
}

int datagen_zipf_init(struct datagen_zipf *zipf, uint64_t count, double skew) {
    zipf->count = count;
    zipf->limits = malloc(count * sizeof *zipf->limits);
    if (!zipf->limits)
        return -1;
    double total = 0;
    for (uint64_t k = 0; k < count; k++)
        total += decay(skew * logarithm((double)k + 1));
    double sum = 0;
    for (uint64_t k = 0; k < count; k++) {
        sum += decay(skew * logarithm((double)k + 1));
        const double share = sum / total * 9007199254740992.0; /* 2^53 */
        zipf->limits[k] =
            k + 1 == count || share >= 9007199254740992.0 ? UINT64_MAX : (uint64_t)share << 11;
    }
    return 0;
}

void datagen_zipf_deinit(struct datagen_zipf *zipf) {
    free(zipf->limits);
    zipf->limits = NULL;
}

uint64_t datagen_zipf_draw(const struct datagen_zipf *zipf, uint64_t random) {
    uint64_t low = 0, high = zipf->count - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (random < zipf->limits[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
