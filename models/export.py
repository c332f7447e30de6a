# SPDX-License-Identifier: MIT
"""Write what alphascope opens: config.json and model.safetensors in F16.

The format is safetensors: u64 header length, JSON header, raw little-endian data.
"""
import json
import struct

import numpy as np

DTYPES = {"float16": "F16", "float32": "F32"}


def save_safetensors(path, tensors):
    """tensors: {name: array of float16 or float32}; written by name, no holes."""
    header, blobs, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name in sorted(tensors):
        blob = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {"dtype": DTYPES[str(tensors[name].dtype)],
                        "shape": list(tensors[name].shape),
                        "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)  # so that the data starts aligned
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(blobs)


def load_safetensors(path):
    """{name: array}, as save_safetensors wrote it."""
    types = {short: np.dtype(name) for name, short in DTYPES.items()}
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*facts["data_offsets"])],
                                types[facts["dtype"]]).reshape(facts["shape"]).copy()
            for name, facts in header.items()}


def half_tensors(model):
    return {name: weight.detach().cpu().numpy().astype(np.float16)
            for name, weight in model.named_parameters()}


def save_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=2, ensure_ascii=False)
        file.write("\n")


def save_model(directory, model):
    save_safetensors(f"{directory}/model.safetensors", half_tensors(model))
    save_json(f"{directory}/config.json", model.config)
