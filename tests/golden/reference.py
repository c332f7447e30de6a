# SPDX-License-Identifier: MIT
"""The reference: a model directory in PyTorch, decoded greedily in float64 from
the weights as they are stored, so that its own rounding is not part of the comparison.

It is written from the equations (models/README.md) on PyTorch's own layers where PyTorch
has such a layer, and shares nothing with the engine but the file formats. cells.py has the
cells that PyTorch lacks."""
import json

import numpy
import torch
from torch import nn
from torch.nn import functional

import cells


def read_safetensors(path):
    """Name to float64 tensor."""
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
        values = values.astype(numpy.float64).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values)
    return tensors


def facts(config):
    """Every fact of a config of either version, as version 2 names them."""
    if config["version"] == 2:
        return config
    previous, hidden = config["query"] == "previous", config["score"] in ("additive",
                                                                         "concat")
    return dict(
        config, version=2, encoder_cell="gru-pytorch", decoder_cell="gru-pytorch",
        second_cell="none", gate="sigmoid", forget_bias=0,
        source_embedding=config["embedding"], target_embedding=config["embedding"],
        encoder_layers=1, decoder_layers=1, encoder_stack="none", merge="concat",
        residual=False, summary="both", bridge="tanh", bridge_bias=True,
        bridge_layers="same", bridge_cell="none", first_input="bos",
        decoder_input=["embedding", "context" if previous else "feed"],
        query="none" if config["score"] == "none" else config["query"],
        query_bias=False, key_bias=hidden, energy_bias=False, coverage="none",
        fertility_max=0, readout="tanh",
        readout_input=["state", "context"] + ["embedding"] * previous,
        readout_hidden=config["embedding"], readout_bias=True, tied=True,
        output_bias=True, source_eos=True)


class Widths:
    def __init__(self, c):
        h = c["encoder_hidden"]
        self.memory = 2 * h if c["merge"] == "concat" else h
        self.summary = {"both": 2 * h, "mean": self.memory}.get(c["summary"], h)
        self.context = self.summary if c["score"] == "none" else self.memory
        self.parts = {
            "embedding": c["target_embedding"], "context": self.context,
            "previous-context": self.context, "state": c["decoder_hidden"],
            "previous-state": c["decoder_hidden"]}
        self.joined = sum(self.parts[part] for part in c["readout_input"])
        self.readout = self.joined if c["readout"] == "none" else c["readout_hidden"]
        self.parts["feed"] = self.readout
        self.input = sum(self.parts[part] for part in c["decoder_input"])


def linear_shapes(name, rows, cols, bias):
    return {f"{name}.weight": (rows, cols), **({f"{name}.bias": (rows,)} if bias else {})}


def attention_shapes(c, w):
    state, score = c["decoder_hidden"], c["score"]
    if score == "general":
        return linear_shapes("attention.key", state, w.memory, c["key_bias"])
    if score not in ("additive", "concat"):
        return {}
    width = c["attention_hidden"]
    shapes = {**linear_shapes("attention.query", width, state, c["query_bias"]),
              **linear_shapes("attention.key", width, w.memory, c["key_bias"]),
              **linear_shapes("attention.v", 1, width, c["energy_bias"])}
    if c["coverage"] != "none":
        shapes["attention.coverage.weight"] = (width, 1)
    if c["coverage"] == "fertility":
        shapes["attention.fertility.weight"] = (1, w.memory)
    return shapes


def shapes(config):
    """Name to shape of every tensor of the model."""
    c = facts(config)
    w, h, d = Widths(c), c["encoder_hidden"], c["decoder_hidden"]
    above = 2 * h if c["encoder_stack"] == "concat" else h
    out = {"src_embed.weight": (c["source_vocab"], c["source_embedding"]),
           "tgt_embed.weight": (c["target_vocab"], c["target_embedding"])}
    for layer in range(c["encoder_layers"]):
        for suffix in ("", "_reverse")[:1 + c["bidirectional"]]:
            out.update(cells.shapes(c["encoder_cell"], "encoder.", f"_l{layer}{suffix}",
                                    above if layer else c["source_embedding"], h))
    for layer in range(c["decoder_layers"]):
        out.update(cells.shapes(c["decoder_cell"], "decoder.",
                                f"_l{layer}" if layer else "", d if layer else w.input,
                                d))
    if c["second_cell"] != "none":
        out.update(cells.shapes(c["second_cell"], "decoder.second.", "", w.context, d))
    if c["bridge"] not in ("copy", "zero"):
        layers = c["decoder_layers"] if c["bridge_layers"] == "joint" else 1
        for name in ("bridge", "bridge.cell")[:1 + (c["bridge_cell"] == "own")]:
            out.update(linear_shapes(name, layers * d, layers * w.summary,
                                     c["bridge_bias"]))
    out.update(attention_shapes(c, w))
    if c["readout"] != "none":
        pairs = 2 if c["readout"] == "maxout" else 1
        out.update(linear_shapes("readout", pairs * w.readout, w.joined,
                                 c["readout_bias"]))
    if not c["tied"]:
        out["output.weight"] = (c["target_vocab"], w.readout)
    if c["output_bias"]:
        out["out_bias"] = (c["target_vocab"],)
    return out


