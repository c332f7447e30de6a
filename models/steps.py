# SPDX-License-Identifier: MIT
"""Layers for the loop of a decoder, where the same weights act at every position.

Autograd makes the gradient of a weight anew at every step, a product of few rows each,
and adds them up. These layers only keep what a step was given and what came back to it;
`Kept.collect`, which must follow every `loss.backward()`, makes each gradient by one
product over all positions. Without it these weights get no gradient, and what was kept
stays in memory. Numbers and parameters are those of nn.Linear and nn.GRUCell.
"""
import torch
import torch.nn.functional as F
from torch import nn


class Kept:
    """What the steps left: for each weight and its bias the inputs and the slopes."""

    def __init__(self):
        self.rows = {}

    def add(self, weight, bias, inputs, slope):
        self.rows.setdefault((weight, bias), []).append((inputs, slope))

    def collect(self):
        """Gives every weight the gradient of all its steps, and forgets them."""
        for (weight, bias), rows in self.rows.items():
            inputs, slopes = (torch.cat(part) for part in zip(*rows))
            add_gradient(weight, slopes.t().mm(inputs))
            if bias is not None:
                add_gradient(bias, slopes.sum(0))
        self.rows = {}


def add_gradient(parameter, slope):
    parameter.grad = slope if parameter.grad is None else parameter.grad.add_(slope)


class LinearStep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs, layer):
        ctx.save_for_backward(inputs)
        ctx.layer = layer
        return F.linear(inputs, layer.weight, layer.bias)

    @staticmethod
    def backward(ctx, slope):
        layer = ctx.layer
        layer.kept.add(layer.weight, layer.bias, ctx.saved_tensors[0], slope)
        return slope.mm(layer.weight), None


class CellStep(torch.autograd.Function):
    """n = tanh(i_n + r * h_n), s' = n + z (s - n): torch.nn.GRUCell."""

    @staticmethod
    def forward(ctx, inputs, state, cell):
        width = state.shape[1]
        side = torch.addmm(cell.bias_ih, inputs, cell.weight_ih.t())
        back = torch.addmm(cell.bias_hh, state, cell.weight_hh.t())
        gates = side[:, :2 * width].add_(back[:, :2 * width]).sigmoid_()
        reset, update, back = gates[:, :width], gates[:, width:], back[:, 2 * width:]
        new = torch.addcmul(side[:, 2 * width:], reset, back).tanh_()
        ctx.save_for_backward(inputs, state, reset, update, new, back)
        ctx.cell = cell
        return torch.lerp(new, state, update)

    @staticmethod
    def backward(ctx, slope):
        inputs, state, reset, update, new, back = ctx.saved_tensors
        cell, kept = ctx.cell, ctx.cell.kept
        straight = slope * update
        d_new = (slope - straight).mul_(1 - new * new)
        d_update = (state - new).mul_(straight).mul_(1 - update)
        d_back = d_new * reset
        d_reset = (d_back * back).mul_(1 - reset)
        d_side = torch.cat([d_reset, d_update, d_new], 1)
        d_back = torch.cat([d_reset, d_update, d_back], 1)
        kept.add(cell.weight_ih, cell.bias_ih, inputs, d_side)
        kept.add(cell.weight_hh, cell.bias_hh, state, d_back)
        return d_side.mm(cell.weight_ih), straight.addmm_(d_back, cell.weight_hh), None


class AdditiveStep(torch.autograd.Function):
    """e (B, S) = v' tanh(q + k) of a projected query (B, A) and keys (B, S, A).

    By tanh(x) = 2 sigma(2x) - 1: PyTorch's sigmoid takes a third of its tanh's time."""

    @staticmethod
    def forward(ctx, query, keys, layer):
        half = (query.unsqueeze(1) + keys).mul_(2).sigmoid_()  # (1 + tanh) / 2
        ctx.save_for_backward(half)
        ctx.layer = layer
        v = layer.weight[0]
        return half.matmul(2 * v) - v.sum()

    @staticmethod
    def backward(ctx, slope):
        half, = ctx.saved_tensors
        v = ctx.layer.weight  # its gradient is too small a product to be kept for later
        rows = slope.reshape(1, -1)
        add_gradient(v, 2 * rows.mm(half.view(-1, half.shape[2])) - rows.sum())
        inner = (half - half * half).mul_(4 * v[0]).mul_(slope.unsqueeze(2))
        return inner.sum(1), inner, None


class Linear(nn.Linear):
    def __init__(self, kept, *sizes, bias=True):
        super().__init__(*sizes, bias=bias)
        self.kept = kept

    def forward(self, inputs):
        return LinearStep.apply(inputs, self)


class GRUCell(nn.GRUCell):
    def __init__(self, kept, *sizes):
        super().__init__(*sizes)
        self.kept = kept

    def forward(self, inputs, state):
        return CellStep.apply(inputs, state, self)
