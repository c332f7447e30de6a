#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the random Transformers of tests/golden/transformers: networks of a few numbers
that together have every fact of config.json with every value, and directories in exactly
the layout of Hugging Face's MarianMT (marian-*). They translate nothing.

usage: vaswani_models.py [NAME...]        (needs torch and sentencepiece; without: all)

The seeds are fixed, so that a second run writes the same bytes: each model takes the first
seed whose greedy decoding has no near tie and does not end at once."""
import json
import os
import pathlib
import random
import shutil
import sys

import sentencepiece
import torch

import family
import marian
import vaswani_dumps
import weights

HERE = pathlib.Path(__file__).resolve().parent / "transformers"
BASE = dict(
    format="alphascope-transformer", version=1, languages="en-fr", width=16,
    encoder_layers=2, decoder_layers=2, encoder_heads=2, decoder_heads=2, encoder_ffn=24,
    decoder_ffn=24, norm="pre", top_norm=True, norm_epsilon=1e-5, activation="relu",
    embedding_scaled=True, positions="sinusoidal-halves", position_offset=0,
    position_count=0, shared_embedding=False, tied=True, output_bias=True,
    source_eos=True, source_vocab=0, target_vocab=0, masked=[], dropout=0, pad=0, bos=1,
    eos=2, unk=3, start=1)
MODELS = {
    "pre": {},
    "pre-open": dict(top_norm=False, width=24, encoder_heads=4, decoder_heads=3,
                     norm_epsilon=1e-2, activation="silu", output_bias=False),
    "post": dict(norm="post", top_norm=False, activation="gelu", encoder_ffn=17,
                 positions="sinusoidal-marian", masked=[0]),
    "post-top": dict(norm="post", activation="gelu-tanh", positions="learned",
                     position_count=61, source_eos=False, norm_epsilon=1e-12),
    # As programs have them.
    "paper": dict(norm="post", top_norm=False, shared_embedding=True, encoder_heads=4,
                  decoder_heads=4, width=32, positions="sinusoidal-interleaved",
                  output_bias=False),
    "fairseq": dict(positions="sinusoidal-marian", position_offset=2, start=2,
                    output_bias=False, encoder_layers=3, decoder_layers=1),
    "opennmt": dict(positions="sinusoidal-interleaved", tied=False, decoder_ffn=31,
                    norm_epsilon=1e-6, activation="gelu", encoder_layers=1,
                    decoder_layers=3),
    "learned": dict(norm="post", top_norm=False, positions="learned", position_offset=2,
                    position_count=70, embedding_scaled=False, shared_embedding=True,
                    tied=False, start=2, masked=[1, 4, 9]),
    "one-head": dict(encoder_heads=1, decoder_heads=1, width=10, position_count=64,
                     encoder_layers=1, decoder_layers=1),
    "narrow-heads": dict(encoder_heads=3, decoder_heads=6, width=6, encoder_layers=1,
                         decoder_layers=1, activation="silu", embedding_scaled=False),
}
HUGGING_FACE = dict(
    model_type="marian", architectures=["MarianMTModel"], activation_function="swish",
    d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
    decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24,
    scale_embedding=True, static_position_embeddings=True, normalize_embedding=False,
    normalize_before=False, add_final_layer_norm=False, max_position_embeddings=512,
    share_encoder_decoder_embeddings=True, tie_word_embeddings=True,
    is_encoder_decoder=True, bos_token_id=0, use_cache=True, num_beams=4, dropout=0.1, torch_dtype="float16")
# Changes of config.json (None: without that key), and what of the files is special.
MARIANS = {
    # As the OPUS models are: one table, no lm_head, the pad row zero, its logit 0.
    "marian-opus": ({}, dict(pad_would_win=True)),
    "marian-separate": (dict(share_encoder_decoder_embeddings=False,
                             encoder_attention_heads=4), dict(separate=True)),
    "marian-untied": (dict(share_encoder_decoder_embeddings=False, d_model=12,
                           tie_word_embeddings=False, activation_function="gelu"),
                      dict(separate=True, head="own")),
    "marian-headless": (dict(tie_word_embeddings=False, activation_function="relu",
                             scale_embedding=False), dict(bias=False)),
    "marian-duplicates": (dict(max_position_embeddings=64, torch_dtype=None),
                          dict(duplicates=True, head="other", tables=True)),
    "marian-aliased": (dict(share_encoder_decoder_embeddings=False, decoder_layers=1,
                            activation_function="gelu_new"),
                       dict(separate=True, head="only")),
    "marian-spare": (dict.fromkeys(("share_encoder_decoder_embeddings", "bos_token_id",
                                    "tie_word_embeddings", "normalize_embedding",
                                    "static_position_embeddings", "normalize_before",
                                    "add_final_layer_norm", "decoder_vocab_size")),
                     dict(only_decoder=True, bad_word=True)),
}
DTYPES = {"post": "F16", "opennmt": "BF16", "marian-opus": "F16", "marian-aliased": "F16"}
ENOUGH_STEPS = 16


def attention_shapes(name, d):
    return {f"{name}.{part}_proj.{kind}": shape for part in "q k v out".split()
            for kind, shape in (("weight", (d, d)), ("bias", (d,)))}


def layer_shapes(c, side, layer):
    d, ffn = c["width"], c[f"{side}_ffn"]
    out = {**attention_shapes(f"{layer}.self_attn", d),
           f"{layer}.fc1.weight": (ffn, d), f"{layer}.fc1.bias": (ffn,),
           f"{layer}.fc2.weight": (d, ffn), f"{layer}.fc2.bias": (d,)}
    norms = ["self_attn", "final"]
    if side == "decoder":
        out.update(attention_shapes(f"{layer}.encoder_attn", d))
        norms.append("encoder_attn")
    for norm in norms:
        out[f"{layer}.{norm}_layer_norm.weight"] = (d,)
        out[f"{layer}.{norm}_layer_norm.bias"] = (d,)
    return out


def shapes(c):
    """Name to shape of every tensor of the facts."""
    d, out = c["width"], {}
    if c["shared_embedding"]:
        out["model.shared.weight"] = (c["source_vocab"], d)
    for side, vocab in (("encoder", "source_vocab"), ("decoder", "target_vocab")):
        if not c["shared_embedding"]:
            out[f"model.{side}.embed_tokens.weight"] = (c[vocab], d)
        if c["positions"] == "learned":
            out[f"model.{side}.embed_positions.weight"] = (c["position_count"], d)
        for layer in range(c[f"{side}_layers"]):
            out.update(layer_shapes(c, side, f"model.{side}.layers.{layer}"))
        if c["top_norm"]:
            out[f"model.{side}.layer_norm.weight"] = (d,)
            out[f"model.{side}.layer_norm.bias"] = (d,)
    if not c["tied"]:
        out["lm_head.weight"] = (c["target_vocab"], d)
    if c["output_bias"]:
        out["final_logits_bias"] = (1, c["target_vocab"])
    return out


def draw(c):
    """Random tensors; the scores spread enough that attention is no mean."""
    tensors = {}
    for name, shape in sorted(shapes(c).items()):
        values = torch.empty(shape).normal_()
        if "norm" in name:
            values = 0.3 * values + name.endswith("weight")
        elif name.endswith("bias"):
            values *= 0.3
        elif "embed" not in name and "shared" not in name:
            values *= 1.3 / shape[-1] ** 0.5
        elif "tokens" in name or "shared" in name:
            values *= 1 / shape[-1] ** 0.5 if c["embedding_scaled"] else 1
        tensors[name] = values
    return tensors


def make_ours(name, changes):
    directory = fresh(name)
    config = dict(BASE, **changes)
    for side in ("source", "target"):
        config[f"{side}_vocab"] = family.train_tokenizer(directory, side)
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    search(directory, lambda seed: weights.write(
        directory / "model.safetensors", draw(config), DTYPES.get(name, "F32")))


def fresh(name):
    directory = HERE / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def search(directory, write):
    for seed in range(100):
        torch.manual_seed(seed)
        write(seed)
        margin, steps = vaswani_dumps.worth(directory)
        if margin >= vaswani_dumps.MARGIN and steps >= ENOUGH_STEPS:
            print(f"{directory.name}: seed {seed}")
            return
    raise SystemExit(f"{directory.name}: no seed is good enough")


def train_pieces(directory, side, letters):
    """As the OPUS models' tokenisers: <unk> <s> </s>, no padding."""
    os.chdir(directory)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([letters]), model_prefix=side, vocab_size=64,
        model_type="char", character_coverage=1.0, normalization_rule_name="identity",
        add_dummy_prefix=False, pad_id=-1, hard_vocab_limit=False, num_threads=1,
        minloglevel=2)
    os.rename(f"{side}.model", f"{side}.spm")
    os.remove(f"{side}.vocab")
    os.chdir(HERE)
    pieces = sentencepiece.SentencePieceProcessor(
        model_file=str(directory / f"{side}.spm"))
    return [pieces.id_to_piece(i) for i in range(3, pieces.get_piece_size())]


