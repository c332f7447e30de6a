// SPDX-License-Identifier: MIT
// How far apart two distributions over the same source are.
#pragma once

// The Jensen-Shannon divergence in bits (Lin 1991), 0 for the same and 1 for rows that
// share nothing:  JSD(p, q) = H((p + q) / 2) - H(p) / 2 - H(q) / 2
// Each row is normalised first. NAN when one of them cannot be read (readings_can_read).
float diverge_rows(const float *p, const float *q, int n);
