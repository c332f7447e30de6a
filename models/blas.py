# SPDX-License-Identifier: MIT
"""Gives OpenBLAS the kernels that the processor can run. Import this before torch.

OpenBLAS chooses by the processor's name. One that is younger than the library gets kernels
without AVX, and training takes three to six times as long. OPENBLAS_CORETYPE in the
environment stays as it is; other libraries do not read it.
"""
import os


def processor_flags(path="/proc/cpuinfo"):
    try:
        with open(path, encoding="utf-8") as file:
            lines = (line.split(":", 1) for line in file if line.startswith("flags"))
            return set(next(lines, ("", ""))[1].split())
    except OSError:
        return set()


def kernels(flags):
    """The name that OpenBLAS has for them; None leaves the choice to it."""
    if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
        return "SkylakeX"
    return "Haswell" if {"avx2", "fma"} <= flags else None


CHOSEN = kernels(processor_flags())
if CHOSEN:
    os.environ.setdefault("OPENBLAS_CORETYPE", CHOSEN)
