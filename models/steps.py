# SPDX-License-Identifier: MIT
"""Layers for the loop of a decoder, where the same weights act at every position.

Autograd makes the gradient of a weight anew at every step, a product of few rows each,
and adds them up. These layers only keep what a step was given and what came back to it;
`Kept.collect`, which must follow every `loss.backward()`, makes each gradient by one
product over all positions. Without it these weights get no gradient, and what was kept
stays in memory. Numbers and parameters are those of nn.Linear, nn.GRUCell and nn.GRU. What
is not a product is fused.py's.
"""
import itertools

import torch
import torch.nn.functional as F
from torch import nn

import fused


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


def gradient_of(parameter):
    if parameter.grad is None:
        parameter.grad = torch.zeros_like(parameter)
    return parameter.grad


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
    def forward(ctx, inputs, state, layer):
        side = torch.addmm(layer.bias_ih, inputs, layer.weight_ih.t())
        back = torch.addmm(layer.bias_hh, state, layer.weight_hh.t())
        gates = state.new_empty(len(state), 4 * state.shape[1])
        state, out = state.contiguous(), torch.empty_like(state)
        fused.cell(side, back, state, gates, out)
        ctx.save_for_backward(inputs, state, gates)
        ctx.layer = layer
        return out

    @staticmethod
    def backward(ctx, slope):
        inputs, state, gates = ctx.saved_tensors
        layer, kept = ctx.layer, ctx.layer.kept
        d_side, d_back = gates.new_empty(2, len(state), 3 * state.shape[1])
        d_state = torch.empty_like(state)
        fused.cell_back(slope.contiguous(), gates, state, d_side, d_back, d_state)
        kept.add(layer.weight_ih, layer.bias_ih, inputs, d_side)
        kept.add(layer.weight_hh, layer.bias_hh, state, d_back)
        return d_side.mm(layer.weight_ih), d_state.addmm_(d_back, layer.weight_hh), None


class Recurrence(torch.autograd.Function):
    """A GRU over packed sequences, longest first: side (N, 3W) is W x + b of every
    position, one position of all sequences after the other; sizes has how many sequences
    reach each position. Gives the states (N, W) and the last one of each (B, W)."""

    @staticmethod
    def places(sizes, reverse):
        ends = list(itertools.accumulate(sizes))
        rows = [slice(end - size, end) for size, end in zip(sizes, ends)]
        return rows[::-1] if reverse else rows

    @staticmethod
    def forward(ctx, side, weight, bias, sizes, reverse):
        width = weight.shape[1]
        before, out = side.new_empty(2, len(side), width)
        gates, state = side.new_empty(len(side), 4 * width), side.new_zeros(sizes[0], width)
        for rows in Recurrence.places(sizes, reverse):
            now = state[:rows.stop - rows.start]
            before[rows] = now
            back = torch.addmm(bias, now, weight.t())
            fused.cell(side[rows], back, now, gates[rows], out[rows])
            now.copy_(out[rows])
        ctx.save_for_backward(weight, gates, before)
        ctx.sizes, ctx.reverse = sizes, reverse
        return out, state

    @staticmethod
    def backward(ctx, d_out, d_last):
        weight, gates, before = ctx.saved_tensors
        d_side, d_back = gates.new_empty(2, len(before), 3 * before.shape[1])
        d_state = d_last.clone()
        for rows in reversed(Recurrence.places(ctx.sizes, ctx.reverse)):
            now = d_state[:rows.stop - rows.start]
            fused.cell_back(now + d_out[rows], gates[rows], before[rows], d_side[rows],
                            d_back[rows], now)
            now.addmm_(d_back[rows], weight)
        return d_side, d_back.t().mm(before), d_back.sum(0), None, None


class Gathered(torch.autograd.Function):
    """The same tensor; to its slope comes what the steps of a loop added to holder.slope,
    so that no step makes a tensor of its own for it."""

    @staticmethod
    def forward(ctx, tensor, holder):
        ctx.set_materialize_grads(False)
        ctx.holder = holder
        return tensor.view_as(tensor)

    @staticmethod
    def backward(ctx, slope):
        added, ctx.holder.slope = ctx.holder.slope, None
        return (slope if added is None else added if slope is None else slope + added), None


class Holder:
    slope = None

    def room(self, like):
        if self.slope is None:
            self.slope = torch.zeros_like(like)
        return self.slope


class Read:
    """What every step of a loop attends to: keys (B, S, A), memory (B, S, M), lengths (B);
    v and w are layers whose weights are the score's, or None."""

    def __init__(self, keys, memory, lengths, v, w):
        self.lengths, self.v, self.w = lengths, v, w
        self.memory_holder = self.keys_holder = Holder()
        self.memory = Gathered.apply(memory.contiguous(), self.memory_holder)
        self.keys = self.memory
        if keys is not memory:
            self.keys_holder = Holder()
            self.keys = Gathered.apply(keys.contiguous(), self.keys_holder)

    def weights(self):
        return [layer and layer.weight.detach().view(-1) for layer in (self.v, self.w)]

    def rooms(self):
        """Where the slopes of keys, memory, v and w are added up."""
        rows = [layer and gradient_of(layer.weight).view(-1) for layer in (self.v, self.w)]
        return (self.keys_holder.room(self.keys), self.memory_holder.room(self.memory),
                *rows)


class AttendStep(torch.autograd.Function):
    """(context, alpha) of fused.attend. The slopes of keys and memory go by their holders,
    those of the layers straight to the weights."""

    @staticmethod
    def forward(ctx, query, covered, keys, memory, read):
        query = query.contiguous()
        covered = None if covered is None else covered.contiguous()
        v, w = read.weights()
        context, alpha = fused.attend(query, keys, memory, read.lengths, v, covered, w)
        ctx.save_for_backward(query, covered, keys, memory, alpha)
        ctx.read = read
        return context, alpha

    @staticmethod
    def backward(ctx, d_context, d_alpha):
        query, covered, keys, memory, alpha = ctx.saved_tensors
        v, w = ctx.read.weights()
        slopes = fused.attend_back(
            (query, keys, memory, ctx.read.lengths, v, covered, w), alpha,
            d_context.contiguous(), d_alpha.contiguous(), *ctx.read.rooms())
        return *slopes, None, None, None


class Linear(nn.Linear):
    def __init__(self, kept, *sizes, bias=True):
        super().__init__(*sizes, bias=bias)
        self.kept = kept

    def forward(self, inputs):
        if not torch.is_grad_enabled():
            return super().forward(inputs)
        return LinearStep.apply(inputs, self)


class GRUCell(nn.GRUCell):
    def __init__(self, kept, *sizes):
        super().__init__(*sizes)
        self.kept = kept

    def forward(self, inputs, state):
        if not torch.is_grad_enabled():
            return super().forward(inputs, state)
        return CellStep.apply(inputs, state, self)
