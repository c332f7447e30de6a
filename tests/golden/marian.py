# SPDX-License-Identifier: MIT
"""Directories in the layout of Hugging Face's MarianMT: what each key of config.json, each
tensor and each vocabulary stands for, in the words of the facts. Written from the rules in
models/README.md, apart from the engine's reader."""
import json
import re

import sentencepiece

import vaswani

ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "gelu_new": "gelu-tanh",
               "gelu_pytorch_tanh": "gelu-tanh", "swish": "silu", "silu": "silu"}
TABLES = ("model.shared", "model.encoder.embed_tokens", "model.decoder.embed_tokens",
          "lm_head")


def masked(config):
    words = config.get("bad_words_ids") or []
    return sorted({config["pad_token_id"], *(w[0] for w in words if len(w) == 1)})


def facts(config, tensors):
    """Every fact of a Hugging Face configuration."""
    vocab = config["vocab_size"]
    learned = "model.encoder.embed_positions.weight" in tensors
    return dict(
        width=config["d_model"],
        encoder_layers=config["encoder_layers"], decoder_layers=config["decoder_layers"],
        encoder_heads=config["encoder_attention_heads"],
        decoder_heads=config["decoder_attention_heads"],
        encoder_ffn=config["encoder_ffn_dim"], decoder_ffn=config["decoder_ffn_dim"],
        norm="post", top_norm=False, norm_epsilon=1e-5,
        activation=ACTIVATIONS[config["activation_function"]],
        embedding_scaled=config["scale_embedding"],
        positions="learned" if learned else "sinusoidal-halves", position_offset=0,
        position_count=config["max_position_embeddings"],
        shared_embedding=config.get("share_encoder_decoder_embeddings", True),
        tied=config.get("tie_word_embeddings", True), output_bias=True, source_eos=True,
        source_vocab=vocab, target_vocab=config.get("decoder_vocab_size") or vocab,
        masked=masked(config), dropout=0, pad=config["pad_token_id"],
        eos=config["eos_token_id"], start=config["decoder_start_token_id"])


def complete(facts, tensors):
    """The tensors by the names of the format: what may be missing, filled in."""
    table = {name: tensors[f"{name}.weight"] for name in TABLES
             if f"{name}.weight" in tensors}
    out = {name: values for name, values in tensors.items()
           if name.removesuffix(".weight") not in TABLES}
    if facts["shared_embedding"]:
        decoder = next(table[name] for name in TABLES if name in table)
        out["model.shared.weight"] = decoder
    else:
        decoder = table.get("model.decoder.embed_tokens", table.get("lm_head"))
        out["model.encoder.embed_tokens.weight"] = table["model.encoder.embed_tokens"]
        out["model.decoder.embed_tokens.weight"] = decoder
    if not facts["tied"]:
        out["lm_head.weight"] = table.get("lm_head", decoder)
    out.setdefault("final_logits_bias", 0 * decoder[:, 0])
    return out


class Vocabulary:
    """Pieces from source.spm, ids from vocab.json alone."""

    def __init__(self, directory):
        self.pieces = sentencepiece.SentencePieceProcessor(
            model_file=str(directory / "source.spm"))
        self.ids = json.loads((directory / "vocab.json").read_text())

    def encode(self, text):
        """A leading >>code<< is one token, whatever source.spm makes of it."""
        code = re.match(">>.+<<", text)
        rest = text[code.end():] if code else text
        pieces = [code.group()] if code else []
        pieces += self.pieces.encode(rest, out_type=str) + ["</s>"]
        return [self.ids.get(piece, self.ids["<unk>"]) for piece in pieces]


def load(directory):
    """(Network, function from text to ids)."""
    config = json.loads((directory / "config.json").read_text())
    tensors = vaswani.read_safetensors(directory / "model.safetensors")
    known = facts(config, tensors)
    return (vaswani.Network(known, complete(known, tensors)),
            Vocabulary(directory).encode)
