#!/bin/sh
# The kernel tests for processors that this machine is not. Not part of ./check: it needs
# tools that few have, and says which.
#
#   aarch64   cross compiler and emulator: on Debian the packages gcc-aarch64-linux-gnu,
#             libc6-dev-arm64-cross and qemu-user
#   avx512    the intrinsics in plain C instead of the instructions: libsimde-dev. It
#             proves what the kernels compute, not what the compiler makes of them.
#
# usage: emulated.sh [aarch64] [avx512]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
src=$here/../../src
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags="-std=c17 -O2 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -I$src -I$here/emulated"
tests="$here/test_kernels.c $here/products.c $here/functions.c $here/gates.c $here/bench.c
    $src/bench_clock.c"

has() {
    for tool; do
        command -v "$tool" > /dev/null || { echo "$tool is not installed"; return 1; }
    done
}

aarch64() {
    has aarch64-linux-gnu-gcc qemu-aarch64 || return 1
    # shellcheck disable=SC2086
    aarch64-linux-gnu-gcc $flags -static $tests "$src/engine/kernels.c" \
        "$src/engine/kernels_neon.c" -lm -o "$out/aarch64"
    qemu-aarch64 "$out/aarch64"
}

avx512() {
    [ -f /usr/include/simde/x86/avx512.h ] || { echo "simde is not installed"; return 1; }
    # No function is compiled for AVX-512, nothing names its registers, and every processor
    # is said to have it.
    for file in kernels_avx512 kernels_small_vnni; do
        # shellcheck disable=SC2086
        cc $flags -Wno-psabi -I"$here/emulated/avx512" '-Dtarget(x)=unused' \
            '-D__asm__(...)=' '-D__builtin_cpu_supports(x)=1' \
            -c "$src/engine/$file.c" -o "$out/$file.o"
    done
    # shellcheck disable=SC2086
    cc $flags $tests "$src/engine/kernels.c" "$src/engine/kernels_avx2.c" \
        "$src/engine/kernels_small.c" "$out"/*.o -lm -o "$out/avx512"
    "$out/avx512"
}

[ $# -gt 0 ] || set -- aarch64 avx512
for processor; do
    echo "== $processor"
    $processor
done
