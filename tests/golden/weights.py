# SPDX-License-Identifier: MIT
"""Random weights, and the safetensors file they go into."""
import json

import torch


def draw(shapes):
    """Name to values: the seed is the caller's."""
    tensors = {}
    for name, shape in sorted(shapes.items()):
        scale = 1.0 if "embed" in name else 2.0 / shape[-1] ** 0.5
        tensors[name] = torch.empty(shape).normal_(0, min(scale, 1.0))
    return tensors


def as_bytes(values, dtype):
    values = values.detach().numpy().astype("<f4")
    if dtype == "F32":
        return values.tobytes()
    if dtype == "F16":
        return values.astype("<f2").tobytes()
    bits = values.view("<u4")
    bits = bits + 0x7fff + ((bits >> 16) & 1)  # to the nearest, ties to even
    return (bits >> 16).astype("<u2").tobytes()


def write(path, tensors, dtype):
    header, data = {}, b""
    for name, values in sorted(tensors.items()):
        raw = as_bytes(values, dtype)
        header[name] = {"dtype": dtype, "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (1 - len(text) % 2)  # odd: no tensor is aligned
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
