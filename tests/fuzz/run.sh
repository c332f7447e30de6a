#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches for new cases with libFuzzer (Debian: clang, libclang-rt-14-dev), and keeps
# what reaches new code in corpus/TARGET.
#
# usage: tests/fuzz/run.sh TARGET [SECONDS]
set -eu
target=$1
seconds=${2:-120}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-g -O1 -D_GNU_SOURCE -DALPHASCOPE_SOURCE=\"\" -DALPHASCOPE_PREFIX=\"\" -Isrc
    -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all"
for file in src/base/*.c src/engine/*.c src/text/*.c src/ui/textedit*.c src/align/*.c \
    src/formats/*.c; do
    clang -std=c17 $flags -c "$file" -o "$work/$(echo "$file" | tr / _).o"
done
clang++ -std=c++17 $flags -c src/text/spm_shim.cc -o "$work/shim.o"
clang -std=c17 $flags -c "tests/fuzz/fuzz_$target.c" -o "$work/target.o"
clang++ $flags -fsanitize=fuzzer "$work"/*.o -o "$work/fuzz" -lsentencepiece -lutf8proc -lxxhash \
    -lm
mkdir -p "$work/found" "tests/fuzz/corpus/$target"
"$work/fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$target-" "$work/found" "tests/fuzz/corpus/$target"
# Only what reaches an edge that the corpus does not: hit counts would keep hundreds.
"$work/fuzz" -merge=1 -use_counters=0 "tests/fuzz/corpus/$target" "$work/found"