def write_vocabulary(path, pieces, rng, order):
    """Ids that are not the tokeniser's. One letter (z) is in no vocab.json."""
    words = [piece for piece in pieces if piece not in order and piece != "z"]
    rng.shuffle(words)
    words = order[:2] + words + order[2:]
    path.write_text(json.dumps({word: i for i, word in enumerate(words)},
                               ensure_ascii=False))
    return {word: i for i, word in enumerate(words)}


def vocabularies(directory, separate):
    """(source's, target's) of a directory: one file, or two whose ids differ."""
    rng = random.Random(directory.name)
    both = [train_pieces(directory, side, letters) for side, letters in (
        ("source", family.LETTERS), ("target", "a fox jumps over the boxed quick dog"))]
    if not separate:
        pieces = sorted(set(both[0] + both[1]))
        one = write_vocabulary(directory / "vocab.json", pieces, rng,
                               ["</s>", "<unk>", ">>fra<<", "<pad>"])
        return one, one
    source = write_vocabulary(directory / "vocab.json", both[0], rng,
                              ["<unk>", "</s>", "<pad>"])
    return source, write_vocabulary(directory / "target_vocab.json", both[1], rng,
                                    ["</s>", "<unk>", "<pad>"])


def hugging_face_tensors(facts, special):
    """The tensors as such a file has them."""
    tensors = draw(facts)
    bias = tensors["final_logits_bias"]
    pad = facts["pad"]
    for name in [n for n in tensors if "tokens" in n or "shared" in n]:
        tensors[name][pad] = 0
    bias[0, pad] = 0
    if special.get("pad_would_win"):
        bias -= 6
        bias[0, pad] = 0
    if special.get("bias") is False:
        del tensors["final_logits_bias"]
    head = special.get("head")
    if head == "only":
        tensors["lm_head.weight"] = tensors.pop("model.decoder.embed_tokens.weight")
    elif head == "other":  # tied: it is there and means nothing
        tensors["lm_head.weight"] = torch.empty(facts["target_vocab"],
                                                facts["width"]).normal_()
    elif not head:
        tensors.pop("lm_head.weight", None)
    if special.get("duplicates"):
        for side in ("encoder", "decoder"):
            tensors[f"model.{side}.embed_tokens.weight"] = tensors["model.shared.weight"]
    if special.get("only_decoder"):
        tensors["model.decoder.embed_tokens.weight"] = tensors.pop("model.shared.weight")
    return tensors


