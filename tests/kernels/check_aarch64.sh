#!/bin/sh
# Builds the kernels and their checks for AArch64 and runs them under qemu: the NEON table is SIMDe's
# translation of the 128-bit vocabulary, and nothing else here executes it.
#
#     check_aarch64.sh SOURCE_ROOT SCRATCH_DIRECTORY
#
# Exit 77 (skipped, to Meson) when the cross compiler, qemu or SIMDe is not installed.
set -eu
root=$1
scratch=$2
for tool in aarch64-linux-gnu-gcc qemu-aarch64 meson ninja; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
simde=
for include in /usr/include /usr/local/include; do
    if [ -d "$include/simde" ]; then simde=$include/simde; fi
done
[ -n "$simde" ] || { echo "skipped: no simde headers"; exit 77; }

# Laid out anew each time; only the build folder is kept, so that a second run is quick. SIMDe gets a folder
# of its own: the others in /usr/include are not this machine's.
mkdir -p "$scratch/source/tests" "$scratch/include"
ln -sfn "$simde" "$scratch/include/simde"
ln -sfn "$root/kernels" "$scratch/source/kernels"
ln -sfn "$root/tests/kernels" "$scratch/source/tests/kernels"
cp "$root/tests/kernels/standalone.meson" "$scratch/source/meson.build"
if [ ! -f "$scratch/build/build.ninja" ]; then
    meson setup --cross-file "$root/tests/kernels/cross-aarch64.ini" \
        -Dc_args="-isystem $scratch/include" "$scratch/build" "$scratch/source"
fi
ninja -j2 -C "$scratch/build" tests/kernels/check_kernels
qemu-aarch64 -L /usr/aarch64-linux-gnu "$scratch/build/tests/kernels/check_kernels"
