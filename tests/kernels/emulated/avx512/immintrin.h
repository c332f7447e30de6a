// SPDX-License-Identifier: MIT
// In place of the compiler's header: the intrinsics as SIMDe writes them in plain C, for
// a processor that has none of them (emulated.sh), and the few that SIMDe does not have.
#pragma once

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/f16c.h>

#define _MM_FROUND_NO_EXC SIMDE_MM_FROUND_NO_EXC

static inline __m512 _mm512_cvtph_ps(__m256i a)
{
    simde__m256i_private bits = simde__m256i_to_private(a);
    simde__m512_private out;
    for (int i = 0; i < 16; i++)
        out.f32[i] = simde_float16_to_float32(simde_uint16_as_float16(bits.u16[i]));
    return simde__m512_from_private(out);
}

static inline __m512i _mm512_cvtepu16_epi32(__m256i a)
{
    simde__m256i_private bits = simde__m256i_to_private(a);
    simde__m512i_private out;
    for (int i = 0; i < 16; i++)
        out.u32[i] = bits.u16[i];
    return simde__m512i_from_private(out);
}