def make_marian(name, changes, special):
    directory = fresh(name)
    separate = special.get("separate", False)
    source, target = vocabularies(directory, separate)
    config = dict(HUGGING_FACE, vocab_size=len(source), decoder_vocab_size=len(target),
                  pad_token_id=target["<pad>"], eos_token_id=target["</s>"],
                  forced_eos_token_id=target["</s>"],
                  decoder_start_token_id=target["<pad>"],
                  bad_words_ids=[[target["<pad>"]]])
    config.update(changes)
    if special.get("bad_word"):
        config["bad_words_ids"] = [[target["q"]], [target["a"], target["b"]]]
    config = {key: value for key, value in config.items() if value is not None}
    (directory / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (directory / "tokenizer_config.json").write_text(json.dumps(
        dict(source_lang="eng", target_lang="fra", separate_vocabs=separate)) + "\n")
    facts = marian.facts(config, {})
    if special.get("tables"):
        facts["positions"] = "learned"
    search(directory, lambda seed: weights.write(
        directory / "model.safetensors", hugging_face_tensors(facts, special),
        DTYPES.get(name, "F32")))


def main():
    wanted = sys.argv[1:]
    for name, changes in MODELS.items():
        if not wanted or name in wanted:
            make_ours(name, changes)
    for name, (changes, special) in MARIANS.items():
        if not wanted or name in wanted:
            make_marian(name, changes, special)


if __name__ == "__main__":
    main()
