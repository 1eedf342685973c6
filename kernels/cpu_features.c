/* Asks the CPU, once at start, which instruction sets it has. The compiler's builtin reads cpuid
 * and checks that the operating system saves the wide registers. Levels, not loose bits: each is
 * the full feature list of the psABI level, since the kernels are compiled with -march=<level>. */
#include "kernels/kernels.h"

#if defined(__x86_64__)

/* LZCNT and MOVBE have no builtin name in all supported compilers; every CPU with BMI2, FMA and
 * AVX2 has both. */
static int has_v2(void) {
    return __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
           __builtin_cpu_supports("popcnt");
}

static int has_v3(void) {
    return has_v2() && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
}

static int has_v4(void) {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

unsigned oriel_cpu_features(void) {
    __builtin_cpu_init();
    unsigned features = 0;
    if (has_v2())
        features |= ORIEL_CPU_X86_64_V2;
    if (has_v3())
        features |= ORIEL_CPU_X86_64_V3;
    if (has_v4())
        features |= ORIEL_CPU_X86_64_V4;
    return features;
}

#elif defined(__aarch64__)

unsigned oriel_cpu_features(void) {
    return ORIEL_CPU_NEON; /* part of every AArch64 CPU that runs an application */
}

#else

unsigned oriel_cpu_features(void) {
    return 0;
}

#endif
