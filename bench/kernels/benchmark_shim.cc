// The only C++ of the kernels' benchmarks: registers C functions with Google Benchmark and runs them.
#include "bench/kernels/benchmark_shim.h"

#include <benchmark/benchmark.h>

void benchmark_register(const char *name, benchmark_body *body, void *argument, int64_t bytes,
                        int64_t items) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State &state) {
        for (auto _ : state) {
            body(argument);
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * bytes);
        state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * items);
    });
}

int benchmark_run(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
