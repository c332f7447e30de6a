// SPDX-License-Identifier: MIT
// `alphascope bench`: the numbers that speed is judged by, printed so that anyone can
// repeat them.
#pragma once

int bench_main(int argc, char **argv);
