#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the random models family-* of tests/golden/models: networks of a few numbers that
together have every fact of config.json with every value, most of them as one of the
programs that people train with has them. They translate nothing.

usage: family.py [NAME...]        (needs torch and sentencepiece; without names: all)

The seeds are fixed, so that a second run writes the same bytes: each model takes the first
seed whose greedy decoding has no near tie, does not end at once and has no row of scores
that nearly cancel."""
import json
import os
import pathlib
import shutil
import sys

import sentencepiece
import torch

import golden
import reference
import weights

HERE = pathlib.Path(__file__).resolve().parent
LETTERS = "the quick brown fox jumps over a lazy dog and packs my box"
BASE = dict(
    format="alphascope-seq2seq", version=2, languages="en-fr",
    encoder_cell="gru-pytorch", decoder_cell="gru-pytorch", second_cell="none",
    gate="sigmoid", forget_bias=0, source_embedding=6, target_embedding=7,
    encoder_layers=1, encoder_hidden=5, bidirectional=True, encoder_stack="none",
    merge="concat", decoder_layers=1, decoder_hidden=9, residual=False, summary="both",
    bridge="tanh", bridge_bias=True, bridge_layers="same", bridge_cell="none",
    first_input="bos", decoder_input=["embedding", "context"], query="previous",
    score="additive", attention_hidden=4, query_bias=False, key_bias=True,
    energy_bias=False, coverage="none", fertility_max=0, readout="tanh",
    readout_input=["state", "context", "embedding"], readout_hidden=7, readout_bias=True,
    tied=True, output_bias=True, source_eos=True, source_vocab=0, target_vocab=0,
    dropout=0, pad=0, bos=1, eos=2, unk=3)
DIRECT = dict(attention_hidden=0, key_bias=False)
COPY = dict(bridge="copy", bridge_bias=False)
UNTIED = dict(tied=False, readout_hidden=8)
PLAIN = dict(tied=False, readout="none", readout_hidden=0, readout_bias=False)
FEED = dict(query="current", decoder_input=["embedding", "feed"],
            readout_input=["state", "context"])
UNI = dict(bidirectional=False, merge="none", summary="forward")
BETWEEN = dict(query="between", decoder_input=["embedding"])


def cells(kind, **more):
    return dict(encoder_cell=kind, decoder_cell=kind,
                **(dict(bridge_cell="own") if kind.startswith("lstm") else {}), **more)


NEMATUS = {**cells("gru-nematus"), **BETWEEN, "second_cell": "gru-nematus-final",
           "summary": "mean", "first_input": "zero",
           "readout_input": ["embedding", "state", "context"]}
MODELS = {
    # Each cell in both places.
    "gru-keras": cells("gru-keras"),
    "gru-keras-hard": cells("gru-keras", gate="hard-sigmoid-fifth"),
    "gru-keras-after": cells("gru-keras-reset-after"),
    "gru-keras-after-hard": cells("gru-keras-reset-after", gate="hard-sigmoid-sixth"),
    "gru-cho": cells("gru-cho"),
    "gru-bahdanau": cells("gru-bahdanau"),
    "gru-nematus": cells("gru-nematus"),
    "gru-nematus-final": cells("gru-nematus-final"),
    "lstm-pytorch": cells("lstm-pytorch"),
    "lstm-keras": {**cells("lstm-keras"), "bridge_cell": "zero"},
    "lstm-keras-hard": cells("lstm-keras", gate="hard-sigmoid-fifth"),
    "lstm-tf1": cells("lstm-tf1", forget_bias=1),
    "lstm-marian": cells("lstm-marian"),
    "mixed-cells": dict(encoder_cell="lstm-tf1", decoder_cell="gru-keras", forget_bias=0.5,
                        bridge="relu"),
    # Scores.
    "scaled-dot": dict(DIRECT, score="scaled-dot", decoder_hidden=10),
    "cosine": dict(DIRECT, score="cosine", decoder_hidden=10, query="current",
                   decoder_input=["embedding"]),
    "dot-between": {**DIRECT, **BETWEEN, "score": "dot", "decoder_hidden": 10,
                    "second_cell": "gru-pytorch"},
    "general-biased": {**DIRECT, **FEED, "score": "general", "key_bias": True},
    "coverage-sum": dict(coverage="sum"),
    "coverage-fertility": dict(coverage="fertility", fertility_max=2),
    "coverage-concat": {**FEED, "score": "concat", "coverage": "sum"},
    # The conditional cell.
    "conditional-gru": {**BETWEEN, "second_cell": "gru-pytorch"},
    "conditional-coverage": {**BETWEEN, "second_cell": "gru-pytorch",
                             "coverage": "fertility", "fertility_max": 2},
    "conditional-lstm": {**cells("lstm-pytorch"), **BETWEEN,
                         "second_cell": "lstm-pytorch", "decoder_layers": 2},
    # As programs and papers have them.
    "nematus": NEMATUS,
    "nematus-untied": dict(NEMATUS, **UNTIED),
    "marian-lstm": {**cells("lstm-marian"), **BETWEEN, "second_cell": "lstm-marian",
                    "summary": "mean", "bridge_cell": "same", "first_input": "zero",
                    "encoder_layers": 2, "encoder_stack": "separate",
                    "decoder_layers": 2},
    "opennmt": {**cells("lstm-pytorch"), **FEED, **DIRECT, **UNTIED, **COPY,
                "encoder_layers": 2, "encoder_stack": "concat", "decoder_layers": 2,
                "decoder_hidden": 10, "bridge_layers": "own", "score": "general",
                "readout_input": ["context", "state"], "readout_bias": False,
                "source_eos": False},
    "opennmt-mlp-bridge": {**cells("lstm-pytorch"), **FEED, **UNTIED,
                           "encoder_layers": 2, "encoder_stack": "concat",
                           "decoder_layers": 2, "decoder_hidden": 10, "bridge": "relu",
                           "bridge_layers": "own", "query_bias": True,
                           "key_bias": False, "readout": "linear",
                           "readout_input": ["context", "state"], "source_eos": False},
    "joeynmt": {**cells("lstm-pytorch"), **FEED, **UNTIED, "encoder_layers": 2,
                "encoder_stack": "concat", "decoder_layers": 2, "bridge_cell": "same",
                "key_bias": False, "output_bias": False},
    "fairseq": {**cells("lstm-pytorch"), **FEED, **DIRECT, **UNTIED, "bridge": "linear",
                "encoder_layers": 2, "encoder_stack": "concat", "decoder_layers": 2,
                "bridge_layers": "own", "score": "general", "first_input": "eos",
                "readout_input": ["context", "state"], "readout_bias": False},
    "pytorch-tutorial": {**UNI, **COPY, **PLAIN, "decoder_hidden": 5,
                         "query_bias": True, "energy_bias": True,
                         "readout_input": ["state"]},
    "pytorch-chatbot": {**FEED, **DIRECT, **PLAIN, **COPY, "encoder_layers": 2,
                        "encoder_stack": "concat", "merge": "sum", "summary": "forward",
                        "decoder_hidden": 5, "score": "dot", "decoder_layers": 2,
                        "bridge_layers": "own", "readout": "tanh", "readout_hidden": 5,
                        "readout_bias": True, "decoder_input": ["embedding"],
                        "readout_input": ["state", "context"]},
    "d2l": {**UNI, **COPY, **PLAIN, "encoder_layers": 2, "decoder_layers": 2,
            "bridge_layers": "own", "decoder_hidden": 5, "key_bias": False,
            "decoder_input": ["context", "embedding"], "readout_input": ["state"]},
    "keras-luong": {**cells("gru-keras-reset-after"), **DIRECT, **COPY, **UNTIED,
                    "merge": "sum", "summary": "sum", "decoder_hidden": 5,
                    "score": "dot", "query": "current", "decoder_input": ["embedding"],
                    "readout_input": ["context", "state"]},
    "keras-stack": {**cells("lstm-keras"), **COPY, **PLAIN, "encoder_layers": 3,
                    "encoder_stack": "sum", "merge": "sum", "summary": "backward",
                    "decoder_hidden": 5, "query": "current", "query_bias": True,
                    "decoder_input": ["previous-context", "embedding"],
                    "readout_input": ["state", "context"]},
    "tf1-nmt": {**cells("lstm-tf1"), **FEED, **DIRECT, **UNTIED, **COPY,
                "forget_bias": 1, "encoder_layers": 2, "encoder_stack": "separate",
                "decoder_layers": 2, "bridge_layers": "own", "decoder_hidden": 10,
                "score": "general", "readout": "linear", "readout_bias": False,
                "output_bias": False},
    "bahdanau-paper": {**cells("gru-bahdanau"), **UNTIED, "summary": "backward",
                       "readout": "maxout", "readout_bias": False,
                       "readout_input": ["previous-state", "embedding", "context"]},
    "cho-paper": {**cells("gru-cho"), **UNI, **DIRECT, **UNTIED, "score": "none",
                  "query": "none", "readout": "maxout"},
    "sutskever": {**cells("lstm-pytorch"), **UNI, **DIRECT, **COPY, **PLAIN,
                  "encoder_layers": 2, "decoder_layers": 2, "bridge_layers": "own",
                  "decoder_hidden": 5, "score": "none", "query": "none",
                  "decoder_input": ["embedding"], "readout_input": ["state"]},
    # What none of them has.
    "bridge-zero": dict(bridge="zero", bridge_bias=False),
    "bridge-joint": {**UNI, "encoder_layers": 2, "decoder_layers": 2, "bridge": "tanh",
                     "bridge_layers": "joint", "bridge_bias": False},
}
ENOUGH_STEPS = 30
SMALLEST_SCORE = 0.02
DTYPES = {"nematus": "F16", "conditional-coverage": "BF16"}  # else F32


def train_tokenizer(directory, side):
    """Every letter a piece; from inside the directory: the prefix is kept in the file."""
    os.chdir(directory)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([LETTERS]), model_prefix=side, vocab_size=64,
        model_type="char", character_coverage=1.0, normalization_rule_name="identity",
        add_dummy_prefix=False, pad_id=0, bos_id=1, eos_id=2, unk_id=3,
        hard_vocab_limit=False, num_threads=1, minloglevel=2)
    os.rename(f"{side}.model", f"{side}.spm")
    os.remove(f"{side}.vocab")
    os.chdir(HERE)
    return sentencepiece.SentencePieceProcessor(
        model_file=str(directory / f"{side}.spm")).get_piece_size()


def make(name, changes):
    directory = HERE / "models" / f"family-{name}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    config = dict(BASE, **changes)
    for side in ("source", "target"):
        config[f"{side}_vocab"] = train_tokenizer(directory, side)
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    for seed in range(100):
        torch.manual_seed(seed)
        weights.write(directory / "model.safetensors",
                      weights.draw(reference.shapes(config)), DTYPES.get(name, "F32"))
        margin, steps, score = golden.worth(directory)
        if (margin >= golden.MARGIN and steps >= ENOUGH_STEPS
                and (score is None or score >= SMALLEST_SCORE)):
            return
    raise SystemExit(f"{name}: no seed is good enough")


def main():
    for name, changes in MODELS.items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            make(name, changes)


if __name__ == "__main__":
    main()
