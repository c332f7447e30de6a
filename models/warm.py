# SPDX-License-Identifier: MIT
"""Begin a run with the weights of a trained model whose vocabularies may be others.

Every tensor of the same shape is taken as it is. A table with a row for each piece
(embeddings, output bias) is filled piece by piece: the row of the same piece, or the mean
of the rows of the pieces that the old vocabulary splits it into. What the old model has
no row for keeps its fresh value, but for what can begin by doing nothing: the W of a
general score after a dot score is the identity, the weights of the coverage are 0.
"""
import torch
from torch import nn

from corpus import open_vocabulary
from export import load_safetensors
from network import UNK

SIDE_OF = {"src_embed.weight": 0, "tgt_embed.weight": 1, "out_bias": 1,
           "model.encoder.embed_tokens.weight": 0, "model.decoder.embed_tokens.weight": 1}
SPACE = "\u2581"  # SentencePiece's mark of a word's beginning


def rows_for(piece, old):
    """Ids in the old vocabulary that stand for the piece; [] where there are none."""
    same = old.piece_to_id(piece)
    if same != UNK:
        return [same]
    ids = old.encode(piece.replace(SPACE, " ").strip())
    if not piece.startswith(SPACE) and ids and old.id_to_piece(ids[0]) == SPACE:
        ids = ids[1:]
    return [] if UNK in ids else ids


def carry_rows(table, old_table, vocabulary, old):
    for index in range(vocabulary.get_piece_size()):
        ids = rows_for(vocabulary.id_to_piece(index), old)
        if ids:
            table[index] = old_table[ids].mean(0)


def begin_neutral(name, weight):
    """Where the new network with these weights does what the old one did."""
    if name == "attention.coverage.weight":
        nn.init.zeros_(weight)
    elif name == "attention.key.weight" and weight.shape[0] == weight.shape[1]:
        nn.init.eye_(weight)


@torch.no_grad()
def start_from(model, directory, vocabularies):
    """Fill model from DIRECTORY; returns the parameters that it lacks or has otherwise."""
    tensors = load_safetensors(f"{directory}/model.safetensors")
    olds = [open_vocabulary(f"{directory}/{side}.spm") for side in ("source", "target")]
    fresh = []
    for name, weight in model.named_parameters():
        old = tensors.get(name)
        if name in SIDE_OF:
            side = SIDE_OF[name]
            carry_rows(weight, torch.from_numpy(old).float(), vocabularies[side],
                       olds[side])
        elif old is not None and old.shape == tuple(weight.shape):
            weight.copy_(torch.from_numpy(old))
        else:
            fresh.append(name)
            begin_neutral(name, weight)
    return fresh