class Model:
    def __init__(self, config, tensors):
        self.config, self.c, self.tensors = config, facts(config), tensors
        self.widths = Widths(self.c)
        expected = shapes(config)
        found = {name: tuple(values.shape) for name, values in tensors.items()}
        if found != expected:
            raise ValueError(f"tensors differ: {set(found.items()) ^ set(expected.items())}")

    def cell(self, kind, room, suffix):
        return cells.make(kind, self.tensors, room, suffix, self.c["gate"],
                          self.c["forget_bias"])

    def linear(self, name, x):
        return functional.linear(x, self.tensors[f"{name}.weight"],
                                 self.tensors.get(f"{name}.bias"))

    # The encoder: memory, and what each layer and direction ends with, as (h, c).

    def run(self, layer, reverse, x):
        cell = self.cell(self.c["encoder_cell"], "encoder.",
                         f"_l{layer}" + "_reverse" * reverse)
        state, rows = cell.zero(), []
        for row in x.flip(0) if reverse else x:
            state = cell(row, state)
            rows.append(state[0])
        return torch.stack(rows[::-1] if reverse else rows), state

    def run_layers(self, x):
        c, ends = self.c, []
        below = [x, x]
        for layer in range(c["encoder_layers"]):
            above, last = zip(*(self.run(layer, reverse, below[reverse])
                                for reverse in range(1 + c["bidirectional"])))
            ends.append(last)
            below = {"concat": lambda: [torch.cat(above, 1)] * 2,
                     "sum": lambda: [sum(above)] * 2}.get(c["encoder_stack"],
                                                          lambda: list(above))()
        return above, ends

    def run_pytorch(self, x):
        """The same by PyTorch's own layers."""
        c = self.c
        kind = nn.GRU if c["encoder_cell"] == "gru-pytorch" else nn.LSTM
        rnn = kind(c["source_embedding"], c["encoder_hidden"], c["encoder_layers"],
                   bidirectional=c["bidirectional"]).double()
        rnn.load_state_dict({name[len("encoder."):]: values for name, values
                             in self.tensors.items() if name.startswith("encoder.")})
        memory, last = rnn(x)
        last = last if isinstance(last, tuple) else (last, last)
        directions = 1 + c["bidirectional"]
        ends = [[(last[0][directions * layer + k], last[1][directions * layer + k])
                 for k in range(directions)] for layer in range(c["encoder_layers"])]
        return memory.chunk(directions, 1), ends

    def encode(self, ids):
        c = self.c
        x = self.tensors["src_embed.weight"][torch.tensor(ids)]
        own = (c["encoder_cell"] in ("gru-pytorch", "lstm-pytorch")
               and c["gate"] == "sigmoid" and c["encoder_stack"] in ("none", "concat"))
        above, ends = self.run_pytorch(x) if own else self.run_layers(x)
        memory = {"none": lambda: above[0], "concat": lambda: torch.cat(above, 1),
                  "sum": lambda: above[0] + above[1]}[c["merge"]]()
        return memory, ends

    # The bridge.

    def summary(self, ends, which, memory):
        """Of one layer: h (which 0) or c (1)."""
        first, last = ends[0][which], ends[-1][which]
        return {"both": lambda: torch.cat([first, last]), "forward": lambda: first,
                "backward": lambda: last, "sum": lambda: first + last,
                "mean": lambda: memory.mean(0)}[self.c["summary"]]()

    def crossed(self, name, ends, which, memory):
        """h or c of every decoder layer."""
        c = self.c
        layers, d = c["decoder_layers"], c["decoder_hidden"]
        if c["bridge"] == "zero":
            return [torch.zeros(d, dtype=torch.float64)] * layers
        act = {"copy": lambda m: m, "linear": lambda m: self.linear(name, m),
               "tanh": lambda m: torch.tanh(self.linear(name, m)),
               "relu": lambda m: torch.relu(self.linear(name, m))}[c["bridge"]]
        if c["bridge_layers"] == "same":
            return [act(self.summary(ends[-1], which, memory))] * layers
        all_layers = [self.summary(layer, which, memory) for layer in ends]
        if c["bridge_layers"] == "joint":
            return list(act(torch.cat(all_layers)).chunk(layers))
        return [act(m) for m in all_layers]

    def start(self, memory, ends):
        c = self.c
        h = self.crossed("bridge", ends, 0, memory)
        zeros = [torch.zeros_like(state) for state in h]
        cell = {"none": lambda: zeros, "zero": lambda: zeros, "same": lambda: h,
                "own": lambda: self.crossed("bridge.cell", ends, 1, memory)}[
                    c["bridge_cell"]]()
        carried = {"states": list(zip(h, cell)),
                   "feed": torch.zeros(self.widths.readout, dtype=torch.float64),
                   "context": torch.zeros(self.widths.context, dtype=torch.float64),
                   "coverage": torch.zeros(len(memory), dtype=torch.float64)}
        if c["score"] == "none":
            carried["context"] = self.summary(ends[-1], 0, memory)
        return carried

    # A step.

    def score(self, q, memory, coverage):
        """e (S,)"""
        c = self.c
        if c["score"] == "dot":
            return memory @ q
        if c["score"] == "scaled-dot":
            return memory @ q / len(q) ** 0.5
        if c["score"] == "general":
            return self.linear("attention.key", memory) @ q
        if c["score"] == "cosine":
            return functional.cosine_similarity(memory, q.unsqueeze(0), 1)
        hidden = self.linear("attention.query", q) + self.linear("attention.key", memory)
        if c["coverage"] != "none":
            hidden = hidden + self.linear("attention.coverage", coverage.unsqueeze(1))
        return self.linear("attention.v", torch.tanh(hidden)).squeeze(1)

    def attend(self, q, memory, tau, carried, row):
        e = self.score(q, memory, carried["coverage"])
        alpha = torch.softmax(e / tau, 0)
        fertility = 1
        if self.c["coverage"] == "fertility":
            fertility = self.c["fertility_max"] * torch.sigmoid(
                self.linear("attention.fertility", memory).squeeze(1))
        carried["coverage"] = carried["coverage"] + alpha / fertility
        carried["context"] = alpha @ memory
        row.update(e=e.tolist(), alpha=alpha.tolist())

    def embed(self, y):
        if y is None:
            return torch.zeros(self.c["target_embedding"], dtype=torch.float64)
        return self.tensors["tgt_embed.weight"][y]

    def readout(self, x):
        c = self.c
        if c["readout"] == "none":
            return x
        x = self.linear("readout", x)
        if c["readout"] == "maxout":
            return x.reshape(-1, 2).amax(1)
        return torch.tanh(x) if c["readout"] == "tanh" else x

    def logits(self, r):
        weight = self.tensors["tgt_embed.weight" if self.c["tied"] else "output.weight"]
        return functional.linear(r, weight, self.tensors.get("out_bias"))

    def shown(self, state):
        """h, and c where the decoder has it."""
        has_cell = self.c["decoder_cell"].startswith("lstm")
        return [values.tolist() for values in state[:1 + has_cell]]

    def step(self, y, memory, tau, carried):
        """A row: e, alpha, between (the state that asks there, and an LSTM's cell),
        states and cells (of every layer), logits. carried moves on."""
        c, states = self.c, carried["states"]
        row = {"e": [], "alpha": [], "between": []}
        parts = {"embedding": self.embed(y), "previous-state": states[-1][0],
                 "feed": carried["feed"], "previous-context": carried["context"]}
        if c["query"] == "previous":
            self.attend(states[-1][0], memory, tau, carried, row)
        parts["context"] = carried["context"]
        x = torch.cat([parts[part] for part in c["decoder_input"]])
        for layer, state in enumerate(states):
            suffix = f"_l{layer}" if layer else ""
            state = self.cell(c["decoder_cell"], "decoder.", suffix)(x, state)
            if layer == 0 and c["query"] == "between":
                self.attend(state[0], memory, tau, carried, row)
                row["between"] = self.shown(state)
                state = self.cell(c["second_cell"], "decoder.second.", "")(
                    carried["context"], state)
            states[layer], x = state, state[0]
        if c["query"] == "current":
            self.attend(x, memory, tau, carried, row)
        parts.update(state=x, context=carried["context"])
        carried["feed"] = self.readout(torch.cat([parts[part]
                                                  for part in c["readout_input"]]))
        shown = [self.shown(state) for state in states]
        row.update(states=[rows[0] for rows in shown],
                   cells=[rows[1] for rows in shown if len(rows) > 1],
                   logits=self.logits(carried["feed"]))
        return row


def load(directory):
    with open(f"{directory}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    return Model(config, read_safetensors(f"{directory}/model.safetensors"))


@torch.no_grad()
def decode(model, ids, tau, limit):
    """(memory, one dict a step: what step gives, and id, log_sum, top (five (id, log p),
    best first))."""
    c = model.c
    memory, ends = model.encode(ids)
    carried = model.start(memory, ends)
    y, steps = {"bos": c["bos"], "eos": c["eos"], "zero": None}[c["first_input"]], []
    while len(steps) < limit and (not steps or y != c["eos"]):
        row = model.step(y, memory, tau, carried)
        values, best = torch.log_softmax(row["logits"], 0).topk(5)
        y = int(best[0])
        row.update(id=y, log_sum=float(torch.logsumexp(row["logits"], 0)),
                   logits=row["logits"].tolist(),
                   top=list(zip(best.tolist(), values.tolist())))
        steps.append(row)
    return memory.tolist(), steps
