# SPDX-License-Identifier: MIT
"""The steps of training that are not matrix products, in C where there is a compiler.

PyTorch takes a pass over memory for each + and tanh, and on a CPU half of the time goes
there. fused.c does each step in one pass; it is compiled once, for the machine at hand.
Without a compiler, on an accelerator and in another type than float32 the functions here
do the same with PyTorch: the numbers agree to the rounding of float32. Run as a program it
compares the two on random shapes.
"""
import ctypes
import functools
import os
import random
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F

FLAGS = "-O3 -march=native -ffast-math -fno-math-errno -shared -fPIC".split()


@functools.lru_cache(maxsize=None)
def library():
    """What fused.c compiles to; None where nothing compiles it."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fused.c")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "fused.so")
        try:
            subprocess.run(["cc", *FLAGS, source, "-o", made, "-lm"], check=True)
            loaded = ctypes.CDLL(made)
        except (OSError, subprocess.CalledProcessError):
            return None
    loaded.softmax_slope.restype = ctypes.c_double
    return loaded


def fast(tensor):
    return tensor.device.type == "cpu" and tensor.dtype == torch.float32 and library()


def call(name, *values):
    """Tensors as addresses, integers as 64 bits; every tensor must be contiguous."""
    def passed(value):
        if value is None:
            return ctypes.c_void_p(0)
        if isinstance(value, torch.Tensor):
            assert value.is_contiguous()
            return ctypes.c_void_p(value.data_ptr())
        return ctypes.c_float(value) if isinstance(value, float) else ctypes.c_uint64(value)
    return getattr(library(), name)(*map(passed, values))


def cell(side, back, state, gates, out):
    """A GRU step into out (B, W): side and back (B, 3W) are W x + b and U h + b; gates
    (B, 4W) is filled with what cell_back needs."""
    if fast(side):
        return call("cell", *state.shape, side, back, state, gates, out)
    width = state.shape[1]
    both = torch.sigmoid(side[:, :2 * width] + back[:, :2 * width])
    new = torch.tanh(side[:, 2 * width:] + both[:, :width] * back[:, 2 * width:])
    gates.copy_(torch.cat([both, new, back[:, 2 * width:]], 1))
    out.copy_(torch.lerp(new, state, both[:, width:]))


def cell_back(slope, gates, state, d_side, d_back, d_state):
    """Fills the slopes of side and back, and d_state but for what goes through back."""
    if fast(slope):
        return call("cell_back", *state.shape, slope, gates, state, d_side, d_back, d_state)
    reset, update, new, own = gates.chunk(4, 1)
    straight = slope * update
    d_new = (slope - straight) * (1 - new * new)
    d_update = (state - new) * straight * (1 - update)
    d_reset = d_new * reset * own * (1 - reset)
    d_side.copy_(torch.cat([d_reset, d_update, d_new], 1))
    d_back.copy_(torch.cat([d_reset, d_update, d_new * reset], 1))
    d_state.copy_(straight)


def energies(query, keys, v, covered, w):
    """(what tanh makes, the scores (B, S)); v None: the product, and no tanh."""
    if v is None:
        return None, (keys * query.unsqueeze(1)).sum(2)
    inner = query.unsqueeze(1) + keys
    if w is not None:
        inner = inner + covered.unsqueeze(2) * w
    inner = torch.tanh(inner)
    return inner, inner.matmul(v)


def look(scores, memory, blocked):
    """(context (B, M), alpha (B, S)) of scores; nothing of what is blocked (B, S). Products
    and sums: on a CPU without MKL, torch.bmm over such thin matrices is far slower."""
    alpha = torch.softmax(scores.masked_fill(blocked, -1e9), 1)
    return (alpha.unsqueeze(2) * memory).sum(1), alpha


def attend(query, keys, memory, lengths, v, covered, w):
    """(context (B, M), alpha (B, S)): softmax of v'tanh(q + k [+ C w]), or of q'k."""
    if fast(query):
        alpha = torch.empty(memory.shape[:2])
        context = torch.empty(memory.shape[0], memory.shape[2])
        call("attend", *keys.shape, memory.shape[2], query, keys, memory, lengths, v,
             covered, w, alpha, context)
        return context, alpha
    _, scores = energies(query, keys, v, covered, w)
    place = torch.arange(keys.shape[1], device=keys.device)
    return look(scores, memory, place >= lengths.to(keys.device).unsqueeze(1))


def attend_back(given, alpha, d_context, d_alpha, d_keys, d_memory, dv, dw):
    """(d_query, d_covered or None); adds to the other slopes. given: what attend took."""
    query, keys, memory, lengths, v, covered, w = given
    if fast(query):
        d_query = torch.empty_like(query)
        d_covered = None if w is None else torch.zeros_like(alpha)
        call("attend_back", *keys.shape, memory.shape[2], *given, alpha, d_context, d_alpha,
             torch.empty(keys.shape[1]), d_query, d_keys, d_memory, dv, dw, d_covered)
        return d_query, d_covered
    slope = (memory * d_context.unsqueeze(1)).sum(2) + d_alpha
    d_memory.add_(alpha.unsqueeze(2) * d_context.unsqueeze(1))
    slope = alpha * (slope - (alpha * slope).sum(1, keepdim=True))
    if v is None:
        d_keys.add_(slope.unsqueeze(2) * query.unsqueeze(1))
        return (slope.unsqueeze(2) * keys).sum(1), None
    bent, _ = energies(query, keys, v, covered, w)
    dv.add_((slope.unsqueeze(2) * bent).sum((0, 1)))
    inner = (1 - bent * bent) * v * slope.unsqueeze(2)
    d_keys.add_(inner)
    if w is None:
        return inner.sum(1), None
    dw.add_((inner * covered.unsqueeze(2)).sum((0, 1)))
    return inner.sum(1), inner.matmul(w)


def softmax_slope(logits, share, wanted, smoothing):
    """The sum of the losses; logits (N, V) become their slopes."""
    if fast(logits):
        return call("softmax_slope", *logits.shape, logits, share, wanted, float(smoothing))
    norm = logits.logsumexp(1, keepdim=True)
    picked = (1 - smoothing) * logits.gather(1, wanted.unsqueeze(1))
    total = (norm - picked).sum() - logits.mv(share).sum()
    logits.sub_(norm).exp_().sub_(share)
    logits.scatter_add_(1, wanted.unsqueeze(1), torch.full_like(norm, smoothing - 1))
    return total


class Drop(torch.autograd.Function):
    """Dropout (Srivastava et al. 2014) whose mask is drawn anew for the backward."""

    @staticmethod
    def run(values, seed, share):
        out = torch.empty_like(values)
        limit = round(share * 65536)
        call("drop", values.numel(), values, out, seed, limit, 65536 / (65536 - limit))
        return out

    @staticmethod
    def forward(ctx, values, share):
        ctx.drawn = int(torch.randint(2 ** 62, ())), share
        return Drop.run(values.contiguous(), *ctx.drawn)

    @staticmethod
    def backward(ctx, slope):
        return Drop.run(slope.contiguous(), *ctx.drawn), None


class Dropout(torch.nn.Dropout):
    def forward(self, values):
        if self.training and self.p > 0 and fast(values):
            return Drop.apply(values, self.p)
        return F.dropout(values, self.p, self.training)


def try_cells(rows, width):
    """What a step of a GRU and its backward give, of random numbers."""
    side, back = torch.randn(2, rows, 3 * width)
    state, slope = torch.randn(2, rows, width)
    gates, out = torch.empty(rows, 4 * width), torch.empty(rows, width)
    d_side, d_back = torch.empty(2, rows, 3 * width)
    d_state = torch.empty(rows, width)
    cell(side, back, state, gates, out)
    cell_back(slope, gates, state, d_side, d_back, d_state)
    return out, d_side, d_back, d_state


def try_attention(rows, positions, width, score):
    """The same of attention, from vectors of one width."""
    keys, memory = torch.randn(2, rows, positions, width)
    query, d_context = torch.randn(2, rows, width)
    covered, d_alpha = torch.rand(2, rows, positions)
    lengths = torch.randint(1, positions + 1, (rows,))
    v = torch.randn(width) if score != "dot" else None
    w = torch.randn(width) if score == "coverage" else None
    given = query, keys, memory, lengths, v, covered if w is not None else None, w
    context, alpha = attend(*given)
    sums = [torch.zeros_like(part) for part in (keys, memory, query[0], query[0])]
    sums[2:] = [None if part is None else total for part, total in zip((v, w), sums[2:])]
    return context, alpha, *attend_back(given, alpha, d_context, d_alpha, *sums), *sums


def try_softmax(rows, size):
    logits, wanted = 5 * torch.randn(rows, size), torch.randint(0, size, (rows,))
    total = softmax_slope(logits, torch.full((size,), 0.1 / size), wanted, 0.1)
    return torch.tensor([float(total) / rows]), logits


def compare(attempt, *sizes):
    """How far an attempt in C is from the same with PyTorch, of the largest magnitude."""
    global library
    kept, found = library, []
    for way in (kept, lambda: None):
        library = way
        torch.manual_seed(len(sizes))
        found.append([part for part in attempt(*sizes) if part is not None])
    library = kept
    return max(((a - b).abs().max() / b.abs().max().clamp_min(0.1)).item()
               for a, b in zip(*found))


def main():
    if not library():
        sys.exit("fused.py: cc does not compile fused.c here")
    worst, rng = 0.0, random.Random(1)
    for _ in range(200):
        rows, positions, width = rng.randint(1, 9), rng.randint(1, 40), rng.randint(1, 70)
        worst = max(worst, compare(try_cells, rows, width), compare(try_softmax, rows, width),
                    *(compare(try_attention, rows, positions, width, score)
                      for score in ("dot", "additive", "coverage")))
    print(f"largest difference {worst:.1e}")
    sys.exit(worst > 1e-4)


if __name__ == "__main__":
    main()
