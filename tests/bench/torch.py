# SPDX-License-Identifier: MIT
"""The same model, the same sentences, in PyTorch and in alphascope, in the same minute.

PyTorch computes eagerly in F32, as models/network.py defines the model; alphascope reads
the F16 weights. Both decode greedily, encoder included, and must give the same words.

  one core    one sentence at a time, in processor time per target token
  all cores   PyTorch in batches sorted by length, the faster of two sizes, alphascope
              as a filter; sentences per second by the clock, and processor time

What starting costs is measured with empty input and taken away. Rounds of both take
turns, and the best of each counts. A machine must be idle for the times by the clock.

usage: torch.py ALPHASCOPE [--model DIR] [--sentences FILE] [--rounds N]"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[0] = os.path.join(ROOT, "models")  # and not this folder: it has a torch.py

import sentencepiece  # noqa: E402
import torch  # noqa: E402
from export import load_safetensors  # noqa: E402
from network import EOS, PAD, Seq2Seq  # noqa: E402

REPEATS = 10  # of the sentences for alphascope, so that a run takes a second
BATCHES = (32, 128)


class Torch:
    def __init__(self, directory, lines):
        with open(f"{directory}/config.json", encoding="utf-8") as file:
            self.model = Seq2Seq(json.load(file))
        tensors = load_safetensors(f"{directory}/model.safetensors")
        self.model.load_state_dict(
            {name: torch.from_numpy(value).float() for name, value in tensors.items()})
        self.model.eval()
        source, self.target = (sentencepiece.SentencePieceProcessor(
            model_file=f"{directory}/{side}.spm") for side in ("source", "target"))
        self.ids = [row + [EOS] for row in source.encode(lines)]

    def batch(self, rows):
        """Lists of target ids, without PAD."""
        longest = max(len(row) for row in rows)
        source = torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
        lengths = torch.tensor([len(row) for row in rows])
        out = self.model.greedy(source, lengths, 3 * longest + 10).tolist()
        return [row[:row.index(EOS) + 1] if EOS in row else row for row in out]

    def one_by_one(self):
        return [self.batch([row])[0] for row in self.ids]

    def in_batches(self, size):
        rows = sorted(self.ids, key=len)
        return [out for begin in range(0, len(rows), size)
                for out in self.batch(rows[begin:begin + size])]

    def words(self, ids):
        return self.target.decode([i for i in ids if i not in (PAD, EOS)])


def timed(function, *arguments):
    """(result, seconds by the clock, seconds of processors)"""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return result, time.perf_counter() - wall, time.process_time() - cpu


def run_filter(command, lines):
    """The same for a filter, whose result is what it writes."""
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, input="".join(line + "\n" for line in lines),
                         capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (run.stdout, time.perf_counter() - wall,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def alphascope(command, lines):
    """(seconds by the clock, of processors) for all lines, starting taken away."""
    _, empty_wall, empty_cpu = run_filter(command, [])
    _, wall, cpu = run_filter(command, lines * REPEATS)
    return (wall - empty_wall) / REPEATS, (cpu - empty_cpu) / REPEATS


def blas():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        names = {os.path.realpath(line.split()[-1]) for line in maps if "blas" in line}
    return ", ".join(sorted(os.path.basename(name) for name in names)) or "its own BLAS"


def compare_words(program, output):
    """alphascope's translations, of the JSON it writes, against PyTorch's."""
    texts = [json.loads(line)["translation"] for line in output.splitlines()]
    ours = [program.words(ids) for ids in program.one_by_one()]
    same = sum(a == b for a, b in zip(texts, ours))
    print(f"words: {same} of {len(ours)} translations are the same")


def one_core(program, command, lines, rounds):
    torch.set_num_threads(1)
    theirs, ours = [], []
    for _ in range(rounds):
        rows, _, cpu = timed(program.one_by_one)
        theirs.append(cpu)
        ours.append(alphascope(command + ["--threads", "1"], lines)[1])
    tokens = sum(len(row) for row in rows)
    theirs, ours = (1e6 * min(times) / tokens for times in (theirs, ours))
    print(f"one core, one sentence at a time: PyTorch {theirs:.0f} us, alphascope "
          f"{ours:.0f} us a target token: {theirs / ours:.1f} times")


def all_cores(program, command, lines, rounds):
    cores = len(os.sched_getaffinity(0))
    torch.set_num_threads(cores)
    theirs, ours = [], []
    for _ in range(rounds):
        for size in BATCHES:
            _, wall, cpu = timed(program.in_batches, size)
            theirs.append((wall, cpu, size))
        ours.append(alphascope(command + ["--threads", str(cores)], lines))
    wall, _, size = min(theirs)
    least = min(cpu for _, cpu, _ in theirs)
    our_wall, our_cpu = (min(times) for times in zip(*ours))
    print(f"{cores} cores: PyTorch in batches of {size} {len(lines) / wall:.0f}, "
          f"alphascope {len(lines) / our_wall:.0f} sentences a second: "
          f"{wall / our_wall:.1f} times")
    print(f"  in processor time: {1e6 * least / len(lines):.0f} and "
          f"{1e6 * our_cpu / len(lines):.0f} us a sentence: {least / our_cpu:.1f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alphascope")
    parser.add_argument("--model", default=f"{ROOT}/models/en-fr-bahdanau")
    parser.add_argument("--sentences", default=f"{ROOT}/assets/samples/en-fr.tsv")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with open(options.sentences, encoding="utf-8") as file:
        lines = [line.split("\t")[0].strip() for line in file]
    trace = [options.alphascope, "trace", "--model", options.model, "--format"]
    program = Torch(options.model, lines)
    print(f"PyTorch {torch.__version__} with {blas()}; {len(lines)} sentences")
    with torch.no_grad():
        compare_words(program, run_filter(trace + ["json"], lines)[0])
        one_core(program, trace + ["pharaoh"], lines, options.rounds)
        all_cores(program, trace + ["pharaoh"], lines, options.rounds)


if __name__ == "__main__":
    main()
