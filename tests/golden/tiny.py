#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the tiny random models of tests/golden/models: the scorers, number formats and
odd sizes that no bundled model has. They translate nothing.

usage: tiny.py              (needs torch and sentencepiece)

The seeds are fixed, so that a second run writes the same bytes."""
import json
import os
import pathlib
import shutil

import sentencepiece
import torch

import reference
import weights

HERE = pathlib.Path(__file__).resolve().parent
VOCAB = 200
TEXT = {
    "source": ["The black cat sleeps on the old chair behind the door.",
               "I would like a cup of coffee and some bread, please.",
               "She does not know where her brother lives or works.",
               "When it rains, we walk home and nobody says a word!",
               "Tom bought a new red car yesterday, didn't he?",
               "My sister reads the best books of this year every evening.",
               "Hello, is this your house, your garden or your quiet zoo?",
               "They just gave six jumping foxes a very warm welcome."],
    "target": ["Le chat noir dort sur la vieille chaise derrière la porte.",
               "Je voudrais une tasse de café et un peu de pain, merci.",
               "Elle ne sait pas où habite son frère, ni où il travaille.",
               "Quand il pleut, nous rentrons à pied et personne ne parle !",
               "Tom a acheté une nouvelle voiture rouge hier, non ?",
               "Ma sœur lit les meilleurs livres de l'année chaque soir.",
               "Bonjour, est-ce ta maison, ton jardin ou ton zoo tranquille ?",
               "Ils ont fait un accueil chaleureux à six renards, voyez."],
}
# name, score, dtype, E, H, D, A
MODELS = [
    ("tiny-concat-f16", "concat", "F16", 24, 12, 20, 13),
    ("tiny-additive-f32", "additive", "F32", 17, 9, 22, 7),
    ("tiny-general-bf16", "general", "BF16", 32, 16, 19, 1),
    ("tiny-dot-f32", "dot", "F32", 9, 5, 10, 3),
    ("tiny-none-bf16", "none", "BF16", 11, 6, 13, 2),
]


def train_tokenizer(directory, side):
    # From inside the directory: the prefix is kept in the model file.
    os.chdir(directory)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT[side]), model_prefix=side, vocab_size=VOCAB,
        model_type="unigram", character_coverage=1.0, normalization_rule_name="identity",
        pad_id=0, bos_id=1, eos_id=2, unk_id=3, hard_vocab_limit=False, num_threads=1,
        minloglevel=2)
    os.rename(f"{side}.model", f"{side}.spm")
    os.remove(f"{side}.vocab")
    os.chdir(HERE)
    return sentencepiece.SentencePieceProcessor(
        model_file=str(directory / f"{side}.spm")).get_piece_size()


def make(name, score, dtype, e, h, d, a):
    directory = HERE / "models" / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    config = {
        "format": "alphascope-seq2seq", "version": 1, "languages": "en-fr", "cell": "gru",
        "bidirectional": True, "layers": 1, "embedding": e, "encoder_hidden": h,
        "decoder_hidden": d, "attention_hidden": a, "score": score,
        "query": "previous" if score in ("additive", "none") else "current",
        "source_vocab": train_tokenizer(directory, "source"),
        "target_vocab": train_tokenizer(directory, "target"),
        "dropout": 0, "pad": 0, "bos": 1, "eos": 2, "unk": 3}
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    weights.write(directory / "model.safetensors",
                  weights.draw(reference.shapes(config)), dtype)


def main():
    for seed, row in enumerate(MODELS):
        torch.manual_seed(seed)
        make(*row)


if __name__ == "__main__":
    main()
