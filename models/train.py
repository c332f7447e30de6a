#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Train a model, recurrent or Transformer, over several sittings; measure, export it.

    train.py OUT --train FILE.tsv --dev FILE.tsv --test FILE.tsv --steps N [...]
    train.py OUT --minutes 40        another sitting: the settings are those of the first

OUT holds run.json (the settings), state.pt (everything needed to go on), log.txt, the
two vocabularies, and at the end model/: what the program opens. TRAINING.md tells more.

The schedule counts steps, never time, so that a model does not depend on how busy the
machine was: linear warm-up, then constant, then a quarter cosine down to 2 %. The
weights of the last 15 % are averaged (Polyak and Juditsky 1992). The loss is the cross
entropy with label smoothing (Szegedy et al. 2016); nothing supervises the attention.
"""
import argparse
import json
import math
import os
import random
import shutil
import signal
import sys
import time

import blas  # noqa: F401, before torch
import torch
from torch import nn

import corpus
import measure
import network
import transformer
from export import half_tensors, save_json, save_model, save_safetensors
from network import COVERAGES, PAD, QUERIES, SCORES
from warm import start_from

SITTING = ("out", "minutes", "threads", "device", "finish")  # may differ between sittings
SIDES = ("source", "target")
USUAL = {"recurrent": dict(dropout=0.25, rate=1e-3, warmup=300),
         "transformer": dict(dropout=0.1, rate=2e-3, warmup=400)}


def parse_options(words, into=None):
    cli = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    cli.add_argument("out")
    data = cli.add_argument_group("data")
    data.add_argument("--train", help="TSV, source TAB target")
    data.add_argument("--dev")
    data.add_argument("--test")
    data.add_argument("--swap", action="store_true", help="target stands first")
    data.add_argument("--long", help="TSV with an .origin file beside it")
    data.add_argument("--long-share", type=float, default=0.4, help="of target tokens")
    data.add_argument("--leave-out", default=corpus.LEAVE_OUT, help="tags")
    data.add_argument("--weights", default="laws=0.5,eu=0.7", help="TAG=W; others 1")
    data.add_argument("--plain", type=float, default=0.3)
    data.add_argument("--unfinished", type=float, default=0.0)
    data.add_argument("--renamed", type=float, default=0.0)
    data.add_argument("--join", type=float, default=0.15)
    data.add_argument("--longest", type=int, default=60, help="pieces a side")
    data.add_argument("--join-longest", type=int, default=70)
    data.add_argument("--vocab", type=int, default=6000)
    data.add_argument("--vocab-kind", choices=["unigram", "char"], default="unigram")
    data.add_argument("--vocab-from", help="directory whose vocabularies are taken")
    net = cli.add_argument_group("network")
    net.add_argument("--languages", default="en-fr")
    net.add_argument("--network", choices=list(USUAL), default="recurrent")
    net.add_argument("--score", choices=SCORES, default="additive")
    net.add_argument("--query", choices=QUERIES, help="default: that of the score's paper")
    net.add_argument("--coverage", choices=COVERAGES, default="none")
    net.add_argument("--embedding", type=int, default=256)
    net.add_argument("--hidden", type=int, default=160, help="encoder, per direction")
    net.add_argument("--attention", type=int, default=192)
    net.add_argument("--width", type=int, default=160, help="transformer")
    net.add_argument("--ffn", type=int, default=640, help="transformer")
    net.add_argument("--heads", type=int, default=4, help="transformer")
    net.add_argument("--layers", type=int, default=3, help="transformer, a side")
    net.add_argument("--dropout", type=float, help="0.25; transformer 0.1")
    net.add_argument("--start", help="model directory whose weights the run begins with")
    how = cli.add_argument_group("training")
    how.add_argument("--steps", type=int, help="the whole budget")
    how.add_argument("--tokens", type=int, default=4000, help="a batch, padded, a side")
    how.add_argument("--rate", type=float, help="0.001; transformer 0.002")
    how.add_argument("--warmup", type=int, help="300; transformer 400")
    how.add_argument("--smoothing", type=float, default=0.1)
    how.add_argument("--candidates", type=int, default=0,
                     help="tokens of the output layer drawn for a batch, beside its own; "
                     "0: all, as in the last 20 %% of the steps always")
    how.add_argument("--history", type=int, default=0, help="checkpoints to keep")
    how.add_argument("--exact", action="store_true", help="measure exact match, not BLEU")
    how.add_argument("--diagonal", choices=["forward", "backward"])
    how.add_argument("--seed", type=int, default=1)
    sit = cli.add_argument_group("this sitting")
    sit.add_argument("--minutes", type=float, default=math.inf)
    sit.add_argument("--threads", type=int, default=1)
    sit.add_argument("--device", default="cpu")
    sit.add_argument("--finish", action="store_true",
                     help="export what there is, however few the steps")
    return cli.parse_args(words, into)


def said(words):
    """{name: value} of the options that stand there, defaults too."""
    unsaid = object()
    names = vars(parse_options([""]))
    options = parse_options(words, argparse.Namespace(**dict.fromkeys(names, unsaid)))
    return {name: value for name, value in vars(options).items() if value is not unsaid}


def check(options):
    """What the format has no model for; sys.exit with a sentence."""
    score, query, coverage = options.score, options.query, options.coverage
    if options.network != "recurrent":
        return
    if coverage != "none" and score != "additive":
        sys.exit(f"train.py: --coverage {coverage} is of --score additive, not {score}")
    if score == "none" and query not in (None, "previous"):
        sys.exit(f"train.py: --query {query}, but with --score none nothing is asked")


def settle(words):
    """First sitting: keep the settings in run.json. Later ones: read them from there."""
    options = parse_options(words)
    path = f"{options.out}/run.json"
    if not os.path.exists(path):
        for name in ("train", "dev", "test", "steps"):
            if not getattr(options, name):
                sys.exit(f"train.py: a new run needs --{name}")
        for name, value in USUAL[options.network].items():
            if getattr(options, name) is None:
                setattr(options, name, value)
        check(options)
        os.makedirs(options.out, exist_ok=True)
        save_json(path, {k: v for k, v in vars(options).items() if k not in SITTING})
        return options
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    given = said(words)
    for name, value in kept.items():
        if given.get(name, value) != value:
            sys.exit(f"train.py: --{name.replace('_', '-')} {given[name]}, but the run in {options.out} "
                     f"was begun with {value}")
        setattr(options, name, value)
    return options


def prepare_vocabularies(options, texts):
    """Open OUT/source.spm and OUT/target.spm; make or copy them when they are not there.

    texts: the training sentences of both sides, read only when they must be made.
    """
    for side, name in enumerate(SIDES):
        path = f"{options.out}/{name}.spm"
        if os.path.exists(path):
            continue
        if options.vocab_from:
            shutil.copyfile(f"{options.vocab_from}/{name}.spm", path)
        else:
            corpus.train_vocabulary([pair[side] for pair in texts], options.out, name,
                                    options.vocab, options.vocab_kind)
    return [corpus.open_vocabulary(f"{options.out}/{name}.spm") for name in SIDES]


def read_long(options):
    """(pairs, weight of each) of the long text; two empty lists without."""
    if not options.long:
        return [], []
    table = dict(item.split("=") for item in options.weights.split(",") if item)
    pairs, tags = corpus.read_tagged(options.long, options.leave_out.split(","),
                                     options.swap)
    return pairs, [float(table.get(tag, 1)) for tag in tags]


def read_training(options):
    """(Mixture, vocabularies, counts for the report)."""
    short = corpus.read_pairs(options.train, options.swap)
    long, weights = read_long(options)
    shares = {corpus.plain: options.plain, corpus.unfinished: options.unfinished,
              corpus.renamed: options.renamed}
    counts = {"pairs": len(short), "long_pairs": len(long)}
    short = corpus.add_variants(short, shares, options.seed)
    vocabularies = prepare_vocabularies(options, short + long)
    longest = options.longest
    encoded = corpus.encode_pairs(short, vocabularies, longest)
    fits = [(pair, weight) for pair, weight
            in zip(corpus.encode_pairs(long, vocabularies), weights)
            if max(map(len, pair)) <= longest]
    mixture = corpus.Mixture(encoded, [pair for pair, _ in fits], [w for _, w in fits],
                             options.long_share, options.join, options.join_longest,
                             options.tokens)
    return mixture, vocabularies, counts


def make_model(options, sizes):
    if options.network == "transformer":
        return transformer.Transformer(transformer.make_config(
            options.languages, options.width, options.ffn, options.heads, options.layers,
            sizes, options.dropout))
    return network.Seq2Seq(network.make_config(
        options.languages, options.score, options.embedding, options.hidden,
        options.attention, sizes, options.dropout, options.query, options.coverage))


def learning_rate(options, step):
    done = step / options.steps
    warm = min(1, (step + 1) / options.warmup)
    cool = 1 if done < 0.4 else max(0.02, math.cos((done - 0.4) / 0.6 * math.pi / 2))
    return options.rate * warm * cool


def history_steps(options):
    """Steps whose weights are kept: 0, then ever further apart, then the last."""
    last = max(1, options.history - 1)
    wanted = {round(options.steps * (k / last) ** 2.2) for k in range(options.history)}
    return wanted - {options.steps}  # the last one is what is exported


class Run:
    """All that changes while training, and so all that state.pt holds."""

    def __init__(self, options, model):
        self.options, self.model = options, model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=options.rate,
                                          betas=(0.9, 0.98), foreach=True)
        self.rng = random.Random(options.seed)
        self.epoch_rng = None  # the generator's state when the epoch began
        self.step = self.epoch = self.place = self.tokens = self.averaged = 0
        self.seconds, self.loss, self.average, self.log = 0.0, 0.0, None, []

    COUNTERS = ("step", "epoch", "place", "tokens", "averaged", "seconds", "loss",
                "average", "log", "epoch_rng")

    def save(self):
        path = f"{self.options.out}/state.pt"
        state = {name: getattr(self, name) for name in self.COUNTERS}
        torch.save({"model": self.model.state_dict(),
                    "optimizer": self.optimizer.state_dict(),
                    "torch_rng": self.generator().get_state(), **state}, path + ".new")
        os.replace(path + ".new", path)

    def load(self):
        path = f"{self.options.out}/state.pt"
        if not os.path.exists(path):
            return
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        if len(state["torch_rng"]) == len(self.generator().get_state()):
            self.generator().set_state(state["torch_rng"])  # else of another device
        for name in self.COUNTERS:
            setattr(self, name, state[name])
        if self.average:
            self.average = {name: mean.to(self.options.device)
                            for name, mean in self.average.items()}

    def generator(self):
        """The device's: its dropout and its drawn candidates come from there."""
        if self.options.device == "cpu":
            return torch.default_generator
        return torch.cuda.default_generators[torch.device(self.options.device).index or 0]

    def batches(self, mixture):
        """The batches that are left of this epoch, the same after a resumption."""
        if self.epoch_rng is None:
            self.epoch, self.place = self.epoch + 1, 0
            self.epoch_rng = self.rng.getstate()
        self.rng.setstate(self.epoch_rng)
        return mixture.epoch(self.rng)[self.place:]

    def learn(self, batch):
        """One step of Adam (Kingma and Ba 2015)."""
        options = self.options
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(options, self.step)
        source, lengths, shifted, target = corpus.to_tensors(batch, options.device)
        drawn = options.candidates if self.step < 0.8 * options.steps else 0
        loss = self.model.loss(source, lengths, shifted, target, options.smoothing, drawn)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.model.collect()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step, self.place = self.step + 1, self.place + 1
        self.tokens += int((target != PAD).sum())
        loss = loss.item()
        self.loss = 0.98 * self.loss + 0.02 * loss if self.step > 1 else loss

    def add_to_average(self):
        weights = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self.averaged += 1
        if self.average is None:
            self.average = weights
        for name, mean in self.average.items():
            mean += (weights[name] - mean) / self.averaged


