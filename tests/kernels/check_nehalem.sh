#!/bin/sh
# Runs the checks on an emulated CPU that has nothing newer than x86-64-v2: an instruction that leaked into
# the older tables or the dispatch dies there with SIGILL, or gives another answer.
#
#     check_nehalem.sh CHECK_KERNELS
#
# Exit 77 (skipped, to Meson) without qemu-x86_64.
set -eu
check=$1
command -v qemu-x86_64 >/dev/null || { echo "skipped: no qemu-x86_64"; exit 77; }
qemu-x86_64 -cpu Nehalem "$check" --isa reference
qemu-x86_64 -cpu Nehalem "$check" --isa x86-64-v2
# The wider tables must be refused there, not run.
for isa in x86-64-v3 x86-64-v4; do
    status=0
    qemu-x86_64 -cpu Nehalem "$check" --isa $isa || status=$?
    [ "$status" -eq 77 ] || { echo "$isa on Nehalem: exit $status, expected 77"; exit 1; }
done
