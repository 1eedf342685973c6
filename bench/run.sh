#!/bin/sh
# run.sh kernels [ARG ...] | peers [ARG ...] | start: see README.md beside this file. Called by ./dev bench.
set -eu
cd "$(dirname "$0")/.."
what=${1:-peers}
[ $# -gt 0 ] && shift
case $what in
kernels) exec build/bench/kernels/bench_kernels "$@" ;;
peers) exec .venv/bin/python bench/queries/compare.py --oriel build/oriel --datagen build/datagen/oriel-datagen "$@" ;;
start) exec hyperfine -N --warmup 5 --runs 50 "build/oriel -e 'SELECT 1'" ;;
*) echo "usage: ./dev bench kernels | peers | start" >&2; exit 2 ;;
esac