class Trainer:
    def __init__(self, options):
        self.options = options
        self.mixture, self.vocabularies, self.counts = read_training(options)
        self.dev = corpus.read_pairs(options.dev, options.swap)
        self.dev_ids = corpus.encode_pairs(self.dev, self.vocabularies)[:1000]
        sizes = [vocabulary.get_piece_size() for vocabulary in self.vocabularies]
        self.model = make_model(options, sizes).to(options.device)
        self.run = Run(options, self.model)
        self.run.load()
        self.fresh = []
        if options.start and self.run.step == 0:
            self.fresh = start_from(self.model, options.start, self.vocabularies)
        self.stop = False
        self.keep = history_steps(options) if options.history else set()

    def say(self, text):
        print(text, flush=True)
        with open(f"{self.options.out}/log.txt", "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def dev_loss(self):
        return measure.loss_per_token(self.model, self.dev_ids, self.options.tokens)

    def keep_history(self):
        """The weights of now, and what they can do, for watching an alignment form."""
        folder = f"{self.options.out}/model/history"
        os.makedirs(folder, exist_ok=True)
        file = f"step-{self.run.step:06}.safetensors"
        save_safetensors(f"{folder}/{file}", half_tensors(self.model))
        facts = {"step": self.run.step, "file": file,
                 "dev_loss": round(self.dev_loss(), 4)}
        if self.options.exact:
            facts["exact"] = measure.exact_share(self.model, self.vocabularies,
                                                 self.dev[:500])
        facts.update(self.attention_facts(self.dev_ids[:500]))
        self.run.log = [old for old in self.run.log if old["step"] != facts["step"]]
        self.run.log.append(facts)
        save_json(f"{folder}/index.json", self.run.log)
        for name in set(os.listdir(folder)) - {old["file"] for old in self.run.log}:
            if name.startswith("step-"):  # of an export before the end
                os.remove(f"{folder}/{name}")
        self.say(f"kept {facts}")

    def attention_facts(self, ids):
        if self.options.network == "recurrent" and self.options.score == "none":
            return {}
        return measure.attention_facts(self.model, ids, self.options.tokens,
                                       self.options.diagonal)

    def sit(self):
        """Train until the steps, the minutes or a signal end it; True: all is done."""
        run, options = self.run, self.options
        began, before, saved, tokens = time.time(), run.seconds, time.time(), run.tokens
        self.model.train()
        while run.step < options.steps and not self.stop:
            for batch in run.batches(self.mixture):
                if run.step in self.keep:
                    self.keep_history()
                run.learn(batch)
                if run.step > 0.85 * options.steps and run.step % 20 == 0:
                    run.add_to_average()
                now = time.time()
                run.seconds = before + now - began
                if run.step % 50 == 0:
                    speed = (run.tokens - tokens) / (now - began)
                    self.say(f"epoch {run.epoch} step {run.step}/{options.steps} "
                             f"{run.seconds:.0f} s loss {run.loss:.3f} "
                             f"{speed:.0f} tokens/s")
                if now - saved > 180:
                    run.save()
                    saved = now
                self.stop |= now - began > 60 * options.minutes
                if self.stop or run.step >= options.steps:
                    break
            else:
                run.epoch_rng = None  # the epoch is over
                self.say(f"== epoch {run.epoch} dev loss {self.dev_loss():.4f}")
        run.save()
        return run.step >= options.steps

    def take_average(self):
        """The averaged weights, if they are better than the last ones."""
        if self.run.average is None:
            return
        last = self.dev_loss()
        kept = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self.model.load_state_dict({n: w.to(self.options.device)
                                    for n, w in self.run.average.items()})
        mean = self.dev_loss()
        self.say(f"dev loss: last {last:.4f}, averaged {mean:.4f}")
        if mean > last:
            self.model.load_state_dict(kept)

    def finish(self):
        """Round to F16 first, so that what is judged is what is exported."""
        folder = f"{self.options.out}/model"
        os.makedirs(folder, exist_ok=True)
        self.take_average()
        for weight in self.model.parameters():
            weight.data = weight.data.half().float()
        save_model(folder, self.model)
        for name in SIDES:
            shutil.copyfile(f"{self.options.out}/{name}.spm", f"{folder}/{name}.spm")
        if self.keep:
            self.keep_history()
        report = self.report()
        save_json(f"{folder}/report.json", report)
        self.say(json.dumps(report))

    def steps_before(self):
        """Of the model it began with, and of those that that one began with."""
        path = f"{self.options.start}/report.json"
        if not self.options.start or not os.path.exists(path):
            return 0
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        return report.get("steps", 0) + report.get("steps_before", 0)

    def report(self):
        run, options = self.run, self.options
        test = corpus.read_pairs(options.test, options.swap)
        report = {"params": sum(p.numel() for p in self.model.parameters()),
                  "steps": run.step, "steps_before": self.steps_before(),
                  "epochs": run.epoch, "seconds": round(run.seconds),
                  "target_tokens": run.tokens, **self.counts,
                  "dev_loss": round(self.dev_loss(), 4)}
        if options.exact:
            report["test_exact"] = measure.exact_share(self.model, self.vocabularies,
                                                       test)
            report["test_pairs"] = len(test)
            ids = corpus.encode_pairs(test, self.vocabularies)
            return {**report, **self.attention_facts(ids)}
        results = measure.translate(self.model, self.vocabularies, [p[0] for p in test])
        report["test_bleu_greedy"] = round(measure.bleu(results, [p[1] for p in test]), 2)
        report["bleu_by_joined"] = measure.bleu_by_joined(self.model, self.vocabularies,
                                                          test)
        return report


def main():
    options = settle(sys.argv[1:])
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(options.seed)
    trainer = Trainer(options)

    def ask_to_stop(number, frame):
        trainer.stop = True
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    kind = options.score if options.network == "recurrent" else options.network
    trainer.say(f"{kind}: {sum(p.numel() for p in trainer.model.parameters())} "
                f"parameters, {len(trainer.mixture.short)} short and "
                f"{len(trainer.mixture.long)} long pairs, from step {trainer.run.step}")
    if trainer.fresh:
        trainer.say(f"not in {options.start}: {', '.join(trainer.fresh)}")
    if options.finish or trainer.sit():
        trainer.finish()


if __name__ == "__main__":
    main()
