#!/bin/sh
# run.sh WHAT [ARG ...]: see README.md beside this file. Called by ./dev bench.
set -eu
cd "$(dirname "$0")/.."
what=${1:-peers}
[ $# -gt 0 ] && shift
case $what in
kernels) exec build/bench/kernels/bench_kernels "$@" ;;
peers) exec .venv/bin/python bench/peers/run.py --build build "$@" ;;
strategies) exec .venv/bin/python bench/strategies/run.py --build build "$@" ;;
nexmark) exec .venv/bin/python bench/nexmark/run.py --build build "$@" ;;
growth) exec .venv/bin/python bench/growth/run.py --build build "$@" ;;
parquet) exec .venv/bin/python bench/parquet/run.py --build build "$@" ;;
versions) exec sh bench/versions.sh build/oriel "$@" ;;
start) exec hyperfine -N --warmup 5 --runs 50 "build/oriel -e 'SELECT 1'" ;;
*) echo "usage: ./dev bench kernels | peers | strategies | growth | nexmark | parquet | versions | start" >&2; exit 2 ;;
esac
