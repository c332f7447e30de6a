#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Searches for new cases with libFuzzer under AddressSanitizer and UBSan (Debian: clang,
# libclang-rt-14-dev), one target after the other, and prints a table. What reaches new
# code is added to corpus/TARGET; an input that breaks a target stays in
# build-fuzz/found/TARGET, and the exit status is then 1.
#
# usage: tests/fuzz/run.sh MINUTES [TARGET...]
# JOBS=2 runs two targets at a time; BUILD=DIRECTORY builds elsewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath -m "${BUILD:-build-fuzz}")
corpus_bytes=100000
row='%-12s %12s %8s %8s %8s %7s %s\n'

build_all() {
    local flags='-fsanitize=fuzzer-no-link -fno-sanitize-recover=all'
    [ -f "$build/build.ninja" ] || CC=clang CXX=clang++ meson setup "$build" \
        -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=false \
        -Dc_args="$flags" -Dcpp_args="$flags" >"$build.log"
    ninja -C "$build" "${targets[@]/#/tests/fuzz/fuzz_}" >>"$build.log"
}

# The longest input that makes sense for a target.
longest() {
    case $1 in
        model | inspect) echo 16384 ;;
        script) echo 512 ;;
        *) echo 4096 ;;
    esac
}

# Only what reaches an edge that the corpus does not: hit counts would keep hundreds. No
# corpus grows beyond what is worth keeping in a repository.
keep() {
    local target=$1 corpus=$PWD/tests/fuzz/corpus/$1 kept=$build/kept/$1 new size
    rm -rf "$kept" && mkdir -p "$build/kept" && cp -r "$corpus" "$kept"
    "$build/tests/fuzz/fuzz_$target" -merge=1 -use_counters=0 -close_fd_mask=3 \
        -max_len="$(longest "$target")" "$kept" "$build/new/$target" \
        >>"$build/$target.log" 2>&1 || return 0
    size=$(cat "$corpus"/* | wc -c)
    for new in $(find "$kept" -type f -printf '%s %f\n' | sort -n | cut -d' ' -f2); do
        [ ! -e "$corpus/$new" ] || continue
        size=$((size + $(wc -c <"$kept/$new")))
        [ "$size" -le $corpus_bytes ] || break
        cp "$kept/$new" "$corpus/"
    done
}

# The figure after a name in a line of the engine's.
figure() {
    # shellcheck disable=SC2001
    sed "s/.* $1: \([0-9]*\).*/\1/" <<<"$2"
}

search() {
    local target=$1 log=$build/$1.log found=$build/found/$1
    mkdir -p "$found" "$build/new/$target"
    ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 \
    UBSAN_OPTIONS=print_stacktrace=1 ALPHASCOPE_DATA=$PWD \
        "$build/tests/fuzz/fuzz_$target" -max_total_time=$((minutes * 60)) \
        -max_len="$(longest "$target")" -timeout=60 -report_slow_units=60 \
        -rss_limit_mb=4096 -close_fd_mask=3 -print_final_stats=1 \
        -artifact_prefix="$found/" \
        "$build/new/$target" "$PWD/tests/fuzz/corpus/$target" >"$log" 2>&1 || true
    local last executions rate
    last=$(grep -aE '^#[0-9]+.* cov: ' "$log" | tail -1 || true)
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    keep "$target"
    # shellcheck disable=SC2059
    printf "$row" "$target" "${executions:-?}" "${rate:-?}" \
        "$(figure cov "$last")" "$(figure ft "$last")" \
        "$(find "tests/fuzz/corpus/$target" -type f | wc -l)" \
        "$(find "$found" -type f | wc -l)"
}

if [ "${1:-}" = --one ]; then # what this script calls itself with
    minutes=$2
    search "$3"
    exit 0
fi
minutes=${1:?usage: tests/fuzz/run.sh MINUTES [TARGET...]}
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in tests/fuzz/fuzz_*.c; do
        target=${file##*/fuzz_}
        targets+=("${target%.c}")
    done
fi
build_all
# shellcheck disable=SC2059
printf "$row" target executions 'per s' edges features corpus found
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-1}" -I{} "$0" --one "$minutes" {}
[ -z "$(find "$build/found" -type f)" ]
