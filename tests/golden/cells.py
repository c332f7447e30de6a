# SPDX-License-Identifier: MIT
"""The recurrent cells in float64: PyTorch's own where it has the cell, else straight from
the formula of the program that it comes from, with that program's names."""
import torch
from torch import nn


def hard_fifth(x):
    """Keras 1 and 2: hard_sigmoid."""
    return torch.clamp(0.2 * x + 0.5, 0, 1)


def hard_sixth(x):
    """Keras 3: hard_sigmoid; PyTorch's Hardsigmoid."""
    return nn.functional.relu6(x + 3) / 6


GATES = {"sigmoid": torch.sigmoid, "hard-sigmoid-fifth": hard_fifth,
         "hard-sigmoid-sixth": hard_sixth}
TWO_BIASES = ("gru-pytorch", "gru-keras-reset-after", "lstm-pytorch")


def shapes(kind, room, suffix, inputs, h):
    """Name to shape of the tensors of one cell."""
    nematus = kind.startswith("gru-nematus")
    rows = h * (4 if kind.startswith("lstm") else 2 if nematus else 3)
    out = {"weight_ih": (rows, inputs), "weight_hh": (rows, h), "bias_ih": (rows,)}
    if kind in TWO_BIASES:
        out["bias_hh"] = (rows,)
    if nematus:
        out.update(candidate_ih=(h, inputs), candidate_hh=(h, h), candidate_bias=(h,))
    return {f"{room}{name}{suffix}": shape for name, shape in out.items()}


class Cell:
    """(h, c) of the next step from x and (h, c); a GRU's c stays what it is."""

    def __init__(self, tensors, gate, forget_bias):
        self.w, self.gate, self.forget_bias = tensors, gate, forget_bias
        self.h = tensors["weight_hh"].shape[1]

    def zero(self):
        return (torch.zeros(self.h, dtype=torch.float64),) * 2

    def blocks(self, name, x=None):
        """The rows of one tensor, by gates; times x when it is a matrix."""
        values = self.w[name] if x is None else self.w[name] @ x
        return values.split(self.h)


class PytorchGru(Cell):
    def __call__(self, x, state):
        h, c = state
        if self.gate is torch.sigmoid:
            cell = nn.GRUCell(len(x), self.h).double()
            cell.load_state_dict(self.w)
            return cell(x, h), c
        (xr, xz, xn), (br, bz, bn) = self.blocks("weight_ih", x), self.blocks("bias_ih")
        (ur, uz, un), (dr, dz, dn) = self.blocks("weight_hh", h), self.blocks("bias_hh")
        r, z = self.gate(xr + br + ur + dr), self.gate(xz + bz + uz + dz)
        n = torch.tanh(xn + bn + r * (un + dn))
        return (1 - z) * n + z * h, c


class KerasGru(Cell):
    """keras/layers/rnn/gru.py, reset_after=False: z, r, h."""

    def __call__(self, x, state):
        h, c = state
        xz, xr, xh = (a + b for a, b in zip(self.blocks("weight_ih", x),
                                            self.blocks("bias_ih")))
        uz, ur, uh = self.w["weight_hh"].split(self.h)
        z, r = self.gate(xz + uz @ h), self.gate(xr + ur @ h)
        hh = torch.tanh(xh + uh @ (r * h))
        return z * h + (1 - z) * hh, c


class KerasGruAfter(Cell):
    """The same with reset_after=True: two rows of bias."""

    def __call__(self, x, state):
        h, c = state
        xz, xr, xh = (a + b for a, b in zip(self.blocks("weight_ih", x),
                                            self.blocks("bias_ih")))
        uz, ur, uh = (a + b for a, b in zip(self.blocks("weight_hh", h),
                                            self.blocks("bias_hh")))
        z, r = self.gate(xz + uz), self.gate(xr + ur)
        hh = torch.tanh(xh + r * uh)
        return z * h + (1 - z) * hh, c


