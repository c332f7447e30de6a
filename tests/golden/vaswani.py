# SPDX-License-Identifier: MIT
"""The Transformer in NumPy and float64, written from the equations of Vaswani et al. 2017
(arXiv:1706.03762) and from what models/README.md says of each fact, one sentence at a
time, one position at a time in the decoder, without any cache. It shares no code with the
engine or with models/transformer.py."""
import json
import math
import pathlib

import numpy as np


def read_safetensors(path):
    """Name to float64 array."""
    raw = pathlib.Path(path).read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        data = raw[start + entry["data_offsets"][0]:start + entry["data_offsets"][1]]
        if entry["dtype"] == "BF16":
            values = (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
        else:
            values = np.frombuffer(data, {"F32": "<f4", "F16": "<f2"}[entry["dtype"]])
        tensors[name] = values.astype(np.float64).reshape(entry["shape"])
    return tensors


def softmax(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def activation(kind, x):
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "silu":
        return x / (1 + np.exp(-x))
    if kind == "gelu":
        return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    cube = math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
    return 0.5 * x * (1 + np.tanh(cube))


def position(kind, place, width):
    """The sinusoids of one position."""
    vector, half = np.zeros(width), width // 2
    for i in range(half):
        power = i / (half - 1) if kind == "sinusoidal-marian" else 2 * i / width
        angle = place / 10000 ** power
        ends = (2 * i, 2 * i + 1) if kind == "sinusoidal-interleaved" else (i, half + i)
        vector[ends[0]], vector[ends[1]] = math.sin(angle), math.cos(angle)
    return vector


class Network:
    """facts: every fact of config.json; tensors: by the names of the format."""

    def __init__(self, facts, tensors):
        self.c, self.t = facts, tensors

    def linear(self, name, x):
        return self.t[f"{name}.weight"] @ x + self.t[f"{name}.bias"]

    def norm(self, name, x):
        centred = x - x.mean()
        scale = math.sqrt((centred ** 2).mean() + self.c["norm_epsilon"])
        return self.t[f"{name}.weight"] * centred / scale + self.t[f"{name}.bias"]

    def attention(self, name, x, memory, heads, tau=1.0):
        """(output, scores, alphas) of one query x over the rows of memory."""
        q = self.linear(f"{name}.q_proj", x)
        keys = [self.linear(f"{name}.k_proj", row) for row in memory]
        values = [self.linear(f"{name}.v_proj", row) for row in memory]
        size = len(x) // heads
        blends, scores, alphas = [], [], []
        for part in (slice(h * size, (h + 1) * size) for h in range(heads)):
            e = np.array([q[part] @ key[part] for key in keys]) / math.sqrt(size)
            alpha = softmax(e / tau)
            blends.append(sum(a * value[part] for a, value in zip(alpha, values)))
            scores.append(e)
            alphas.append(alpha)
        return self.linear(f"{name}.out_proj", np.concatenate(blends)), scores, alphas

    def sublayer(self, norm, x, function):
        if self.c["norm"] == "pre":
            return x + function(self.norm(norm, x))
        return self.norm(norm, x + function(x))

    def feed_forward(self, layer, x):
        hidden = activation(self.c["activation"], self.linear(f"{layer}.fc1", x))
        return self.linear(f"{layer}.fc2", hidden)

    def embed(self, side, ids):
        c, width = self.c, self.c["width"]
        table = self.t["model.shared.weight" if c["shared_embedding"]
                       else f"model.{side}.embed_tokens.weight"]
        rows = []
        for place, token in enumerate(ids, c["position_offset"]):
            if c["positions"] == "learned":
                where = self.t[f"model.{side}.embed_positions.weight"][place]
            else:
                where = position(c["positions"], place, width)
            rows.append(where + table[token] * (math.sqrt(width) if c["embedding_scaled"]
                                                else 1))
        return rows

    def top(self, side, rows):
        if not self.c["top_norm"]:
            return rows
        return [self.norm(f"model.{side}.layer_norm", row) for row in rows]

    def before(self, norm, rows):
        """What the projections of self-attention read of the rows."""
        return [self.norm(norm, row) for row in rows] if self.c["norm"] == "pre" else rows

    def self_attention(self, layer, rows, heads, masked):
        """(rows, scores, alphas): scores[i][head] are those of row i."""
        norm, kept, out = f"{layer}.self_attn_layer_norm", [], []
        read = self.before(norm, rows)
        for i, row in enumerate(rows):
            seen = read[:i + 1] if masked else read

            def look(x):
                result, *more = self.attention(f"{layer}.self_attn", x, seen, heads)
                kept.append(more)
                return result
            out.append(self.sublayer(norm, row, look))
        return out, [k[0] for k in kept], [k[1] for k in kept]

    def encode(self, ids):
        """(memory, [layer]: (scores, alphas) of every row)."""
        rows, looks = self.embed("encoder", ids), []
        for index in range(self.c["encoder_layers"]):
            layer = f"model.encoder.layers.{index}"
            rows, scores, alphas = self.self_attention(layer, rows,
                                                       self.c["encoder_heads"], False)
            looks.append((scores, alphas))
            rows = [self.sublayer(f"{layer}.final_layer_norm", row,
                                  lambda x: self.feed_forward(layer, x)) for row in rows]
        return self.top("encoder", rows), looks

    def cross_attention(self, layer, rows, memory, tau):
        kept, out = [], []

        def look(x):
            result, *more = self.attention(f"{layer}.encoder_attn", x, memory,
                                           self.c["decoder_heads"], tau)
            kept.append(more)
            return result
        for row in rows:
            out.append(self.sublayer(f"{layer}.encoder_attn_layer_norm", row, look))
        return out, kept[-1]

    def decode(self, ids, memory, tau):
        """(output at the last of ids, [layer]: self's and cross's (scores, alphas))."""
        rows, looks = self.embed("decoder", ids), []
        for index in range(self.c["decoder_layers"]):
            layer = f"model.decoder.layers.{index}"
            rows, scores, alphas = self.self_attention(layer, rows,
                                                       self.c["decoder_heads"], True)
            rows, cross = self.cross_attention(layer, rows, memory, tau)
            looks.append(((scores[-1], alphas[-1]), cross))
            rows = [self.sublayer(f"{layer}.final_layer_norm", row,
                                  lambda x: self.feed_forward(layer, x)) for row in rows]
        return self.top("decoder", rows)[-1], looks

    def logits(self, x):
        c = self.c
        table = (self.t["lm_head.weight"] if not c["tied"] else
                 self.t["model.shared.weight" if c["shared_embedding"] else
                        "model.decoder.embed_tokens.weight"])
        logits = table @ x
        if c["output_bias"]:
            logits = logits + self.t["final_logits_bias"].reshape(-1)
        logits[c["masked"]] = -math.inf
        return logits

    def greedy(self, source, tau, limit):
        """(memory, encoder's looks, steps)."""
        memory, looks = self.encode(source)
        ids, steps = [self.c["start"]], []
        for _ in range(limit):
            state, seen = self.decode(ids, memory, tau)
            logits = self.logits(state)
            largest = logits.max()
            log_sum = largest + math.log(np.exp(logits - largest).sum())
            best = np.argsort(-logits, kind="stable")[:5]
            steps.append(dict(id=int(best[0]), looks=seen, state=state, logits=logits,
                              log_sum=log_sum,
                              top=[(int(b), logits[b] - log_sum) for b in best]))
            ids.append(int(best[0]))
            if ids[-1] == self.c["eos"]:
                break
        return memory, looks, steps
