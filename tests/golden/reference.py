# SPDX-License-Identifier: MIT
"""The reference: a model directory in PyTorch, decoded greedily in float64 from
the weights as they are stored, so that its own rounding is not part of the comparison.

It is written from the equations (src/engine/model.h) on PyTorch's own layers, and shares
nothing with the engine but the file formats."""
import json

import numpy
import torch
from torch import nn

SIZES = {"F32": 4, "F16": 2, "BF16": 2}


def read_safetensors(path):
    """Name to float32 tensor."""
    with open(path, "rb") as file:
        raw = file.read()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        if entry["dtype"] == "BF16":
            bits = numpy.frombuffer(raw[begin:end], "<u2").astype(numpy.uint32) << 16
            values = bits.view(numpy.float32)
        else:
            values = numpy.frombuffer(raw[begin:end],
                                      {"F32": "<f4", "F16": "<f2"}[entry["dtype"]])
        values = values.astype(numpy.float32).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.copy())
    return tensors


class Attention(nn.Module):
    def __init__(self, score, state, memory, width):
        super().__init__()
        self.score = score
        if score == "general":
            self.key = nn.Linear(memory, state, bias=False)
        elif score in ("additive", "concat"):
            self.query = nn.Linear(state, width, bias=False)
            self.key = nn.Linear(memory, width)
            self.v = nn.Linear(width, 1, bias=False)

    def forward(self, state, memory):
        """e (S,) for state (D,) and memory (S, M)."""
        if self.score == "dot":
            return memory @ state
        if self.score == "general":
            return self.key(memory) @ state
        return self.v(torch.tanh(self.query(state) + self.key(memory))).squeeze(1)


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.current = config["query"] == "current"
        self.score = config["score"]
        e, d = config["embedding"], config["decoder_hidden"]
        m = 2 * config["encoder_hidden"]
        self.src_embed = nn.Embedding(config["source_vocab"], e)
        self.tgt_embed = nn.Embedding(config["target_vocab"], e)
        self.encoder = nn.GRU(e, config["encoder_hidden"], bidirectional=True)
        self.bridge = nn.Linear(m, d)
        self.decoder = nn.GRUCell(e + (e if self.current else m), d)
        if self.score != "none":
            self.attention = Attention(self.score, d, m, config["attention_hidden"])
        self.readout = nn.Linear(d + m + (0 if self.current else e), e)
        self.out_bias = nn.Parameter(torch.zeros(config["target_vocab"]))

    def encode(self, ids):
        memory, last = self.encoder(self.src_embed(torch.tensor(ids)))
        summary = last.reshape(-1)
        return memory, summary, torch.tanh(self.bridge(summary))

    def attend(self, state, memory, summary, tau):
        if self.score == "none":
            return None, None, summary
        e = self.attention(state, memory)
        alpha = torch.softmax(e / tau, 0)
        return e, alpha, alpha @ memory

    def step(self, y, state, feed, memory, summary, tau):
        """e, alpha, logits, new state, new feed."""
        y = self.tgt_embed(torch.tensor(y))
        if self.current:
            state = self.decoder(torch.cat([y, feed]), state)
            e, alpha, context = self.attend(state, memory, summary, tau)
            r = torch.tanh(self.readout(torch.cat([state, context])))
        else:
            e, alpha, context = self.attend(state, memory, summary, tau)
            state = self.decoder(torch.cat([y, context]), state)
            r = torch.tanh(self.readout(torch.cat([state, context, y])))
        return e, alpha, self.tgt_embed.weight @ r + self.out_bias, state, r


def load(directory):
    with open(f"{directory}/config.json", encoding="utf-8") as file:
        model = Model(json.load(file))
    model.load_state_dict(read_safetensors(f"{directory}/model.safetensors"))
    return model.double().eval()


@torch.no_grad()
def decode(model, ids, tau, limit):
    """One dict a step: id, e, alpha, top (five (id, log p), best first)."""
    memory, summary, state = model.encode(ids)
    feed = torch.zeros(model.config["embedding"], dtype=torch.float64)
    y, steps = model.config["bos"], []
    while len(steps) < limit and y != model.config["eos"]:
        e, alpha, logits, state, feed = model.step(y, state, feed, memory, summary, tau)
        values, best = torch.log_softmax(logits, 0).topk(5)
        y = int(best[0])
        steps.append({"id": y,
                      "e": [] if e is None else e.tolist(),
                      "alpha": [] if alpha is None else alpha.tolist(),
                      "top": list(zip(best.tolist(), values.tolist()))})
    return steps