class ChoGru(Cell):
    """Cho et al. 2014, equations 5 to 8; TensorFlow 1's GRUCell: r, u, candidate."""

    def __call__(self, x, state):
        h, c = state
        xr, xz, xn = (a + b for a, b in zip(self.blocks("weight_ih", x),
                                            self.blocks("bias_ih")))
        ur, uz, un = self.w["weight_hh"].split(self.h)
        r, z = self.gate(xr + ur @ h), self.gate(xz + uz @ h)
        return self.mix(z, h, torch.tanh(xn + un @ (r * h))), c

    def mix(self, z, h, n):
        return z * h + (1 - z) * n


class BahdanauGru(ChoGru):
    """Bahdanau, Cho, Bengio 2015, appendix A.1.1: z weighs the new state."""

    def mix(self, z, h, n):
        return (1 - z) * h + z * n


class NematusGru(Cell):
    """nematus/layers.py, gru_layer: bx stands outside of the reset gate."""

    def __call__(self, x, state):
        h, c = state
        preact = self.w["weight_hh"] @ h + self.w["weight_ih"] @ x + self.w["bias_ih"]
        r, u = (self.gate(part) for part in preact.split(self.h))
        return u * h + (1 - u) * torch.tanh(self.candidate(x, h, r)), c

    def candidate(self, x, h, r):
        return ((self.w["candidate_hh"] @ h) * r
                + (self.w["candidate_ih"] @ x + self.w["candidate_bias"]))


class NematusGruFinal(NematusGru):
    """gru_cond_layer's second cell: bx_nl stands inside."""

    def candidate(self, x, h, r):
        return ((self.w["candidate_hh"] @ h + self.w["candidate_bias"]) * r
                + self.w["candidate_ih"] @ x)


class Lstm(Cell):
    """All of them: the order of the gates and the biases are what differs."""
    ORDER = "ifgo"

    def __call__(self, x, state):
        h, c = state
        sums = self.w["weight_ih"] @ x + self.w["weight_hh"] @ h + self.w["bias_ih"]
        if "bias_hh" in self.w:
            sums = sums + self.w["bias_hh"]
        gates = dict(zip(self.ORDER, sums.split(self.h)))
        new = torch.tanh(gates["g"])
        c = self.gate(gates["f"] + self.forget_bias) * c + self.gate(gates["i"]) * new
        return self.gate(gates["o"]) * torch.tanh(c), c


class PytorchLstm(Lstm):
    def __call__(self, x, state):
        if self.gate is not torch.sigmoid:
            return super().__call__(x, state)
        cell = nn.LSTMCell(len(x), self.h).double()
        cell.load_state_dict(self.w)
        return cell(x, state)


class Tf1Lstm(Lstm):
    """rnn_cell_impl.py, BasicLSTMCell: i, j, f, o, and forget_bias."""
    ORDER = "igfo"


class MarianLstm(Lstm):
    """marian/src/rnn/cells.h, FastLSTM: f, i, c, o."""
    ORDER = "figo"


KINDS = {"gru-pytorch": PytorchGru, "gru-keras": KerasGru,
         "gru-keras-reset-after": KerasGruAfter, "gru-cho": ChoGru,
         "gru-bahdanau": BahdanauGru, "gru-nematus": NematusGru,
         "gru-nematus-final": NematusGruFinal, "lstm-pytorch": PytorchLstm,
         "lstm-keras": Lstm, "lstm-tf1": Tf1Lstm, "lstm-marian": MarianLstm}


def make(kind, tensors, room, suffix, gate, forget_bias):
    own = {}
    for name in shapes(kind, room, suffix, 1, 1):
        stem = name[len(room):len(name) - len(suffix)]
        own[stem] = tensors[name]
    return KINDS[kind](own, GATES[gate], forget_bias if kind == "lstm-tf1" else 0)
