#pragma once

/* Google Benchmark as seen from C. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void benchmark_body(void *argument);

/* `body` is called once an iteration; `argument` lives until benchmark_run returns. */
void benchmark_register(const char *name, benchmark_body *body, void *argument, int64_t bytes,
                        int64_t items);

/* Takes Google Benchmark's options (--benchmark_filter=..., --benchmark_format=json). Returns the
 * exit code. */
int benchmark_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif
